"""Stochastic rounding: up or down by chance, so that the mean over all draws is the number itself.

With ``q = |x| / step`` and ``r`` an integer of ``nbits`` random bits::

    n = floor(q) + 1   if floor((q - floor(q)) * 2 ** nbits) + r >= 2 ** nbits,   otherwise floor(q)

So a number goes up with the probability of its fraction. Numbers of the grid never move. The magnitude is rounded, and
saturated afterwards.

The bits come from the counter-based streams of ``ops/kernels/random_streams``. Each operand that is rounded takes a
stream of its own, and the count of streams belongs to the state of a run. So a step that is skipped and tried again,
computed anew, replayed or resumed draws the same bits, and no two operands share a key.

Source: formula and law as in gfloat's StochasticFastest; the use for gradients of NVFP4, arXiv 2509.25149.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.amp.lowbit.formats import Format, format_of
from minispore.core import process
from minispore.core.errors import value_error
from minispore.ops.kernels.random_streams import next_stream

__all__ = ["NBITS", "random_bits", "stochastic"]

NBITS = 32
_MANTISSA = np.uint32(0x7FFFFF)


def random_bits(xp: Any, shape: tuple) -> Any:
    """``NBITS`` random bits for each number of an array of ``shape``, uint32, from the next stream.

    A process that has a part of a batch draws the bits of its own part.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.stochastic import random_bits
        >>> random_bits(np, (2, 3)).shape
        (2, 3)
    """
    count = int(np.prod(shape, dtype=np.int64))
    before = count * process.parts_before()
    stream = next_stream(xp)
    stream.words(before // 2)
    return stream.halves(before % 2 + count)[before % 2 :].reshape(shape)


def stochastic(x: Any, format: str | Format, bits: Any, nbits: int = NBITS, xp: Any = np) -> Any:
    """Numbers rounded by chance to a format's grid, which has no end above here: float32, of x's shape.

    It is done in integers: the mantissa, 24 bits with the leading one, is shifted so that the step has the weight
    ``2 ** nbits``; the bits are added; what is above the step's weight is ``n``.

    Args:
        x (array): float32; infinities and nans stay.
        format (Union[str, Format]): A minifloat.
        bits (array): Random integers below ``2 ** nbits``, of x's shape.
        nbits (int): From 1 to 32. Default: 32.
        xp (module): NumPy or CuPy. Default: NumPy.

    Raises:
        ValueError: If the format is no minifloat.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.stochastic import stochastic
        >>> print(stochastic(np.float32([1.1, 1.1, -1.1]), "e2m1", np.uint32([0, 255, 255]), 8))
        [ 1.   1.5 -1.5]
    """
    format = format_of(format)
    if format.name in ("hifloat8", "float8_e8m0fnu"):
        raise value_error("stochastic", "the 'format' must be a minifloat", format.name)
    word = x.view(np.uint32)
    field = (word >> np.uint32(23)) & np.uint32(255)
    whole = (word & _MANTISSA) | ((field > 0).astype(np.uint32) << np.uint32(23))
    exponent = xp.maximum(field, np.uint32(1)).astype(np.int32) - 127  # of the leading bit
    step = xp.maximum(exponent, np.int32(format.lowest)) - np.int32(format.mantissa)
    shift = xp.minimum(step - exponent + np.int32(23), np.int32(63)).astype(np.uint64)  # the bits below the step
    number = ((whole.astype(np.uint64) << np.uint64(nbits)) >> shift) + bits
    number >>= np.uint64(nbits)
    return xp.where(field == 255, x, xp.copysign(xp.ldexp(number.astype(np.float32), step), x))
