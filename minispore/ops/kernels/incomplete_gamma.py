"""The incomplete gamma functions' shares, P and Q = 1 - P, of float64 arrays, exact to some units of 1's last place.

For small ``a`` they are P's power series or Q's continued fraction; for a large one the smaller of both is integrated
over ``s = ln(t / a)`` from its end outward, where ``a * (exp(s) - 1 - s)`` has grown by forty at most.
"""

import math
from functools import cache

import numpy as np

from minispore.ops.kernels.select import select
from minispore.ops.kernels.special import lgamma

_LARGE, _TERMS, _FRACTION, _GROWTH = 20.0, 72, 100, 40.0
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680)  # of the gamma function's logarithm, in odd powers of 1 / a


def incomplete_gamma(xp, a, x):
    """``(P, Q)``: of the integral of ``t ** (a - 1) * exp(-t)``, the shares below and above x.

    Both are nan where x is below 0, and where a is not above 0 or infinite.

    Args:
        xp (module): The array module.
        a (array): The exponent, of any shape.
        x (array): The bound, of the same shape.
    """
    wrong, ends = ~((a > 0) & (x >= 0)) | xp.isinf(a), (x == 0) | xp.isinf(x)
    plain = wrong | ends
    large = ~plain & (a >= _LARGE)
    few, many = select(xp, plain | large, 1.0, a), select(xp, large, a, _LARGE)
    small_p, small_q = _of_small(xp, few, select(xp, plain | large, 1.0, x))
    large_p, large_q = _of_large(xp, many, select(xp, large, x, _LARGE))
    at_end = select(xp, xp.isinf(x), 1.0, 0.0)
    p = select(xp, plain, at_end, select(xp, large, large_p, small_p))
    q = select(xp, plain, 1 - at_end, select(xp, large, large_q, small_q))
    return select(xp, wrong, np.nan, p), select(xp, wrong, np.nan, q)


def _of_small(xp, a, x):
    """``(P, Q)`` for a below 20, by the series for small x and by the continued fraction for others."""
    near = x < xp.maximum(a + 1, 1.5)
    scale = xp.exp(a * xp.log(x) - x - lgamma(xp, a))
    y = select(xp, near, x, 1.0)
    term = total = 1 / a
    for n in range(1, _TERMS):
        term = term * (y / (a + n))
        total = total + term
    y, rest = select(xp, near, a + 2, x), 0.0
    for n in range(_FRACTION, 0, -1):
        rest = n * (n - a) / (y + (2 * n + 1) - a - rest)
    below, above = scale * total, scale / (y + 1 - a - rest)
    return select(xp, near, below, 1 - above), select(xp, near, 1 - below, above)


@cache
def _quadrature():
    """Gauss and Legendre's places and weights over [0, 1]; not at import, which they would slow down."""
    places, weights = np.polynomial.legendre.leggauss(64)
    return [(float(x), float(w)) for x, w in zip(places / 2 + 0.5, weights / 2, strict=True)]


def _of_large(xp, a, x):
    """``(P, Q)`` for a of 20 and above: the smaller is the integral of ``exp(-a * (exp(s) - 1 - s))`` beyond s."""
    difference = (x - a) / a
    start = select(xp, xp.abs(difference) < 0.5, xp.log1p(xp.maximum(difference, -0.5)), xp.log(x / a))
    far = xp.minimum(14 / xp.sqrt(a), _GROWTH / (a * xp.maximum(xp.abs(xp.expm1(start)), 1e-300)))
    way, total = select(xp, start >= 0, far, -far), 0.0
    for node, weight in _quadrature():
        s = start + way * node
        total = total + weight * xp.exp(a * (s - xp.expm1(s)))
    inverse, series = 1 / a, 0.0
    for c in _STIRLING[::-1]:
        series = series * (inverse * inverse) + c
    share = total * far * xp.sqrt(a / (2 * math.pi)) * xp.exp(-series * inverse)
    return select(xp, start >= 0, 1 - share, share), select(xp, start >= 0, share, 1 - share)
