"""What depends on nothing is computed before the first replay, and once."""

import numpy as np
import pytest
from support.passes import replayed

import minispore as ms
from minispore import Tensor, ops
from minispore.graph import constant_steps
from minispore.graph.constant_steps import with_constants_computed

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def from_zeros(x):
    return x * 2 + ops.ones((2, 3), ms.float32).astype(ms.float16).astype(ms.float32)


def returned(x):
    return x * 2, ops.ones((2, 3), ms.float32)


def drawn(x):
    return x + ops.standard_normal((2, 3))


def test_constants_are_no_steps():
    names, made, right = replayed(from_zeros, [with_constants_computed], X)
    assert (names, made) == (["Mul", "Add"], right)


def test_what_is_returned_is_made_anew():
    names, made, right = replayed(returned, [with_constants_computed], X)
    assert made == right and "Ones" in names


@pytest.mark.usefixtures("restored")
def test_draws_and_large_results_stay_steps(monkeypatch):
    ms.set_seed(1)
    assert len(replayed(drawn, [with_constants_computed], X)[0]) > 1
    monkeypatch.setattr(constant_steps, "_LARGEST", 8)
    assert "Ones" in replayed(from_zeros, [with_constants_computed], X)[0]
