"""LARS: another optimizer's steps, scaled for each Parameter, against the formula in float64."""

import numpy as np
import pytest
from nn.optim.test_optimizer import GRADIENTS, RATE, assert_follows, momentum, one, parameters, states, tensors

import minispore as ms
from minispore import nn

DECAY_AND_SCALE = {"weight_decay": 0.01, "loss_scale": 128.0}
BOTH = {"decay": 0.01, "scale": 128.0}


def lars(t, w, g, s, decay=0.0, scale=1.0, clip=False, coefficient=0.001, lr=RATE):
    g, of_w, of_g = g / scale, np.linalg.norm(w), np.linalg.norm(g / scale)
    rate = coefficient * of_w / (of_g + decay * of_w + 1e-5)
    return momentum(t, w, (g + decay * w) * (min(rate / lr, 1) if clip else rate), s, lr=lr)


LARS_CASES = {
    "plain": ({}, {}, {}),
    "decay and scale": (DECAY_AND_SCALE, {}, BOTH),
    "clipped": ({}, {"use_clip": True, "coefficient": 0.05}, {"clip": True, "coefficient": 0.05}),
}


@pytest.mark.parametrize("name", LARS_CASES)
def test_lars_scales_what_its_filter_takes_and_leaves_biases_to_the_optimizer(name):
    arguments, own, settings = LARS_CASES[name]
    plain = {key: settings[key] for key in ("decay", "scale") if key in settings}

    def rule(t, w, g, s, scaled, **rest):
        return lars(t, w, g, s, **rest) if scaled else momentum(t, w, g, s, **rest)

    both = {"scaled": True, **settings}, {"scaled": False, **plain}
    assert_follows(lambda p: nn.LARS(nn.Momentum(p, RATE, 0.9, **arguments), **own), rule, settings=both)


def test_lars_takes_the_filter_of_the_user_and_group_rates():
    groups = lambda p: [{"params": [p[0]], "lr": 0.2, "weight_decay": 0.01}, {"params": [p[1]]}]  # noqa: E731
    make = lambda p: nn.LARS(nn.Momentum(groups(p), RATE, 0.9), use_clip=True, lars_filter=lambda x: True)  # noqa: E731
    assert_follows(make, lars, settings=({"lr": 0.2, "decay": 0.01, "clip": True}, {"clip": True}))


def test_lars_answers_for_the_optimizer_and_takes_its_decay_and_loss_scale_over():
    inner = nn.Momentum(parameters(), [0.1, 0.2], 0.9, weight_decay=0.01, loss_scale=128.0)
    outer = nn.LARS(inner)
    assert (outer.loss_scale, outer.weight_decay, inner.loss_scale) == (128.0, np.float32(0.01 * 128), 1.0)
    assert outer.parameters is inner.parameters and outer.dynamic_lr
    outer(tensors(GRADIENTS[0]))
    assert outer.get_lr().asnumpy() == np.float32(0.2)
    assert list(outer.parameters_dict()) == [
        "global_step", "a.weight", "a.bias", "momentum", "moments.a.weight", "moments.a.bias", "learning_rate",
    ]  # fmt: skip


@pytest.mark.parametrize(("weight", "gradient", "expected"), [([0, 0], [1, 2], [-0.5, -1]), ([1, 2], [0, 0], [1, 2])])
def test_where_a_norm_is_0_the_rate_is_1(weight, gradient, expected):
    w = one(values=map(float, weight))
    nn.LARS(nn.SGD([w], 0.5))((ms.Tensor(gradient, ms.float32),))
    np.testing.assert_allclose(w.asnumpy(), expected, rtol=1e-5)


def test_lars_does_not_overflow_on_large_float16_gradients():
    w = one(values=[1.0, 2.0])
    nn.LARS(nn.SGD([w], 1.0), epsilon=0.0, coefficient=1.0)((ms.Tensor([30000.0, 40000.0], ms.float16),))
    np.testing.assert_allclose(w.asnumpy(), np.array([1, 2]) - np.sqrt(5) * np.array([0.6, 0.8]), rtol=1e-3)


WRONG = [
    (TypeError, "For 'LARS', the 'optimizer' must be another Optimizer, but got int", lambda: nn.LARS(3)),
    (TypeError, "For 'LARS', the 'epsilon' must be a float", lambda: nn.LARS(nn.SGD([one()]), epsilon=1)),
    (
        ValueError,
        "For 'LARS', the 'coefficient' must be finite and at",
        lambda: nn.LARS(nn.SGD([one()]), coefficient=-1.0),
    ),
    (TypeError, "For 'LARS', the 'use_clip' must be a bool", lambda: nn.LARS(nn.SGD([one()]), use_clip=1)),
    (TypeError, "For 'LARS', the 'lars_filter' must be a function", lambda: nn.LARS(nn.SGD([one()]), lars_filter=3)),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG, ids=[row[1][:50] for row in WRONG])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()


def test_a_refused_step_of_lars_changes_nothing():
    optimizer = nn.LARS(nn.Momentum(parameters(), RATE, 0.9))
    before = states(optimizer)
    with pytest.raises(ValueError, match="there must be 2 gradients"):
        optimizer((ms.Tensor([1.0]),))
    for name, value in states(optimizer).items():
        np.testing.assert_array_equal(value, before[name], err_msg=name)
