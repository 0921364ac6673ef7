"""ReduceLROnPlateau: lowers the learning rate of a training that no longer improves."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.ops.number_checks import check_number, check_python_float
from minispore.training.train.callback.learning_rate import rate_of, write
from minispore.training.train.callback.monitored import Monitored

__all__ = ["ReduceLROnPlateau"]


class ReduceLROnPlateau(Monitored):
    """Multiply the learning rate by ``factor`` when a metric has not improved for some epochs.

    Args:
        monitor (str): The metric of ``fit``, "eval_loss", or "loss" of training. Default: "eval_loss".
        factor (float): Above 0 and below 1. Default: 0.1.
        patience (int): How many epochs without improvement lower the rate. Default: 10.
        verbose (bool): Whether to print the new rate. Default: False.
        mode (str): "min" if lower is better, "max" if higher is; "auto" knows by the name. Default: "auto".
        min_delta (float): The least change that is an improvement. Default: 0.0001.
        cooldown (int): How many epochs after a reduction do not count. Default: 0.
        min_lr (float): The lowest rate. Default: 0.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If an argument is out of range, or, in training, the learning rate is not a constant.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="zeros", bias_init="zeros")
        >>> optimizer = ms.nn.SGD(net.trainable_params(), 0.1)
        >>> model = ms.train.Model(net, ms.nn.MSELoss(), optimizer, metrics={"mae"})
        >>> rows = {"data": ms.ops.zeros((4, 2)).asnumpy(), "label": ms.ops.zeros((4, 1)).asnumpy()}
        >>> data = ms.dataset.NumpySlicesDataset(rows).batch(4)
        >>> callback = ms.train.ReduceLROnPlateau(monitor="eval_loss", patience=1, factor=0.5)
        >>> model.fit(3, data, data, callbacks=callback)
        >>> print(float(optimizer.learning_rate))
        0.02500000037252903
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 0.0001,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__(monitor, min_delta, patience, verbose, mode)
        self.factor = check_python_float("ReduceLROnPlateau", "factor", factor, 0, 1, above=True)
        if self.factor == 1:
            raise value_error("ReduceLROnPlateau", "the 'factor' must be below 1", factor)
        self.cooldown = check_int("ReduceLROnPlateau", "cooldown", cooldown, low=0)
        self.min_lr = check_number("ReduceLROnPlateau", "min_lr", min_lr)
        self.cooldown_counter = 0

    def on_train_begin(self, run_context) -> None:
        """Forget earlier runs."""
        super().on_train_begin(run_context)
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context) -> None:
        """Compare the epoch with the best one, and lower the rate if patience is at its end."""
        cb_params = run_context.original_args()
        rate = rate_of("ReduceLROnPlateau", cb_params.optimizer)
        value = self._value(cb_params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter == 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(rate, cb_params.cur_epoch_num)

    def _reduce(self, rate, epoch):
        """Lower the rate, unless it is the lowest."""
        if float(rate) <= self.min_lr:
            return
        write(rate, max(rate.asnumpy() * np.float32(self.factor), self.min_lr))
        self.cooldown_counter, self.wait = self.cooldown, 0
        if self.verbose:
            print(f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate.asnumpy()[()]!s}.")
