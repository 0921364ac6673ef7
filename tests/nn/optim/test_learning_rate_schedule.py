"""Learning rates: lists and schedules against their formulas, one another, and the errors of their arguments."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn

COUNTS = st.integers(1, 7)
RATES = st.floats(0.01, 2.0)
STAIRS = st.booleans()


def polynomial(lr, end, step, last, power, stretched):
    last = last * max(math.ceil(step / last), 1) if stretched else last
    return end + (lr - end) * (1 - min(step, last) / last) ** power


FORMULAS = {
    "exponential": lambda lr, rate, e, n, stair: lr * rate ** (e // n if stair else e / n),
    "natural_exp": lambda lr, rate, e, n, stair: lr * math.exp(-rate * (e // n * n if stair else e)),
    "inverse": lambda lr, rate, e, n, stair: lr / (1 + rate * (e // n if stair else e / n)),
}
CELLS = {"exponential": nn.ExponentialDecayLR, "natural_exp": nn.NaturalExpDecayLR, "inverse": nn.InverseDecayLR}


def values(schedule, steps=20):
    return [float(schedule(ms.Tensor(k, ms.int32)).asnumpy()) for k in range(steps)]


@pytest.mark.parametrize("kind", FORMULAS)
@given(lr=RATES, rate=RATES, per_epoch=COUNTS, count=COUNTS, stair=STAIRS)
def test_a_decay_follows_its_formula_by_epochs_in_a_list_and_by_steps_in_a_schedule(
    kind, lr, rate, per_epoch, count, stair
):
    formula = FORMULAS[kind]
    found = getattr(nn, f"{kind}_decay_lr")(lr, rate, 20, per_epoch, count, stair)
    np.testing.assert_allclose(found, [formula(lr, rate, k // per_epoch, count, stair) for k in range(20)], rtol=1e-12)
    cell = CELLS[kind](lr, rate, count, stair)
    np.testing.assert_allclose(values(cell), [formula(lr, rate, k, count, stair) for k in range(20)], rtol=2e-5)


@given(low=st.floats(0, 0.1), more=RATES, per_epoch=COUNTS, count=COUNTS)
def test_the_cosine_falls_to_the_least_rate_and_stays(low, more, per_epoch, count):
    high = low + more
    found = nn.cosine_decay_lr(low, high, 20, per_epoch, count)
    expected = [(low + high) / 2 + (high - low) / 2 * math.cos(math.pi * min(k, count) / count) for k in range(20)]
    np.testing.assert_allclose(found, [expected[k // per_epoch] for k in range(20)], atol=1e-12)
    np.testing.assert_allclose(values(nn.CosineDecayLR(low, high, count)), expected, atol=1e-6)


@given(lr=RATES, end=st.floats(0, 2), power=st.floats(0.5, 3), per_epoch=COUNTS, count=COUNTS, stretched=STAIRS)
def test_the_polynomial_ends_or_starts_again_with_a_longer_decay(lr, end, power, per_epoch, count, stretched):
    expected = [polynomial(lr, end, k, count, power, stretched) for k in range(20)]
    found = nn.polynomial_decay_lr(lr, end, 20, per_epoch, count, power, stretched)
    np.testing.assert_allclose(found, [expected[k // per_epoch] for k in range(20)], atol=1e-12)
    cell = nn.PolynomialDecayLR(lr, end, count, power, stretched)
    np.testing.assert_allclose(values(cell), expected, atol=2e-3)  # a root of what is nearly 0 magnifies its rounding


@given(lr=st.floats(0, 1), per_epoch=COUNTS, count=COUNTS)
def test_the_warm_up_rises_in_a_line(lr, per_epoch, count):
    expected = [lr * min(k / count, 1) for k in range(20)]
    found = nn.warmup_lr(lr, 20, per_epoch, count)
    np.testing.assert_allclose(found, [expected[k // per_epoch] for k in range(20)], rtol=1e-12)
    np.testing.assert_allclose(values(nn.WarmUpLR(lr, count)), expected, rtol=1e-6, atol=1e-7)


SCHEDULES = [
    nn.ExponentialDecayLR(0.1, 0.9, 3, True),
    nn.NaturalExpDecayLR(0.1, 0.9, 3, True),
    nn.InverseDecayLR(0.1, 0.9, 3),
    nn.CosineDecayLR(0.01, 0.1, 4),
    nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5, True),
    nn.WarmUpLR(0.1, 4),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda s: type(s).__name__)
def test_a_schedule_takes_any_kind_of_step_and_keeps_its_shape(schedule):
    expected = schedule(ms.Tensor(3, ms.int32)).asnumpy()
    assert expected.shape == () and expected.dtype == np.float32
    assert schedule(3).asnumpy() == schedule(ms.Tensor(3)).asnumpy() == schedule(ms.Tensor(3.0)).asnumpy() == expected
    many = schedule(ms.Tensor([1, 3], ms.int32)).asnumpy()
    assert many.shape == (2,) and many[1] == expected
    assert repr(schedule) == f"{type(schedule).__name__}<>"


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda s: type(s).__name__)
def test_an_optimizer_asks_a_schedule_before_each_step(schedule):
    optimizer = nn.SGD([ms.Parameter([0.0], name="w")], schedule)
    for step in range(3):
        before = optimizer.parameters[0].asnumpy().copy()
        assert optimizer.get_lr().shape == ()
        optimizer((ms.Tensor([1.0]),))
        moved = before - optimizer.parameters[0].asnumpy()
        np.testing.assert_allclose(moved, schedule(step).asnumpy(), rtol=1e-5, atol=1e-7)


OTHERS = [
    (TypeError, "For 'cosine_decay_lr', the 'min_lr' must be a float", lambda: nn.cosine_decay_lr(0, 0.1, 9, 2, 2)),
    (ValueError, "the 'min_lr' must be finite and", lambda: nn.CosineDecayLR(float("nan"), 0.1, 9)),
    (ValueError, "the 'max_lr' must be finite and", lambda: nn.CosineDecayLR(0.0, float("inf"), 9)),
    (ValueError, "the 'power' must be finite and", lambda: nn.PolynomialDecayLR(0.1, 0.01, 3, float("nan"))),
    (ValueError, "the 'learning_rate' must be finite and", lambda: nn.WarmUpLR(float("nan"), 3)),
    (ValueError, r"'learning_rates\[0\]' must be finite", lambda: nn.piecewise_constant_lr([1], [float("nan")])),
    (ValueError, "the 'min_lr' must be finite and at least 0", lambda: nn.cosine_decay_lr(-0.1, 0.1, 9, 2, 2)),
    (ValueError, "the 'max_lr' must be above the 'min_lr', 0.1", lambda: nn.CosineDecayLR(0.1, 0.1, 9)),
    (ValueError, "For 'CosineDecayLR', the 'decay_steps' must be above 0", lambda: nn.CosineDecayLR(0.0, 0.1, 0)),
    (
        ValueError,
        "the 'end_learning_rate' must be finite and at least 0",
        lambda: nn.PolynomialDecayLR(0.1, -0.1, 3, 0.5),
    ),
    (ValueError, "the 'power' must be finite and above 0", lambda: nn.polynomial_decay_lr(0.1, 0.01, 9, 2, 2, 0.0)),
    (TypeError, "the 'power' must be a float", lambda: nn.PolynomialDecayLR(0.1, 0.01, 3, 1)),
    (TypeError, "'update_decay_epoch' must", lambda: nn.polynomial_decay_lr(0.1, 0.01, 9, 2, 2, 0.5, 1)),
    (TypeError, "'update_decay_steps' must", lambda: nn.PolynomialDecayLR(0.1, 0.01, 3, 0.5, 1)),
    (TypeError, "For 'WarmUpLR', the 'learning_rate' must be a float", lambda: nn.WarmUpLR(1, 3)),
    (ValueError, "For 'warmup_lr', the 'learning_rate' must be finite and at", lambda: nn.warmup_lr(-0.1, 7, 2, 2)),
    (ValueError, "the 'warmup_epoch' must be above 0", lambda: nn.warmup_lr(0.1, 7, 2, 0)),
    (TypeError, "For 'InverseDecayLR', the 'decay_rate'", lambda: nn.InverseDecayLR(0.1, 1, 3)),
    (ValueError, "For 'NaturalExpDecayLR', the 'decay_steps'", lambda: nn.NaturalExpDecayLR(0.1, 0.9, 0)),
    (TypeError, "the 'milestone' must be a list or a tuple, but got int", lambda: nn.piecewise_constant_lr(2, [0.1])),
    (ValueError, "of one length, not 0, but got 1 and 2", lambda: nn.piecewise_constant_lr([2], [0.1, 0.2])),
    (ValueError, "of one length, not 0, but got 0 and 0", lambda: nn.piecewise_constant_lr([], [])),
    (ValueError, "the 'milestone' must be rising", lambda: nn.piecewise_constant_lr([5, 2], [0.1, 0.2])),
    (ValueError, r"the 'milestone\[0\]' must be above 0", lambda: nn.piecewise_constant_lr([0, 2], [0.1, 0.2])),
    (TypeError, r"the 'milestone\[0\]' must be an int", lambda: nn.piecewise_constant_lr([1.0, 2], [0.1, 0.2])),
    (TypeError, r"the 'learning_rates\[1\]' must be a float", lambda: nn.piecewise_constant_lr([1, 2], [0.1, 1])),
]


@pytest.mark.parametrize(("kind", "message", "make"), OTHERS, ids=[row[1][:50] for row in OTHERS])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()
