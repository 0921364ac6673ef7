"""EarlyStopping: ends a training that no longer improves."""

from __future__ import annotations

from minispore.core.checks import check_bool
from minispore.core.tensor import Tensor
from minispore.ops.number_checks import check_number
from minispore.training.train.callback.monitored import Monitored

__all__ = ["EarlyStopping"]


class EarlyStopping(Monitored):
    """End training when a metric has not improved for some epochs.

    Args:
        monitor (str): The metric of ``fit``, "eval_loss", or "loss" of training. Default: "eval_loss".
        min_delta (float): The least change that is an improvement. Default: 0.
        patience (int): How many epochs without improvement end the training. Default: 0.
        verbose (bool): True to print a line when training stops. Default: False.
        mode (str): "min" if lower is better, "max" if higher is; "auto" knows by the name. Default: "auto".
        baseline (float): A value that has to be improved on, too, for patience to begin anew. Default: None.
        restore_best_weights (bool): Whether the network gets back the Parameters of the best epoch. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``mode`` is unknown or ``patience`` negative.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> rows = {"data": ms.ops.zeros((4, 2)).asnumpy(), "label": ms.ops.zeros((4, 1)).asnumpy()}
        >>> data = ms.dataset.NumpySlicesDataset(rows).batch(4)
        >>> history = ms.train.History()
        >>> model.fit(9, data, data, callbacks=[ms.train.EarlyStopping(patience=2), history])
        >>> print(len(history.epoch["epoch"]))
        3
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, min_delta, patience, verbose, mode)
        self.baseline = None if baseline is None else check_number("EarlyStopping", "baseline", baseline)
        self.restore_best_weights = check_bool("EarlyStopping", "restore_best_weights", restore_best_weights)
        self.stopped_epoch, self.best_weights_param_dict = 0, None

    def on_train_begin(self, run_context) -> None:
        """Forget earlier runs."""
        super().on_train_begin(run_context)
        self.stopped_epoch, self.best_weights_param_dict = 0, None

    def on_train_epoch_end(self, run_context) -> None:
        """Compare the epoch with the best one, and ask to stop if patience is at its end."""
        cb_params = run_context.original_args()
        value = self._value(cb_params)
        if value is None:
            return
        self.wait += 1
        if self.is_improvement(value, self.best):
            self._note_best(value, cb_params)
        if self.wait >= self.patience:
            self.stopped_epoch = cb_params.cur_epoch_num
            run_context.request_stop()
            self._restore(cb_params)

    def _note_best(self, value, cb_params):
        self.best = value
        if self.restore_best_weights:
            self.best_weights_param_dict = {p: p.asnumpy().copy() for p in cb_params.train_network.get_parameters()}
        if self.baseline is None or self.is_improvement(value, self.baseline):
            self.wait = 0

    def _restore(self, cb_params):
        if self.best_weights_param_dict is None:
            return
        if self.verbose:
            print("Restoring model weights from the end of the best epoch.")
        for parameter, value in self.best_weights_param_dict.items():
            parameter.set_data(Tensor(value))

    def on_train_end(self, run_context) -> None:
        """Print where training ended."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping")
