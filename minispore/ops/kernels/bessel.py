"""Bessel functions of orders 0 and 1 of float64 arrays, exact to a few units of float64's last place.

Below 2 they are power series. From there on K, and with it J and Y, is one integral whose trapezoidal sum converges
faster than any power; I goes on with its series up to 20, and with Hankel's expansion above.
"""

import math

import numpy as np

from minispore.ops.kernels.select import select

_NEAR, _FAR, _TERMS = 2.0, 20.0, 14
_STEP, _POINTS = 0.2, 32  # of the trapezoidal sum: the first point left out weighs exp(-41)
_EULER = 0.57721566490153286


def _harmonic(k):
    return math.fsum([1 / j for j in range(1, k + 1)])


def _coefficients(order, terms):
    """Those of ``1 / (k! (k + order)!)``."""
    return [1 / (math.factorial(k) * math.factorial(k + order)) for k in range(terms)]


_SERIES = [_coefficients(order, 64) for order in (0, 1)]
# Of the series beside the logarithm: the harmonic numbers, and the sums of two digammas
_BESIDE = [
    [c * _harmonic(k) for k, c in enumerate(_SERIES[0])],
    [c * (_harmonic(k) + _harmonic(k + 1) - 2 * _EULER) for k, c in enumerate(_SERIES[1])],
]


def _hankel(order, terms=32):
    """The coefficients of Hankel's expansion of I in powers of ``1 / (8 x)``."""
    found = [1.0]
    for k in range(1, terms):
        found.append(found[-1] * ((2 * k - 1) ** 2 - 4 * order) / k)
    return found


_EXPANSION = [_hankel(order) for order in (0, 1)]


def _polynomial(coefficients, x):
    total = 0.0
    for c in coefficients[::-1]:
        total = total * x + c
    return total


def _integral(xp, order, z):
    """``exp(z) * K(z)`` of the order 0 or 1, as ``2 * integral of exp(-u * u) / sqrt(2 z + u * u)`` from 0 on."""
    total = 0.0
    for i in range(_POINTS):
        square = (i * _STEP) ** 2
        weight = (_STEP if i == 0 else 2 * _STEP) * math.exp(-square)
        total = total + (weight + (weight * square) / z if order else weight) / xp.sqrt(2 * z + square)
    return total


def _first_kind(order, x, square):
    """The power series of J where ``square`` is ``-x * x / 4``, of I where it is ``x * x / 4``."""
    total = _polynomial(_SERIES[order][:_TERMS], square)
    return total * (x / 2) if order else total


def _second_kind(xp, order, x, sign):
    """The power series of K where ``sign`` is 1, of Y times ``-pi / 2`` where it is -1."""
    square = x * x * (sign / 4)
    logarithm, beside = xp.log(x / 2), _polynomial(_BESIDE[order][:_TERMS], square)
    if order == 0:
        return beside - (logarithm + _EULER) * _first_kind(0, x, square)
    return 1 / x + sign * (logarithm * _first_kind(1, x, square) - beside * (x / 4))


def _split(xp, x):
    """True where ``x`` is small, and x with a harmless number where the other branch has its turn."""
    small = x < _NEAR
    return small, select(xp, small, x, 1.0), select(xp, small, _NEAR, x)


def _of_waves(xp, order, x):
    """J + i Y of the order 0 or 1, for ``x >= 2``."""
    turned = xp.exp(1j * x) * _integral(xp, order, -1j * x) * (2 / math.pi)
    return -turned if order else -1j * turned


def j(xp, order, x):
    """J, the first kind: even of order 0, odd of order 1."""
    small, near, far = _split(xp, xp.abs(x))
    out = select(xp, small, _first_kind(order, near, near * near / -4), _of_waves(xp, order, far).real)
    return out * xp.copysign(1.0, x) if order else out


def y(xp, order, x):
    """Y, the second kind; -inf from 0 down."""
    small, near, far = _split(xp, x)
    series = _second_kind(xp, order, near, -1) * (-2 / math.pi)
    return select(xp, x <= 0, -np.inf, select(xp, small, series, _of_waves(xp, order, far).imag))


def ie(xp, order, x):
    """``exp(-|x|) * I``, the modified first kind: even of order 0, odd of order 1."""
    size = xp.abs(x)
    small = size < _FAR
    near, far = select(xp, small, size, 1.0), select(xp, small, _FAR, size)
    series = _polynomial(_SERIES[order], near * near / 4) * xp.exp(-near)
    series = series * (near / 2) if order else series
    expansion = _polynomial(_EXPANSION[order], 1 / (8 * far)) / xp.sqrt(2 * math.pi * far)
    out = select(xp, small, series, expansion)
    return out * xp.copysign(1.0, x) if order else out


def ke(xp, order, x):
    """``exp(x) * K``, the modified second kind; inf from 0 down."""
    small, near, far = _split(xp, x)
    series = _second_kind(xp, order, near, 1) * xp.exp(near)
    return select(xp, x <= 0, np.inf, select(xp, small, series, _integral(xp, order, far)))
