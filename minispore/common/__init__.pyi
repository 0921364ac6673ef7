"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from typing import Any
__all__ = ['COOTensor', 'CSRTensor', 'Constant', 'Dirac', 'HeNormal', 'HeUniform', 'Identity', 'Initializer', 'JitConfig', 'Normal', 'One', 'Orthogonal', 'Parameter', 'ParameterTuple', 'QuantDtype', 'RowTensor', 'RowTensorInner', 'Sparse', 'SparseTensor', 'Tensor', 'TruncatedNormal', 'Type', 'Uniform', 'VarianceScaling', 'XavierNormal', 'XavierUniform', 'Zero', 'bfloat16', 'bool_', 'byte', 'complex128', 'complex64', 'double', 'dtype_to_nptype', 'dtype_to_pytype', 'float16', 'float32', 'float64', 'float_', 'get_seed', 'half', 'int16', 'int32', 'int64', 'int8', 'int_', 'intc', 'intp', 'jit', 'jit_class', 'list_', 'ms_class', 'ms_function', 'mutable', 'number', 'pytype_to_dtype', 'qint4x2', 'set_seed', 'short', 'single', 'string', 'tensor_type', 'tuple_', 'type_none', 'ubyte', 'uint', 'uint16', 'uint32', 'uint64', 'uint8', 'uintc', 'ushort']

from minispore import COOTensor as COOTensor
from minispore import CSRTensor as CSRTensor
from minispore.initializer import Constant as Constant
from minispore.initializer import Dirac as Dirac
from minispore.initializer import HeNormal as HeNormal
from minispore.initializer import HeUniform as HeUniform
from minispore.initializer import Identity as Identity
from minispore.initializer import Initializer as Initializer
from minispore import JitConfig as JitConfig
from minispore.initializer import Normal as Normal
from minispore.initializer import One as One
from minispore.initializer import Orthogonal as Orthogonal
from minispore.parameter import Parameter as Parameter
from minispore.parameter import ParameterTuple as ParameterTuple
from minispore.dtype import QuantDtype as QuantDtype
from minispore import RowTensor as RowTensor
class RowTensorInner:
    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, row_tensor: Any = None) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def dense_shape(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def values(self) -> Any: ...
from minispore.initializer import Sparse as Sparse
from minispore import SparseTensor as SparseTensor
from minispore.tensor import Tensor as Tensor
from minispore.initializer import TruncatedNormal as TruncatedNormal
from minispore.dtype import Type as Type
from minispore.initializer import Uniform as Uniform
from minispore.initializer import VarianceScaling as VarianceScaling
from minispore.initializer import XavierNormal as XavierNormal
from minispore.initializer import XavierUniform as XavierUniform
from minispore.initializer import Zero as Zero
from minispore.dtype import bfloat16 as bfloat16
from minispore.dtype import bool_ as bool_
from minispore.dtype import byte as byte
from minispore.dtype import complex128 as complex128
from minispore.dtype import complex64 as complex64
from minispore.dtype import double as double
from minispore import dtype as dtype
from minispore.dtype import dtype_to_nptype as dtype_to_nptype
from minispore.dtype import dtype_to_pytype as dtype_to_pytype
from minispore.dtype import float16 as float16
from minispore.dtype import float32 as float32
from minispore.dtype import double as float64
from minispore.dtype import float_ as float_
from minispore.context import get_seed as get_seed
from minispore.dtype import float16 as half
from minispore import initializer as initializer
from minispore.dtype import int16 as int16
from minispore.dtype import int32 as int32
from minispore.dtype import int64 as int64
from minispore.dtype import byte as int8
from minispore.dtype import int_ as int_
from minispore.dtype import int32 as intc
from minispore.dtype import int64 as intp
from minispore import jit as jit
from minispore import jit_class as jit_class
from minispore.dtype import list_ as list_
from minispore import jit_class as ms_class
from minispore import jit as ms_function
from minispore import mutable as mutable
from minispore.dtype import number as number
from minispore import parameter as parameter
from minispore.dtype import pytype_to_dtype as pytype_to_dtype
from minispore.dtype import qint4x2 as qint4x2
from minispore.context import set_seed as set_seed
from minispore.dtype import int16 as short
from minispore.dtype import float32 as single
from minispore.dtype import string as string
from minispore import tensor as tensor
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
