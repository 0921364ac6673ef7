"""The lines of recurrent cells' steps."""

import numpy as np

from minispore import ops
from minispore.tools.testing.primitives.case import line, reals

_TERM = 2.0**-21
_SUM = 2.0**-18  # of products and of their gradients
_SAVED = "the open gates are kept for the gradient rule; no gradient is defined through them"


def _small(*shape):
    return reals(*shape, low=-0.7, high=0.7)


def _above_zero(*shape):
    return reals(*shape, low=0.1, high=0.6)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _parts(x, h, w_ih, w_hh, b=(0, 0)):
    return x @ w_ih.T + b[0], h @ w_hh.T + b[1]


def _lstm(x, h, c, w_ih, w_hh, *b):
    i, f, g, o = np.split(sum(_parts(x, h, w_ih, w_hh, b or (0, 0))), 4, 1)
    i, f, g, o = _sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)
    cell = f * c + i * g
    return o * np.tanh(cell), cell, np.concatenate((i, f, g, o, np.tanh(cell)), 1)


def _gru(x, h, w_ih, w_hh, *b):
    by_input, by_state = _parts(x, h, w_ih, w_hh, b or (0, 0))
    (z_r, z_u, z_n), (j_r, j_u, j_n) = np.split(by_input, 3, 1), np.split(by_state, 3, 1)
    r, u = _sigmoid(z_r + j_r), _sigmoid(z_u + j_u)
    n = np.tanh(z_n + r * j_n)
    return n + u * (h - n), np.concatenate((r, u, n, j_n), 1)


def _plain(x, h, w_ih, w_hh, *b):
    new = np.tanh(sum(_parts(x, h, w_ih, w_hh, b or (0, 0))))
    return new, new


def _relu(x, h, w_ih, w_hh, *b):
    new = np.maximum(sum(_parts(x, h, w_ih, w_hh, b or (0, 0))), 0)
    return new, new


def _kept_for(step):
    """Feed a gradient with the values that its step keeps for it."""
    states = len(step.states)

    def call(grad, *inputs):
        made = step(*[ops.stop_gradient(x) for x in inputs[states:]])
        return grad(*inputs, made[-1])

    return call


def _lines(step, oracle, draw, biases):
    rows, states = 2 * step.gates, len(step.states)
    inputs = [draw(3, 4), *[draw(3, 2)] * states, draw(rows, 4), draw(rows, 2)]
    inputs += [draw(rows)] * biases
    yield line(step, *inputs, oracle=oracle, through=tuple(range(states)), slack=_TERM, reason=_SAVED)
    for needed in (tuple(range(len(inputs))), (1, states + 2), (0,)):
        grad = step.gradient(needed, *step.attrs.values())
        yield line(grad, *[_small(3, 2)] * states, *inputs, call=_kept_for(step), slack=_SUM)


STEPS = [
    (ops.LSTMStep(), _lstm, _small),
    (ops.GRUStep(), _gru, _small),
    (ops.RNNStep(), _plain, _small),
    (ops.RNNStep("relu"), _relu, _above_zero),
]
LINES = [each for biases in (0, 2) for step in STEPS for each in _lines(*step, biases)]
