"""Data types: MindSpore's names for NumPy's dtypes, and the type to which two operands are promoted."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from minispore.core.errors import shown

__all__ = [
    "Type",
    "bfloat16",
    "bool_",
    "byte",
    "complex64",
    "complex128",
    "double",
    "dtype_to_nptype",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "half",
    "hifloat8",
    "int8",
    "int16",
    "int32",
    "int64",
    "intc",
    "intp",
    "short",
    "single",
    "ubyte",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "ushort",
]


class Type:
    """Base of the data types and of the kinds of values."""

    __slots__ = ()


class DType(Type):
    """A data type: its name as MindSpore prints it, and NumPy's dtype.

    Two types are equal when they describe the same NumPy dtype; ``str(float32)`` is ``Float32``.
    """

    __slots__ = ("is_float", "name", "np")
    is_tensor_type = False

    def __init__(self, name: str, numpy_type: Any) -> None:
        self.name = name
        self.np = np.dtype(numpy_type)
        self.is_float = name.startswith(("Float", "BFloat"))

    def __repr__(self) -> str:
        return f"minispore.{self.name.lower()}" if self.name != "Bool" else "minispore.bool_"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DType) and self.np == other.np

    def __hash__(self) -> int:
        return hash(self.np)

    def __reduce__(self):
        return (from_numpy, (self.np,))


Number = DType  # MindSpore's name of the base of the data types
DTypeLike = DType | np.dtype[Any] | type | str  # what :func:`as_dtype` reads


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


class Stored(DType):
    """The class of ``float8_e4m3fn``, ``float8_e5m2`` and ``hifloat8``, in which numbers are kept and none computed.

    No NumPy dtype knows all three. So a NumPy dtype of one field, a byte, stands for each: the field has its name.
    """

    __slots__ = ()

    def __init__(self, name: str, own: str) -> None:
        super().__init__(name, [(own, np.uint8)])
        self.is_float = False

    def __repr__(self) -> str:
        return f"minispore.{self.np.names[0]}"


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
FLOATS = frozenset(d.np for d in ALL if d.is_float)
COMPLEX = frozenset((complex64.np, complex128.np))
INEXACT = FLOATS | COMPLEX
STORED = {d.np: d for d in (float8_e4m3fn, float8_e5m2, hifloat8)}
STORED |= {np.dtype(getattr(ml_dtypes, d.np.names[0])): d for d in (float8_e4m3fn, float8_e5m2)}
NARROW_FLOATS = frozenset((float16.np, bfloat16.np))
_STORING = ("Tensor", "Cast", "set_dtype", "dtype_to_nptype")  # what takes the types of STORED
_OF_64_BITS = {float64.np, complex128.np}  # in which a complex number is of 128
_BY_NUMPY = {d.np: d for d in ALL} | STORED
_BY_NAME = {d.np.name: d for d in ALL} | {d.np.names[0]: d for d in STORED.values()} | {"bool_": bool_}
_BY_PYTHON = {bool: bool_, int: int64, float: float32}


class Kind(Type):
    """A kind of value that functions are registered for, besides the data types: ``str(number)`` is ``Number``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"minispore.{self.name.lower()}"

    def __str__(self) -> str:
        return self.name


def from_numpy(numpy_type: Any) -> DType:
    """The data type of a NumPy dtype, or anything ``np.dtype`` accepts; TypeError if there is none."""
    found = _BY_NUMPY.get(numpy_type)
    if found is None:
        found = _BY_NUMPY.get(np.dtype(numpy_type).newbyteorder("="))
    if found is None:
        raise TypeError(f"For 'Tensor', the data type must be one of {', '.join(_BY_NAME)}, but got {numpy_type}.")
    return found


def as_dtype(value: DTypeLike, operation: str = "Tensor", argument: str = "dtype") -> DType:
    """Read a user's type argument: a :class:`DType`, a NumPy dtype or scalar type, a name, or bool, int, float."""
    if isinstance(value, str) and value in _BY_NAME:
        value = _BY_NAME[value]
    if isinstance(value, Stored) and operation not in _STORING:
        raise TypeError(f"For '{operation}', the '{argument}' must be a type to compute in, but got {shown(value)}.")
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in _BY_PYTHON:
        return _BY_PYTHON[value]
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return from_numpy(np.dtype(value))
    raise TypeError(f"For '{operation}', the '{argument}' must be a minispore dtype, but got {shown(value)}.")


def dtype_to_nptype(type_: DTypeLike) -> type[Any]:
    """NumPy's scalar type of a data type.

    Examples:
        >>> import minispore as ms
        >>> ms.dtype_to_nptype(ms.float16)
        <class 'numpy.float16'>
    """
    return as_dtype(type_, "dtype_to_nptype", "type_").np.type


def promote(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """The NumPy dtype of an operation on two dtypes: the wider of one kind, the floating one of a float and an int.

    A complex one and another are complex, of 128 bits where the other is float64 or complex128. Unlike NumPy's rule,
    ``float16`` with ``int64`` stays float16; ``int8`` with ``uint8`` is int16 as in NumPy.
    """
    if a == b:
        return a
    if a.kind == "c" or b.kind == "c":
        return (complex128 if {a, b} & _OF_64_BITS else complex64).np
    a_float, b_float = a in FLOATS, b in FLOATS
    if a_float != b_float:
        return a if a_float else b
    if {a, b} == NARROW_FLOATS:
        return float32.np
    return np.promote_types(a, b)
