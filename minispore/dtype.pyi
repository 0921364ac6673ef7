"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

import numpy as np
import numpy.typing
from typing import Any
_DType = DType
__all__ = ['bfloat16', 'bool_', 'dtype_to_nptype', 'float16', 'float32', 'float64', 'int16', 'int32', 'int64', 'int8', 'list_', 'number', 'pytype_to_dtype', 'string', 'tensor_type', 'tuple_', 'type_none', 'uint16', 'uint32', 'uint64', 'uint8']

class DType:
    def __eq__(self, other: Any) -> Any: ...
    def __hash__(self) -> int: ...
    def __init__(self, name: Any, numpy_type: Any) -> None: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    is_float: Any
    is_tensor_type: bool
    name: Any
    np: Any
bfloat16: _DType
bool_: _DType
def dtype_to_nptype(type_: Any) -> Any: ...
float16: _DType
float32: _DType
float64: _DType
int16: _DType
int32: _DType
int64: _DType
int8: _DType
list_: Any
number: Any
def pytype_to_dtype(obj: Any) -> Any: ...
string: Any
tensor_type: Any
tuple_: Any
type_none: Any
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
