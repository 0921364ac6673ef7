"""Quantized: a matrix as codes and scales.

An operand of a product is quantized along the axis that the product sums over. "Along an axis" means that the tiles run
along it: with axis 1 a tile of 1 by 32 stands in one row of the matrix, with axis 0 in one column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from minispore.amp.lowbit.formats import as_float32, codes_of, decode, format_of
from minispore.amp.lowbit.scales import Current, Delayed, Factors, Shared, TwoLevels, Unscaled
from minispore.amp.lowbit.stochastic import random_bits, stochastic
from minispore.amp.lowbit.tiles import largest, over_tiles, tiled, untiled
from minispore.core.checks import check_choice
from minispore.core.errors import shown, type_error, value_error

__all__ = ["Operand", "Quantized", "quantize"]

_CURRENT = Current()
RULES = (Unscaled, Current, Delayed, Shared, TwoLevels)
ROUNDINGS = ("even", "away", "stochastic")


@dataclass(frozen=True)
class Operand:
    """The way in which one operand of a product is quantized: a value.

    Args:
        format (str): The format of the codes.
        tile (Union[tuple, None]): The rows and columns with one scale; None for the whole tensor. Default: None.
        scale (Union[Unscaled, Current, Delayed, Shared, TwoLevels]): The rule of the scale. Default: Current().
        rounding (str): "even", "away", or "stochastic". Default: "even".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the format or the rounding is unknown, or rule and tile do not fit.

    Examples:
        >>> from minispore.amp.lowbit.quantized import Operand
        >>> from minispore.amp.lowbit.scales import Shared
        >>> print(Operand("e4m3", (1, 32), Shared("rceil")))
        e4m3/1x32/rceil/even
    """

    format: str
    tile: tuple | None = None
    scale: Any = _CURRENT
    rounding: str = "even"

    def __post_init__(self):
        object.__setattr__(self, "format", format_of(self.format).name)
        if not isinstance(self.scale, RULES):
            raise type_error(
                "Operand", "the 'scale' must be a rule of 'minispore.amp.lowbit.scales'", shown(self.scale)
            )
        tile = self.tile
        pair = isinstance(tile, tuple) and len(tile) == 2 and all(type(n) is int and n > 0 for n in tile)
        if tile is not None and not pair:
            raise type_error("Operand", "the 'tile' must be None or a tuple of two ints above 0", shown(tile))
        if isinstance(self.scale, (Shared, TwoLevels)) != (tile is not None) and not isinstance(self.scale, Current):
            raise value_error("Operand", f"the rule '{self.scale}' must have a tile that fits it", shown(tile))
        check_choice("Operand", "rounding", self.rounding, ROUNDINGS)

    @property
    def label(self):
        """The format and the length of a block, as receipts show it: ``e4m3/32``."""
        short = format_of(self.format).short
        return short if self.tile is None else f"{short}/{self.tile[1]}"

    def __str__(self):
        tile = "tensor" if self.tile is None else f"{self.tile[0]}x{self.tile[1]}"
        return f"{format_of(self.format).short}/{tile}/{self.scale}/{self.rounding}"


@dataclass(frozen=True)
class Quantized:
    """A matrix in codes and scales.

    Attributes:
        codes (array): The codes, uint8, one a number, of the matrix's shape.
        factors (Factors): The scales, by tile: ``stored`` is what hardware keeps of them.
        operand (Operand): How it was quantized.
        tile (tuple): The rows and columns of a tile in this matrix.
        numbers (array): The matrix itself, float32.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.quantized import Operand, quantize
        >>> q = quantize(np.float32([[1.0, 448.0, 1e-9]]), Operand("e4m3"))
        >>> print(q.value(), q.flushed)
        [[  1. 448.   0.]] [[False False  True]]
    """

    codes: Any
    factors: Factors
    operand: Operand
    tile: tuple
    numbers: Any
    xp: Any = np

    @property
    def scales(self):
        """The stored scale of each tile: E8M0 or E4M3 codes, or the float32 that codes are multiplied by."""
        return self.factors.stored

    @property
    def tensor_scale(self):
        """The factor of all values; None if the tiles' scales are all."""
        return self.factors.whole

    def split(self):
        """The values as a product ``array * number``: a product sums over the array, and is multiplied by the number.

        The number is that of the whole tensor: its scale where it has one, and otherwise 1. Where the tiles' scales are
        powers of two, or e4m3, the array is exact.
        """
        xp, values = self.xp, decode(self.codes, self.operand.format, self.xp)
        if self.operand.tile is None:
            return values, self.factors.down.reshape(-1)[:1]
        with np.errstate(over="ignore", invalid="ignore"):
            spread = tiled(xp, values, self.tile) * over_tiles(self.factors.down)
        return untiled(spread, self.codes.shape), self.factors.whole

    def value(self):
        """The float32 numbers that codes and scales stand for."""
        array, number = self.split()
        with np.errstate(over="ignore", invalid="ignore"):
            return array if number is None else (array * number).astype(np.float32)

    def _scaled(self):
        with np.errstate(over="ignore", invalid="ignore"):
            tiles = tiled(self.xp, self.numbers, self.tile) * over_tiles(self.factors.up)
        return untiled(tiles, self.codes.shape)

    @property
    def saturated(self):
        """True for each number that was clipped: scaled, it is above the format's largest, by more than a rounding."""
        return self.xp.abs(self._scaled()) > np.float32(format_of(self.operand.format).top * (1 + 2.0**-22))

    @property
    def flushed(self):
        """True for each number that became zero and was none."""
        return (self.value() == 0) & (self.numbers != 0)

    @property
    def subnormal(self):
        """True for each number whose code is subnormal: it has fewer bits than the format's mantissa."""
        values = self.xp.abs(decode(self.codes, self.operand.format, self.xp))
        return (values > 0) & (values < 2.0 ** format_of(self.operand.format).lowest)


def quantize(x: Any, operand: Operand, axis: int = 1, up: Any = None, source: Any = None, xp: Any = np) -> Quantized:
    """A matrix, quantized along an axis.

    Args:
        x (array): The matrix, of a floating type.
        operand (Operand): How.
        axis (int): 0 or 1, the axis that the product sums over. Default: 1.
        up (array): The factor that a delayed scale has stored. Default: None.
        source (dtype): The NumPy dtype of the activations, whose largest number bounds a scale. Default: None, x's.
        xp (module): NumPy or CuPy. Default: NumPy.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.quantized import Operand, quantize
        >>> from minispore.amp.lowbit.scales import Shared
        >>> quantize(np.ones((64, 3), np.float32), Operand("e4m3", (1, 32), Shared()), axis=0).scales.shape
        (2, 3)
    """
    source = x.dtype if source is None else source
    numbers, format, tile = as_float32(xp, x), format_of(operand.format), _tile(operand.tile, axis, x.shape)
    tiles, rule = tiled(xp, numbers, tile), operand.scale
    factors = rule.factors_of(xp, up) if up is not None else rule.factors(xp, largest(xp, tiles), format, source)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = untiled(tiles * over_tiles(factors.up), x.shape)
    if operand.rounding == "stochastic":
        scaled = stochastic(scaled, format, random_bits(xp, x.shape), xp=xp)
    codes = codes_of(xp, scaled, format, rounding=operand.rounding if operand.rounding == "away" else None)
    return Quantized(codes, factors, operand, tile, numbers, xp)


def _tile(tile, axis, shape):
    """The rows and columns of a tile that runs along an axis; one that is longer than the matrix ends with it."""
    whole = max(1, shape[0]), max(1, shape[1])
    tile = whole if tile is None else tile if axis == 1 else tile[::-1]
    return min(tile[0], whole[0]), min(tile[1], whole[1])
