"""MindSpore's inner functions of callbacks, which training loops of users' own call."""

from __future__ import annotations

from typing import Any

from minispore.training.train.callback.callback import Callback, CallbackList, as_list
from minispore.training.train.callback.loss import loss_of

__all__ = []


class _CallbackManager(CallbackList, Callback):
    """Several callbacks as one: ``with _CallbackManager(callbacks) as run: run.on_train_begin(run_context)``.

    Raises:
        TypeError: If one of them is not a Callback.
    """

    def __init__(self, callbacks) -> None:
        callbacks = as_list(callbacks)
        super().__init__(callbacks)
        self._callbacks = callbacks
        for name in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end"):
            setattr(self, name, self._each(name))

    def _each(self, name):
        def hook(run_context):
            for callback in self._callbacks:
                getattr(callback, name)(run_context)

        return hook


def _handle_loss(loss) -> Any:
    """The loss among a step's outputs as a number; a value without any Tensor is returned unchanged."""
    found = loss_of(loss)
    return loss if found is None else found


def set_cur_net(net) -> Any:
    """Nothing: no callback here needs to know the network before a run."""


_set_cur_net = set_cur_net  # its name in the package
