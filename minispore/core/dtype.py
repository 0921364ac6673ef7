"""Data types: MindSpore's names for NumPy's dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from minispore.core.data_type import DType as DType
from minispore.core.data_type import DTypeLike as DTypeLike
from minispore.core.data_type import Stored, by_name, by_numpy, by_python
from minispore.core.data_type import Type as Type
from minispore.core.data_type import as_dtype as as_dtype
from minispore.core.data_type import dtype_to_nptype as dtype_to_nptype
from minispore.core.data_type import from_numpy as from_numpy

Number = DType  # MindSpore's name of the base of the data types


class Bool(DType):
    """The class of ``bool_``."""

    __slots__ = ()


class Int(DType):
    """The class of the signed whole numbers' types."""

    __slots__ = ()


class UInt(DType):
    """The class of the unsigned whole numbers' types."""

    __slots__ = ()


class Float(DType):
    """The class of ``float16``, ``float32`` and ``float64``."""

    __slots__ = ()


class BFloat(DType):
    """The class of ``bfloat16``."""

    __slots__ = ()


class Complex(DType):
    """The class of ``complex64`` and ``complex128``."""

    __slots__ = ()


bool_ = Bool("Bool", np.bool_)
int8, int16, int32, int64 = (Int(f"Int{n}", f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (UInt(f"UInt{n}", f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (Float(f"Float{n}", f"float{n}") for n in (16, 32, 64))
bfloat16 = BFloat("BFloat16", ml_dtypes.bfloat16)
float8_e4m3fn = Stored("Float8E4M3FN", "float8_e4m3fn")
float8_e5m2 = Stored("Float8E5M2", "float8_e5m2")
hifloat8 = Stored("HiFloat8", "hifloat8")
complex64, complex128 = (Complex(f"Complex{n}", f"complex{n}") for n in (64, 128))

byte, short, intc, intp = int8, int16, int32, int64
ubyte, ushort, uintc = uint8, uint16, uint32
half, single, double = float16, float32, float64

int_type, uint_type = (int8, int16, int32, int64), (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64)
number_type = (*int_type, *uint_type, *float_type)

REAL = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32, float64)
ALL = (*REAL, complex64, complex128)
REAL_NUMBERS = frozenset(d.np for d in REAL)
FLOATS = frozenset(d.np for d in ALL if d.is_float)
COMPLEX = frozenset((complex64.np, complex128.np))
INEXACT = FLOATS | COMPLEX
STORED = {d.np: d for d in (float8_e4m3fn, float8_e5m2, hifloat8)}
STORED |= {np.dtype(getattr(ml_dtypes, d.np.names[0])): d for d in (float8_e4m3fn, float8_e5m2)}
NARROW_FLOATS = frozenset((float16.np, bfloat16.np))
by_name["bool_"] = bool_
by_numpy.update(STORED)
by_python.update({bool: bool_, int: int64, float: float32})

_types = [name for name, value in globals().items() if isinstance(value, DType)]
__all__ = sorted([*_types, "Type", "dtype_to_nptype"])
