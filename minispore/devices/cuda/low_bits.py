"""Low bits: an operand of a product is quantized and given its exact values in one launch, and so are codes and values.

The arithmetic is that of ``amp.lowbit``, bit for bit. A scale of the whole tensor needs its largest magnitude first: a
launch more. Stochastic rounding and convolutions are left to ``compute``.
"""

import numpy as np

from minispore.amp.lowbit import formats
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled
from minispore.core import backend
from minispore.core.dtype import bfloat16
from minispore.devices.cuda.launch import THREADS, ceil_div, kernel

__all__ = []

_KINDS = {"floor": 0, "ceil": 1, "even": 2, "rceil": 3}
_CURRENT, _TWO_LEVELS = 4, 5
_BLOCKS = 1024
_LARGEST = float(np.finfo(np.float32).max)
_LARGEST_BFLOAT16 = 3.3895313892515355e38
_NONE = np.uintp(0)


def encode(xp, x, table):
    """The codes of float32 numbers by a table of codes, in one launch."""
    x, out = xp.ascontiguousarray(x), xp.empty(x.shape, np.uint8)
    if x.size:
        _over(xp, "low_bit_encode", x.size, (x.view(np.uint32), np.int64(x.size), backend.constant(xp, table), out))
    return out


def decode(xp, codes, table):
    """The values of codes by a table of values, in one launch."""
    codes, out = xp.ascontiguousarray(codes), xp.empty(codes.shape, np.float32)
    if codes.size:
        _over(xp, "low_bit_decode", codes.size, (codes, np.int64(codes.size), backend.constant(xp, table), out))
    return out


def cast(xp, x, operand, axis, up, source):
    """The values of a quantized float32 matrix and the number that multiplies its sums, or None; None if unsupported.

    Args:
        xp (module): CuPy.
        x (array): The matrix.
        operand (Operand): The way in which it is quantized.
        axis (int): The axis that the product sums over.
        up (array): The factor that a delayed scale has stored, or None.
        source (dtype): The NumPy dtype of the activations.
    """
    if operand.rounding == "stochastic" or not x.size or x.ndim != 2:
        return None
    x = xp.ascontiguousarray(x)
    return (_whole if operand.tile is None else _tiles)(xp, x, operand, axis, up, source)


def _whole(xp, x, operand, axis, up, source):
    rule, out, number = operand.scale, xp.empty(x.shape, np.float32), xp.empty(1, np.float32)
    if isinstance(rule, Delayed) != (up is not None) or not isinstance(rule, (Current, Delayed, Unscaled)):
        return None
    seen = largest(xp, x) if isinstance(rule, Current) else _NONE
    setting = np.int64(x.size), *_range(rule, operand, source), seen, _NONE if up is None else up
    _over(xp, "low_bit_cast_whole", x.size, (x.view(np.uint32), *setting, *_tables(xp, operand), out, number))
    return out, number


def _tiles(xp, x, operand, axis, up, source):
    rule, out = operand.scale, xp.empty(x.shape, np.float32)
    rows, columns = operand.tile if axis == 1 else operand.tile[::-1]
    form = formats.format_of(operand.format)
    two = isinstance(rule, TwoLevels)
    if not two and not isinstance(rule, (Current, Shared)):
        return None
    kind = _TWO_LEVELS if two else _KINDS[rule.mode] if isinstance(rule, Shared) else _CURRENT
    power, top, most = _range(rule, operand, source)
    setting = *map(np.int32, (*x.shape, rows, columns, kind, power, form.mantissa, form.emax)), top
    setting += np.float64(getattr(rule, "least", 0.0)), most
    seen = largest(xp, x) if two else _NONE
    arguments = x.view(np.uint32), *setting, seen, *_tables(xp, operand), *_scale_tables(xp), out
    grid = ceil_div(x.shape[0], rows) * ceil_div(x.shape[1], columns)
    threads = 32 if rows * columns <= 128 else THREADS
    kernel(xp, "low_bits", "low_bit_cast", "unsigned")((grid,), (threads,), arguments)
    whole = seen.view(np.float32).astype(np.float64) / np.float32(form.top * 448) if two else None
    return out, whole


def largest(xp, x):
    """The largest magnitude of a float32 array as its bits, a uint32 of shape (1,)."""
    most = xp.zeros(1, np.uint32)
    _over(xp, "low_bit_largest", x.size, (x.view(np.uint32), np.int64(x.size), most))
    return most


def _over(xp, name, size, arguments):
    """Launch a kernel over so many numbers."""
    blocks = min(_BLOCKS, ceil_div(size, THREADS))
    kernel(xp, "low_bits", name, "unsigned")((blocks,), (THREADS,), arguments)


def _range(rule, operand, source):
    """If factors are powers of two, the format's largest number, and that of the activations' type."""
    top, most = formats.format_of(operand.format).top, _LARGEST_BFLOAT16 if source == bfloat16.np else _LARGEST
    return np.int32(getattr(rule, "power_of_2", False)), np.float64(top), np.float64(most)


def _tables(xp, operand):
    """The tables of codes and values of an operand's format."""
    form = formats.format_of(operand.format)
    rounding = operand.rounding if operand.rounding == "away" else form.rounding
    return _pair(xp, form, rounding)


def _scale_tables(xp):
    form = formats.format_of("float8_e4m3fn")
    return _pair(xp, form, form.rounding)


def _pair(xp, form, rounding):
    codes, values = formats._codes(form, "saturate", rounding), formats.values_of(form.name)
    return backend.constant(xp, codes), backend.constant(xp, values)


formats.by_kernel.update(encode=encode, decode=decode)
