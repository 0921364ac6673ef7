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
    """Elementwise Bessel function of the first kind of order 0, the solution of ``x x y'' + x y' + x x y = 0``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_j0(ms.Tensor([0.0, 1.0, 2.0])))
        [1.         0.7651977  0.22389078]
    """

    def forward(self, xp, x):
        return bessel.j(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _j1(x)


class BesselJ1(SpecialFunction):
    """Elementwise Bessel function of the first kind of order 1: ``out = -J0'(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_j1(ms.Tensor([0.0, 1.0])))
        [0.         0.44005057]
    """

    def forward(self, xp, x):
        return bessel.j(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_j0(x) - _over(self(x), x, 0.5))


class BesselY0(SpecialFunction):
    """Elementwise Bessel function of the second kind of order 0; -inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_y0(ms.Tensor([0.0, 1.0, 2.0])))
        [      -inf 0.08825696 0.5103757 ]
    """

    def forward(self, xp, x):
        return bessel.y(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _y1(x)


class BesselY1(SpecialFunction):
    """Elementwise Bessel function of the second kind of order 1: ``out = -Y0'(x)``; -inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_y1(ms.Tensor([0.0, 1.0, 2.0])))
        [       -inf -0.7812128  -0.10703243]
    """

    def forward(self, xp, x):
        return bessel.y(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_y0(x) - self(x) / x)


class BesselI0(SpecialFunction):
    """Elementwise modified Bessel function of the first kind of order 0: ``out = J0(i x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_i0(ms.Tensor([0.0, 1.0, 2.0])))
        [1.        1.2660658 2.2795854]
    """

    def forward(self, xp, x):
        return xp.exp(xp.abs(x)) * bessel.ie(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * _i1(x)


class BesselI1(SpecialFunction):
    """Elementwise modified Bessel function of the first kind of order 1: ``out = I0'(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_i1(ms.Tensor([0.0, 1.0, 2.0])))
        [0.        0.5651591 1.5906368]
    """

    def forward(self, xp, x):
        return xp.exp(xp.abs(x)) * bessel.ie(xp, 1, x)

    def bprop(self, x, out, dout):
        return dout * (_i0(x) - _over(self(x), x, 0.5))


class BesselI0e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 0: ``out = exp(-|x|) * I0(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_i0e(ms.Tensor([0.0, 1.0, 200.0])))  # i0(200) would overflow
        [1.         0.4657596  0.02822716]
    """

    def forward(self, xp, x):
        return bessel.ie(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * (_i1e(x) - _sign(x) * self(x))


class BesselI1e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 1: ``out = exp(-|x|) * I1(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_i1e(ms.Tensor([0.0, 1.0, 200.0])))  # i1(200) would overflow
        [0.         0.20791042 0.0281565 ]
    """

    def forward(self, xp, x):
        return bessel.ie(xp, 1, x)

    def bprop(self, x, out, dout):
        own = self(x)
        return dout * (_i0e(x) - _sign(x) * own - _over(own, x, 0.5))


class BesselK0(SpecialFunction):
    """Elementwise modified Bessel function of the second kind of order 0; inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_k0(ms.Tensor([0.0, 1.0, 2.0])))
        [       inf 0.42102444 0.11389387]
    """

    def forward(self, xp, x):
        return xp.exp(-xp.maximum(x, 0)) * bessel.ke(xp, 0, x)

    def bprop(self, x, out, dout):
        return -dout * _k1(x)


class BesselK1(SpecialFunction):
    """Elementwise modified Bessel function of the second kind of order 1: ``out = -K0'(x)``; inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_k1(ms.Tensor([0.0, 1.0, 2.0])))
        [       inf 0.60190725 0.13986588]
    """

    def forward(self, xp, x):
        return xp.exp(-xp.maximum(x, 0)) * bessel.ke(xp, 1, x)

    def bprop(self, x, out, dout):
        return -dout * (_k0(x) + self(x) / x)


class BesselK0e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 0: ``out = exp(x) * K0(x)``; inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_k0e(ms.Tensor([1.0, 200.0])))  # k0(200) would be 0
        [1.1444631  0.08856746]
    """

    def forward(self, xp, x):
        return bessel.ke(xp, 0, x)

    def bprop(self, x, out, dout):
        return dout * (self(x) - _k1e(x))


class BesselK1e(SpecialFunction):
    """Elementwise scaled modified Bessel function of order 1: ``out = exp(x) * K1(x)``; inf at 0 and below.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bessel_k1e(ms.Tensor([1.0, 200.0])))  # k1(200) would be 0
        [1.6361535 0.0887886]
    """

    def forward(self, xp, x):
        return bessel.ke(xp, 1, x)

    def bprop(self, x, out, dout):
        own = self(x)
        return dout * (own - own / x - _k0e(x))


_j0, _j1, _y0, _y1 = BesselJ0(), BesselJ1(), BesselY0(), BesselY1()
_i0, _i1, _i0e, _i1e = BesselI0(), BesselI1(), BesselI0e(), BesselI1e()
_k0, _k1, _k0e, _k1e = BesselK0(), BesselK1(), BesselK0e(), BesselK1e()
