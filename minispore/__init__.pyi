"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from collections.abc import Callable, Sequence
from typing import Any
from minispore.nn import Cell
__all__ = ['DynamicLossScaleManager', 'FixedLossScaleManager', 'GRAPH_MODE', 'JitConfig', 'LossScaleManager', 'PYNATIVE_MODE', 'Parameter', 'ParameterTuple', 'Tensor', 'amp', 'bfloat16', 'bool_', 'context', 'dataset', 'dtype_to_nptype', 'float16', 'float32', 'float64', 'get_auto_parallel_context', 'get_context', 'get_seed', 'grad', 'int16', 'int32', 'int64', 'int8', 'jit', 'jvp', 'list_', 'load_checkpoint', 'load_param_into_net', 'ms_function', 'nn', 'number', 'ops', 'pytype_to_dtype', 'reset_auto_parallel_context', 'rewrite', 'save_checkpoint', 'serialization', 'set_auto_parallel_context', 'set_context', 'set_seed', 'string', 'tensor_type', 'train', 'tuple_', 'type_none', 'uint16', 'uint32', 'uint64', 'uint8', 'value_and_grad', 'vjp']

from minispore.amp import DynamicLossScaleManager as DynamicLossScaleManager
from minispore.amp import FixedLossScaleManager as FixedLossScaleManager
GRAPH_MODE: int
class JitConfig:
    jit_config_dict: Any
    def __init__(self, jit_level: str = 'O1', exc_mode: str = 'auto', **kwargs: Any) -> None: ...
from minispore.amp import LossScaleManager as LossScaleManager
PYNATIVE_MODE: int
from minispore.parameter import Parameter as Parameter
from minispore.parameter import ParameterTuple as ParameterTuple
from minispore.tensor import Tensor as Tensor
__version__: str
from minispore import amp as amp
from minispore.dtype import bfloat16 as bfloat16
from minispore.dtype import bool_ as bool_
from minispore import common as common
from minispore import context as context
from minispore import dataset as dataset
from minispore import dtype as dtype
from minispore.dtype import dtype_to_nptype as dtype_to_nptype
from minispore.dtype import float16 as float16
from minispore.dtype import float32 as float32
from minispore.dtype import float64 as float64
from minispore.context import get_auto_parallel_context as get_auto_parallel_context
from minispore.context import get_context as get_context
from minispore.context import get_seed as get_seed
def grad(fn: Any, grad_position: Any = 0, weights: Any = None, has_aux: Any = False, return_ids: Any = False) -> Callable[..., Any]: ...
from minispore import initializer as initializer
from minispore.dtype import int16 as int16
from minispore.dtype import int32 as int32
from minispore.dtype import int64 as int64
from minispore.dtype import int8 as int8
def jit(fn: Callable[..., Any] | None = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None) -> Any: ...
def jvp(fn: Cell | Callable[..., Any], inputs: Tensor | tuple[Tensor, ...] | Sequence[Tensor], v: Tensor | tuple[Tensor, ...] | Sequence[Tensor], has_aux: bool = False) -> Any: ...
from minispore.dtype import list_ as list_
from minispore.serialization import load_checkpoint as load_checkpoint
from minispore.serialization import load_param_into_net as load_param_into_net
ms_function = jit
from minispore import nn as nn
from minispore.dtype import number as number
from minispore import ops as ops
from minispore import parameter as parameter
from minispore.dtype import pytype_to_dtype as pytype_to_dtype
from minispore.context import reset_auto_parallel_context as reset_auto_parallel_context
from minispore import rewrite as rewrite
from minispore.serialization import save_checkpoint as save_checkpoint
from minispore import serialization as serialization
from minispore.context import set_auto_parallel_context as set_auto_parallel_context
from minispore.context import set_context as set_context
from minispore.context import set_seed as set_seed
from minispore.dtype import string as string
from minispore import tensor as tensor
from minispore.dtype import tensor_type as tensor_type
from minispore import train as train
from minispore.dtype import tuple_ as tuple_
from minispore.dtype import type_none as type_none
from minispore.dtype import uint16 as uint16
from minispore.dtype import uint32 as uint32
from minispore.dtype import uint64 as uint64
from minispore.dtype import uint8 as uint8
def value_and_grad(fn: Cell | Callable[..., Any], grad_position: None | int | tuple[int, ...] = 0, weights: None | Parameter | list[Any] | tuple[Any, ...] | ParameterTuple = None, has_aux: bool = False, return_ids: bool = False) -> Callable[..., Any]: ...
def vjp(fn: Any, *inputs: Any, weights: Any = None, has_aux: Any = False) -> Any: ...
