"""The dtype that a callable computes in, from outside."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.tools.testing import ran_in

X = ms.Tensor(np.random.default_rng(0).standard_normal((4, 3)), ms.float32)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("make", [lambda: nn.Dense(3, 2), nn.ReLU, nn.Softmax, lambda: nn.LayerNorm((3,))])
def test_a_marked_cell_computes_as_it_is_marked(make, dtype):
    assert ran_in(make().to_float(getattr(ms, dtype)), X) == dtype


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64"])
def test_any_function_of_arrays_will_do(dtype):
    kind = ms.bfloat16.np if dtype == "bfloat16" else np.dtype(dtype)
    assert ran_in(lambda x: (x.astype(kind) * 2).astype(np.float64), np.linspace(0.1, 1, 5)) == dtype


def test_float16_cannot_be_seen_beyond_an_input_of_float32():
    assert ran_in(lambda x: x.astype(np.float64) * 2, np.ones(3, np.float32)) == "float32"


def test_what_does_not_depend_on_its_inputs_ran_in_nothing():
    assert ran_in(lambda x: ops.zeros_like(x), X) is None


def test_what_gives_two_answers_is_refused():
    numbers = iter(range(9999))
    with pytest.raises(ValueError, match="the same for the same inputs"):
        ran_in(lambda x: x * next(numbers), X)
