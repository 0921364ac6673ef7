"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from collections.abc import Callable
from typing import Any
from minispore.common import RowTensorInner
__all__ = ['Accuracy', 'BackupAndRestore', 'BleuScore', 'COOTensor', 'CSRTensor', 'Callback', 'CheckpointConfig', 'ConfusionMatrix', 'ConfusionMatrixMetric', 'CosineSimilarity', 'DatasetHelper', 'Dice', 'DynamicLossScaleManager', 'EarlyStopping', 'EvaluationBase', 'F1', 'Fbeta', 'FixedLossScaleManager', 'GRAPH_MODE', 'HausdorffDistance', 'History', 'JitConfig', 'LambdaCallback', 'LearningRateScheduler', 'Loss', 'LossMonitor', 'LossScaleManager', 'MAE', 'MSE', 'MeanSurfaceDistance', 'Metric', 'Model', 'ModelCheckpoint', 'OcclusionSensitivity', 'OnRequestExit', 'PYNATIVE_MODE', 'ParallelMode', 'Parameter', 'ParameterTuple', 'Perplexity', 'Precision', 'Profiler', 'ProgressBar', 'QuantDtype', 'ROC', 'Recall', 'ReduceLROnPlateau', 'RootMeanSquareDistance', 'RowTensor', 'RunContext', 'SparseTensor', 'SummaryCollector', 'SummaryRecord', 'Tensor', 'TimeMonitor', 'Top1CategoricalAccuracy', 'Top5CategoricalAccuracy', 'TopKCategoricalAccuracy', 'Type', 'amp', 'async_ckpt_thread_status', 'auc', 'bfloat16', 'bool_', 'build_train_network', 'build_train_network', 'byte', 'communication', 'complex128', 'complex64', 'connect_network_with_dataset', 'context', 'data_sink', 'dataset', 'double', 'dtype_to_nptype', 'dtype_to_pytype', 'export', 'float16', 'float32', 'float64', 'float_', 'get_algo_parameters', 'get_auto_parallel_context', 'get_context', 'get_grad', 'get_level', 'get_log_config', 'get_metric_fn', 'get_metrics', 'get_ps_context', 'get_seed', 'grad', 'half', 'insight', 'int16', 'int32', 'int64', 'int8', 'int_', 'intc', 'intp', 'jacfwd', 'jacrev', 'jit', 'jit_class', 'jvp', 'list_', 'load', 'load_checkpoint', 'load_distributed_checkpoint', 'load_param_into_net', 'log', 'merge_sliced_parameter', 'ms_class', 'ms_function', 'mutable', 'names', 'nn', 'number', 'ops', 'parallel', 'profiler', 'pytype_to_dtype', 'qint4x2', 'rearrange_inputs', 'reset_algo_parameters', 'reset_auto_parallel_context', 'reset_ps_context', 'rewrite', 'save_checkpoint', 'serialization', 'set_algo_parameters', 'set_auto_parallel_context', 'set_context', 'set_device', 'set_ps_context', 'set_seed', 'short', 'single', 'string', 'tensor_type', 'train', 'tuple_', 'type_none', 'ubyte', 'uint', 'uint16', 'uint32', 'uint64', 'uint8', 'uintc', 'ushort', 'value_and_grad', 'vjp', 'vmap']

from minispore.nn import Accuracy as Accuracy
from minispore.train.callback import BackupAndRestore as BackupAndRestore
from minispore.nn import BleuScore as BleuScore
class COOTensor:
    def __add__(self, other: Any) -> Any: ...
    def __init__(self, indices: Tensor | None = None, values: Tensor | None = None, shape: tuple[int, ...] | None = None, coo_tensor: COOTensor | None = None) -> None: ...
    def __mul__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __repr__(self) -> str: ...
    def __sub__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def abs(self) -> Any: ...
    def add(self, other: COOTensor, thresh: Tensor) -> Any: ...
    def astype(self, dtype: Any) -> Any: ...
    def coalesce(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def itemsize(self) -> Any: ...
    @property
    def ndim(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    def to_csr(self) -> Any: ...
    def to_dense(self) -> Any: ...
    def to_tuple(self) -> Any: ...
    @property
    def values(self) -> Any: ...
    def with_values(self, values: Any) -> Any: ...
class CSRTensor:
    def __add__(self, other: Any) -> Any: ...
    def __init__(self, indptr: Tensor | None = None, indices: Tensor | None = None, values: Tensor | None = None, shape: tuple[int, ...] | None = None, csr_tensor: CSRTensor | None = None) -> None: ...
    def __mul__(self, other: Any) -> Any: ...
    def __neg__(self) -> Any: ...
    def __repr__(self) -> str: ...
    def __sub__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def abs(self) -> Any: ...
    def add(self, b: CSRTensor, alpha: Tensor, beta: Tensor) -> Any: ...
    def astype(self, dtype: Any) -> Any: ...
    @property
    def dtype(self) -> Any: ...
    @property
    def indices(self) -> Any: ...
    @property
    def indptr(self) -> Any: ...
    @property
    def itemsize(self) -> Any: ...
    def mm(self, matrix: Tensor | CSRTensor) -> Any: ...
    def mv(self, dense_vector: Tensor) -> Any: ...
    @property
    def ndim(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def size(self) -> Any: ...
    def sum(self, axis: int) -> Any: ...
    def to_coo(self) -> Any: ...
    def to_dense(self) -> Any: ...
    def to_tuple(self) -> Any: ...
    @property
    def values(self) -> Any: ...
    def with_values(self, values: Any) -> Any: ...
from minispore.train.callback import Callback as Callback
from minispore.train.callback import CheckpointConfig as CheckpointConfig
from minispore.nn import ConfusionMatrix as ConfusionMatrix
from minispore.nn import ConfusionMatrixMetric as ConfusionMatrixMetric
from minispore.nn import CosineSimilarity as CosineSimilarity
from minispore.train import DatasetHelper as DatasetHelper
from minispore.nn import Dice as Dice
from minispore.amp import DynamicLossScaleManager as DynamicLossScaleManager
from minispore.train.callback import EarlyStopping as EarlyStopping
from minispore.nn import EvaluationBase as EvaluationBase
from minispore.nn import F1 as F1
from minispore.nn import Fbeta as Fbeta
from minispore.amp import FixedLossScaleManager as FixedLossScaleManager
GRAPH_MODE: int
from minispore.nn import HausdorffDistance as HausdorffDistance
from minispore.train.callback import History as History
class JitConfig:
    jit_config_dict: Any
    def __init__(self, jit_level: str = 'O1', exc_mode: str = 'auto', **kwargs: Any) -> None: ...
from minispore.train.callback import LambdaCallback as LambdaCallback
from minispore.train.callback import LearningRateScheduler as LearningRateScheduler
from minispore.nn import Loss as Loss
from minispore.train.callback import LossMonitor as LossMonitor
from minispore.amp import LossScaleManager as LossScaleManager
from minispore.nn import MAE as MAE
from minispore.nn import MSE as MSE
from minispore.nn import MeanSurfaceDistance as MeanSurfaceDistance
from minispore.nn import Metric as Metric
from minispore.train import Model as Model
from minispore.train.callback import ModelCheckpoint as ModelCheckpoint
from minispore.nn import OcclusionSensitivity as OcclusionSensitivity
from minispore.train.callback import OnRequestExit as OnRequestExit
PYNATIVE_MODE: int
from minispore.context import ParallelMode as ParallelMode
from minispore.parameter import Parameter as Parameter
from minispore.parameter import ParameterTuple as ParameterTuple
from minispore.nn import Perplexity as Perplexity
from minispore.nn import Precision as Precision
class Profiler:
    def __init__(self, **kwargs: Any) -> None: ...
    def analyse(self) -> Any: ...
    def op_analyse(self, op_name: str | list[Any], device_id: int | None = None) -> Any: ...
    def start(self) -> Any: ...
    def stop(self) -> Any: ...
from minispore.train.callback import ProgressBar as ProgressBar
from minispore.dtype import QuantDtype as QuantDtype
from minispore.nn import ROC as ROC
from minispore.nn import Recall as Recall
from minispore.train.callback import ReduceLROnPlateau as ReduceLROnPlateau
from minispore.nn import RootMeanSquareDistance as RootMeanSquareDistance
class RowTensor(RowTensorInner):
    ...
from minispore.train.callback import RunContext as RunContext
class SparseTensor:
    def __init__(self, indices: Tensor, values: Tensor, shape: tuple[int, ...]) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def indices(self) -> Any: ...
    @property
    def shape(self) -> Any: ...
    @property
    def values(self) -> Any: ...
from minispore.train.callback import SummaryCollector as SummaryCollector
from minispore.train import SummaryRecord as SummaryRecord
from minispore.tensor import Tensor as Tensor
from minispore.train.callback import TimeMonitor as TimeMonitor
from minispore.nn import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from minispore.nn import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from minispore.nn import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from minispore.dtype import Type as Type
__version__: str
from minispore import amp as amp
from minispore.serialization import async_ckpt_thread_status as async_ckpt_thread_status
from minispore.nn import auc as auc
from minispore.dtype import bfloat16 as bfloat16
from minispore.dtype import bool_ as bool_
from minispore import boost as boost
from minispore.amp import build_train_network as build_train_network
from minispore.dtype import byte as byte
from minispore import common as common
from minispore import communication as communication
from minispore.dtype import complex128 as complex128
from minispore.dtype import complex64 as complex64
from minispore.train import connect_network_with_dataset as connect_network_with_dataset
from minispore import context as context
from minispore.train import data_sink as data_sink
from minispore import dataset as dataset
from minispore.dtype import double as double
from minispore import dtype as dtype
from minispore.dtype import dtype_to_nptype as dtype_to_nptype
from minispore.dtype import dtype_to_pytype as dtype_to_pytype
from minispore.serialization import export as export
from minispore.dtype import float16 as float16
from minispore.dtype import float32 as float32
from minispore.dtype import double as float64
from minispore.dtype import float_ as float_
from minispore.context import get_algo_parameters as get_algo_parameters
from minispore.context import get_auto_parallel_context as get_auto_parallel_context
from minispore.context import get_context as get_context
from minispore.ops import get_grad as get_grad
def get_level() -> Any: ...
def get_log_config() -> Any: ...
from minispore.nn import get_metric_fn as get_metric_fn
from minispore.nn import get_metrics as get_metrics
from minispore.context import get_ps_context as get_ps_context
from minispore.context import get_seed as get_seed
from minispore.ops import grad as grad
from minispore.dtype import float16 as half
from minispore import initializer as initializer
from minispore import insight as insight
from minispore.dtype import int16 as int16
from minispore.dtype import int32 as int32
from minispore.dtype import int64 as int64
from minispore.dtype import byte as int8
from minispore.dtype import int_ as int_
from minispore.dtype import int32 as intc
from minispore.dtype import int64 as intp
from minispore.ops import jacfwd as jacfwd
from minispore.ops import jacrev as jacrev
def jit(fn: Callable[..., Any] | None = None, input_signature: Any = None, hash_args: Any = None, jit_config: JitConfig | None = None) -> Any: ...
def jit_class(cls: Any) -> Any: ...
from minispore.ops import jvp as jvp
from minispore.dtype import list_ as list_
from minispore.serialization import load as load
from minispore.serialization import load_checkpoint as load_checkpoint
from minispore.serialization import load_distributed_checkpoint as load_distributed_checkpoint
from minispore.serialization import load_param_into_net as load_param_into_net
from minispore import log as log
from minispore.serialization import merge_sliced_parameter as merge_sliced_parameter
from minispore import mindrecord as mindrecord
ms_class = jit_class
ms_function = jit
def mutable(input_data: object, dynamic_len: bool = False) -> Any: ...
from minispore.nn import names as names
from minispore import nn as nn
from minispore.dtype import number as number
from minispore import numpy as numpy
from minispore import ops as ops
from minispore import parallel as parallel
from minispore import parameter as parameter
from minispore import profiler as profiler
from minispore.dtype import pytype_to_dtype as pytype_to_dtype
from minispore.dtype import qint4x2 as qint4x2
from minispore.nn import rearrange_inputs as rearrange_inputs
from minispore import refused as refused
from minispore.context import reset_algo_parameters as reset_algo_parameters
from minispore.context import reset_auto_parallel_context as reset_auto_parallel_context
from minispore.context import reset_ps_context as reset_ps_context
from minispore import rewrite as rewrite
from minispore.serialization import save_checkpoint as save_checkpoint
from minispore import serialization as serialization
from minispore.context import set_algo_parameters as set_algo_parameters
from minispore.context import set_auto_parallel_context as set_auto_parallel_context
from minispore.context import set_context as set_context
from minispore.context import set_device as set_device
from minispore.context import set_ps_context as set_ps_context
from minispore.context import set_seed as set_seed
from minispore.dtype import int16 as short
from minispore.dtype import float32 as single
from minispore.dtype import string as string
from minispore import tensor as tensor
from minispore.dtype import tensor_type as tensor_type
from minispore import train as train
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
from minispore.ops import value_and_grad as value_and_grad
from minispore.ops import vjp as vjp
from minispore.ops import vmap as vmap
