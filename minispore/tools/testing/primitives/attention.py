"""The lines of attention."""

import numpy as np

from minispore import ops
from minispore.tools.testing.primitives.case import line, reals, shares

_TERM = 2.0**-21


def _weights(q, k, mask=None):
    scores = 0.5 * q @ k.swapaxes(-1, -2) + (0 if mask is None else mask)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


_Q, _K = reals(2, 2, 3, 4), reals(2, 2, 5, 4)
LINES = [
    line(ops.AttentionWeights(0.5), _Q, _K, None, oracle=_weights, slack=_TERM),
    line(ops.AttentionWeights(0.5), _Q, _K, reals(3, 5), oracle=_weights, slack=_TERM),
    line(ops.AttentionWeights(0.5), _Q, _K, reals(2, 1, 1, 5), oracle=_weights, slack=_TERM),
    line(ops.SoftmaxGrad(), reals(2, 3, 4), shares(2, 3, 4), slack=_TERM,
         oracle=lambda dy, y: y * (dy - (dy * y).sum(-1, keepdims=True) / y.sum(-1, keepdims=True))),
]  # fmt: skip
