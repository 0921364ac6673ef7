"""ProgressBar: a bar on a terminal that shows the epoch, the step and the loss."""

from __future__ import annotations

import importlib
import sys
import warnings

from minispore.core.checks import check_positive_int
from minispore.training.train.callback.callback import Callback
from minispore.training.train.callback.loss import loss_of

__all__ = ["ProgressBar"]


def bar(**settings):
    """A bar of tqdm, a widget in a notebook; hidden where standard error is neither a terminal nor a notebook's.

    Args:
        **settings: Those of ``tqdm``; ``disable=True`` hides the bar.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets a notebook has bars of text
        tqdm = importlib.import_module("tqdm.auto").tqdm  # at first use, so that importing minispore stays quick
    in_notebook = hasattr(getattr(sys.modules.get("IPython"), "get_ipython", bool)(), "kernel")
    return tqdm(**{**settings, "disable": settings.get("disable") or not (in_notebook or sys.stderr.isatty())})


class ProgressBar(Callback):
    """Show the progress of each epoch, and the loss, as a bar: on a terminal's standard error, or in a notebook.

    Elsewhere nothing is shown.

    MindSpore has no such callback.

    Args:
        refresh_steps (int): Read the loss after every so many steps, above 0. Default: 10.

    Raises:
        TypeError: If ``refresh_steps`` is not an int.
        ValueError: If it is not above 0.
    """

    def __init__(self, refresh_steps: int = 10) -> None:
        super().__init__()
        self._refresh_steps = check_positive_int("ProgressBar", "refresh_steps", refresh_steps)
        self._bar = None

    def epoch_begin(self, run_context) -> None:
        """Begin a bar."""
        cb_params = run_context.original_args()
        label = "eval" if cb_params.mode == "eval" else f"epoch {cb_params.cur_epoch_num}"
        self._bar = bar(total=cb_params.batch_num, desc=label, unit=" steps")

    def step_end(self, run_context) -> None:
        """Count the step."""
        cb_params = run_context.original_args()
        if not self._bar.disable:
            loss = loss_of(cb_params.net_outputs) if self._bar.n % self._refresh_steps == 0 else None
            if loss is not None:
                self._bar.set_postfix_str(f"loss {float(loss):.4f}", refresh=False)
            self._bar.update()

    def on_train_epoch_end(self, run_context) -> None:
        """End the bar, unless the epoch's evaluation has."""
        self._close()

    def on_eval_begin(self, run_context) -> None:
        """End the bar of the epoch that is evaluated."""
        self._close()

    def on_eval_epoch_end(self, run_context) -> None:
        """End the bar."""
        self._close()

    def __exit__(self, *err) -> None:
        """End the bar of a run that an error has ended."""
        self._close()

    def _close(self):
        if self._bar is not None:
            self._bar.close()
