"""Formats: numbers of 8, 6 and 4 bits; the value of each code, and the code of each number.

A minifloat has a sign, exponent bits and mantissa bits. With the exponent field ``e``, the mantissa field ``m`` of
``M`` bits, and a bias ``B``::

    e = 0:      value = m * 2 ** (1 - B - M)                 subnormal, the same step as the first binade
    otherwise:  value = (1 + m * 2 ** -M) * 2 ** (e - B)     normal

Decoding is a table of one value for each code. Encoding is a table too. No format here has more than three mantissa
bits, and so none needs more than the upper half of a float32, rounded to odd: cut off, with the last bit set if the
part that is cut off is not zero. Rounding that number to a format gives the same code as rounding the float32 itself,
because no tie and no boundary of a format is an odd number of eight bits (Boldo and Melquiond, 2008). So 65,536 codes,
made once by the rule as it is written in :func:`_nearest`, hold all answers.

Source: OCP's formats (OFP8 1.0, MX 1.0); AMD's ``fnuz``; hifloat8 of arXiv 2409.16626.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend, tensor_data
from minispore.core.checks import check_choice
from minispore.core.dtype import INEXACT, STORED
from minispore.core.errors import type_error, value_error
from minispore.core.kernel_table import computed_as
from minispore.ops.kernels.float16.cast import round_to_odd, widen

__all__ = ["FORMATS", "Format", "decode", "encode", "format_of", "recoded", "step_exponent", "values_of"]


class Format(NamedTuple):
    """One format.

    Attributes:
        name (str): Its name, as ml_dtypes has it.
        bits (int): The bits of a code; a code stands in a uint8 of its own.
        mantissa (int): The mantissa bits; of hifloat8, whose number varies, the most.
        lowest (int): The exponent of the smallest normal number: the step below it is ``2 ** (lowest - mantissa)``.
        top (float): The largest finite number.
        infinity (Union[int, None]): The code of positive infinity, if there is one.
        nan (Union[int, None]): The code of a nan, if there is one.
        signed_zero (bool): True if there is a negative zero, and nan has a sign.
        rounding (str): How ties are rounded, "even" or "away".

    Examples:
        >>> from minispore.amp.lowbit.formats import format_of
        >>> format_of("e4m3").top
        448.0
    """

    name: str
    bits: int
    mantissa: int
    lowest: int
    top: float
    infinity: int | None = None
    nan: int | None = None
    signed_zero: bool = True
    rounding: str = "even"

    @property
    def emax(self):
        """The exponent of the largest number."""
        return int(np.frexp(self.top)[1]) - 1

    @property
    def short(self):
        """The name in receipts, such as ``e4m3``."""
        return self.name.partition("_")[2].removesuffix("fn") or self.name


FORMATS = {
    format.name: format
    for format in (
        Format("float8_e4m3fn", 8, 3, -6, 448.0, None, 0x7F),
        Format("float8_e5m2", 8, 2, -14, 57344.0, 0x7C, 0x7E),
        Format("float8_e4m3fnuz", 8, 3, -7, 240.0, None, 0x80, False),
        Format("float8_e5m2fnuz", 8, 2, -15, 57344.0, None, 0x80, False),
        Format("float8_e8m0fnu", 8, 0, -127, 2.0**127, None, 0xFF, False),
        Format("float6_e2m3fn", 6, 3, 0, 7.5),
        Format("float6_e3m2fn", 6, 2, -2, 28.0),
        Format("float4_e2m1fn", 4, 1, 0, 6.0),
        Format("hifloat8", 8, 3, -22, 2.0**15, 0x6F, 0x80, False, "away"),
    )
}
_SHORT = {format.short: format for format in FORMATS.values()}
OVERFLOWS, ROUNDINGS = ("saturate", "ieee"), ("even", "away", "zero")


def format_of(name: str | Format) -> Format:
    """The record of a format, by its name or its short name.

    Raises:
        ValueError: If there is no such format.

    Examples:
        >>> from minispore.amp.lowbit.formats import format_of
        >>> format_of("e2m1").name
        'float4_e2m1fn'
    """
    if isinstance(name, Format):
        return name
    found = _SHORT.get(name) or FORMATS.get(name)
    return found or FORMATS[check_choice("format_of", "name", name, tuple(FORMATS))]


# Decoding


@functools.cache
def values_of(name: str) -> Any:
    """The float32 value of each code of a format, in an array by code. Every value of every format is a float32.

    Examples:
        >>> from minispore.amp.lowbit.formats import values_of
        >>> print(values_of("float4_e2m1fn")[:8])
        [0.  0.5 1.  1.5 2.  3.  4.  6. ]
    """
    made = {"float8_e8m0fnu": _powers_of_two, "hifloat8": _hifloat8}.get(name)
    found = (made() if made else _minifloat(FORMATS[name])).astype(np.float32)
    found.flags.writeable = False
    return found


def _minifloat(format):
    codes = np.arange(2**format.bits)
    half, steps = 2 ** (format.bits - 1), 2**format.mantissa
    field, mantissa = (codes % half) // steps, codes % steps
    normal = (1 + mantissa / steps) * np.exp2(field - 1.0 + format.lowest)
    value = np.where(field == 0, mantissa * 2.0 ** (format.lowest - format.mantissa), normal)
    value = np.where(codes < half, value, -value)
    value[np.abs(value) > format.top] = np.nan
    if not format.signed_zero:
        value[half] = np.nan  # the code of a negative zero
    if format.infinity is not None:
        value[[format.infinity, format.infinity + half]] = np.inf, -np.inf
    return value


def _powers_of_two():
    """The values of e8m0, scales of blocks: no sign, no zero."""
    return np.append(np.exp2(np.arange(255.0) - 127), np.nan)


def _hifloat8():
    """The values of hifloat8: sign, a prefix that says how long the exponent is, exponent, mantissa.

    =========  =========  ========================================================
    low bits   exponents  read as
    =========  =========  ========================================================
    11 eeee m  8 to 15    the sign of the exponent, then its bits below a leading 1
    10 eee mm  4 to 7
    01 ee mmm  2 and 3
    001 e mmm  1
    0001 mmm   0
    0000 ddd              ``2 ** (ddd - 23)``; zero for ddd = 0
    =========  =========  ========================================================
    """
    value = np.zeros(256)
    for code in range(1, 128):
        width = code.bit_length() - 4 if code < 32 else 1 + (code >> 5)
        if width < 0:
            value[code] = 2.0 ** (code - 23)
            continue
        bits = 5 - width if width > 1 else 3
        field, mantissa = (code >> bits) % 2**width, code % 2**bits
        size = (1 << width - 1) | (field % 2 ** (width - 1)) if width else 0
        exponent = -size if width and field >> (width - 1) else size
        value[code] = (1 + mantissa / 2**bits) * 2.0**exponent
    value[128:] = -value[:128]
    value[[0x80, 0x6F, 0xEF]] = np.nan, np.inf, -np.inf
    return value


def decode(codes: Any, format: str | Format, xp: Any = np) -> Any:
    """The float32 values of codes: exact, of the codes' shape.

    Args:
        codes (array): Codes, uint8, one a number.
        format (Union[str, Format]): The format.
        xp (module): NumPy or CuPy. Default: NumPy.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.formats import decode
        >>> print(decode(np.uint8([0x38, 0x7E, 0x7F]), "e4m3"))
        [  1. 448.  nan]
    """
    return computed_as(Decoding, None, xp, codes, values_of(format_of(format).name))


class Decoding:
    """Row of the kernel table: ``compute(self, xp, codes, table)`` is the values of codes by a table of values.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.formats import Decoding, values_of
        >>> print(Decoding.compute(None, np, np.uint8([2, 9]), values_of("float4_e2m1fn")))
        [ 1.  -0.5]
    """

    def compute(self, xp, codes, table):
        """The entries of a table; CuPy computes with the places, in their type, so they must be wide enough."""
        return xp.take(backend.constant(xp, table), codes if xp is np else codes.astype(np.int32))


# Encoding


def step_exponent(format, exponent):
    """The exponent of the step between neighbours, from the exponent ``floor(log2 |x|)`` of a number.

    In hifloat8 the mantissa gets shorter as the exponent gets longer.
    """
    exponent = np.maximum(exponent, format.lowest)
    if format.name != "hifloat8":
        return exponent - format.mantissa
    size = np.abs(exponent)
    bits = np.where(size <= 3, 3, np.where(size <= 7, 2, 1))
    return exponent - np.where(exponent < -15, 0, bits)


_TO_INTEGER = {"even": np.rint, "away": lambda q: np.floor(q + 0.5), "zero": np.floor}


def _nearest(a, format, rounding):
    """The number of the format's grid next to each ``a``, float64 numbers of at least 0; the grid has no end above.

    The rule: with ``s`` the step at ``a``, the result is ``s * round(a / s)``; both are exact in float64.
    """
    step = step_exponent(format, np.frexp(a)[1] - 1)
    return np.ldexp(_TO_INTEGER[rounding](np.ldexp(a, -step)), step)


@functools.cache
def _codes(format, overflow, rounding):
    """The code of every number that has the upper half of a float32's bits, in a table by these bits."""
    bits = np.arange(65536, dtype=np.uint32) << 16
    with np.errstate(invalid="ignore"):  # of the nans, half are signalling ones
        x = bits.view(np.float32).astype(np.float64)
    values = values_of(format.name).astype(np.float64)
    grid = [c for c in range(len(values)) if values[c] >= 0 and np.isfinite(values[c]) and not np.signbit(values[c])]
    grid = np.array(sorted(grid, key=values.__getitem__))
    a = np.where(np.isfinite(x), np.abs(x), 0)
    near = _nearest(a, format, rounding)
    code = grid[np.searchsorted(values[grid], np.minimum(near, format.top))]
    beyond = next(c for c in (format.infinity, format.nan, grid[-1]) if c is not None)
    if overflow == "ieee":
        code = np.where((a if rounding == "zero" else near) > format.top, beyond, code)
    code = _signed(np.where(np.isinf(x), beyond, code), x, format)
    code = np.where(np.isnan(x), _nan_code(format, np.signbit(x)), code).astype(np.uint8)
    code.flags.writeable = False
    return code


def _signed(code, x, format):
    """The codes with the sign bit where the number is negative. e8m0 has no negative numbers and no zero: nan."""
    if format.name == "float8_e8m0fnu":
        return np.where(x > 0, code, format.nan)
    negative = np.signbit(x)
    plain = False if format.signed_zero else (code == 0) | (code == format.nan)
    return np.where(negative & ~np.bool_(plain), code | 2 ** (format.bits - 1), code)


def _nan_code(format, negative):
    """The code of nan: with its sign where zero has one. Where there is no nan it is that of -0, as in ml_dtypes."""
    sign = 2 ** (format.bits - 1)
    if format.nan is None:
        return sign
    return format.nan | np.where(negative, sign, 0) if format.signed_zero else format.nan


def upper_half(xp, x):
    """The upper 16 bits of each float32, rounded to odd, in a uint32: see the head of this file."""
    bits = x.view(np.uint32)
    half = bits & np.uint32(0xFFFF)
    half += np.uint32(0xFFFF)  # carries into bit 16 if any bit is set
    half |= bits
    half >>= np.uint32(16)
    return half


def codes_of(xp, x, format, overflow="saturate", rounding=None):
    """:func:`encode` of a float32 array, unchecked: where the format has no nan, nan becomes -0."""
    return computed_as(Encoding, None, xp, x, _codes(format, overflow, rounding or format.rounding))


class Encoding:
    """Row of the kernel table: ``compute(self, xp, x, table)`` is the codes of float32 numbers by a table of codes.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.formats import Encoding
        >>> Encoding.compute(None, np, np.float32([1.0]), np.zeros(65536, np.uint8)).shape
        (1,)
    """

    def compute(self, xp, x, table):
        """The codes of the numbers' upper halves."""
        return Decoding.compute(None, xp, upper_half(xp, x), table)


def encode(x: Any, format: str | Format, overflow: str = "saturate", rounding: str | None = None, xp: Any = np) -> Any:
    """The codes of numbers: each rounded once to the nearest number of a format; uint8, of x's shape.

    Overflow is judged after rounding: 464 is a tie between 448 and 480, and goes to 448 in e4m3. Infinity becomes
    infinity, or nan where the format has none. In the formats without a nan, infinity becomes the largest number.

    Args:
        x (array): Numbers. float64 is rounded once too, not by way of float32.
        format (Union[str, Format]): The format.
        overflow (str): "saturate" gives finite numbers above the largest its code, as recipes need it. "ieee" gives
            them that of infinity, or nan where there is none, as casts need it. Default: "saturate".
        rounding (str): "even" or "away", to nearest with ties so; "zero", toward zero. Default: None, the format's own,
            "away" for hifloat8 and "even" for all others.
        xp (module): NumPy or CuPy. Default: NumPy.

    Raises:
        TypeError: If ``x`` holds complex numbers or is no array.
        ValueError: If a name is unknown, or ``x`` holds a nan that the format has no code for.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.formats import encode
        >>> print(encode(np.float32([1, 464, 465, -0.0]), "e4m3"))
        [ 56 126 126 128]
        >>> print(encode(np.float32([1, 464, 465, -0.0]), "e4m3", "ieee"))
        [ 56 126 127 128]
    """
    format = format_of(format)
    check_choice("encode", "overflow", overflow, OVERFLOWS)
    check_choice("encode", "rounding", rounding or format.rounding, ROUNDINGS)
    x = as_float32(xp, x)
    if format.nan is None and bool(xp.isnan(x).any()):
        raise value_error("encode", f"the 'x' must hold no nan, which '{format.name}' has no code for", "a nan")
    return codes_of(xp, x, format, overflow, rounding)


def as_float32(xp, x):
    """Numbers as float32: exact from the narrow types, rounded to odd from float64, so that one rounding follows."""
    x = x if isinstance(x, xp.ndarray) else xp.asarray(x)
    if x.dtype.kind == "c" or (x.dtype not in INEXACT and x.dtype.kind not in "biu"):
        raise type_error("encode", "the 'x' must be an array of real numbers", x.dtype)
    if x.dtype in INEXACT and x.dtype.itemsize < 8:
        return widen(xp, x)
    wide = x.astype(np.float64)
    return round_to_odd(wide) if xp is np else xp.asarray(round_to_odd(backend.to_host(wide)))


# The types in which Tensors are stored


def recoded(array: Any, dtype: Any) -> Any:
    """An array as another NumPy dtype, where one of the two is a stored type's: casts overflow in the mode "ieee".

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore.amp.lowbit.formats import recoded
        >>> print(recoded(np.float32([1, 500]), ms.float8_e5m2.np).view(np.uint8))
        [60 96]
    """
    stored, xp = STORED.get(array.dtype), np if isinstance(array, (np.ndarray, np.generic)) else backend.xp
    if stored is None:
        return xp.asarray(encode(array, STORED[dtype].np.names[0], "ieee", xp=xp)).view(dtype)
    codes = xp.ascontiguousarray(array).view(np.uint8).reshape(array.shape)
    if STORED.get(dtype) == stored:
        return codes.view(stored.np)
    values = xp.asarray(decode(codes, stored.np.names[0], xp))
    with np.errstate(all="ignore"):
        return recoded(values, dtype) if dtype in STORED else values.astype(dtype, copy=False)


tensor_data.recoded = recoded
