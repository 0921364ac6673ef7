"""LossMonitor: prints the loss of steps, and ends a run whose loss is no number."""

from __future__ import annotations

import math

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.loss import loss_of

__all__ = ["LossMonitor"]


class LossMonitor(Callback):
    """Print ``epoch: 1 step: 2, loss is 0.5`` after steps, and the metrics after an epoch that ``fit`` evaluates.

    Args:
        per_print_times (int): Print the loss of every so many steps; 0 for never. Default: 1.

    Raises:
        TypeError: If ``per_print_times`` is not an int.
        ValueError: If it is negative; in training, if the loss is nan or infinite.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> optimizer = ms.nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), optimizer)
        >>> data = {"data": ms.ops.ones((4, 2)).asnumpy(), "label": ms.ops.ones((4, 1)).asnumpy()}
        >>> model.train(1, ms.dataset.NumpySlicesDataset(data).batch(2), ms.train.LossMonitor())
        epoch: 1 step: 1, loss is 1.0
        epoch: 1 step: 2, loss is 0.1599999...
    """

    def __init__(self, per_print_times: int = 1) -> None:
        super().__init__()
        self._per_print_times = check_int("LossMonitor", "per_print_times", per_print_times, low=0)
        self._last_print_time = 0

    def step_end(self, run_context) -> None:
        """Print the step's loss if it is its turn."""
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval" and "train_network" in cb_params:
            return  # the evaluation of an epoch of `fit`, whose metrics are printed
        loss = loss_of(cb_params.net_outputs)
        epoch, step = cb_params.get("cur_epoch_num", 1), (cb_params.cur_step_num - 1) % cb_params.batch_num + 1
        if loss is not None and not math.isfinite(loss):
            raise value_error("LossMonitor", f"the loss in epoch {epoch}, step {step} must be finite", float(loss))
        if self._is_due(cb_params.cur_step_num):
            # as MindSpore writes it: a single output as a float, the first of several as a float32
            shown = loss if loss is None or isinstance(cb_params.net_outputs, tuple) else float(loss)
            print(f"epoch: {epoch} step: {step}, loss is {shown}", flush=True)

    def _is_due(self, step):
        """True if it is time to print, ``step`` steps after the run began; if so, that is noted."""
        if step <= self._last_print_time:
            self._last_print_time = 0  # a new run: steps are counted anew
        due = self._per_print_times != 0 and step - self._last_print_time >= self._per_print_times
        if due:
            self._last_print_time = step
        return due

    def on_train_epoch_end(self, run_context) -> None:
        """Print the metrics of the epoch's evaluation, if there was one."""
        cb_params = run_context.original_args()
        if "metrics" in cb_params:
            print(f"Eval result: epoch {cb_params.cur_epoch_num}, metrics: {cb_params.metrics}")
