"""Scales: the rules by which a tensor, or each tile of it, is fitted into a format's range.

A number ``x`` is coded as ``encode(x * up)`` and stands for ``value(code) * down * whole``. A rule finds the three
factors from the largest magnitude (``amax``) of each tile, in float32 arithmetic, in the order written: another order
differs in the last bit. ``up`` and ``down`` are arrays by tile, ``whole`` is one number for the tensor.

===============  ===========================================================  =================================
rule             the tile's factor                                            who uses it
===============  ===========================================================  =================================
``Unscaled()``   1                                                            experiments
``Current()``    ``up = top / amax``, of a tensor or of tiles                 FP8 now; blocks of 128
``Delayed()``    ``up = top / amax`` of the steps before: see ``delayed.py``   FP8
``Shared()``     ``down = 2 ** n``, n fits amax into the format               MX (OCP MX 1.0)
``TwoLevels()``  an e4m3 number for a tile, a float32 for the tensor          NVFP4
===============  ===========================================================  =================================

Source: Transformer Engine (Current, Delayed, TwoLevels), torchao (Shared); arXiv 2209.05433, 2310.10537, 2509.25149.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from minispore.amp.lowbit.formats import codes_of, decode, format_of, values_of
from minispore.core.checks import check_bool, check_choice, check_positive_int
from minispore.core.dtype import bfloat16
from minispore.core.errors import shown, value_error

__all__ = ["Current", "Delayed", "Factors", "Shared", "TwoLevels", "Unscaled"]

_ONE = np.float32(1)
_LARGEST = np.finfo(np.float32).max
_LARGEST_BFLOAT16 = np.float32(3.3895313892515355e38)
_MODES = ("floor", "ceil", "even", "rceil")
_E4M3, _E8M0 = format_of("float8_e4m3fn"), format_of("float8_e8m0fnu")


class Factors(NamedTuple):
    """The factors of a tensor.

    Attributes:
        stored (array): What is stored of each tile: E8M0 or E4M3 codes in uint8, otherwise float32 factors ``down``.
        up (array): What the numbers of each tile are multiplied by before they are encoded.
        down (array): What the values of each tile's codes are multiplied by.
        whole (Union[array, None]): What the values of all codes are multiplied by, float64. Default: None, for 1.
    """

    stored: Any
    up: Any
    down: Any
    whole: Any = None


@dataclass(frozen=True)
class Unscaled:
    """No scale: ``up = down = 1``.

    Examples:
        >>> from minispore.amp.lowbit.scales import Unscaled
        >>> print(Unscaled())
        unscaled
    """

    def factors(self, xp, amax, format, source):
        """The factors 1."""
        return _inverted(xp, xp.ones_like(amax))

    def __str__(self):
        return "unscaled"


@dataclass(frozen=True)
class Current:
    """The scale of what is seen: ``up = float32(top / amax)``, ``down = float32(1 / up)``; of a tensor, or of tiles.

    Where ``top / amax`` overflows, ``up`` is the largest number of x's type. Where amax is 0, inf or nan it is 1, so
    that an inf becomes a nan and is seen.

    Args:
        power_of_2 (bool): If True, ``up`` is rounded down to a power of two. Default: False.

    Examples:
        >>> from minispore.amp.lowbit.scales import Current
        >>> print(Current(power_of_2=True))
        current(power_of_2)
    """

    power_of_2: bool = False

    def __post_init__(self):
        check_bool("Current", "power_of_2", self.power_of_2)

    def factors(self, xp, amax, format, source):
        """The factors of tiles with these largest magnitudes."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            up = np.float32(format.top) / amax
        up = xp.where(xp.isinf(up), _LARGEST_BFLOAT16 if source == bfloat16.np else _LARGEST, up)
        if self.power_of_2:
            up = (up.view(np.uint32) & np.uint32(0x7F800000)).view(np.float32)
        return _inverted(xp, xp.where(xp.isfinite(amax) & (amax > 0), up, _ONE))

    def __str__(self):
        return "current(power_of_2)" if self.power_of_2 else "current"


@dataclass(frozen=True)
class Delayed:
    """The scale of the steps before, one for a tensor: ``up = float32(top / max(history)) / 2 ** margin``.

    Args:
        margin (int): The powers of two that are left free above the largest number. Default: 0.
        history (int): How many steps are remembered. Default: 1024.
        algorithm (str): "max", or "most_recent" for the last step's amax alone. Default: "max".

    Examples:
        >>> from minispore.amp.lowbit.scales import Delayed
        >>> print(Delayed(history=16))
        delayed(0,16,max)
    """

    margin: int = 0
    history: int = 1024
    algorithm: str = "max"

    def __post_init__(self):
        check_positive_int("Delayed", "history", self.history)
        check_choice("Delayed", "algorithm", self.algorithm, ("max", "most_recent"))
        if type(self.margin) is not int or not 0 <= self.margin < 64:
            raise value_error("Delayed", "the 'margin' must be an int of 0 to 63", self.margin)

    def factors_of(self, xp, up):
        """The factors with the scale that is stored, a float32 array."""
        return _inverted(xp, up.reshape(1, 1))

    def after(self, xp, scale, history, amax, format):
        """The scale and the history after a step that saw ``amax``.

        The scale stays where no number is in sight: an amax of 0, or one that is not finite. The history's place 0 is
        the next step's; its oldest number goes.
        """
        seen = xp.concatenate([amax.reshape(1), history[1:]])
        use = seen.max() if self.algorithm == "max" else seen[0]
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            new = np.float32(format.top) / use / np.float32(2.0**self.margin)
        new = xp.where(xp.isinf(new), _LARGEST, new)
        scale = xp.where(xp.isfinite(use) & (use > 0), new, scale).astype(np.float32)
        return scale, xp.concatenate([xp.zeros_like(seen[:1]), seen[2:], seen[:1]])[: len(seen)]

    def __str__(self):
        return f"delayed({self.margin},{self.history},{self.algorithm})"


@dataclass(frozen=True)
class Shared:
    """The shared exponent of a block, E8M0: ``down = 2 ** (code - 127)``, ``up = 2 ** (127 - code)``.

    ===========  ====================================================================================
    mode         the power of two
    ===========  ====================================================================================
    floor        that of amax over that of the format's largest number: clips what is above (OCP)
    ceil         the next one, unless amax is a power of two
    even         floor, of the amax rounded to the format's mantissa bits
    rceil        the smallest that is at least ``amax / top``: never clips (NVIDIA, arXiv 2506.08027)
    ===========  ====================================================================================

    A block with an inf or a nan has the code 255: it is nan as a whole.

    Args:
        mode (str): One of the four. Default: "rceil".

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.scales import Shared
        >>> from minispore.amp.lowbit.formats import format_of
        >>> print(
        ...     Shared("floor").code(np, np.float32([256, 480]), format_of("e4m3")),
        ...     Shared().code(np, np.float32([256, 480]), format_of("e4m3")),
        ... )
        [127 127] [127 128]
    """

    mode: str = "rceil"

    def __post_init__(self):
        check_choice("Shared", "mode", self.mode, _MODES)

    def factors(self, xp, amax, format, source):
        """The factors of blocks with these largest magnitudes."""
        code = self.code(xp, amax, format)
        down = decode(code, _E8M0, xp)
        # 2 ** (127 - code): of code 254 it is a subnormal number; of 255 nan
        up = xp.where(
            code == 255, np.float32(np.nan), xp.ldexp(xp.ones_like(amax), np.int32(127) - code.astype(np.int32))
        )
        return Factors(code, up.astype(np.float32), down)

    def code(self, xp, amax, format):
        """The E8M0 codes of blocks with these largest magnitudes, float32."""
        if self.mode == "rceil":
            return _rceil(xp, amax, format)
        bits = amax.view(np.uint32)
        if self.mode == "even":
            rounded = (bits + np.uint32(1 << (22 - format.mantissa))) & np.uint32(0xFF800000)
            bits = xp.where(xp.isnan(amax), bits, rounded)
        exponent = (bits >> np.uint32(23)).astype(np.int32) - np.int32(format.emax)
        if self.mode == "ceil":
            exponent = exponent + ((bits & np.uint32(0x7FFFFF)) > 0)
        finite = bits < np.uint32(0x7F800000)
        return xp.where(finite, xp.clip(exponent, 0, 255), 255).astype(np.uint8)

    def __str__(self):
        return self.mode


def _rceil(xp, amax, format):
    """The codes of ``amax / top`` rounded up to a power of two; a subnormal of at most 2 ** -127 has the code 0."""
    with np.errstate(invalid="ignore"):
        bits = (amax * np.float32(1 / format.top)).view(np.uint32)
    field, mantissa = bits >> np.uint32(23), bits & np.uint32(0x7FFFFF)
    more = mantissa > xp.where(field == 0, np.uint32(0x400000), np.uint32(0))
    return xp.where(field < 255, field + more, np.uint32(255)).astype(np.uint8)


@dataclass(frozen=True)
class TwoLevels:
    """NVFP4's scale: an e4m3 number ``s`` for a tile, and a float32 for the tensor.

    With ``G`` the largest magnitude of the tensor::

        E = min(2688 / G, largest)            2688 = 448 * 6; 1 where G is inf
        s = e4m3(min(amax * (E / 6), 448))    to nearest even
        up = min(1 / (s * (1 / E)), largest)
        value = code * s * (G / 2688)

    Where ``s`` was rounded down, the tile's largest number is clipped: by 1/17 at most. A tile far below the tensor's
    largest number becomes zero, as ``s`` does. ``least`` keeps ``s`` at a number above zero; torchao has 2 ** -6.

    Args:
        least (float): The least ``s``, a number of e4m3. Default: 0.0.

    Raises:
        ValueError: If ``least`` is none.

    Examples:
        >>> from minispore.amp.lowbit.scales import TwoLevels
        >>> print(TwoLevels(), TwoLevels(2.0**-6))
        two_levels two_levels(0.015625)
    """

    least: float = 0.0

    def __post_init__(self):
        if self.least not in values_of(_E4M3.name)[:127]:
            raise value_error("TwoLevels", "the 'least' must be a number of e4m3 of at least 0", shown(self.least))

    def factors(self, xp, amax, format, source):
        """The factors of tiles with these largest magnitudes."""
        room = np.float32(format.top * _E4M3.top)
        whole = amax.max() if amax.size else xp.zeros((), np.float32)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            spread = xp.minimum(room / whole, _LARGEST)
            spread = xp.where(spread == 0, _ONE, spread)
            scaled = xp.maximum(amax * (spread * (_ONE / np.float32(format.top))), np.float32(self.least))
            code = codes_of(xp, xp.minimum(scaled, np.float32(_E4M3.top)), _E4M3)
            down = decode(code, _E4M3, xp)
            up = xp.minimum(_ONE / (down * (_ONE / spread)), _LARGEST)
            return Factors(code, up, down, whole.astype(np.float64) / room)

    def __str__(self):
        return f"two_levels({float(self.least)})" if self.least else "two_levels"


def _inverted(xp, up):
    """The factors for ``up``, whose inverse is stored."""
    down = _ONE / up
    return Factors(down, up, down)
