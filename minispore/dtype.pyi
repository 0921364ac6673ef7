"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

import enum
import numpy as np
import numpy.typing
from typing import Any
_DType = DType
__all__ = ['QuantDtype', 'Type', 'bfloat16', 'bool_', 'byte', 'complex128', 'complex64', 'double', 'dtype_to_nptype', 'dtype_to_pytype', 'float16', 'float32', 'float64', 'float_', 'half', 'int16', 'int32', 'int64', 'int8', 'int_', 'intc', 'intp', 'list_', 'number', 'pytype_to_dtype', 'qint4x2', 'short', 'single', 'string', 'tensor_type', 'tuple_', 'type_none', 'ubyte', 'uint', 'uint16', 'uint32', 'uint64', 'uint8', 'uintc', 'ushort']

class BFloat(DType):
    ...
class Bool(DType):
    ...
class DType(Type):
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __init__(self, name: Any, numpy_type: Any) -> None: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    is_float: Any
    is_tensor_type: bool
    name: Any
    np: Any
class Float(DType):
    ...
class Int(DType):
    ...
Number = DType
class QuantDtype(enum.Enum):
    INT1 = 0
    INT10 = 9
    INT11 = 10
    INT12 = 11
    INT13 = 12
    INT14 = 13
    INT15 = 14
    INT16 = 15
    INT2 = 1
    INT3 = 2
    INT4 = 3
    INT5 = 4
    INT6 = 5
    INT7 = 6
    INT8 = 7
    INT9 = 8
    UINT1 = 100
    UINT10 = 109
    UINT11 = 110
    UINT12 = 111
    UINT13 = 112
    UINT14 = 113
    UINT15 = 114
    UINT16 = 115
    UINT2 = 101
    UINT3 = 102
    UINT4 = 103
    UINT5 = 104
    UINT6 = 105
    UINT7 = 106
    UINT8 = 107
    UINT9 = 108
class Type:
    ...
class UInt(DType):
    ...
bfloat16: _DType
bool_: _DType
byte: _DType
complex128: _DType
complex64: _DType
double: _DType
def dtype_to_nptype(type_: Any) -> Any: ...
def dtype_to_pytype(type_: Any) -> Any: ...
float16: _DType
float32: _DType
float64 = double
float_: Any
half = float16
int16: _DType
int32: _DType
int64: _DType
int8 = byte
int_: Any
intc = int32
intp = int64
list_: Any
number: Any
def pytype_to_dtype(obj: Any) -> Any: ...
qint4x2: Any
short = int16
single = float32
string: Any
tensor_type: Any
tuple_: Any
type_none: Any
ubyte: _DType
uint: Any
uint16: _DType
uint32: _DType
uint64: _DType
uint8 = ubyte
uintc = uint32
ushort = uint16
