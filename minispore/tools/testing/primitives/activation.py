"""The lines of the activations that are not in ``table.py``."""

import numpy as np

from minispore import ops
from minispore.tools.testing.primitives.case import between_wholes, each, line, nonzero, reals, unary


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def _hard_swish(x):
    return np.where(x <= -3, 0.0, np.where(x >= 3, x, x * np.minimum(x + 3, 6) / 6))


def _hard_shrink(x, at):
    return np.where((x >= -at) & (x <= at), 0.0, x)


def _softplus(x):
    return np.logaddexp(0, x)


def _offset(*shape):
    """Away from -3, 0 and 3, on both sides of each."""
    return lambda rng: rng.uniform(0.4, 2.6, shape) + rng.choice([-6.0, -3.0, 0.0, 3.0], shape)


LINES = [
    each(ops.Elu(), unary(nonzero), _elu),
    each(ops.CeLU(), unary(nonzero), _elu),
    each(ops.CeLU(0.5), unary(nonzero), lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0) * 2) / 2)),
    each(
        ops.SeLU(),
        unary(nonzero),
        lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
    ),
    each(ops.HSigmoid(), unary(_offset), lambda x: np.clip((x + 3) / 6, 0, 1), slack=2.0**-24),
    each(ops.HSwish(), unary(_offset), _hard_swish),
    each(ops.HShrink(), unary(_offset), lambda x: _hard_shrink(x, 0.5)),
    each(ops.HShrink(1.0), unary(between_wholes), lambda x: _hard_shrink(x, 1.0)),
    each(ops.SoftShrink(1.0), unary(between_wholes), lambda x: x - np.clip(x, -1, 1)),
    each(ops.FastGeLU(), unary(reals), lambda x: x * _sigmoid(1.702 * x)),
    each(ops.LogSigmoid(), unary(reals), lambda x: -_softplus(-x)),
    each(ops.Mish(), unary(reals), lambda x: x * np.tanh(_softplus(x))),
    each(ops.Softplus(), unary(reals), _softplus),
    each(ops.Softsign(), unary(nonzero), lambda x: x / (1 + np.abs(x))),
    line(
        ops.RReLU(0.5, 0.5),
        nonzero(2, 3),
        through=(0,),
        oracle=lambda x: (np.where(x < 0, x / 2, x), (x >= 0) / 2 + 0.5),
        reason="the slopes are random, not a function of x",
    ),
    line(ops.RReLU(), nonzero(4, 5), through=(0,), reason="the slopes are random, not a function of x"),
]
