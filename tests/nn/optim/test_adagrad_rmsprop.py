"""AdaMax, AdamWeightDecay, Adagrad, RMSProp, Adadelta and Lamb: their steps against formulas in float64, state, errors.

Numbers such as ``1 - beta2`` are those of float32, as in the steps themselves.
"""

import numpy as np
import pytest
from nn.optim.test_optimizer import (
    GRADIENTS,
    RATE,
    Falling,
    assert_follows,
    assert_goes_on_alike,
    one,
    parameters,
    run,
    states,
    tensors,
)

import minispore as ms
from minispore import nn


def of_float32(x):
    return float(np.float32(x))


B1, B2 = of_float32(0.9), of_float32(0.999)


def moments(g, s, b1, b2):
    s["m"] = b1 * s.get("m", 0) + (1 - b1) * g
    s["v"] = b2 * s.get("v", 0) + (1 - b2) * g * g
    return s["m"], s["v"]


def adam_weight_decay(t, w, g, s, lr=RATE, decay=0.0, b1=B1, b2=B2, eps=1e-6):
    m, v = moments(g, s, b1, b2)
    return w - lr * (m / (np.sqrt(v) + eps) + decay * w)


def lamb(t, w, g, s, lr=RATE, decay=0.0, b1=B1, b2=B2, eps=1e-6):
    m, v = moments(g, s, b1, b2)
    lr = lr[t - 1] if isinstance(lr, list) else lr
    u = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps) + decay * w
    return w - lr * np.linalg.norm(w) / np.linalg.norm(u) * u


def adagrad(t, w, g, s, lr=0.001, accum=0.1, decay=0.0, scale=1.0, update=True):
    g = g / scale + decay * w
    s["a"] = s.get("a", accum) + (g * g if update else 0)
    return w - lr * g / np.sqrt(s["a"])


def rms_prop(t, w, g, s, lr=RATE, rho=0.9, m=0.0, eps=1e-10, centered=False, decay=0.0, scale=1.0):
    g = g / scale + decay * w
    s["s"] = rho * s.get("s", 1.0) + (1 - rho) * g * g
    s["a"] = rho * s.get("a", 0.0) + (1 - rho) * g * centered
    s["m"] = m * s.get("m", 0.0) + lr * g / np.sqrt(s["s"] - s["a"] ** 2 + eps)
    return w - s["m"]


def adadelta(t, w, g, s, lr=1.0, rho=0.9, eps=1e-6, decay=0.0, scale=1.0):
    g = g / scale + decay * w
    s["a"] = rho * s.get("a", 0.0) + (1 - rho) * g * g
    u = g * np.sqrt((s.get("b", 0.0) + eps) / (s["a"] + eps))
    s["b"] = rho * s.get("b", 0.0) + (1 - rho) * u * u
    return w - lr * u


def adamax(t, w, g, s, lr=0.001, b1=B1, b2=B2, eps=1e-8, decay=0.0, scale=1.0):
    g = g / scale + decay * w
    s["m"], s["v"] = b1 * s.get("m", 0.0) + (1 - b1) * g, np.maximum(b2 * s.get("v", 0.0), np.abs(g))
    return w - lr / (1 - b1**t) * s["m"] / (s["v"] + eps)


BOTH = {"decay": 0.01, "scale": 128.0}
DECAY_AND_SCALE = {"weight_decay": 0.01, "loss_scale": 128.0}
FORMULAS = {
    "AdaMax": (nn.AdaMax, adamax, {}),
    "AdaMax, all": (
        lambda p: nn.AdaMax(p, RATE, 0.5, 0.75, 0.125, **DECAY_AND_SCALE),
        adamax,
        {"lr": RATE, "b1": 0.5, "b2": 0.75, "eps": 0.125, **BOTH},
    ),
    "AdamWeightDecay": (lambda p: nn.AdamWeightDecay(p, RATE), adam_weight_decay, {}),
    "AdamWeightDecay, decay": (
        lambda p: nn.AdamWeightDecay(p, RATE, 0.5, 0.75, 0.1, 0.05),
        adam_weight_decay,
        {"b1": 0.5, "b2": 0.75, "eps": 0.1, "decay": 0.05},
    ),
    "Adagrad": (nn.Adagrad, adagrad, {}),
    "Adagrad, all": (
        lambda p: nn.Adagrad(p, 0.5, RATE, **DECAY_AND_SCALE),
        adagrad,
        {"lr": RATE, "accum": 0.5, **BOTH},
    ),
    "Adagrad, slots held": (lambda p: nn.Adagrad(p, 0.5, update_slots=False), adagrad, {"accum": 0.5, "update": False}),
    "RMSProp": (nn.RMSProp, rms_prop, {}),
    "RMSProp, all": (
        lambda p: nn.RMSProp(p, 0.05, 0.75, 0.5, 0.125, **DECAY_AND_SCALE),
        rms_prop,
        {"lr": 0.05, "rho": 0.75, "m": 0.5, "eps": 0.125, **BOTH},
    ),
    "RMSProp, centered": (lambda p: nn.RMSProp(p, centered=True, momentum=0.5), rms_prop, {"m": 0.5, "centered": True}),
    "Adadelta": (nn.Adadelta, adadelta, {}),
    "Adadelta, all": (
        lambda p: nn.Adadelta(p, 0.5, 0.75, 0.125, **DECAY_AND_SCALE),
        adadelta,
        {"lr": 0.5, "rho": 0.75, "eps": 0.125, **BOTH},
    ),
    "Lamb": (lambda p: nn.Lamb(p, RATE), lamb, {}),
    "Lamb, decay": (lambda p: nn.Lamb(p, RATE, weight_decay=0.05), lamb, {"decay": 0.05}),
    "Lamb, rates": (lambda p: nn.Lamb(p, [0.1, 0.2, 0.3, 0.4]), lamb, {"lr": [0.1, 0.2, 0.3, 0.4]}),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_four_steps_follow_the_formula(name):
    make, rule, settings = FORMULAS[name]
    assert_follows(make, rule, settings=(settings, settings))


MAKERS = {
    "AdaMax": (nn.AdaMax, ["beta1_power", "moment1", "moment2"]),
    "AdamWeightDecay": (nn.AdamWeightDecay, ["adam_m", "adam_v"]),
    "Adagrad": (nn.Adagrad, ["accum"]),
    "RMSProp": (nn.RMSProp, ["mean_square", "moment"]),
    "RMSProp, centered": (lambda p: nn.RMSProp(p, centered=True), ["mean_grad", "mean_square", "moment"]),
    "Adadelta": (nn.Adadelta, ["accum", "accum_update"]),
    "Lamb": (lambda p: nn.Lamb(p, RATE), ["lamb_m", "lamb_v"]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_state_has_mindspores_names_and_order(name):
    make, kinds = MAKERS[name]
    paths = {kind: [kind] if kind == "beta1_power" else [f"{kind}.a.weight", f"{kind}.a.bias"] for kind in kinds}
    expected = [path for kind in kinds for path in paths[kind]]
    assert list(states(make(parameters()))) == ["global_step", "learning_rate", "a.weight", "a.bias", *expected]


@pytest.mark.parametrize("name", MAKERS)
def test_the_state_says_all_so_that_a_copy_goes_on_alike(name):
    assert_goes_on_alike(MAKERS[name][0])


@pytest.mark.parametrize("name", MAKERS)
def test_float16_gradients_and_parameters_are_stepped_in_float32(name):
    gradients = [tuple(g.astype(np.float16) for g in GRADIENTS[0])]
    halves, wides = parameters(ms.float16), parameters(ms.float16)
    for p in wides:
        p.set_dtype(ms.float32)
    MAKERS[name][0](halves)(tensors(gradients[0], ms.float16))
    MAKERS[name][0](wides)(tensors(gradients[0], ms.float32))
    for half, wide in zip(halves, wides, strict=True):
        assert half.dtype == ms.float16
        np.testing.assert_allclose(half.asnumpy(), wide.asnumpy(), rtol=2e-3, atol=1e-3)


@pytest.mark.parametrize("name", MAKERS)
def test_a_rate_may_be_a_schedule_or_a_list(name):
    kind = MAKERS[name][0]
    make = {"Lamb": nn.Lamb, "RMSProp, centered": lambda p, learning_rate: nn.RMSProp(p, learning_rate, centered=True)}
    make = make.get(name, kind)
    by_schedule = run(lambda p: make(p, learning_rate=Falling()))
    by_list = run(lambda p: make(p, learning_rate=[0.1 / (1 + k) for k in range(4)]))
    for step, other in zip(by_schedule, by_list, strict=True):
        for p, q in zip(step, other, strict=True):
            np.testing.assert_allclose(p, q, rtol=1e-6)


ADAMAX = {  # what MindSpore 2.0.0 makes of (1, -2, 3) with the gradients below, step by step
    "defaults": (
        {},
        [
            [0.9990000128746033, -1.9989999532699585, 3.0],
            [0.9984204769134521, -1.9986311197280884, 3.0],
            [0.9986981749534607, -1.9983985424041748, 2.999630928039551],
        ],
    ),
    "all": (
        {"learning_rate": 0.1, "beta1": 0.8, "beta2": 0.9, "eps": 1e-3, "weight_decay": 0.05, "loss_scale": 8.0},
        [
            [0.9008810520172119, -1.9004424810409546, 2.9006621837615967],
            [0.8207158446311951, -1.8321863412857056, 2.799835205078125],
            [0.8384645581245422, -1.7669923305511475, 2.745358943939209],
        ],
    ),
    "rates": (
        {"learning_rate": [0.1, 0.2, 0.3]},
        [
            [0.8999999761581421, -1.899999976158142, 3.0],
            [0.7840946316719055, -1.8262419700622559, 3.0],
            [0.8673971891403198, -1.7564715147018433, 2.889298915863037],
        ],
    ),
}


@pytest.mark.parametrize("name", ADAMAX)
@pytest.mark.parametrize("grouped", [False, True])
def test_three_steps_of_adamax_are_mindspores(name, grouped):
    arguments, expected = ADAMAX[name]
    w, of_group = one(values=[1.0, -2.0, 3.0]), dict(arguments)
    if grouped and "weight_decay" in of_group:
        group = {"params": [w], "weight_decay": of_group.pop("weight_decay"), "lr": of_group.pop("learning_rate")}
        optimizer = nn.AdaMax([group], **of_group)
    else:
        optimizer = nn.AdaMax([{"params": [w]}] if grouped else [w], **of_group)
    for gradient, values in zip([[0.5, -1.0, 0.0], [0.1, 0.2, 0.0], [-2.0, 1e-3, 4.0]], expected, strict=True):
        optimizer((ms.Tensor(gradient),))
        np.testing.assert_allclose(w.asnumpy(), values, rtol=1e-6)


WRONG = [
    (ValueError, r"For 'AdaMax', the 'beta1' must be in \(0, 1\)", lambda: nn.AdaMax([one()], beta1=1.0)),
    (TypeError, "For 'AdaMax', the 'beta2' must be a float", lambda: nn.AdaMax([one()], beta2=1)),
    (ValueError, "For 'AdaMax', the 'eps' must be finite and above 0", lambda: nn.AdaMax([one()], eps=0.0)),
    (ValueError, r"For 'AdamWeightDecay', the 'beta1' must be in", lambda: nn.AdamWeightDecay([one()], beta1=1.0)),
    (
        ValueError,
        "For 'AdamWeightDecay', the 'eps' must be finite and above 0",
        lambda: nn.AdamWeightDecay([one()], eps=0.0),
    ),
    (
        ValueError,
        "the 'weight_decay' must be finite and at least 0",
        lambda: nn.AdamWeightDecay([one()], weight_decay=-1.0),
    ),
    (ValueError, "For 'Adagrad', the 'accum' must be finite and at least 0", lambda: nn.Adagrad([one()], accum=-1.0)),
    (TypeError, "For 'Adagrad', the 'update_slots' must be a bool", lambda: nn.Adagrad([one()], update_slots=1)),
    (TypeError, "For 'ApplyAdagrad', the 'update_slots' must", lambda: ms.ops.ApplyAdagrad(1)),
    (ValueError, "For 'RMSProp', the 'decay' must be finite and at least 0", lambda: nn.RMSProp([one()], decay=-1.0)),
    (TypeError, "For 'RMSProp', the 'momentum' must be a float", lambda: nn.RMSProp([one()], momentum="a")),
    (ValueError, "For 'RMSProp', the 'epsilon' must be finite and above 0", lambda: nn.RMSProp([one()], epsilon=0.0)),
    (TypeError, "For 'RMSProp', the 'centered' must be a bool", lambda: nn.RMSProp([one()], centered=1)),
    (TypeError, "For 'RMSProp', the 'use_locking' must be a bool", lambda: nn.RMSProp([one()], use_locking=1)),
    (ValueError, r"For 'Adadelta', the 'rho' must be in \[0, 1\]", lambda: nn.Adadelta([one()], rho=2.0)),
    (
        ValueError,
        "For 'Adadelta', the 'epsilon' must be finite and at least 0",
        lambda: nn.Adadelta([one()], epsilon=-1.0),
    ),
    (ValueError, "For 'Lamb', the 'beta2' must be in \\(0, 1\\)", lambda: nn.Lamb([one()], RATE, beta2=0.0)),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG, ids=[row[1][:50] for row in WRONG])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()
