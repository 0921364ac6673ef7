"""Special functions of float64 arrays: the error function and its kin, the gamma function's logarithm and derivatives.

Each is exact to a few units of float64's last place, or of 1 where it has a zero.
"""

import math

import numpy as np

from minispore.ops.kernels.select import select

# Winitzki's and Cody's forms are less exact than this split: a power series near 0, a continued fraction in the tail.
_SPLIT, _TERMS, _FRACTION = 2.0, 30, 40


def erf(xp, x):
    """The error function: ``2 / sqrt(pi) * integral of exp(-t ** 2) from 0 to x``."""
    near, far = xp.clip(x, -_SPLIT, _SPLIT), xp.maximum(xp.abs(x), _SPLIT)
    out = select(xp, xp.abs(x) <= _SPLIT, _erf_series(near), xp.sign(x) * (1 - _erfc_fraction(xp, far)))
    return select(xp, xp.isnan(x), x, out)


def erfc(xp, x):
    """The complementary error function, ``1 - erf x``, exact in its tail too."""
    near, far = xp.clip(x, -_SPLIT, _SPLIT), xp.maximum(xp.abs(x), _SPLIT)
    tail = _erfc_fraction(xp, far)
    out = select(xp, xp.abs(x) <= _SPLIT, 1 - _erf_series(near), select(xp, x < 0, 2 - tail, tail))
    return select(xp, xp.isnan(x), x, out)


def _erf_series(x):
    """The Taylor series of erf, by Horner's rule; exact to float64 for ``|x| <= 2``."""
    square, total = x * x, 0.0
    for n in range(_TERMS, -1, -1):
        total = total * square + (-1) ** n / (math.factorial(n) * (2 * n + 1))
    return total * x * (2 / math.sqrt(math.pi))


def _erfc_fraction(xp, x):
    """The continued fraction of the complementary error function, from its far end; for ``x >= 2``."""
    total = x
    for n in range(_FRACTION, 0, -1):
        total = x + (n / 2) / total
    return xp.exp(-x * x) / (total * math.sqrt(math.pi))


def erfinv(xp, y):
    """The inverse of erf: Winitzki's estimate, made exact by three of Halley's steps on the smaller of erf and erfc."""
    size = xp.abs(y)
    logarithm = xp.log1p(-size) + xp.log1p(size)
    half = 2 / (math.pi * 0.147) + logarithm / 2
    x = xp.sqrt(xp.maximum(xp.sqrt(half * half - logarithm / 0.147) - half, 0))
    for _ in range(3):
        error = select(xp, size < 0.5, erf(xp, x) - size, (1 - size) - erfc(xp, x))
        step = error * xp.exp(x * x) * (math.sqrt(math.pi) / 2)
        x = x - step / (1 + x * step)
    return xp.copysign(select(xp, size == 1, np.inf, select(xp, size == 0, size, x)), y)


# Stirling's and de Moivre's series: the Bernoulli numbers B2, B4, …
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
_EULER = 0.57721566490153286  # Euler and Mascheroni's constant, the slope of the gamma function's logarithm at 1


def _zeta_less_one(k, n=100):
    """Riemann's zeta function less 1, by Euler and Maclaurin's sum from n on."""
    tail = n ** (1 - k) / (k - 1) + n**-k / 2 + k * n ** (-k - 1) / 12
    return math.fsum([i**-k for i in range(2, n)]) + tail - k * (k + 1) * (k + 2) * n ** (-k - 3) / 720


_AT_TWO = [1 - _EULER] + [(-1) ** k * _zeta_less_one(float(k)) / k for k in range(2, 32)]
_SHIFT = 10  # from here on the series are exact to float64


def _to_pole(xp, x):
    """``x`` minus the nearest whole number, on which the reflection formulas depend."""
    return x - xp.rint(x)


def lgamma(xp, x):
    """The logarithm of the gamma function's size; inf at its poles, 0 and the negative whole numbers."""
    out = _lgamma_right(xp, select(xp, x < 0.5, 1 - x, x))
    pole = _to_pole(xp, x)
    reflected = -xp.log(xp.abs(pole)) - xp.log(xp.sinc(pole)) - out
    return select(xp, xp.isinf(x), np.inf, select(xp, x < 0.5, reflected, out))


def _lgamma_right(xp, x):
    """The power series at 2 near 2, else Stirling's series; for ``x >= 0.5``."""
    at_one = x < 1.5
    z = select(xp, x < 2.5, x - select(xp, at_one, 1, 2), 0)
    total = 0.0
    for c in _AT_TWO[::-1]:
        total = (total + c) * z
    near = select(xp, at_one, total - xp.log1p(z), total)  # gamma(1 + z) is gamma(2 + z) / (1 + z)
    return select(xp, x < 2.5, near, _stirling(xp, x))


def _stirling(xp, x):
    """Stirling's series, of small x at ``x + shift`` and less the logarithms of the steps there."""
    small = x < _SHIFT
    near, product = select(xp, small, x, 1.0), 1.0
    for k in range(_SHIFT):
        product = product * (near + k)
    z = select(xp, small, x + _SHIFT, x)
    total, power = 0.0, 1 / z
    for k, b in enumerate(_BERNOULLI, 1):
        total, power = total + power * (b / (2 * k * (2 * k - 1))), power / (z * z)
    out = (z - 0.5) * (xp.log(z) - 1) + (total - 0.5 + math.log(2 * math.pi) / 2)
    return select(xp, small, out - xp.log(product), out)


def polygamma(xp, n, x):
    """The derivative of order ``n + 1`` of the gamma function's logarithm; nan or inf at its poles."""
    left = x <= 0
    out = _polygamma_right(xp, n, select(xp, left, 1 - x, x))
    cotangent = 1 / xp.tan(math.pi * _to_pole(xp, x))
    reflected = (-1) ** n * out - math.pi ** (n + 1) * _cotangent_derivative(n, cotangent)
    pole = select(xp, x == 0, (-1) ** (n + 1) * np.inf, np.nan if n % 2 == 0 else np.inf)
    return select(xp, left, select(xp, _to_pole(xp, x) == 0, pole, reflected), out)


def _polygamma_right(xp, n, x):
    """De Moivre's series at ``x + shift``, less the steps there; for ``x > 0``."""
    z, steps, sign = x + (_SHIFT + n), 0.0, (-1) ** (n + 1)
    for k in range(_SHIFT + n):
        steps = steps + sign * math.factorial(n) / (x + k) ** (n + 1)
    main = xp.log(z) if n == 0 else sign * math.factorial(n - 1) / z**n
    total = sign * math.factorial(n) / (2 * z ** (n + 1))
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + sign * b * math.factorial(2 * k + n - 1) / math.factorial(2 * k) / z ** (2 * k + n)
    return main + total + steps


def zeta(xp, x, q):
    """Hurwitz's zeta function, by Euler and Maclaurin's sum; inf for x = 1 and at the poles, nan for other x or q."""
    valid = (x > 1) & (q > 0)
    x, q, given = select(xp, valid, x, 2.0), select(xp, valid, q, 1.0), (x, q)
    total = sum((q + k) ** -x for k in range(1, _SHIFT)) + q**-x
    far = q + _SHIFT
    total = total + far ** (1 - x) / (x - 1) + far**-x / 2
    factor, power = x, far ** (-x - 1)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + factor * power * (b / math.factorial(2 * k))
        factor, power = factor * (x + 2 * k - 1) * (x + 2 * k), power / (far * far)
    pole = (given[0] == 1) | ((given[0] > 1) & (given[1] <= 0) & (given[1] == xp.floor(given[1])))
    return select(xp, valid, total, select(xp, pole, np.inf, np.nan))


def _cotangent_derivative(n, c):
    """The derivative of order n of the cotangent, a polynomial of the cotangent: ``c' = -(1 + c * c)``."""
    polynomial = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(n):
        polynomial = -polynomial.deriv() * np.polynomial.Polynomial([1.0, 0.0, 1.0])
    total = 0.0
    for coefficient in polynomial.coef[::-1]:
        total = total * c + float(coefficient)
    return total
