"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['QuantDtype', 'Type', 'bfloat16', 'bool_', 'byte', 'complex128', 'complex64', 'double', 'dtype_to_nptype', 'dtype_to_pytype', 'float16', 'float32', 'float64', 'float_', 'half', 'int16', 'int32', 'int64', 'int8', 'int_', 'intc', 'intp', 'list_', 'number', 'pytype_to_dtype', 'qint4x2', 'short', 'single', 'string', 'tensor_type', 'tuple_', 'type_none', 'ubyte', 'uint', 'uint16', 'uint32', 'uint64', 'uint8', 'uintc', 'ushort']

from minispore.dtype import QuantDtype as QuantDtype
from minispore.dtype import Type as Type
from minispore.dtype import bfloat16 as bfloat16
from minispore.dtype import bool_ as bool_
from minispore.dtype import byte as byte
from minispore.dtype import complex128 as complex128
from minispore.dtype import complex64 as complex64
from minispore.dtype import double as double
from minispore.dtype import dtype_to_nptype as dtype_to_nptype
from minispore.dtype import dtype_to_pytype as dtype_to_pytype
from minispore.dtype import float16 as float16
from minispore.dtype import float32 as float32
from minispore.dtype import double as float64
from minispore.dtype import float_ as float_
from minispore.dtype import float16 as half
from minispore.dtype import int16 as int16
from minispore.dtype import int32 as int32
from minispore.dtype import int64 as int64
from minispore.dtype import byte as int8
from minispore.dtype import int_ as int_
from minispore.dtype import int32 as intc
from minispore.dtype import int64 as intp
from minispore.dtype import list_ as list_
from minispore.dtype import number as number
from minispore.dtype import pytype_to_dtype as pytype_to_dtype
from minispore.dtype import qint4x2 as qint4x2
from minispore.dtype import int16 as short
from minispore.dtype import float32 as single
from minispore.dtype import string as string
from minispore.dtype import tensor_type as tensor_type
from minispore.dtype import tuple_ as tuple_
from minispore.dtype import type_none as type_none
from minispore.dtype import ubyte as ubyte
from minispore.dtype import uint as uint
from minispore.dtype import uint16 as uint16
from minispore.dtype import uint32 as uint32
from minispore.dtype import uint64 as uint64
from minispore.dtype import ubyte as uint8
from minispore.dtype import uint32 as uintc
from minispore.dtype import uint16 as ushort
