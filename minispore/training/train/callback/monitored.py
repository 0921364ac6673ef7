"""Callbacks that watch one number, of a run's metrics or its loss, for improvement."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int, check_text
from minispore.ops.number_checks import check_number
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.loss import loss_of

__all__ = []

# Metrics that "auto" takes to improve by falling; all others improve by rising, as in MindSpore
_FALLING = {
    "loss",
    "eval_loss",
    "mae",
    "mse",
    "hausdorff_distance",
    "mean_surface_distance",
    "root_mean_square_distance",
    "perplexity",
}


class Monitored(Callback):
    """Base of callbacks that watch the number named ``monitor``: a metric, "eval_loss", or "loss" of training.

    ``best`` is the best value so far, and ``wait`` counts the epochs since.
    """

    def __init__(self, monitor, min_delta, patience, verbose, mode) -> None:
        super().__init__()
        name = type(self).__name__
        self.monitor = check_text(name, "monitor", monitor)
        self.min_delta = check_number(name, "min_delta", min_delta)
        self.patience = check_int(name, "patience", patience, low=0)
        self.verbose = check_bool(name, "verbose", verbose)
        self.mode = check_choice(name, "mode", mode, ("auto", "min", "max"))
        self.wait, self.best = 0, self._worst()

    def _falls(self):
        """True if lower is better."""
        return self.mode == "min" or (self.mode == "auto" and self.monitor in _FALLING)

    def _worst(self):
        return np.inf if self._falls() else -np.inf

    def is_improvement(self, value, than) -> Any:
        """True if ``value`` is better than another one by more than ``min_delta``."""
        return than - value > abs(self.min_delta) if self._falls() else value - than > abs(self.min_delta)

    def on_train_begin(self, run_context) -> None:
        """Forget earlier runs."""
        self.wait, self.best = 0, self._worst()

    def _value(self, cb_params):
        """The number that is watched, after this epoch; None if it is missing."""
        if self.monitor in cb_params.get("eval_results", {}):
            return cb_params.eval_results[self.monitor]
        return loss_of(cb_params.net_outputs) if self.monitor == "loss" else None
