"""Model: a network with its loss, optimizer and metrics, which trains, evaluates and predicts over data sets."""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple

import numpy as np

from minispore.amp import build_train_network
from minispore.amp.policy import levels
from minispore.core.checks import check_bool, check_choice, check_int, is_int
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.data.dataset.engine.resident import sunk_iterator
from minispore.nn.metrics import Loss, get_metrics
from minispore.nn.with_loss import WithEvalCell, WithLossCell
from minispore.nn.wrap import check_cell
from minispore.ops.object_text import of_arguments
from minispore.parallel.communication import world
from minispore.parallel.settings import get_auto_parallel_context
from minispore.training.boost import AutoBoost
from minispore.training.train.callback.callback import (
    CallbackList,
    InternalCallbackParam,
    RunContext,
    as_list,
    shared_hooks,
)
from minispore.training.train.data_helper import check_dataset, check_sink_size, one_pass

__all__ = ["Model"]

_KEYWORDS = ("loss_scale_manager", "keep_batchnorm_fp32", "recipe", "boost_config_dict", "acc_level")


class _Run(NamedTuple):
    """A run of training as it is asked for: the epochs after ``initial_epoch``, up to ``epoch``."""

    operation: str
    epoch: int
    initial_epoch: int
    dataset: Any
    callbacks: Any
    sinks: bool
    sink_size: int
    validation: tuple | None = None  # the data set, and the epochs after which to evaluate

    def check(self):
        """Raise unless the arguments are legal."""
        check_dataset(self.operation, "train_dataset", self.dataset)
        check_bool(self.operation, "dataset_sink_mode", self.sinks)
        check_int(self.operation, "epoch", self.epoch, low=0)
        check_int(self.operation, "initial_epoch", self.initial_epoch, low=0)
        if self.epoch <= self.initial_epoch:
            expected = f"the 'epoch' must be above 'initial_epoch', {self.initial_epoch}"
            raise value_error(self.operation, expected, self.epoch)
        check_sink_size(self.operation, self.sink_size)

    @property
    def numbers(self):
        """The numbers of the epochs."""
        return range(self.initial_epoch + 1, self.epoch + 1)


class Model:
    """A network that can be trained, evaluated and used.

    Args:
        network (Cell): The network; without a ``loss_fn`` its output is the loss, and without an ``optimizer`` it is
            a whole training step.
        loss_fn (Cell): The loss. Default: None.
        optimizer (Optimizer): The optimizer of the network's Parameters. Default: None.
        metrics (Union[dict, set]): Metrics by name, or the names of metrics. Default: None.
        eval_network (Cell): The network for evaluations, by default the network with its loss: its outputs are
            ``(loss, output, label)``. Default: None.
        eval_indexes (list): The places of loss, prediction and label among the outputs of ``eval_network``; by default
            metrics get all outputs. Default: None.
        amp_level (str): "O0", "O1", "O2", "O3" or "auto", as in ``build_train_network``. Default: "O0".
        boost_level (str): "O0", "O1" or "O2", as in ``boost.AutoBoost``, which processes network and optimizer.
            Default: "O0".
        **kwargs: ``loss_scale_manager``, ``keep_batchnorm_fp32`` and ``recipe``, as in ``build_train_network``, and
            ``boost_config_dict``, as in ``boost.AutoBoost``, without meaning at boost level "O0".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument has an illegal value. If there are metrics but neither a loss nor an
            ``eval_network``. If there is a level or a recipe of mixed precision but no optimizer.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), optimizer, metrics={"mae"})
        >>> data = {"data": ms.ops.ones((4, 2)).asnumpy(), "label": ms.ops.ones((4, 1)).asnumpy()}
        >>> data = ms.dataset.NumpySlicesDataset(data).batch(4)
        >>> model.eval(data)
        {'mae': 1.0}
        >>> model.train(10, data)
        >>> model.eval(data)["mae"] < 1.0
        True
    """

    enable_recovery, need_load_ckpt, epoch_iter = False, False, 0  # MindSpore's, about a job that a cluster restarts

    __repr__ = of_arguments

    def __init__(
        self,
        network,
        loss_fn=None,
        optimizer=None,
        metrics=None,
        eval_network=None,
        eval_indexes: list[Any] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        **kwargs,
    ) -> None:
        check_cell("Model", "network", network)
        if loss_fn is not None:
            check_cell("Model", "loss_fn", loss_fn)
        if eval_network is not None:
            check_cell("Model", "eval_network", eval_network)
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._amp_level = check_choice("Model", "amp_level", amp_level, ("auto", *levels.names()))
        self._boost_level = check_choice("Model", "boost_level", boost_level, ("O0", "O1", "O2"))
        self._metric_fns = get_metrics(metrics)
        self._check_evaluation(metrics, eval_network, eval_indexes)
        keywords = _checked_keywords(kwargs)
        self._boost(keywords.pop("boost_config_dict", ""))
        self._train_network = self._build_train_network(keywords)
        self._eval_network, self._eval_indexes = self._build_eval_network(eval_network, eval_indexes)
        self._predict_network = self._network

    def _boost(self, config):
        """Have boost process network and optimizer, at its level."""
        if self._boost_level != "O0" and self._optimizer is not None:
            boost = AutoBoost(self._boost_level, config)
            self._network, self._optimizer = boost.network_auto_process_train(self._network, self._optimizer)

    def _check_evaluation(self, metrics, eval_network, eval_indexes):
        if metrics and eval_network is None and self._loss_fn is None:
            expected = "the 'loss_fn' or the 'eval_network' must be given where 'metrics' are"
            raise value_error("Model", expected, "neither")
        fits = isinstance(eval_indexes, list) and len(eval_indexes) == 3 and all(map(is_int, eval_indexes))
        if eval_indexes is not None and not fits:
            expected = "the 'eval_indexes' must be None, or a list of the three places of loss, output and label"
            raise value_error("Model", expected, shown(eval_indexes))

    def _build_train_network(self, keywords):
        """The training step: of MindSpore's decision table if there is an optimizer."""
        if self._optimizer is None:
            if self._amp_level != levels.AS_IT_IS.name:
                expected = f"the 'amp_level' must be '{levels.AS_IT_IS.name}' where there is no 'optimizer'"
                raise value_error("Model", expected, shown(self._amp_level))
            if keywords.get("recipe") is not None:
                raise value_error("Model", "the 'recipe' must be left out where there is no 'optimizer'")
            return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        return build_train_network(
            self._network, self._optimizer, self._loss_fn, self._amp_level, self._boost_level, **keywords
        )

    def _build_eval_network(self, eval_network, eval_indexes):
        """The network for evaluations, and the places of loss, output and label among its outputs."""
        if eval_network is not None:
            return eval_network, eval_indexes
        if self._metric_fns is None or self._loss_fn is None:
            return None, None
        casts = self._optimizer is not None and levels.resolve(self._amp_level).narrows_outputs
        return WithEvalCell(self._network, self._loss_fn, add_cast_fp32=casts), [0, 1, 2]

    @property
    def train_network(self) -> Any:
        """The training step, a Cell: ``train_network(*row)`` is one step."""
        return self._train_network

    @property
    def eval_network(self) -> Any:
        """The network for evaluations, a Cell; None if there are neither metrics nor an ``eval_network``."""
        return self._eval_network

    @property
    def predict_network(self) -> Any:
        """The network for predictions, a Cell."""
        return self._predict_network

    # Training

    def train(
        self, epoch: int, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0
    ) -> None:
        """Train on a data set.

        Args:
            epoch (int): The number of the last epoch, above ``initial_epoch``.
            train_dataset (Dataset): The rows are the training step's inputs: two columns if there is a ``loss_fn``.
            callbacks (Union[Callback, list[Callback]]): What to call meanwhile. Default: None.
            dataset_sink_mode (bool): On a GPU, True sends the data's rows to it once; batches are gathered there, with
                the same values. Other rows are taken one after the other, and a warning says so. Such rows are not
                arrays in memory, or change from epoch to epoch (random transforms, functions of your own). On a CPU
                rows are taken so too, as in MindSpore. Default: False.
            sink_size (int): -1, or in sink mode the number of steps of an epoch that callbacks see as
                ``cb_params.batch_num``. An epoch is a pass over the data nevertheless. Default: -1.
            initial_epoch (int): The number of epochs that have been trained before. Default: 0.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a number is out of range, or the rows do not have two columns where there is a ``loss_fn``.
        """
        run = _Run("Model.train", epoch, initial_epoch, train_dataset, callbacks, dataset_sink_mode, sink_size)
        self._train(run)

    def fit(
        self,
        epoch: int,
        train_dataset,
        valid_dataset=None,
        valid_frequency: int | list[Any] = 1,
        callbacks=None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train on a data set, and evaluate on another one after some of the epochs.

        Args:
            epoch (int): As in :meth:`train`.
            train_dataset (Dataset): As in :meth:`train`.
            valid_dataset (Dataset): The data to evaluate on, as in :meth:`eval`. Default: None.
            valid_frequency (Union[int, list]): Number of epochs between evaluations, or a list of epochs to evaluate
                after. Default: 1.
            callbacks (Union[Callback, list[Callback]]): As in :meth:`train`. Those of your own classes must define
                hooks for training and for evaluation: the general ones would be called in both.
            dataset_sink_mode (bool): As in :meth:`train`. Default: False.
            valid_dataset_sink_mode (bool): Accepted. Default: False.
            sink_size (int): As in :meth:`train`. Default: -1.
            initial_epoch (int): As in :meth:`train`. Default: 0.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a number is out of range, there is a ``valid_dataset`` but no metric, or a callback defines
                general hooks.
        """
        operation = "Model.fit"
        check_bool(operation, "valid_dataset_sink_mode", valid_dataset_sink_mode)
        if valid_dataset is not None:
            check_dataset(operation, "valid_dataset", valid_dataset)
            self._check_metrics(operation)
        _check_frequency(operation, valid_frequency)
        for callback in as_list(callbacks):
            if hooks := shared_hooks(callback):
                expected = f"a callback of {operation} must define hooks 'on_train_...' and 'on_eval_...'"
                raise value_error(operation, expected, f"{hooks} of {type(callback).__name__}")
        validation = None if valid_dataset is None else (valid_dataset, valid_frequency)
        run = _Run(operation, epoch, initial_epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, validation)
        self._train(run)

    def _train(self, run):
        run.check()
        callbacks = as_list(run.callbacks)
        steps = run.sink_size if run.sinks and run.sink_size != -1 else run.dataset.get_dataset_size()
        if steps < 1:
            raise value_error(run.operation, "the 'train_dataset' must have rows", "none")
        cb_params = self._train_params(run.dataset, callbacks, len(run.numbers), steps)
        with CallbackList(callbacks) as hooks:
            self._epochs(run, hooks, cb_params)

    def _train_params(self, dataset, callbacks, epochs, steps):
        """The fields of a training run before it begins."""
        return InternalCallbackParam(
            train_network=self._train_network,
            epoch_num=epochs,
            batch_num=steps,
            mode="train",
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            parallel_mode=get_auto_parallel_context("parallel_mode"),
            device_number=world.world().size,
            train_dataset=dataset,
            list_callback=callbacks,
            train_dataset_element=None,
            network=self._network,
            last_save_ckpt_step=None,
            latest_ckpt_file=None,
            cur_step_num=0,
            dataset_sink_mode=False,
        )

    def _epochs(self, run, hooks, cb_params):
        """Train the epochs of a run."""
        run_context = RunContext(cb_params)
        hooks.on_train_begin(run_context)
        begin = sunk_iterator if run.sinks else type(run.dataset).create_tuple_iterator
        rows = begin(run.dataset, num_epochs=len(run.numbers))
        for number in run.numbers:
            cb_params.cur_epoch_num = number
            hooks.on_train_epoch_begin(run_context)
            self._train_network.set_train(True)
            with closing(one_pass(run.dataset, rows, f"epoch {number} of the training")) as epoch:
                self._steps(epoch, hooks, run_context)
            if run.validation is not None and _is_due(number, run.validation[1]):
                self._validate(run.validation[0], hooks, cb_params)
            hooks.on_train_epoch_end(run_context)
            cb_params.pop("metrics", None)
            cb_params.pop("eval_results", None)
            if run_context.get_stop_requested():
                break
        hooks.on_train_end(run_context)

    def _steps(self, rows, hooks, run_context):
        """Train on the rows of one epoch, or until a callback asks to stop."""
        network, cb_params = self._train_network, run_context.original_args()
        for row in rows:
            if self._loss_fn is not None and len(row) != 2:
                expected = "the 'train_dataset' must have two columns where there is a 'loss_fn'"
                raise value_error("Model.train", expected, len(row))
            cb_params["train_dataset_element"] = row
            cb_params["cur_step_num"] += 1
            hooks.on_train_step_begin(run_context)
            cb_params["net_outputs"] = network(*row)
            hooks.on_train_step_end(run_context)
            if run_context.get_stop_requested():
                break

    def _validate(self, dataset, hooks, cb_params):
        """The evaluation of an epoch of ``fit``: its fields are the run's, which get their values back after it."""
        kept = {name: cb_params.get(name) for name in ("batch_num", "mode", "cur_step_num", "net_outputs")}
        cb_params.update(batch_num=dataset.get_dataset_size(), mode="eval", cur_step_num=0)
        cb_params.update(eval_network=self._eval_network, valid_dataset=dataset)
        try:
            self._evaluate(dataset, hooks, cb_params, in_training=True)
        finally:  # a checkpoint of a run that an error ends bears the number of the training step
            cb_params.update(kept)
        self._train_network.set_train(True)

    # Evaluation

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode: bool = False) -> Any:
        """Evaluate on a data set: a dict of the metrics' values by name.

        Args:
            valid_dataset (Dataset): The rows are the inputs of ``eval_network``.
            callbacks (Union[Callback, list[Callback]]): What to call meanwhile. Default: None.
            dataset_sink_mode (bool): Accepted. Default: False.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If there are no metrics.
        """
        check_bool("Model.eval", "dataset_sink_mode", dataset_sink_mode)
        check_dataset("Model.eval", "valid_dataset", valid_dataset)
        self._check_metrics("Model.eval")
        callbacks = as_list(callbacks)
        cb_params = InternalCallbackParam(
            eval_network=self._eval_network,
            valid_dataset=valid_dataset,
            batch_num=valid_dataset.get_dataset_size(),
            mode="eval",
            cur_step_num=0,
            list_callback=callbacks,
            network=self._network,
            dataset_sink_mode=False,
        )
        with CallbackList(callbacks) as hooks:
            return self._evaluate(valid_dataset, hooks, cb_params)

    def _check_metrics(self, operation):
        if not self._metric_fns:
            raise value_error(operation, "the Model's 'metrics' must be given to evaluate it", shown(self._metric_fns))

    def _evaluate(self, dataset, hooks, cb_params, in_training=False):
        """The metrics of one pass; ``in_training`` notes the last row's loss as ``eval_loss`` beside them."""
        run_context = RunContext(cb_params)
        for metric in self._metric_fns.values():
            metric.clear()
        self._eval_network.set_train(False)
        hooks.on_eval_begin(run_context)
        hooks.on_eval_epoch_begin(run_context)
        with closing(one_pass(dataset, dataset.create_tuple_iterator(num_epochs=1), "an evaluation")) as rows:
            self._eval_steps(rows, hooks, run_context)
        hooks.on_eval_epoch_end(run_context)
        metrics = {name: _python_number(metric.eval()) for name, metric in self._metric_fns.items()}
        cb_params["metrics"] = metrics
        if in_training:
            cb_params["eval_results"] = metrics | self._eval_loss(cb_params.get("net_outputs"))
        hooks.on_eval_end(run_context)
        return metrics

    def _eval_steps(self, rows, hooks, run_context):
        """Evaluate on the rows of one pass, or until a callback asks to stop."""
        cb_params = run_context.original_args()
        for row in rows:
            cb_params["cur_step_num"] += 1
            cb_params["eval_dataset_element"] = row
            hooks.on_eval_step_begin(run_context)
            cb_params["net_outputs"] = outputs = self._eval_network(*row)
            hooks.on_eval_step_end(run_context)
            self._update_metrics(outputs)
            if run_context.get_stop_requested():
                break

    def _eval_loss(self, outputs):
        """The loss among the outputs of the evaluation's last row, by the name ``eval_loss``."""
        place = self._eval_indexes[0] if self._eval_indexes else 0
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        loss = outputs[place] if place < len(outputs) else None
        return {"eval_loss": loss.asnumpy().mean().item()} if isinstance(loss, Tensor) else {}

    def _update_metrics(self, outputs):
        """Add a row's outputs to the metrics: the outputs at ``eval_indexes``, or all of them."""
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        for metric in self._metric_fns.values():
            metric.update(*self._chosen(metric, outputs))

    def _chosen(self, metric, outputs):
        """The outputs that a metric gets."""
        if self._eval_indexes is None:
            return outputs
        loss, prediction, label = self._eval_indexes
        chosen = (loss,) if isinstance(metric, Loss) else (prediction, label)
        if max(chosen) >= len(outputs):
            expected = f"the 'eval_indexes' must be places among the {len(outputs)} outputs of the 'eval_network'"
            raise value_error("Model.eval", expected, self._eval_indexes)
        return [outputs[place] for place in chosen]

    # Prediction

    def predict(self, *predict_data) -> Any:
        """The network's output for these inputs, in evaluation mode.

        Args:
            *predict_data (Tensor): The network's inputs; tuples, lists and dicts of Tensors too.
        """
        self._predict_network.set_train(False)
        return self._predict_network(*predict_data)

    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1) -> None:
        """Check the arguments of a run to come. Nothing is compiled ahead here: graph mode records the first steps.

        Raises:
            TypeError: If an argument is of a wrong kind.
            ValueError: If a number is out of range, or there is a ``valid_dataset`` but no metric.
        """
        check_sink_size("Model.build", sink_size)
        check_int("Model.build", "epoch", epoch, low=1)
        if train_dataset is not None:
            check_dataset("Model.build", "train_dataset", train_dataset)
        if valid_dataset is not None:
            check_dataset("Model.build", "valid_dataset", valid_dataset)
            self._check_metrics("Model.build")

    def infer_train_layout(self, train_dataset, dataset_sink_mode: bool = True, sink_size=-1) -> Any:
        """Raise RuntimeError: layouts are of Parameters that are split over devices, and there is one device here."""
        raise _no_layout("infer_train_layout")

    def infer_predict_layout(self, *predict_data) -> Any:
        """Raise RuntimeError: layouts are of Parameters that are split over devices, and there is one device here."""
        raise _no_layout("infer_predict_layout")


def _no_layout(name):
    """The error of a request for layouts."""
    expected = "there must be several devices to lay Parameters out on; save and load whole ones, by 'save_checkpoint'"
    return runtime_error(f"Model.{name}", expected, "one device")


def _checked_keywords(keywords):
    """The keywords for ``build_train_network``."""
    for name, value in keywords.items():
        if name not in _KEYWORDS:
            raise value_error("Model", f"the keywords must be among {_KEYWORDS}", f"'{name}'")
        if name == "acc_level" and value:
            raise value_error("Model", "the 'acc_level' must be left out, for 'boost_level'", shown(value))
    return {name: value for name, value in keywords.items() if name != "acc_level"}


def _check_frequency(operation, frequency):
    if isinstance(frequency, (list, tuple)):
        for number in frequency:
            check_int(operation, "valid_frequency", number, low=0)
    elif not is_int(frequency):
        raise type_error(operation, "the 'valid_frequency' must be an int or a list of ints", shown(frequency))
    else:
        check_int(operation, "valid_frequency", frequency, low=1)


def _python_number(value):
    """A metric's value: a NumPy number as the Python one, which is printed as a number."""
    return value.item() if isinstance(value, np.number) else value


def _is_due(number, frequency):
    """True if ``fit`` evaluates after the epoch of this number."""
    return number in frequency if isinstance(frequency, (list, tuple)) else number % frequency == 0
