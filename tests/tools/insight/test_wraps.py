"""Wraps: an integer result that is not what its operation computes is seen, and no other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.ops.operations import Add, Cast, Mul, ReduceSum, Square, Sub
from minispore.tools.insight import explain_overflow
from minispore.tools.insight.wraps import Wrap, wrapped_by

KINDS = [np.int8, np.uint8, np.int16, np.int32]
BINARY = {Add: np.add, Sub: np.subtract, Mul: np.multiply}


@given(kind=st.sampled_from(KINDS), operation=st.sampled_from(list(BINARY)), data=st.data())
def test_arithmetic_wraps_where_whole_numbers_say_otherwise(kind, operation, data):
    limits = np.iinfo(kind)
    numbers = st.lists(st.integers(limits.min, limits.max), min_size=3, max_size=3)
    x, y = (np.array(data.draw(numbers), kind) for _ in range(2))
    with np.errstate(all="ignore"):
        made = BINARY[operation](x, y)
    exact = [int(BINARY[operation](int(a), int(b))) for a, b in zip(x, y, strict=True)]
    wrong = [(float(e), int(m)) for e, m in zip(exact, made, strict=True) if e != m]
    assert wrapped_by(operation(), (x, y), (made,)) == (wrong[0] if wrong else None)


@given(kind=st.sampled_from(KINDS), numbers=st.lists(st.integers(-70000, 70000), min_size=1, max_size=4))
def test_a_cast_of_numbers_that_a_type_does_not_hold_wraps(kind, numbers):
    x = np.array(numbers, np.float32) + np.float32(0.25)
    made = x.astype(np.int64).astype(kind)
    limits = np.iinfo(kind)
    held = all(limits.min <= int(v) <= limits.max for v in x)
    assert (wrapped_by(Cast(), (x, np.dtype(kind)), (made,)) is None) == held


def test_sums_and_squares_wrap_too_and_wide_integers_and_floats_do_not():
    x = np.array([100, 100], np.int8)
    assert wrapped_by(Square(), (x,), (x * x,)) == (10000.0, 16)
    assert wrapped_by(ReduceSum(), (x, ()), (np.array(-56, np.int8),)) == (200.0, -56)
    assert wrapped_by(Square(), (x.astype(np.int64),), (x.astype(np.int64) ** 2,)) is None
    assert wrapped_by(Square(), (x.astype(np.float32),), (x.astype(np.float32) ** 2,)) is None
    assert str(Wrap("Cast", "int8", "a.py:3", 200.0, -56)) == (
        "Cast at a.py:3 wraps in int8: 200 becomes -56. A wider type of integers holds it."
    )


class Counting(nn.Cell):
    """A sum of integers that wraps, some operations before the root that it spoils."""

    def __init__(self, kind):
        super().__init__()
        self.fc, self.kind = nn.Dense(4, 4), kind

    def construct(self, x, y):
        count = ops.ones((4,)).astype(self.kind) * 100
        total = (count + count).reshape(2, 2).astype(ms.float32) * 0.5
        return (self.fc(x) - y).mean() * ops.sqrt(total).sum()


@pytest.mark.parametrize(("kind", "wraps"), [(ms.int8, True), (ms.int32, False)])
def test_what_wraps_long_before_is_named(kind, wraps):
    net = Counting(kind)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    verdict = explain_overflow(step, ops.ones((2, 4)), ops.zeros((2, 4)))
    assert (verdict is not None) == wraps
    assert not wraps or (
        verdict.operation == "Sqrt" and "Add at " in verdict.advice and "200 becomes" in verdict.advice
    )
