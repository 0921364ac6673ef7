"""The quantile function of the normal distribution, which turns a uniform number into a normal one.

Wichura's algorithm AS 241 (1988), accurate to 1e-15. For 85 of 100 numbers it only adds, multiplies and divides, which
IEEE 754 rounds equally on every machine. The tails also take a logarithm and a root, whose last bit may differ.
"""

import math

import numpy as np

from minispore.ops.kernels.select import select

__all__ = ["normal_probability", "normal_quantile"]

_BLOCK = 1 << 15  # numbers per block: the work arrays stay in the cache
_EDGE = 0.425  # distance from 1/2 up to which a probability is central

# Numerator and denominator of each rational function, highest power first.
# fmt: off
_CENTRE = (
    [2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608],
    [5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0],
)
_TAIL = (
    [7.7454501427834140764e-4, 2.27238449892691845833e-2, 2.4178072517745061177e-1, 1.27045825245236838258,
     3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959, 1.42343711074968357734],
    [1.05075007164441684324e-9, 5.475938084995344946e-4, 1.51986665636164571966e-2, 1.4810397642748007459e-1,
     6.8976733498510000455e-1, 1.6763848301838038494, 2.05319162663775882187, 1.0],
)
_FAR_TAIL = (
    [2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.2426609473880784386e-3, 2.6532189526576123093e-2,
     2.9656057182850489123e-1, 1.7848265399172913358, 5.4637849111641143699, 6.6579046435011037772],
    [2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
     1.48753612908506148525e-2, 1.3692988092273580531e-1, 5.9983220655588793769e-1, 1.0],
)
# fmt: on


def normal_probability(x):
    """The probability that a normal number is below ``x``."""
    return math.erfc(-x / math.sqrt(2)) / 2


def normal_quantile(xp, p):
    """The x whose :func:`normal_probability` is ``p``, for a flat float64 array of numbers above 0 and below 1."""
    if xp is np:
        return _in_blocks(p)
    q = p - 0.5
    return select(xp, xp.abs(q) <= _EDGE, _of_centre(q), _of_tails(xp, p))


def _in_blocks(p):
    """The same on the host, where only the tails take a logarithm."""
    out = np.empty_like(p)
    for start in range(0, p.size, _BLOCK):
        block = p[start : start + _BLOCK]
        q = block - 0.5
        found = _of_centre(q)
        tails = np.flatnonzero(np.abs(q) > _EDGE)
        found[tails] = _of_tails(np, block[tails])
        out[start : start + _BLOCK] = found
    return out


def _of_centre(q):
    return q * _ratio(_EDGE * _EDGE - q * q, _CENTRE)


def _of_tails(xp, p):
    """The tails, by the distance from the nearer end, so that both are equal to the last bit."""
    root = xp.sqrt(-xp.log(xp.minimum(p, 1 - p)))
    return xp.copysign(select(xp, root <= 5, _ratio(root - 1.6, _TAIL), _ratio(root - 5, _FAR_TAIL)), p - 0.5)


def _ratio(x, coefficients):
    return _polynomial(x, coefficients[0]) / _polynomial(x, coefficients[1])


def _polynomial(x, coefficients):
    value = x * coefficients[0]
    for c in coefficients[1:-1]:
        value += c
        value *= x
    value += coefficients[-1]
    return value
