"""Low bits: an operand of a product is quantized and given its exact values in one launch, and so are codes and values.

The arithmetic is that of ``amp.lowbit``, bit for bit, and random bits are those of the counted streams. With a Hadamard
transform this holds where float64 sums 16 numbers exactly. A scale of the whole tensor needs its largest magnitude
first: a launch more.
"""

import math

import numpy as np

from minispore.amp.lowbit import formats, hadamard
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled
from minispore.core import backend, process
from minispore.core.dtype import bfloat16, float16
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda.device_words import name_arguments
from minispore.devices.cuda.launch import THREADS, ceil_div, kernel
from minispore.ops.kernels.random_streams import next_stream

__all__ = []

_KINDS = {"floor": 0, "ceil": 1, "even": 2, "rceil": 3}
_CURRENT, _TWO_LEVELS = 4, 5
_BLOCKS = 1024
_LARGEST = float(np.finfo(np.float32).max)
_LARGEST_BFLOAT16 = 3.3895313892515355e38
_NONE, _FLOAT32 = np.uintp(0), np.dtype(np.float32)
_INTS = "rows", "columns", "held", "after", "groups", "by_rows", "high", "broad"
_MATRIX = np.dtype([(name, np.int32) for name in _INTS])
_FIELDS = "kind", "power_of_2", "mantissa", "emax", "lowest", "by_chance"
_RULE = np.dtype(
    [(name, np.int32) for name in _FIELDS] + [(name, np.float64) for name in ("top", "least", "largest")], align=True
)
_NARROW = np.dtype([("mantissa", np.int32), ("lowest", np.int32), ("top", np.float64)], align=True)
_DRAWS = np.dtype([(name, np.uint64) for name in ("first_key", "second_key", "number", "domain", "before")])
_NARROWED = {float16.np: (10, -14, 65504.0), bfloat16.np: (7, -126, _LARGEST_BFLOAT16)}
_NO_DRAWS = np.zeros((), _DRAWS)[()], _NONE
_BY_TENSOR, _BY_TILE = (Current, Delayed, Unscaled), (Current, Shared, TwoLevels)


@kernel_of(formats.Encoding, "cuda")
def encode(kind, xp, x, table):
    """The codes of float32 numbers by a table of codes, in one launch."""
    x, out = xp.ascontiguousarray(x), xp.empty(x.shape, np.uint8)
    if x.size:
        _over(xp, "low_bit_encode", x.size, (x.view(np.uint32), np.int64(x.size), backend.constant(xp, table), out))
    return out


@kernel_of(formats.Decoding, "cuda")
def decode(kind, xp, codes, table):
    """The values of codes by a table of values, in one launch."""
    codes, out = xp.ascontiguousarray(codes), xp.empty(codes.shape, np.float32)
    if codes.size:
        _over(xp, "low_bit_decode", codes.size, (codes, np.int64(codes.size), backend.constant(xp, table), out))
    return out


def takes(operand, up=None):
    """True if the kernels cast operands of this kind, with a delayed scale's factor ``up`` or without."""
    if operand.rounding == "stochastic" and operand.format in ("hifloat8", "float8_e8m0fnu"):
        return False
    if operand.tile is None:
        return isinstance(operand.scale, Delayed) == (up is not None) and isinstance(operand.scale, _BY_TENSOR)
    return isinstance(operand.scale, _BY_TILE)


def cast(xp, x, operand, axis, up, source, groups=1, turned=False):
    """The values of a quantized array and the number that multiplies its sums, or None.

    Args:
        xp (module): CuPy.
        x (array): The array: float32, float16 or bfloat16. Beyond two axes, it is rows along ``axis``.
        operand (Operand): The way in which it is quantized, one that ``takes`` tells.
        axis (int): The axis that the product sums over.
        up (array): The factor that a delayed scale has stored, or None.
        source (dtype): The NumPy dtype of the activations.
        groups (int): The groups of channels beside each other on the axis, which the product does not mix. Default: 1.
        turned (bool): If True, the numbers are transformed before, along axis 0 of a matrix. Default: False.
    """
    x = xp.ascontiguousarray(x)
    matrix, shape = _matrix(x, axis, groups, operand.tile, turned)
    rule, out = _rule(operand, source), xp.empty(shape, np.float32)
    turn = (backend.constant(xp, hadamard.matrix()) if turned else _NONE), _narrow(source)
    seen = _NONE
    if isinstance(operand.scale, TwoLevels) or (operand.tile is None and isinstance(operand.scale, Current)):
        seen = largest(xp, x, matrix, turn)
    rest = *turn, *_draws(xp, operand, out.size), out
    given = _numbers(x), matrix, rule, seen
    if operand.tile is None:
        number = xp.empty(1, np.float64)
        given += (_NONE if up is None else up, *_tables(xp, operand), *rest, number)
        _over(xp, "low_bit_cast_whole", out.size, given, x.dtype)
        return out, number
    whole = xp.empty((), np.float64) if isinstance(operand.scale, TwoLevels) else None
    given += (*_tables(xp, operand), *_scale_tables(xp), *rest, _NONE if whole is None else whole)
    _over_tiles(xp, matrix, given, x.dtype)
    return out, whole


def codes(xp, x, operand, turned, up, source):
    """The codes of a matrix with one scale, transposed if ``turned``, and the number that multiplies its sums."""
    x = xp.ascontiguousarray(x)
    rows, columns = x.shape
    out, number = xp.empty((columns, rows) if turned else (rows, columns), np.uint8), xp.empty(1, np.float32)
    seen = _NONE
    if isinstance(operand.scale, Current):
        seen = largest(xp, x, _matrix(x, 1, 1, None, False)[0], (_NONE, _narrow(source)))
    given = _numbers(x), *map(np.int32, (rows, columns, turned)), _rule(operand, source), seen
    given += (_NONE if up is None else up, _tables(xp, operand)[0], out, number)
    squares = ceil_div(rows, 32) * ceil_div(columns, 32)
    kernel(xp, "low_bits", "low_bit_codes", _type(x.dtype))((squares,), (THREADS,), given)
    return out, number


def scaled(xp, sums, numbers, dtype):
    """Float32 sums times one number or two, as ``amp.lowbit`` multiplies them, rounded to ``dtype`` once."""
    sums, out = xp.ascontiguousarray(sums), xp.empty(sums.shape, dtype)
    given = _numbers(sums), np.int64(sums.size), *numbers, *[_NONE] * (2 - len(numbers)), _numbers(out)
    _over(xp, "low_bit_scaled", sums.size, given, out.dtype)
    return out


def advance(xp, rule, format, scale, history, amax):
    """The scale and the history after a step of a delayed scale: one launch, as ``rule.after``."""
    new = xp.empty_like(scale), xp.empty_like(history)
    setting = np.int32(history.size), np.int32(rule.algorithm != "max"), np.float64(format.top)
    amax = amax.astype(np.float32, copy=False)  # processes share it in their activations' type
    given = *map(_numbers, (scale, history, amax)), *setting, np.float64(2.0**rule.margin), *map(_numbers, new)
    kernel(xp, "low_bits", "low_bit_advance", "unsigned")((1,), (THREADS,), given)
    return new


def largest_of_all(xp, x):
    """The largest magnitude of an array, float32 of shape (1,)."""
    x = xp.ascontiguousarray(x).reshape(1, -1)
    return largest(xp, x, _matrix(x, 1, 1, None, False)[0], (_NONE, _narrow(x.dtype))).view(np.float32)


def largest(xp, x, matrix, turn):
    """The largest magnitude of an array, or of what it is transformed to, as its bits: a uint32 of shape (1,)."""
    most, size = xp.zeros(1, np.uint32), int(matrix["rows"]) * int(matrix["columns"])
    _over(xp, "low_bit_largest", size, (_numbers(x), matrix, *turn, most), x.dtype)
    return most


def _matrix(x, axis, groups, tile, turned):
    """An array as a kernel sees it, rows along the axis of the sum, and the shape of its values."""
    held, after = x.shape[axis] // groups, math.prod(x.shape[axis + 1 :])
    columns = ceil_div(held, 16) * 16 if turned else held
    rows = x.size // held
    high, broad = (1, 1) if tile is None else (min(tile[0], rows), min(tile[1], columns))
    matrix = np.array((rows, columns, held, after, groups, x.ndim != 2, high, broad), _MATRIX)[()]
    return matrix, (columns, *x.shape[1:]) if turned else x.shape


def _rule(operand, source):
    """The rule of an operand's scale as a kernel sees it."""
    rule, form = operand.scale, formats.format_of(operand.format)
    kind = _KINDS[rule.mode] if isinstance(rule, Shared) else _TWO_LEVELS if isinstance(rule, TwoLevels) else _CURRENT
    by_chance, power = operand.rounding == "stochastic", getattr(rule, "power_of_2", False)
    most = _LARGEST_BFLOAT16 if source == bfloat16.np else _LARGEST
    given = kind, power, form.mantissa, form.emax, form.lowest, by_chance, form.top, getattr(rule, "least", 0.0), most
    return np.array(given, _RULE)[()]


def _narrow(source):
    """The type of the activations, as a kernel rounds to it."""
    return np.array(_NARROWED.get(source, (23, -126, _LARGEST)), _NARROW)[()]


def _draws(xp, operand, count):
    """The next stream as a kernel's arguments, if the operand is rounded by chance; a process draws its own part."""
    if operand.rounding != "stochastic":
        return _NO_DRAWS
    *words, drawn = name_arguments(next_stream(xp).name)
    return np.array((*words, count * process.parts_before()), _DRAWS)[()], drawn


def _numbers(x):
    """The numbers of an array as a kernel reads them: those of float32 as their bits."""
    return x.view(np.uint32) if x.dtype == np.float32 else x


def _type(dtype):
    return "unsigned" if dtype == np.float32 else dtype


def _over(xp, name, size, arguments, dtype=_FLOAT32):
    """Launch a kernel over so many numbers."""
    blocks = min(_BLOCKS, ceil_div(size, THREADS))
    kernel(xp, "low_bits", name, _type(dtype))((blocks,), (THREADS,), arguments)


def _over_tiles(xp, matrix, arguments, dtype):
    """Launch a block for each tile."""
    rows, columns, high, broad = (int(matrix[name]) for name in ("rows", "columns", "high", "broad"))
    grid, threads = ceil_div(rows, high) * ceil_div(columns, broad), 32 if high * broad <= 128 else THREADS
    kernel(xp, "low_bits", "low_bit_cast", _type(dtype))((grid,), (threads,), arguments)


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
