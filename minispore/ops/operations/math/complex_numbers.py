"""Complex numbers: made of two real ones, taken apart, conjugated. A gradient is ``d L / d Re z + i d L / d Im z``."""

import numpy as np

from minispore.core.dtype import COMPLEX, float32, float64
from minispore.core.errors import type_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast, sum_to
from minispore.ops.casting import cast
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.math.trigonometry import Cos, Sin
from minispore.ops.type_checks import check_same_type, check_tensor, named

__all__ = ["Angle", "Complex", "ComplexAbs", "Conj", "Imag", "Polar", "Real"]

_COMPLEX_OF = {float32.np: np.dtype(np.complex64), float64.np: np.dtype(np.complex128)}
_REAL_OF = {wide: part for part, wide in _COMPLEX_OF.items()}
_select, _cos, _sin = Select(), Cos(), Sin()


def _check_complex(op, argument, x):
    """Raise TypeError unless x is a complex Tensor."""
    check_tensor(op, argument, x)
    if x.dtype not in COMPLEX:
        raise type_error(op.name, f"the '{argument}' must be a complex Tensor", named(x.dtype))


class _OfTwo(Primitive):
    """Base of complex numbers that two Tensors of float32, or of float64, describe; they broadcast."""

    arguments = ()

    def infer(self, x, y):
        check_same_type(self, **dict(zip(self.arguments, (x, y), strict=True)))
        if x.dtype not in _COMPLEX_OF:
            raise type_error(self.name, f"the '{self.arguments[0]}' must be of float32 or float64", named(x.dtype))
        return Spec(broadcast(self, x, y).shape, _COMPLEX_OF[x.dtype])


class Complex(_OfTwo):
    """Complex numbers of their parts: ``out = real + i * imag``, both float32 or both float64.

    Shapes: any that broadcast. Dtypes: float32 gives complex64; float64 gives complex128; TypeError for float16, ints,
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Complex()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, -3.0])))
        [1.+0.j 2.-3.j]
    """

    arguments = ("real", "imag")

    def compute(self, xp, real, imag):
        out = xp.empty(np.broadcast_shapes(real.shape, imag.shape), _COMPLEX_OF[real.dtype])
        out.real, out.imag = real, imag
        return out

    def bprop(self, real, imag, out, dout):
        return (
            sum_to(_real(dout), real.array.shape) if needs_grad(real) else None,
            sum_to(_imag(dout), imag.array.shape) if needs_grad(imag) else None,
        )


class Polar(_OfTwo):
    """Complex numbers of their size and angle: ``out = abs * e ** (i * angle)``, both float32 or both float64.

    Shapes: any that broadcast. Dtypes: float32 gives complex64; float64 gives complex128; TypeError for float16, ints,
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If the shapes of ``x`` and ``y`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Polar()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 3.0])))
        [ 1.      +0.j      -1.979985+0.28224j]
    """

    arguments = ("abs", "angle")

    def compute(self, xp, size, angle):
        out = xp.empty(np.broadcast_shapes(size.shape, angle.shape), _COMPLEX_OF[size.dtype])
        out.real, out.imag = size * xp.cos(angle), size * xp.sin(angle)
        return out

    def bprop(self, size, angle, out, dout):
        across, up = _real(dout), _imag(dout)
        along = across * _cos(angle) + up * _sin(angle)
        around = size * (up * _cos(angle) - across * _sin(angle))
        return (
            sum_to(along, size.array.shape) if needs_grad(size) else None,
            sum_to(around, angle.array.shape) if needs_grad(angle) else None,
        )


class Conj(Primitive):
    """Complex conjugate: ``out = Re x - i * Im x``; a real Tensor as it is.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.conj(ms.Tensor([1 + 2j, 3 - 4j])))
        [1.-2.j 3.+4.j]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "input", x)
        return x

    def compute(self, xp, x):
        return xp.conj(x) if x.dtype in COMPLEX else x

    def bprop(self, x, out, dout):
        return self(dout)


class _Part(Primitive):
    """Base of the two parts of a complex number."""

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "input", x)
        return Spec(x.shape, _REAL_OF.get(x.dtype, x.dtype))


class Real(_Part):
    """Real part: ``out = Re x``; a real Tensor as it is.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; complex64 gives float32; complex128 gives float64.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.real(ms.Tensor([1 + 2j, 3 - 4j])))
        [1. 3.]
    """

    def compute(self, xp, x):
        return x.real if x.dtype in COMPLEX else x

    def bprop(self, x, out, dout):
        return cast(dout, x.array.dtype)


class Imag(_Part):
    """Imaginary part: ``out = Im x``; zeros of a real Tensor, through which no gradient passes.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; complex64 gives float32; complex128 gives float64.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.imag(ms.Tensor([1 + 2j, 3 - 4j])))
        [ 2. -4.]
    """

    def compute(self, xp, x):
        return x.imag if x.dtype in COMPLEX else xp.zeros_like(x)

    def bprop(self, x, out, dout):
        return _complex(dout * 0, dout) if x.array.dtype in COMPLEX else dout * 0


class Angle(Primitive):
    """Angle of a complex number in the plane: ``out = atan2(Im x, Re x)``; its gradient at 0 is 0.

    Shapes: any, kept. Dtypes: complex64 gives float32; complex128 gives float64; TypeError for floats, ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.angle(ms.Tensor([1 + 0j, 1j, -1 + 0j])))
        [0.         1.57079633 3.14159265]
    """

    complex_numbers = "as written"

    def infer(self, x):
        _check_complex(self, "input", x)
        return Spec(x.shape, _REAL_OF[x.dtype])

    def compute(self, xp, x):
        return xp.arctan2(x.imag, x.real)

    def bprop(self, x, out, dout):
        across, up = _real(x), _imag(x)
        square = across * across + up * up
        slope = dout / _select(square == 0, 1, square)
        return _complex(-(slope * up), slope * across)


class ComplexAbs(Primitive):
    """Size of a complex number, a real one: ``out = |x|``; its gradient at 0 is 0.

    Shapes: any, kept. Dtypes: complex64 gives float32; complex128 gives float64; TypeError for floats, ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ComplexAbs()(ms.Tensor([3 + 4j])))
        [5.]
    """

    complex_numbers = "as written"

    def infer(self, x):
        _check_complex(self, "x", x)
        return Spec(x.shape, _REAL_OF[x.dtype])

    def compute(self, xp, x):
        return xp.abs(x)

    def bprop(self, x, out, dout):
        slope = dout / _select(out == 0, 1, out)
        return _complex(slope * _real(x), slope * _imag(x))


_real, _imag, _complex = Real(), Imag(), Complex()
