"""LearningRateScheduler: sets the learning rate after every step by a function of your own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.ops.number_checks import check_real
from minispore.ops.object_checks import check_callable
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.learning_rate import rate_of, read, write

__all__ = ["LearningRateScheduler"]


class LearningRateScheduler(Callback):
    """Set the learning rate after every step: ``lr = learning_rate_function(lr, cur_step_num)``.

    Args:
        learning_rate_function (Callable): A function of the rate, a float, and the number of steps so far.

    Raises:
        TypeError: If ``learning_rate_function`` cannot be called; in training, if it does not return a number.
        ValueError: In training, if the optimizer's learning rate is not a constant.

    Examples:
        >>> from minispore.train import LearningRateScheduler
        >>> callback = LearningRateScheduler(lambda lr, step: lr * 0.1 if step % 1000 == 0 else lr)
        >>> print(callback.learning_rate_function(1.0, 1000), callback.learning_rate_function(1.0, 1))
        0.1 1.0
    """

    def __init__(self, learning_rate_function: Callable[..., Any]) -> None:
        super().__init__()
        name = "LearningRateScheduler"
        self.learning_rate_function = check_callable(name, "learning_rate_function", learning_rate_function)

    def step_end(self, run_context) -> None:
        """Set the rate of the next step."""
        cb_params = run_context.original_args()
        if cb_params.get("mode") == "eval":
            return
        rate = rate_of("LearningRateScheduler", cb_params.optimizer)
        now = read(rate)
        new = self.learning_rate_function(now, cb_params.cur_step_num)
        if check_real("learning_rate_function", "result", new, low=0) != now:
            write(rate, new)
