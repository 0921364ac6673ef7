"""Numerics: an array's contents: nan, inf, zeros, its range, and its losses in float16."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.kernels.float16.cast import widen

__all__ = ["Numerics", "check_numerics"]

ROUNDED_TO_INF, _ROUNDED_TO_ZERO = 65520.0, 2.0**-25  # float16 makes inf from the first on, 0 up to the second


class Numerics(NamedTuple):
    """The contents of a Tensor; ``least``, ``greatest`` and ``mean`` of the finite numbers, or None.

    Examples:
        >>> import minispore as ms
        >>> found = ms.insight.check_numerics(ms.Tensor([1.0, float("nan"), 3.0]))
        >>> print(found)
        Numerics(nan=1, inf=0, zero=0, least=1.0, greatest=3.0, mean=2.0, float16_overflows=0, float16_underflows=0)
    """

    nan: int
    inf: int
    zero: int
    least: float
    greatest: float
    mean: float
    float16_overflows: int  # finite numbers that float16 rounds to inf
    float16_underflows: int  # numbers other than zero that float16 rounds to zero

    @property
    def is_finite(self) -> Any:
        """True if an array holds neither a nan nor an inf."""
        return not self.nan and not self.inf


def check_numerics(x: Tensor) -> Any:
    """Count the nan, inf and zeros of a Tensor, its range and mean, and the effect of a cast to float16.

    Args:
        x (Tensor): The Tensor.

    Returns:
        Numerics.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> found = ms.insight.check_numerics(ms.Tensor([0.0, 1e5, 1e-9, float("nan")]))
        >>> print(found.nan, found.zero, found.greatest, found.float16_overflows, found.float16_underflows)
        1 1 100000.0 1 1
    """
    if not isinstance(x, Tensor):
        raise type_error("check_numerics", "the 'x' must be a Tensor", type(x).__name__)
    return numerics_of(x.array)


def numerics_of(array):
    """The :class:`Numerics` of an array of the current device."""
    numbers = backend.to_host(widen(backend.xp, array)).astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    size = np.abs(finite)
    return Numerics(
        nan=int(np.isnan(numbers).sum()),
        inf=int(np.isinf(numbers).sum()),
        zero=int((numbers == 0).sum()),
        least=float(finite.min()) if finite.size else None,
        greatest=float(finite.max()) if finite.size else None,
        mean=float(finite.mean()) if finite.size else None,
        float16_overflows=int((size >= ROUNDED_TO_INF).sum()),
        float16_underflows=int(((size > 0) & (size <= _ROUNDED_TO_ZERO)).sum()),
    )


def is_finite(array):
    """True if there is neither a nan nor an inf."""
    return array.dtype not in FLOATS or bool(backend.xp.isfinite(widen(backend.xp, array)).all())


def power_range(array):
    """The exponents of two of the least and greatest magnitudes other than zero and inf: ``(low, high)``, or None."""
    size = np.abs(backend.to_host(widen(backend.xp, array)).astype(np.float64))
    size = size[np.isfinite(size) & (size > 0)]
    return tuple(int(np.frexp(edge)[1]) - 1 for edge in (size.min(), size.max())) if size.size else None


def power_text(scale):
    """A loss scale as text, for a table: ``2**10``, or the number itself if it is no power of two."""
    exponent = math.log2(scale) if 0 < scale < math.inf else math.nan
    return f"2**{int(exponent)}" if exponent.is_integer() else f"{scale:g}"


def power_and_value(scale):
    """A loss scale as text, for a sentence: ``2**10 (1024)``, or the number itself if it is no power of two."""
    text = power_text(scale)
    return f"{text} ({_decimal(scale)})" if text.startswith("2**") else text


def powers_text(low, high):
    """A range of exponents of two as text: ``2**-1 to 2**4 (0.5 to 16)``, or ``about 2**4 (16)``."""
    if low == high:
        return f"about {power_and_value(2.0**low)}"
    return f"2**{low} to 2**{high} ({_decimal(2.0**low)} to {_decimal(2.0**high)})"


def _decimal(power):
    """A power of two as a decimal: whole from 1 to 2**40, else of three digits."""
    return f"{int(power)}" if 1 <= power <= 2.0**40 else f"{power:.3g}"
