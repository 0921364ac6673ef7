"""Functional wrappers of the operations on complex numbers."""

from __future__ import annotations

from minispore.core.dtype import COMPLEX
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, unary
from minispore.ops.functional.array_rearrange import swapaxes
from minispore.ops.operations.array.joining import Stack
from minispore.ops.operations.math import complex_numbers

__all__ = ["adjoint", "angle", "conj", "imag", "is_complex", "polar", "real", "view_as_real"]
METHODS = "adjoint angle conj imag real"

angle = unary(complex_numbers.Angle())
conj = unary(complex_numbers.Conj())
imag = unary(complex_numbers.Imag())
real = unary(complex_numbers.Real())
_polar, _beside = complex_numbers.Polar(), Stack(-1)


def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of their size and angle: ``out = abs * e ** (i * angle)``.

    Shapes: those of the two broadcast. Dtypes: float32 gives complex64; float64 gives complex128; TypeError for
    float16, ints, bools and complex.

    Raises:
        TypeError: If ``abs`` or ``angle`` is not a Tensor, or ``angle`` and ``abs`` differ in dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.polar(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 3.0])))
        [ 1.      +0.j      -1.979985+0.28224j]
    """
    return _polar(abs, angle)


def is_complex(input: Tensor) -> bool:
    """True if the Tensor holds complex numbers.

    Shapes: any; the answer is a bool of Python.

    Raises:
        TypeError: If ``input`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.is_complex(ms.Tensor([1 + 2j])), ops.is_complex(ms.Tensor([1.0]))
        (True, False)
    """
    check_tensors("is_complex", input=input)
    return input.array.dtype in COMPLEX


def view_as_real(input: Tensor) -> Tensor:
    """The real and the imaginary parts of a complex Tensor along a new last axis, of length 2.

    Shapes: (..., 2). Dtypes: complex64 gives float32; complex128 gives float64; TypeError for floats, ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.view_as_real(ms.Tensor([1 + 2j, 3 - 4j])))
        [[ 1.  2.]
         [ 3. -4.]]
    """
    check_tensors("view_as_real", input=input)
    if not is_complex(input):
        raise type_error("view_as_real", "the 'input' must be a complex Tensor", input.dtype)
    return _beside((real(input), imag(input)))


def adjoint(x: Tensor) -> Tensor:
    """Matrices with the last two axes exchanged, and conjugated.

    Shapes: (..., M, N) gives (..., N, M). Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.adjoint(ms.Tensor([[1 + 2j, 3], [4, 5 - 1j]])))
        [[1.-2.j 4.-0.j]
         [3.-0.j 5.+1.j]]
    """
    check_tensors("adjoint", x=x)
    if x.ndim < 2:
        raise value_error("adjoint", "the 'x' must have at least 2 axes", f"shape {x.shape}")
    return conj(swapaxes(x, -1, -2))
