"""The lines of LayerNorm whose parameters have other axes than its statistics."""

import numpy as np

from minispore import ops
from minispore.tools.testing.primitives.case import line, reals

_SAVED = "the other outputs are statistics that the gradient rule saves; no gradient is defined through them"
_TERM = 2.0**-21  # what is left of numbers of size 1 to 8, computed in float32, where they cancel


def _normal(axes):
    def formula(x, gamma, beta):
        mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
        return (x - mean) / np.sqrt(variance + 1e-7) * gamma + beta, mean, variance

    return formula


LINES = [
    line(
        ops.LayerNorm(1, 2),
        reals(2, 3, 4),
        reals(4),
        reals(4),
        through=(0,),
        slack=_TERM,
        reason=_SAVED,
        oracle=_normal((1, 2)),
    ),
    line(
        ops.LayerNorm(-1, 0),
        reals(2, 4),
        reals(2, 4),
        reals(2, 4),
        through=(0,),
        slack=_TERM,
        reason=_SAVED,
        oracle=_normal(1),
    ),
]
