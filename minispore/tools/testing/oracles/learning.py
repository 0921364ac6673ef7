"""Losses and optimizers as formulas in float64, and how each API says them.

The formulas come from papers and textbooks: Sutskever et al. (2013) for momentum, Duchi et al. (2011) for Adagrad,
Hinton (2012) for RMSProp, Zeiler (2012) for Adadelta, Kingma and Ba (2015) for Adam, Loshchilov and Hutter (2019) for
its decoupled decay.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["GROUPED", "LOSSES", "OPTIMIZERS", "Formula", "Grouped", "Update"]


def _as_given(logits, targets):
    return [logits, targets]


def _probabilities(logits, targets):
    return [(1 / (1 + np.exp(-logits))).astype(np.float32), (targets > 0).astype(np.float32)]


def _bits(logits, targets):
    return [logits, (targets > 0).astype(np.float32)]


def _signs(logits, targets):
    return [logits, np.where(targets > 0, 1, -1).astype(np.float32)]


def _shares(logits, targets):
    return [logits, (1 / (1 + np.exp(-targets))).astype(np.float32)]


def _classes(logits, targets):
    return [logits, targets.argmax(-1).astype(np.int32)]


@dataclass(frozen=True)
class Formula:
    """A loss: ``formula(x, y)`` gives its value and its gradient by x, ``size`` the sum of its terms' sizes."""

    formula: Callable
    said: dict
    given: Callable = _as_given

    def size(self, x, y):
        """The largest sum of the terms of the mean."""
        return 1.0 + np.abs(x).max() ** 2 + np.abs(y).max() ** 2


def _mean(value, slope):
    return value.mean(), slope / value.size


def _squares(x, y):
    return _mean((x - y) ** 2, 2 * (x - y))


def _sizes(x, y):
    return _mean(np.abs(x - y), np.sign(x - y))


def _smooth(x, y):
    d = x - y
    return _mean(np.where(np.abs(d) < 1, d * d / 2, np.abs(d) - 0.5), np.clip(d, -1, 1))


def _logistic(x, y):
    return _mean(np.logaddexp(0, x) - x * y, 1 / (1 + np.exp(-x)) - y)


def _binary(p, y):
    return _mean(-y * np.log(p) - (1 - y) * np.log(1 - p), (p - y) / (p * (1 - p)))


def _soft_margin(x, y):
    return _mean(np.logaddexp(0, -y * x), -y / (1 + np.exp(y * x)))


WEIGHTS, SMOOTHING = np.array([0.5, 1.0, 2.0]), 0.1  # of the classes; of a label, spread over all classes


def _classes_and_one_to_ignore(logits, targets):
    _, classes = _classes(logits, targets)
    classes[1] = -100
    return [logits, classes]


def _weighted_cross_entropy(smoothing=0.0, weights=WEIGHTS):
    """The mean by the weights of the labels that count; a part of each label is spread over all classes."""

    def formula(x, y):
        logs = x - np.logaddexp.reduce(x, -1, keepdims=True)
        counts, hot = (y >= 0)[:, None], np.eye(x.shape[-1])[y.clip(0)]
        shares = counts * weights * ((1 - smoothing) * hot + smoothing / x.shape[-1])
        total = (counts * weights * hot).sum()
        return -(shares * logs).sum() / total, (np.exp(logs) * shares.sum(-1, keepdims=True) - shares) / total

    return formula


def _divergence(x, y):
    return _mean(y * (np.log(y) - x), -y)


def _likelihood(x, y):
    hot = np.eye(x.shape[-1])[y]
    return -(x * hot).sum(-1).mean(), -hot / len(x)


def _cross_entropy(x, y):
    shifted = x - x.max(-1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    hot = np.eye(x.shape[-1])[y]
    return -(logs * hot).sum(-1).mean(), (np.exp(logs) - hot) / len(x)


LOSSES = {
    "MSELoss": Formula(
        _squares, {"mindspore": "nn.MSELoss()(x0, x1)", "torch": "torch.nn.functional.mse_loss(x0, x1)"}
    ),
    "L1Loss": Formula(_sizes, {"mindspore": "nn.L1Loss()(x0, x1)", "torch": "torch.nn.functional.l1_loss(x0, x1)"}),
    "SmoothL1Loss": Formula(
        _smooth,
        {
            "mindspore": 'nn.SmoothL1Loss(reduction="mean")(x0, x1)',
            "torch": "torch.nn.functional.smooth_l1_loss(x0, x1)",
        },
    ),
    "BCEWithLogitsLoss": Formula(
        _logistic,
        {
            "mindspore": "nn.BCEWithLogitsLoss()(x0, x1)",
            "torch": "torch.nn.functional.binary_cross_entropy_with_logits(x0, x1)",
        },
        _bits,
    ),
    "BCELoss": Formula(
        _binary,
        {
            "mindspore": 'nn.BCELoss(reduction="mean")(x0, x1)',
            "torch": "torch.nn.functional.binary_cross_entropy(x0, x1)",
        },
        _probabilities,
    ),
    "CrossEntropyLoss": Formula(
        _cross_entropy,
        {
            "mindspore": "nn.CrossEntropyLoss()(x0, x1)",
            "torch": "torch.nn.functional.cross_entropy(x0, x1.long())",
        },
        _classes,
    ),
    "CrossEntropyLoss with weights": Formula(
        _weighted_cross_entropy(),
        {
            "mindspore": "nn.CrossEntropyLoss(weight=ms.Tensor([0.5, 1.0, 2.0], ms.float32))(x0, x1)",
            "torch": "torch.nn.functional.cross_entropy(x0, x1.long(), torch.tensor([0.5, 1.0, 2.0]))",
        },
        _classes_and_one_to_ignore,
    ),
    "CrossEntropyLoss with smoothing": Formula(
        _weighted_cross_entropy(SMOOTHING, np.ones(3)),
        {
            "mindspore": "nn.CrossEntropyLoss(label_smoothing=0.1)(x0, x1)",
            "torch": "torch.nn.functional.cross_entropy(x0, x1.long(), label_smoothing=0.1)",
        },
        _classes_and_one_to_ignore,
    ),
    "CrossEntropyLoss with weights and smoothing": Formula(
        _weighted_cross_entropy(SMOOTHING),
        {
            "mindspore": "nn.CrossEntropyLoss(weight=ms.Tensor([0.5, 1.0, 2.0], ms.float32), label_smoothing=0.1)"
            "(x0, x1)",
            "torch": "torch.nn.functional.cross_entropy(x0, x1.long(), torch.tensor([0.5, 1.0, 2.0]), "
            "label_smoothing=0.1)",
        },
        _classes_and_one_to_ignore,
    ),
    "HuberLoss": Formula(
        _smooth, {"mindspore": "nn.HuberLoss()(x0, x1)", "torch": "torch.nn.functional.huber_loss(x0, x1)"}
    ),
    "SoftMarginLoss": Formula(
        _soft_margin,
        {"mindspore": "nn.SoftMarginLoss()(x0, x1)", "torch": "torch.nn.functional.soft_margin_loss(x0, x1)"},
        _signs,
    ),
    "KLDivLoss": Formula(
        _divergence,
        {
            "mindspore": 'nn.KLDivLoss(reduction="mean")(x0, x1)',
            "torch": 'torch.nn.functional.kl_div(x0, x1, reduction="mean")',
        },
        _shares,
    ),
    "NLLLoss": Formula(
        _likelihood,
        {"mindspore": "nn.NLLLoss()(x0, x1)", "torch": "torch.nn.functional.nll_loss(x0, x1.long())"},
        _classes,
    ),
}


@dataclass(frozen=True)
class Update:
    """An optimizer: ``update(w, g, state)`` gives the next value; state is a dict that it keeps."""

    update: Callable
    said: dict

    def steps(self, start, gradients):
        """The values after each step."""
        w, state, course = start.astype(np.float64), {"t": 0}, []
        for g in gradients:
            state["t"] += 1
            w = self.update(w, g.astype(np.float64), state)
            course.append(w)
        return course


def _momentum(rate, momentum, nesterov=False, decay=0.0):
    def update(w, g, state):
        g = g + decay * w
        v = state["v"] = momentum * state.get("v", 0) + g
        return w - rate * (g + momentum * v if nesterov else v)

    return update


def _in_turn(rates):
    """Plain descent by one rate after another; the last one is repeated."""
    return lambda w, g, state: w - rates[min(state["t"], len(rates)) - 1] * g


def _of_scaled(update, scale):
    """An update by gradients that still bear a loss scale."""
    return lambda w, g, state: update(w, g / scale, state)


def _adam(rate, b1=0.9, b2=0.999, eps=1e-8, decay=0.0):
    def update(w, g, state):
        g = g + decay * w
        m = state["m"] = b1 * state.get("m", 0) + (1 - b1) * g
        v = state["v"] = b2 * state.get("v", 0) + (1 - b2) * g * g
        t = state["t"]
        return w - rate * m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)

    return update


def _decoupled(update, share):
    """An update before which the weight loses a share of itself: Loshchilov and Hutter (2019)."""
    return lambda w, g, state: update(w * (1 - share), g, state)


def _without_correction(rate, decay, b1=0.9, b2=0.999, eps=1e-6):
    """Adam of moments that are not corrected, with decay beside them, as in BERT."""

    def update(w, g, state):
        m = state["m"] = b1 * state.get("m", 0) + (1 - b1) * g
        v = state["v"] = b2 * state.get("v", 0) + (1 - b2) * g * g
        return w - rate * (m / (np.sqrt(v) + eps) + decay * w)

    return update


def _rms(rate, start, decay=0.9, eps=1e-10):
    def update(w, g, state):
        s = state["s"] = decay * state.get("s", start) + (1 - decay) * g * g
        return w - rate * g / (np.sqrt(s) + eps)

    return update


def _adadelta(rate, rho=0.9, eps=1e-6):
    def update(w, g, state):
        v = state["v"] = rho * state.get("v", 0) + (1 - rho) * g * g
        u = state.get("u", 0)
        step = np.sqrt(u + eps) / np.sqrt(v + eps) * g
        state["u"] = rho * u + (1 - rho) * step * step
        return w - rate * step

    return update


def _adagrad(rate, start):
    def update(w, g, state):
        a = state["a"] = state.get("a", start) + g * g
        return w - rate * g / np.sqrt(a)

    return update


OPTIMIZERS = {
    "SGD": Update(
        _momentum(0.1, 0.0),
        {"mindspore": "nn.SGD(params, learning_rate=0.1)", "torch": "torch.optim.SGD(params, lr=0.1)"},
    ),
    "SGD with momentum": Update(
        _momentum(0.1, 0.9),
        {
            "mindspore": "nn.SGD(params, learning_rate=0.1, momentum=0.9)",
            "torch": "torch.optim.SGD(params, lr=0.1, momentum=0.9)",
        },
    ),
    "SGD with Nesterov's momentum": Update(
        _momentum(0.1, 0.9, nesterov=True),
        {
            "mindspore": "nn.Momentum(params, 0.1, 0.9, use_nesterov=True)",
            "torch": "torch.optim.SGD(params, lr=0.1, momentum=0.9, nesterov=True)",
        },
    ),
    "SGD with weight decay": Update(
        _momentum(0.1, 0.9, decay=0.01),
        {
            "mindspore": "nn.Momentum(params, 0.1, 0.9, weight_decay=0.01)",
            "torch": "torch.optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.01)",
        },
    ),
    "SGD with a list of rates": Update(
        _in_turn([0.1, 0.05]), {"mindspore": "nn.SGD(params, learning_rate=[0.1, 0.05])"}
    ),
    "SGD of a group with its own rate": Update(
        _momentum(0.05, 0.0),
        {
            "mindspore": 'nn.SGD([{"params": params, "lr": 0.05}], learning_rate=0.1)',
            "torch": 'torch.optim.SGD([{"params": params, "lr": 0.05}], lr=0.1)',
        },
    ),
    "Momentum of scaled gradients with weight decay": Update(
        _of_scaled(_momentum(0.1, 0.9, decay=0.1), 64),
        {"mindspore": "nn.Momentum(params, 0.1, 0.9, weight_decay=0.1, loss_scale=64.0)"},
    ),
    "Adam": Update(
        _adam(0.01),
        {
            "mindspore": "nn.Adam(params, learning_rate=0.01, eps=1e-8)",
            "torch": "torch.optim.Adam(params, lr=0.01, eps=1e-8)",
        },
    ),
    "Adagrad": Update(
        _adagrad(0.1, 0.1),
        {
            "mindspore": "nn.Adagrad(params, accum=0.1, learning_rate=0.1)",
            "torch": "torch.optim.Adagrad(params, lr=0.1, initial_accumulator_value=0.1)",
        },
    ),
    "Adam with weight decay": Update(
        _adam(0.01, decay=0.1),
        {
            "mindspore": "nn.Adam(params, learning_rate=0.01, eps=1e-8, weight_decay=0.1)",
            "torch": "torch.optim.Adam(params, lr=0.01, eps=1e-8, weight_decay=0.1)",
        },
    ),
    "AdamW": Update(
        _decoupled(_adam(0.01), 0.001), {"torch": "torch.optim.AdamW(params, lr=0.01, eps=1e-8, weight_decay=0.1)"}
    ),
    "AdamWeightDecay": Update(
        _without_correction(0.01, 0.1),
        {"mindspore": "nn.AdamWeightDecay(params, learning_rate=0.01, weight_decay=0.1)"},
    ),
    "RMSProp": Update(_rms(0.01, 0), {"torch": "torch.optim.RMSprop(params, lr=0.01, alpha=0.9, eps=1e-10)"}),
    "RMSProp from ones": Update(_rms(0.01, 1), {"mindspore": "nn.RMSProp(params, learning_rate=0.01)"}),
    "Adadelta": Update(
        _adadelta(0.1),
        {
            "mindspore": "nn.Adadelta(params, learning_rate=0.1)",
            "torch": "torch.optim.Adadelta(params, lr=0.1, rho=0.9, eps=1e-6)",
        },
    ),
}


@dataclass(frozen=True)
class Grouped:
    """An optimizer of several groups: ``of(lr, weight_decay)`` makes the update of one; ``said`` has ``{groups}``."""

    of: Callable
    said: dict

    def steps(self, start, gradients, lr=0.1, weight_decay=0.01):
        """The values of one group's Parameter after each step; the optimizer has the settings that a group lacks."""
        return Update(self.of(lr, weight_decay), {}).steps(start, gradients)


GROUPED = {
    "Momentum": Grouped(
        lambda lr, weight_decay: _momentum(lr, 0.9, decay=weight_decay),
        {
            "mindspore": "nn.Momentum({groups}, 0.1, 0.9, weight_decay=0.01)",
            "torch": "torch.optim.SGD({groups}, lr=0.1, momentum=0.9, weight_decay=0.01)",
        },
    ),
    "SGD": Grouped(
        lambda lr, weight_decay: _momentum(lr, 0.0, decay=weight_decay),
        {
            "mindspore": "nn.SGD({groups}, 0.1, weight_decay=0.01)",
            "torch": "torch.optim.SGD({groups}, lr=0.1, weight_decay=0.01)",
        },
    ),
}
