"""LambdaCallback: a callback of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.ops.object_checks import check_callable
from minispore.training.train.callback.callback import Callback

__all__ = ["LambdaCallback"]


class LambdaCallback(Callback):
    """A callback whose hooks are the given functions, each called with the run's context; None for nothing.

    Args:
        on_train_epoch_begin (Callable): Called before each epoch of training. Default: None.
        on_train_epoch_end (Callable): Called after each epoch of training. Default: None.
        on_train_step_begin (Callable): Called before each step of training. Default: None.
        on_train_step_end (Callable): Called after each step of training. Default: None.
        on_train_begin (Callable): Called once, before training. Default: None.
        on_train_end (Callable): Called once, after training. Default: None.
        on_eval_epoch_begin (Callable): Called before the pass over the data of an evaluation. Default: None.
        on_eval_epoch_end (Callable): Called after the pass over the data of an evaluation. Default: None.
        on_eval_step_begin (Callable): Called before each step of an evaluation. Default: None.
        on_eval_step_end (Callable): Called after each step of an evaluation. Default: None.
        on_eval_begin (Callable): Called once, before an evaluation. Default: None.
        on_eval_end (Callable): Called once, after an evaluation. Default: None.

    Raises:
        TypeError: If an argument is neither None nor a function.

    Examples:
        >>> from minispore.train import LambdaCallback
        >>> callback = LambdaCallback(on_train_epoch_end=lambda run: print(run.original_args().cur_epoch_num))
        >>> from minispore.train import RunContext
        >>> from minispore.train.callback import _InternalCallbackParam
        >>> callback.on_train_epoch_end(RunContext(_InternalCallbackParam(cur_epoch_num=3)))
        3
    """

    def __init__(
        self,
        on_train_epoch_begin: Callable[..., Any] | None = None,
        on_train_epoch_end: Callable[..., Any] | None = None,
        on_train_step_begin: Callable[..., Any] | None = None,
        on_train_step_end: Callable[..., Any] | None = None,
        on_train_begin: Callable[..., Any] | None = None,
        on_train_end: Callable[..., Any] | None = None,
        on_eval_epoch_begin: Callable[..., Any] | None = None,
        on_eval_epoch_end: Callable[..., Any] | None = None,
        on_eval_step_begin: Callable[..., Any] | None = None,
        on_eval_step_end: Callable[..., Any] | None = None,
        on_eval_begin: Callable[..., Any] | None = None,
        on_eval_end: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__()
        hooks = {name: hook for name, hook in locals().items() if name.startswith("on_") and hook is not None}
        for name, hook in hooks.items():
            setattr(self, name, check_callable("LambdaCallback", name, hook))
