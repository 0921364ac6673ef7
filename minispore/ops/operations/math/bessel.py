"""Bessel functions of orders 0 and 1, elementwise, and the modified ones plain and scaled by exponentials."""

from minispore.ops.kernels import bessel
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.math.special import SpecialFunction
from minispore.ops.operations.math.unary import Sign

__all__ = [
    "BesselI0",
    "BesselI0e",
    "BesselI1",
    "BesselI1e",
    "BesselJ0",
    "BesselJ1",
    "BesselK0",
    "BesselK0e",
    "BesselK1",
    "BesselK1e",
    "BesselY0",
    "BesselY1",
]

_select, _sign = Select(), Sign()


def _over(y, x, at_zero):
    """``y / x``, and its limit where x is 0."""
    zero = x == 0
    return _select(zero, at_zero, y / _select(zero, 1, x))


class BesselJ0(SpecialFunction):
    """Elementwise Bessel function of the first kind of order 0, the solution of ``x x y'' + x y' + x x y = 0``."""

    def forward(self, xp, x):
        return bessel.j(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _j1(x)


class BesselJ1(SpecialFunction):
    """Elementwise Bessel function of the first kind of order 1: ``out = -J0'(x)``."""

    def forward(self, xp, x):
        return bessel.j(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_j0(x) - _over(self(x), x, 0.5))


class BesselY0(SpecialFunction):
    """Elementwise Bessel function of the second kind of order 0; -inf at 0 and below."""

    def forward(self, xp, x):
        return bessel.y(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _y1(x)


class BesselY1(SpecialFunction):
    """Elementwise Bessel function of the second kind of order 1: ``out = -Y0'(x)``; -inf at 0 and below."""

    def forward(self, xp, x):
        return bessel.y(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_y0(x) - self(x) / x)


class BesselI0(SpecialFunction):
    """Elementwise modified Bessel function of the first kind of order 0: ``out = J0(i x)``."""

    def forward(self, xp, x):
        return xp.exp(xp.abs(x)) * bessel.ie(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * _i1(x)


class BesselI1(SpecialFunction):
    """Elementwise modified Bessel function of the first kind of order 1: ``out = I0'(x)``."""

    def forward(self, xp, x):
        return xp.exp(xp.abs(x)) * bessel.ie(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_i0(x) - _over(self(x), x, 0.5))


class BesselI0e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 0: ``out = exp(-|x|) * I0(x)``."""

    def forward(self, xp, x):
        return bessel.ie(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * (_i1e(x) - _sign(x) * self(x))


class BesselI1e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 1: ``out = exp(-|x|) * I1(x)``."""

    def forward(self, xp, x):
        return bessel.ie(xp, 1, x)

    def bprop(self, x, out, dout):
        own = self(x)
        return dout * (_i0e(x) - _sign(x) * own - _over(own, x, 0.5))


class BesselK0(SpecialFunction):
    """Elementwise modified Bessel function of the second kind of order 0; inf at 0 and below."""

    def forward(self, xp, x):
        return xp.exp(-xp.maximum(x, 0)) * bessel.ke(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _k1(x)


class BesselK1(SpecialFunction):
    """Elementwise modified Bessel function of the second kind of order 1: ``out = -K0'(x)``; inf at 0 and below."""

    def forward(self, xp, x):
        return xp.exp(-xp.maximum(x, 0)) * bessel.ke(xp, 1, x)

    def bprop(self, x, out, dout):
        return -dout * (_k0(x) + self(x) / x)


class BesselK0e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 0: ``out = exp(x) * K0(x)``; inf at 0 and below."""

    def forward(self, xp, x):
        return bessel.ke(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * (self(x) - _k1e(x))


class BesselK1e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 1: ``out = exp(x) * K1(x)``; inf at 0 and below."""

    def forward(self, xp, x):
        return bessel.ke(xp, 1, x)

    def bprop(self, x, out, dout):
        own = self(x)
        return dout * (own - own / x - _k0e(x))


_j0, _j1, _y0, _y1 = BesselJ0(), BesselJ1(), BesselY0(), BesselY1()
_i0, _i1, _i0e, _i1e = BesselI0(), BesselI1(), BesselI0e(), BesselI1e()
_k0, _k1, _k0e, _k1e = BesselK0(), BesselK1(), BesselK0e(), BesselK1e()
