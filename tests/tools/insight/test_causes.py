"""Causes: the place of the first number that is not finite, what it is computed of, and advice that mends it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow


@pytest.fixture(autouse=True)
def restored_settings(restored):
    ms.set_seed(3)


class Rule(nn.Cell):
    """A rule on data times a weight of 1."""

    def __init__(self, rule):
        super().__init__()
        self.weight, self.rule = ms.Parameter(np.float32(1.0), name="weight"), rule

    def construct(self, *xs):
        return self.rule(*[x * self.weight for x in xs]).sum()


def verdict_on(rule, *xs):
    net = Rule(rule)
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    return explain_overflow(step, *[ms.Tensor(np.asarray(x, np.float32)) for x in xs])


UNARY = {  # rule -> (the numbers that it has no result for, those that it has one for, and the rule as advised)
    "Log2": (ops.log2, [0.0, -0.5], [0.5, 2.0], lambda x: ops.log2(ops.relu(x) + 1e-6)),
    "Log10": (ops.log10, [0.0, -0.5], [0.5, 2.0], lambda x: ops.log10(ops.relu(x) + 1e-6)),
    "Log": (ops.log, [0.0, -0.5, -3.0], [0.5, 2.0], lambda x: ops.log(ops.relu(x) + 1e-6)),
    "Sqrt": (ops.sqrt, [-0.5, -4.0], [0.5, 4.0], lambda x: ops.sqrt(ops.relu(x) + 1e-6)),
    "Rsqrt": (ops.rsqrt, [0.0, -2.0], [0.5, 4.0], lambda x: ops.rsqrt(ops.relu(x) + 1e-6)),
    "Reciprocal": (ops.reciprocal, [0.0], [0.5, -4.0], lambda x: ops.reciprocal(ops.where(x == 0, x + 1, x))),
    "ACos": (ops.acos, [1.5, -2.0], [0.5, -0.25], lambda x: ops.acos(ops.clamp(x, -0.999, 0.999))),
    "Asin": (ops.asin, [1.5, -2.0], [0.5, -0.25], lambda x: ops.asin(ops.clamp(x, -0.999, 0.999))),
    "Atanh": (ops.atanh, [1.0, -2.0], [0.5, -0.25], lambda x: ops.atanh(ops.clamp(x, -0.999, 0.999))),
    "Acosh": (ops.acosh, [0.5, -2.0], [1.5, 3.0], lambda x: ops.acosh(ops.clamp(x, 1.001))),
    "Log1p": (ops.log1p, [-1.0, -2.0], [0.5, 3.0], lambda x: ops.log1p(ops.clamp(x, -0.999))),
}


@settings(deadline=None)
@given(name=st.sampled_from(list(UNARY)), shape=array_shapes(max_dims=3, max_side=4), data=st.data())
def test_the_place_and_the_number_there_are_told_and_the_advice_mends(name, shape, data):
    rule, outside, inside, mended = UNARY[name]
    x = np.resize(inside, shape)
    place = tuple(data.draw(st.integers(0, side - 1)) for side in shape)
    x[place] = data.draw(st.sampled_from(outside))
    verdict = verdict_on(rule, x)
    assert (verdict.operation, verdict.kind, verdict.phase) == (name, "invalid", "forward")
    assert (verdict.place.index, verdict.place.there, verdict.place.bad) == (
        place,
        (np.float32(x[place]),),
        (1, x.size),
    )
    assert verdict.place.counts == (((x < 0).sum(), (x == 0).sum(), x.size),)
    assert f" at {list(place)} of {x[place]:g}" in str(verdict) and verdict.advice
    assert verdict_on(rule, np.where(x == x[place], inside[0], x)) is None
    assert verdict_on(mended, x) is None


@settings(deadline=None)
@given(rows=st.integers(1, 4), columns=st.integers(1, 4), data=st.data())
def test_a_divisor_of_zero_is_told_where_it_is_broadcast(rows, columns, data):
    x, divisor = np.ones((rows, columns)) * data.draw(st.sampled_from([0.0, 3.0])), np.ones(columns)
    divisor[column := data.draw(st.integers(0, columns - 1))] = 0
    verdict = verdict_on(lambda a, b: a / b, x, divisor)
    assert (verdict.operation, verdict.place.index, verdict.place.there) == ("Div", (0, column), (x[0, 0], 0.0))
    assert verdict.place.counts[1] == (0, 1, columns) and verdict.place.bad == (rows, x.size)
    assert "The divisor is 0" in verdict.advice
    assert verdict_on(lambda a, b: a / ops.where(b == 0, ops.ones_like(b), b), x, divisor) is None


@settings(deadline=None)
@given(base=st.floats(-8, 8, width=16), power=st.sampled_from([0.5, 1.5, -0.5, -2.0, 2.0]))
def test_a_power_without_a_result_is_told_and_no_other(base, power):
    has_result = base > 0 or (base < 0 and power == int(power)) or (base == 0 and power > 1)
    if 0 < abs(base) < 1e-3:
        return
    verdict = verdict_on(lambda x: ops.pow(x, power), [base, 1.0])
    assert (verdict is None) == has_result
    assert has_result or ("below 0" if base < 0 else "base is 0") in verdict.advice


@pytest.mark.parametrize("function", [ops.softmax, ops.log_softmax])
@pytest.mark.parametrize("whole", [False, True])
def test_a_row_that_is_masked_is_told_of_only_if_it_is_masked_whole(function, whole):
    hidden = ms.Tensor([[True, whole], [False, False]])

    def rule(x):
        out = function(ops.masked_fill(x, hidden, float("-inf")), -1)
        return ops.where(hidden, ops.zeros_like(out), out) if not whole else out

    verdict = verdict_on(rule, [[1.0, 2.0], [3.0, 4.0]])
    assert (verdict is not None) == whole
    assert not whole or (verdict.kind == "invalid" and "masked whole" in verdict.advice)


def test_a_number_in_the_code_is_named():
    verdict = verdict_on(lambda x: x + float("inf"), [1.0])
    assert (verdict.kind, verdict.given, verdict.operation) == ("data", "The number inf in the code", "Add")


class MaskedLabel(nn.Cell):
    """A class that is masked, which is the label of a row."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 3)

    def construct(self, x, y):
        return ops.cross_entropy(ops.masked_fill(self.fc(x), ms.Tensor([True, False, False]), float("-inf")), y)


@pytest.mark.parametrize(("label", "bad"), [(0, True), (1, False)])
def test_a_label_that_is_masked_is_named_by_the_number_of_the_mask(label, bad):
    net = MaskedLabel()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    verdict = explain_overflow(step, ops.ones((2, 3)), ms.Tensor([1, label], ms.int32))
    assert (verdict is not None) == bad
    assert not bad or (verdict.kind, verdict.given) == ("data", "The number -inf in the code")
    assert not bad or "leave the place open that the loss reads" in str(verdict)


TABLE = ms.Tensor(np.full((3,), -np.inf, np.float32))


def test_a_table_without_a_name_is_told_of_with_the_first_nan_that_comes_of_it():
    verdict = verdict_on(lambda x: (x + TABLE) * 0, [1.0, 2.0, 3.0])
    assert (verdict.kind, verdict.given) == ("data", "A Tensor that the network holds")
    assert "The first nan comes of it in Mul" in str(verdict)


def test_an_exponential_beyond_every_type_has_its_advice():
    assert "ops.softmax" in verdict_on(lambda x: ops.exp(x * 1000), [1.0]).advice
