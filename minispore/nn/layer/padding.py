"""Padding layers: constants around x, or, of ``Pad``, mirror images too."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_64_bits, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_number
from minispore.ops.operations.nn.padding import BorderPad
from minispore.ops.operations.nn.padding import Pad as PadOperation

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Pad",
    "ZeroPad2d",
]


class Pad(Cell):
    """x with ``paddings[i]``, a pair of lengths, before and after it along axis i.

    Shapes: as many axes as ``paddings`` has pairs; each grows by its pair. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Args:
        paddings (tuple): A pair of ints of at least 0 for each axis.
        mode (str): "CONSTANT" pads with zeros, "REFLECT" mirrors at the last element, "SYMMETRIC" behind it. Default:
            "CONSTANT".

    Raises:
        TypeError: If ``paddings`` is not a tuple of ints.
        ValueError: If ``mode`` is unknown, there is not a pair for each axis, or one is below 0 or too long.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Pad(((0, 0), (2, 1)), "REFLECT")(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[3. 2. 1. 2. 3. 2.]]
    """

    def __init__(self, paddings: tuple[Any, ...], mode: str = "CONSTANT") -> None:
        super().__init__()
        if not isinstance(paddings, tuple):
            raise type_error("Pad", "the 'paddings' must be a tuple", type(paddings).__name__)
        if any(not isinstance(pair, (tuple, list)) or len(pair) != 2 for pair in paddings):
            raise value_error("Pad", "the 'paddings' must be pairs", paddings)
        if any(not is_int(n) for pair in paddings for n in pair):
            raise type_error("Pad", "the 'paddings' must be pairs of ints", paddings)
        for pair in paddings:
            check_64_bits("Pad", "paddings", pair)
        if not isinstance(mode, str) or mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise value_error("Pad", "the 'mode' must be 'CONSTANT', 'REFLECT' or 'SYMMETRIC'", shown(mode))
        if any(n < 0 for pair in paddings for n in pair):
            raise value_error("Pad", "the 'paddings' must be at least 0", paddings)
        self.paddings, self.mode = paddings, mode
        self.pad = PadOperation(paddings) if mode == "CONSTANT" else BorderPad(mode.lower(), paddings)
        self.pad.name = "Pad"  # the name in errors

    def construct(self, x) -> Tensor:
        """Pad."""
        return self.pad(x)


class AroundAxes(Cell):
    """Base: ``padding`` for the last ``_axes`` axes, one length for all sides, or (before, after) from the last on."""

    _axes = 1

    def __init__(self, padding) -> None:
        super().__init__()
        name = type(self).__name__
        if isinstance(padding, bool) or not isinstance(padding, (int, tuple)):
            raise type_error(name, "the 'padding' must be an int or a tuple", shown(padding))
        padding = (padding,) * (2 * self._axes) if isinstance(padding, int) else padding
        if any(not is_int(n) for n in padding):
            raise type_error(name, "the 'padding' must hold ints", padding)
        if len(padding) % 2 or not 0 < len(padding) <= 2 * self._axes:
            raise value_error(name, f"the 'padding' must have an even count of at most {2 * self._axes} ints", padding)
        self.padding = check_64_bits(name, "padding", padding)

    def _check_axes(self, x, ranks):
        if x.ndim not in ranks:
            numbers = " or ".join(map(str, ranks))
            raise value_error(type(self).__name__, f"the 'x' must have {numbers} axes", f"shape {x.shape}")


class _ConstantPad(AroundAxes):
    """Base of padding with one value."""

    def __init__(self, padding, value) -> None:
        super().__init__(padding)
        self.value = value if isinstance(value, bool) else check_number(type(self).__name__, "value", value)

    def construct(self, x) -> Tensor:
        """Pad."""
        if 2 * x.ndim < len(self.padding):
            expected = f"the 'x' must have at least {len(self.padding) // 2} axes"
            raise value_error(type(self).__name__, expected, f"shape {x.shape}")
        return F.pad(x, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPad):
    """The last axis padded with a value: ``out = (value, …, x, …, value)``.

    Arguments and errors as :class:`ConstantPad2d`.

    Shapes: any but (); the last axis grows by the sum of ``padding``. Dtypes: floats, ints and bools, kept; TypeError
    for complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ConstantPad1d((1, 2), 9.0)(ms.Tensor([1.0, 2.0])))
        [9. 1. 2. 9. 9.]
    """


class ConstantPad2d(_ConstantPad):
    """The last two axes padded with a value.

    Shapes: at least two axes; the last two grow. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        padding (Union[int, tuple]): One length for all sides, or (before, after) of the last axis, then of the one
            before it, and so on. A length below 0 cuts.
        value (Union[int, float]): The number to fill in.

    Raises:
        TypeError: If ``padding`` is not an int or tuple of ints, or ``value`` not a number.
        ValueError: If the count of ints is odd or too large, x has too few axes, or nothing is left of one.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ConstantPad2d((1, 0, 0, 1), 9.0)(ms.Tensor([[1.0, 2.0]])))
        [[9. 1. 2.]
         [9. 9. 9.]]
    """

    _axes = 2


class ConstantPad3d(_ConstantPad):
    """The last three axes padded with a value.

    Arguments and errors as :class:`ConstantPad2d`.

    Shapes: at least three axes; the last three grow. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.ConstantPad3d(1, 0.0)(ms.ops.ones((1, 1, 2, 2, 2))).shape
        (1, 1, 4, 4, 4)
        >>> print(ms.nn.ConstantPad3d((1, 0, 0, 0, 0, 0), 9.0)(ms.Tensor([[[[[1.0, 2.0]]]]])))
        [[[[[9. 1. 2.]]]]]
    """

    _axes = 3


class ZeroPad2d(_ConstantPad):
    """The last two axes padded with zeros.

    Arguments and errors as :class:`ConstantPad2d`, without ``value``.

    Shapes: at least two axes; the last two grow. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ZeroPad2d((1, 0, 0, 1))(ms.Tensor([[[1.0, 2.0]]])))
        [[[0. 1. 2.]
          [0. 0. 0.]]]
    """

    _axes = 2

    def __init__(self, padding: int | tuple[Any, ...]) -> None:
        super().__init__(padding, 0)
