"""Functional wrappers of special functions: Bessel's, incomplete gamma functions, zeta; and of whole divisors."""

from __future__ import annotations

import math

from minispore.core.checks import check_positive_int
from minispore.core.dtype import FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import binary, check_tensors, make, unary
from minispore.ops.functional.math_unary import isinf, lgamma
from minispore.ops.number_checks import is_real
from minispore.ops.operations.math import bessel, bitwise, incomplete
from minispore.ops.operations.math.binary import NextAfter

__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
    "gcd",
    "i0",
    "igamma",
    "igammac",
    "isneginf",
    "isposinf",
    "lcm",
    "mvlgamma",
    "nextafter",
    "population_count",
    "zeta",
]
METHODS = "gcd i0 igamma igammac isneginf isposinf lcm mvlgamma nextafter"

bessel_i0 = unary(bessel.BesselI0(), "x")
bessel_i0e = unary(bessel.BesselI0e(), "x")
bessel_i1 = unary(bessel.BesselI1(), "x")
bessel_i1e = unary(bessel.BesselI1e(), "x")
bessel_j0 = unary(bessel.BesselJ0(), "x")
bessel_j1 = unary(bessel.BesselJ1(), "x")
bessel_k0 = unary(bessel.BesselK0(), "x")
bessel_k0e = unary(bessel.BesselK0e(), "x")
bessel_k1 = unary(bessel.BesselK1(), "x")
bessel_k1e = unary(bessel.BesselK1e(), "x")
bessel_y0 = unary(bessel.BesselY0(), "x")
bessel_y1 = unary(bessel.BesselY1(), "x")
gcd = binary(bitwise.Gcd())
igamma = binary(incomplete.Igamma())
igammac = binary(incomplete.Igammac())
lcm = binary(bitwise.Lcm())
nextafter = binary(NextAfter())
population_count = unary(bitwise.PopulationCount(), "input_x")
i0 = unary(bessel.BesselI0())


def zeta(input, other) -> Tensor:
    """Zeta function of Hurwitz: ``Zeta()(input, other)``, the sum of ``(other + k) ** -input`` over the k from 0 on.

    One of the two may be a number.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If neither is a Tensor, or one is neither a floating Tensor nor a number.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.zeta(ms.Tensor([2.0, 4.0]), 1))
        [1.644934  1.0823232]
    """
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor) and not is_real(x):
            raise type_error("zeta", f"the '{name}' must be a floating Tensor or a number", shown(x))
    return make(incomplete.Zeta)(input, other)


def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Logarithm of the gamma function of p variables: ``p (p - 1) / 4 ln pi + sum of lgamma(input - j / 2)``, j < p.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): Floating; each element above ``(p - 1) / 2``.
        p (int): The number of variables, at least 1.

    Raises:
        TypeError: If the input is not a floating Tensor, or p not an int.
        ValueError: If p is below 1, or an element is too small.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.mvlgamma(ms.Tensor([3.0, 4.0]), 3))
        [2.6949248 5.402975 ]
    """
    check_positive_int("mvlgamma", "p", p)
    check_tensors("mvlgamma", input=input)
    if input.array.dtype not in FLOATS:
        raise type_error("mvlgamma", "the 'input' must be a floating Tensor", input.dtype)
    if (input <= (p - 1) / 2).any():
        raise value_error("mvlgamma", f"the 'input' must be above {(p - 1) / 2}, (p - 1) / 2", shown(input))
    total = p * (p - 1) / 4 * math.log(math.pi)
    for j in range(p):
        total = lgamma(input - j / 2) + total
    return total


def isposinf(input: Tensor) -> Tensor:
    """True for each element that is positive infinity.

    Shapes: any, kept. Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isposinf(ms.Tensor([np.inf, -np.inf, np.nan, 1.0])))
        [ True False False False]
    """
    check_tensors("isposinf", input=input)
    return isinf(input).logical_and(input > 0)


def isneginf(input: Tensor) -> Tensor:
    """True for each element that is negative infinity.

    Shapes: any, kept. Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.isneginf(ms.Tensor([np.inf, -np.inf, np.nan, 1.0])))
        [False  True False False]
    """
    check_tensors("isneginf", input=input)
    return isinf(input).logical_and(input < 0)
