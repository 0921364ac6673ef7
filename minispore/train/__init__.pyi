"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from collections.abc import Callable, Sequence
from typing import Any
from minispore.nn import Cell
from minispore.dataset import Dataset
from minispore import JitConfig
from minispore.nn import Optimizer
from minispore.tensor import Tensor
__all__ = ['Accuracy', 'BackupAndRestore', 'BleuScore', 'Callback', 'CheckpointConfig', 'ConfusionMatrix', 'ConfusionMatrixMetric', 'CosineSimilarity', 'DatasetHelper', 'Dice', 'DynamicLossScaleManager', 'EarlyStopping', 'EvaluationBase', 'F1', 'Fbeta', 'FixedLossScaleManager', 'HausdorffDistance', 'History', 'LambdaCallback', 'LearningRateScheduler', 'Loss', 'LossMonitor', 'LossScaleManager', 'MAE', 'MSE', 'MeanSurfaceDistance', 'Metric', 'Model', 'ModelCheckpoint', 'OcclusionSensitivity', 'OnRequestExit', 'Perplexity', 'Precision', 'ProgressBar', 'ROC', 'Recall', 'ReduceLROnPlateau', 'RootMeanSquareDistance', 'RunContext', 'SummaryCollector', 'SummaryRecord', 'TimeMonitor', 'Top1CategoricalAccuracy', 'Top5CategoricalAccuracy', 'TopKCategoricalAccuracy', 'async_ckpt_thread_status', 'auc', 'build_train_network', 'connect_network_with_dataset', 'data_sink', 'export', 'get_metric_fn', 'get_metrics', 'load', 'load_checkpoint', 'load_distributed_checkpoint', 'load_param_into_net', 'merge_sliced_parameter', 'names', 'rearrange_inputs', 'save_checkpoint']

from minispore.nn import Accuracy as Accuracy
from minispore.train.callback import BackupAndRestore as BackupAndRestore
from minispore.nn import BleuScore as BleuScore
from minispore.train.callback import Callback as Callback
from minispore.train.callback import CheckpointConfig as CheckpointConfig
from minispore.nn import ConfusionMatrix as ConfusionMatrix
from minispore.nn import ConfusionMatrixMetric as ConfusionMatrixMetric
from minispore.nn import CosineSimilarity as CosineSimilarity
class DatasetHelper:
    iter: Any
    def __init__(self, dataset: Dataset, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1) -> None: ...
    def __iter__(self) -> Any: ...
    def continue_send(self) -> Any: ...
    def get_data_info(self) -> Any: ...
    def release(self) -> Any: ...
    def sink_size(self) -> Any: ...
    def stop_send(self) -> Any: ...
    def types_shapes(self) -> Any: ...
from minispore.nn import Dice as Dice
from minispore.amp import DynamicLossScaleManager as DynamicLossScaleManager
from minispore.train.callback import EarlyStopping as EarlyStopping
from minispore.nn import EvaluationBase as EvaluationBase
from minispore.nn import F1 as F1
from minispore.nn import Fbeta as Fbeta
from minispore.amp import FixedLossScaleManager as FixedLossScaleManager
from minispore.nn import HausdorffDistance as HausdorffDistance
from minispore.train.callback import History as History
from minispore.train.callback import LambdaCallback as LambdaCallback
from minispore.train.callback import LearningRateScheduler as LearningRateScheduler
from minispore.nn import Loss as Loss
from minispore.train.callback import LossMonitor as LossMonitor
from minispore.amp import LossScaleManager as LossScaleManager
from minispore.nn import MAE as MAE
from minispore.nn import MSE as MSE
from minispore.nn import MeanSurfaceDistance as MeanSurfaceDistance
from minispore.nn import Metric as Metric
class Model:
    def __init__(self, network: Cell, loss_fn: Cell | None = None, optimizer: Optimizer | None = None, metrics: Any = None, eval_network: Cell | None = None, eval_indexes: list[Any] | None = None, amp_level: str = 'O0', boost_level: str = 'O0', **kwargs: Any) -> None: ...
    def build(self, train_dataset: Any = None, valid_dataset: Any = None, sink_size: Any = -1, epoch: Any = 1) -> Any: ...
    def eval(self, valid_dataset: Dataset, callbacks: Callback | Sequence[Callback] | None = None, dataset_sink_mode: bool = False) -> Any: ...
    @property
    def eval_network(self) -> Any: ...
    def fit(self, epoch: int, train_dataset: Dataset, valid_dataset: Dataset | None = None, valid_frequency: int | list[Any] = 1, callbacks: Callback | Sequence[Callback] | None = None, dataset_sink_mode: bool = False, valid_dataset_sink_mode: bool = False, sink_size: int = -1, initial_epoch: int = 0) -> Any: ...
    def infer_predict_layout(self, *predict_data: Any) -> Any: ...
    def infer_train_layout(self, train_dataset: Any, dataset_sink_mode: Any = True, sink_size: Any = -1) -> Any: ...
    def predict(self, *predict_data: Any) -> Any: ...
    @property
    def predict_network(self) -> Any: ...
    def train(self, epoch: int, train_dataset: Dataset, callbacks: Callback | Sequence[Callback] | None = None, dataset_sink_mode: bool = False, sink_size: int = -1, initial_epoch: int = 0) -> Any: ...
    @property
    def train_network(self) -> Any: ...
from minispore.train.callback import ModelCheckpoint as ModelCheckpoint
from minispore.nn import OcclusionSensitivity as OcclusionSensitivity
from minispore.train.callback import OnRequestExit as OnRequestExit
from minispore.nn import Perplexity as Perplexity
from minispore.nn import Precision as Precision
from minispore.train.callback import ProgressBar as ProgressBar
from minispore.nn import ROC as ROC
from minispore.nn import Recall as Recall
from minispore.train.callback import ReduceLROnPlateau as ReduceLROnPlateau
from minispore.nn import RootMeanSquareDistance as RootMeanSquareDistance
from minispore.train.callback import RunContext as RunContext
from minispore.train.callback import SummaryCollector as SummaryCollector
class SummaryRecord:
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> Any: ...
    def __init__(self, log_dir: str, file_prefix: str = 'events', file_suffix: str = '_MS', network: Cell | None = None, max_file_size: int | None = None, raise_exception: bool = False, export_options: dict[str, Any] | None = None) -> None: ...
    def add_value(self, plugin: str, name: str, value: Tensor) -> Any: ...
    def close(self) -> Any: ...
    def flush(self) -> Any: ...
    @property
    def log_dir(self) -> Any: ...
    def record(self, step: int, train_network: Cell | None = None, plugin_filter: Callable[..., Any] | None = None) -> Any: ...
    def set_mode(self, mode: Any) -> Any: ...
from minispore.train.callback import TimeMonitor as TimeMonitor
from minispore.nn import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from minispore.nn import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from minispore.nn import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from minispore.serialization import async_ckpt_thread_status as async_ckpt_thread_status
from minispore.nn import auc as auc
from minispore.amp import build_train_network as build_train_network
from minispore.train import callback as callback
def connect_network_with_dataset(network: Any, dataset_helper: Any) -> Any: ...
def data_sink(fn: Callable[..., Any], dataset: Dataset, sink_size: int = 1, jit_config: JitConfig | None = None, input_signature: Tensor | list[Any] | None = None) -> Any: ...
from minispore.serialization import export as export
from minispore.nn import get_metric_fn as get_metric_fn
from minispore.nn import get_metrics as get_metrics
from minispore.serialization import load as load
from minispore.serialization import load_checkpoint as load_checkpoint
from minispore.serialization import load_distributed_checkpoint as load_distributed_checkpoint
from minispore.serialization import load_param_into_net as load_param_into_net
from minispore.amp.loss_scale import managers as loss_scale_manager
from minispore.serialization import merge_sliced_parameter as merge_sliced_parameter
from minispore.nn import metrics as metrics
from minispore.nn import names as names
from minispore.nn import rearrange_inputs as rearrange_inputs
from minispore.serialization import save_checkpoint as save_checkpoint
