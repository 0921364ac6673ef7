"""Angles: sines and their inverses, hyperbolic ones too; ints become floats first."""

from __future__ import annotations

from minispore import ops
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import converted, floating, operand

__all__ = [
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "cos",
    "cosh",
    "deg2rad",
    "rad2deg",
    "radians",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


def sin(x, dtype=None) -> Tensor:
    """Sine of each element.

    ``sin x``, x in radians; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sin(ms.Tensor([0.0, 0.5, 1.0])))
        [0.         0.47942555 0.841471  ]
    """
    return converted("sin", ops.sin(floating(operand("sin", x), "sin")), dtype)


def cos(x, dtype=None) -> Tensor:
    """Cosine of each element.

    ``cos x``, x in radians; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cos(ms.Tensor([0.0, 0.5, 1.0])))
        [1.         0.87758255 0.5403023 ]
    """
    return converted("cos", ops.cos(floating(operand("cos", x), "cos")), dtype)


def tan(x, dtype=None) -> Tensor:
    """Tangent of each element.

    ``tan x``, x in radians; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.tan(ms.Tensor([0.0, 0.5, 1.0])))
        [0.        0.5463025 1.5574077]
    """
    return converted("tan", ops.tan(floating(operand("tan", x), "tan")), dtype)


def sinh(x, dtype=None) -> Tensor:
    """Hyperbolic sine.

    ``(e**x - e**-x) / 2``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sinh(ms.Tensor([0.0, 1.0])))
        [0.        1.1752012]
    """
    return converted("sinh", ops.sinh(floating(operand("sinh", x), "sinh")), dtype)


def cosh(x, dtype=None) -> Tensor:
    """Hyperbolic cosine.

    ``(e**x + e**-x) / 2``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cosh(ms.Tensor([0.0, 1.0])))
        [1.        1.5430807]
    """
    return converted("cosh", ops.cosh(floating(operand("cosh", x), "cosh")), dtype)


def tanh(x, dtype=None) -> Tensor:
    """Hyperbolic tangent.

    ``sinh x / cosh x``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.tanh(ms.Tensor([0.0, 0.5])))
        [0.        0.4621172]
    """
    return converted("tanh", ops.tanh(floating(operand("tanh", x), "tanh")), dtype)


def arctan(x, dtype=None) -> Tensor:
    """The angle in radians whose tangent is x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arctan(ms.Tensor([0.0, 1.0])))
        [0.        0.7853982]
    """
    return converted("arctan", ops.arctan(floating(operand("arctan", x), "arctan")), dtype)


def arcsinh(x, dtype=None) -> Tensor:
    """The inverse of :func:`sinh`; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arcsinh(ms.Tensor([0.0, 1.0])))
        [0.        0.8813736]
    """
    return converted("arcsinh", ops.arcsinh(floating(operand("arcsinh", x), "arcsinh")), dtype)


def arccosh(x, dtype=None) -> Tensor:
    """The inverse of :func:`cosh`, for x of at least 1; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arccosh(ms.Tensor([1.0, 2.0])))
        [0.       1.316958]
    """
    return converted("arccosh", ops.arccosh(floating(operand("arccosh", x), "arccosh")), dtype)


def arcsin(x, dtype=None) -> Tensor:
    """The angle in radians whose sine is x; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arcsin(ms.Tensor([0.0, 1.0, 2.0])))
        [0.        1.5707964       nan]
    """
    return converted("arcsin", ops.arcsin(floating(operand("arcsin", x), "arcsin")), dtype)


def arctanh(x, dtype=None) -> Tensor:
    """The inverse of :func:`tanh`, for x between -1 and 1; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arctanh(ms.Tensor([0.0, 0.5])))
        [0.         0.54930615]
    """
    return converted("arctanh", ops.arctanh(floating(operand("arctanh", x), "arctanh")), dtype)


def deg2rad(x, dtype=None) -> Tensor:
    """Degrees as radians.

    ``x * pi / 180``: degrees as radians; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.deg2rad(ms.Tensor([0.0, 180.0])))
        [0.        3.1415927]
    """
    return converted("deg2rad", ops.deg2rad(floating(operand("deg2rad", x), "deg2rad")), dtype)


def rad2deg(x, dtype=None) -> Tensor:
    """Radians as degrees.

    ``x * 180 / pi``: radians as degrees; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.rad2deg(ms.Tensor([0.0, 3.14159265])))
        [  0. 180.]
    """
    return converted("rad2deg", ops.rad2deg(floating(operand("rad2deg", x), "rad2deg")), dtype)


def arccos(input, dtype=None) -> Tensor:
    """The angle in radians whose cosine is ``input``; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.arccos(ms.Tensor([1.0, 0.0, 2.0])))
        [0.        1.5707964       nan]
    """
    return converted("arccos", ops.arccos(floating(operand("arccos", input, "input"), "arccos")), dtype)


def radians(x, dtype=None) -> Tensor:
    """Degrees as radians.

    ``x * pi / 180``: degrees as radians; in ``dtype``, if one is given.

    Shapes: any, kept. Dtypes: floats, kept; int8, uint8 and bools give float16; int16, int32, int64, uint16, uint32 and
    uint64 give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.radians(ms.Tensor([0.0, 180.0])))
        [0.        3.1415927]
    """
    return converted("radians", ops.deg2rad(floating(operand("radians", x), "radians")), dtype)
