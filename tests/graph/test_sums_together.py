"""Sums to one axis are taken together, before the first of them is read."""

import numpy as np
import pytest
from support.passes import replayed

from minispore import Tensor
from minispore.graph import sums_together
from minispore.graph.sums_together import kept_axis, with_sums_together
from minispore.ops.operations.reduce.reduction import ReduceSum


def three(x, y):
    return x.sum(0), (x * y).sum((0,)), y.sum(1)


def one_of_another(x, y):
    first = x.sum(0)
    return (y * first).sum(0), (x - y).sum(1)


def drawn(seed):
    return Tensor(np.random.default_rng(seed).standard_normal((3, 5)).astype(np.float32))


@pytest.mark.parametrize(("function", "count"), [(three, 1), (one_of_another, 1)])
def test_sums_together_are_the_sums(function, count):
    names, made, right = replayed(function, [with_sums_together], drawn(0), drawn(1))
    assert made == right
    assert names.count("Sums") == count
    assert names.count("ReduceSum") == (function is one_of_another)


def test_what_is_to_be_summed_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(sums_together, "_KEPT", 60)  # bytes of one of the arrays
    names, made, right = replayed(three, [with_sums_together], drawn(0), drawn(1))
    assert made == right and names.count("ReduceSum") == 1


def test_the_axis_that_stays():
    plain, kept = ReduceSum(), ReduceSum(keep_dims=True)
    assert [kept_axis(plain, axes, 3) for axes in ((0, 1), (0, 2), (-1, -2), 1, ())] == [2, 1, 0, None, None]
    assert [kept_axis(plain, None, 2), kept_axis(kept, 0, 2), kept_axis(plain, 0, 1)] == [None] * 3
