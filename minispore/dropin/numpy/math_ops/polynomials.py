"""Polynomials as rows of coefficients, the one of the highest power first."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.math_ops.products import convolve
from minispore.dropin.numpy.utils import common, floating, numbers_only, operand, operands

__all__ = ["polyadd", "polyder", "polyint", "polymul", "polysub", "polyval"]


def _coefficients(name, p, argument):
    x = numbers_only(name, operand(name, p, argument), argument)
    if x.ndim > 1:
        raise value_error(name, f"the '{argument}' must be a row", f"shape {x.shape}")
    return x.reshape(-1)


def _aligned(name, a1, a2):
    """Two rows of one length and type, with zeros in front of the shorter one."""
    rows = common(name, [_coefficients(name, a1, "a1"), _coefficients(name, a2, "a2")])
    length = max(x.size for x in rows)
    return [ops.concat([ops.zeros((length - x.size,), x.dtype), x]) if x.size < length else x for x in rows]


def polyadd(a1, a2) -> Tensor:
    """The sum of two polynomials.

    Shapes: (N,) and (M,) give (max(N, M),). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a1`` or ``a2`` is not a Tensor.
        ValueError: If ``a1`` or ``a2`` is not a row.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polyadd(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0])))  # x + 5
        [1. 5.]
    """
    a1, a2 = _aligned("polyadd", a1, a2)
    return a1 + a2


def polysub(a1, a2) -> Tensor:
    """The difference of two polynomials.

    Shapes: (N,) and (M,) give (max(N, M),). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a1`` or ``a2`` is not a Tensor.
        ValueError: If ``a1`` or ``a2`` is not a row.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polysub(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0])))  # x - 1
        [ 1. -1.]
    """
    a1, a2 = _aligned("polysub", a1, a2)
    return a1 - a2


def polymul(a1, a2) -> Tensor:
    """The product of two polynomials.

    Shapes: (N,) and (M,) give (N + M - 1,). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``a1`` or ``a2`` is not a Tensor.
        ValueError: If ``a1`` or ``a2`` is not a row of at least one number.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polymul(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, -2.0])))  # x ** 2 - 4
        [ 1.  0. -4.]
    """
    return convolve(_coefficients("polymul", a1, "a1"), _coefficients("polymul", a2, "a2"))


def polyder(p, m=1) -> Tensor:
    """The derivative of a polynomial, taken ``m`` times.

    Shapes: (N,) gives (N - m,). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``p`` is not a Tensor, or ``m`` is not an int.
        ValueError: If ``p`` is not a row, or ``m`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polyder(ms.Tensor([1.0, 0.0, -4.0])))  # 2 * x
        [2. 0.]
    """
    p = _coefficients("polyder", p, "p")
    for _ in range(check_int("polyder", "m", m, 0, 2**31)):
        if not p.size:
            break
        powers = np.arange(p.size - 1, 0, -1)
        p = p[:-1] * Tensor(powers.astype(p.array.dtype))
    return p


def polyint(p, m=1, k=None) -> Tensor:
    """The integral of a polynomial, taken ``m`` times, with ``k`` as the constants, 0 if none are given.

    Coefficients stand from the highest power down. With ``m = 0`` it is ``p`` as it is. Otherwise:

    Shapes: (N,) gives (N + m,). Dtypes: floats, kept; int8 and uint8 give float16; int16, int32, int64, uint16, uint32
    and uint64 give float32; TypeError for bools and complex.

    Raises:
        TypeError: If ``p`` holds no numbers or complex ones, ``m`` is not an int, or ``k`` holds no numbers.
        ValueError: If ``p`` is not a row, or ``m`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polyint(ms.Tensor([2.0, 0.0])))  # x ** 2
        [1. 0. 0.]
    """
    p = _coefficients("polyint", p, "p")
    m = check_int("polyint", "m", m, 0, 2**16)
    constants = _coefficients("polyint", 0 if k is None else k, "k")
    if constants.size not in (1, m) and m:
        raise value_error("polyint", f"the 'k' must be one number or {m}", constants.size)
    for i in range(m):
        p = floating(p, "polyint")
        constant = ops.cast(constants[i if constants.size > 1 else 0].reshape(1), p.dtype)
        powers = np.arange(p.size, 0, -1)
        p = ops.concat([p / Tensor(powers.astype(p.array.dtype)), constant])
    return p


def polyval(p, x) -> Tensor:
    """The polynomial at ``x``, as float: ``((p[0] * x + p[1]) * x + ...)``.

    Shapes: that of ``x``, kept; ``p`` is (N,). Dtypes: floats, kept; int8 and uint8 give float16; int16, int32, int64,
    uint16, uint32 and uint64 give float32; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a real number, ``p`` is not a Tensor, or ``x`` holds no numbers.
        ValueError: If ``p`` is not a row.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.polyval(ms.Tensor([1.0, 0.0, -4.0]), ms.Tensor([2.0, 3.0])))  # x ** 2 - 4
        [0. 5.]
    """
    p, x = operands("polyval", _coefficients("polyval", p, "p"), operand("polyval", x))
    p, x = floating(p, "polyval"), floating(x, "polyval")
    out = ops.zeros_like(x)
    for coefficient in p:
        out = out * x + coefficient
    return out
