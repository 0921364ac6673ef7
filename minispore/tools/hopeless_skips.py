"""Warn once if skipped steps cannot end: no smaller loss scale is left, or many smaller ones did not help.

A hook of the step counts the skips, so the step itself has no code for this. In a user's own loop the scaler reports
its steps here. The hook never makes the host wait. On a GPU the device decides about the skip; the hook reads the
numbers some steps later, once the device has computed them.
"""

import logging
import threading
from collections import deque

from minispore.amp.loss_scale.scalers import DynamicLossScaler
from minispore.amp.loss_scale.train_step import TrainOneStepWithLossScaleCell
from minispore.core import backend, process
from minispore.core.layers import refuse
from minispore.core.tensor import Tensor

__all__ = []

_log = logging.getLogger("minispore.log")

_PATIENCE = 20  # skipped steps in a row: by then a scale of 2**24 has been halved to 16, so the scale is not the cause
_EVERY = 16  # on a GPU: read one step in 16, until a read step was skipped; from then on read each


class _Trial(threading.local):
    """Mark of a thread that runs a step on trial and undoes it; the training does not count its skip."""

    runs = False

    def __enter__(self):
        self.runs = True

    def __exit__(self, *error):
        self.runs = False


trial = _Trial()


class HopelessSkips:
    """Forward hook of a training step with outputs ``(loss, overflow, scale)``; it warns once, and changes nothing.

    It warns at a skip at a loss scale of 1 or less, and after 20 skips in a row at any scale.
    """

    part_of_network = on_host = True  # graph mode calls it too, on the host after each replay

    def __init__(self):
        self._row, self._said, self._later = 0, False, deque()
        # On a GPU: the number of steps so far, the number of the last one read, and True if each one is to be read.
        self._steps, self._looked_at, self._close = 0, 0, False

    def __reduce__(self):
        return HopelessSkips, ()  # a copy of the step counts anew: events of a GPU cannot be copied

    def __call__(self, cell_id, inputs, out):
        """Count the step that returned ``out``."""
        refuse("the host looks at the steps that are skipped")
        if self._said or trial.runs or not _reports_a_skip(out):
            return
        _, overflow, scale = out[:3]
        if backend.is_on_host(overflow.array):
            self.count(bool(overflow), scale.item)
        else:
            self._look_later(overflow, scale)

    def count(self, skipped, scale):
        """Count a step, skipped or not, whose loss scale is ``scale()``; warn if that is due."""
        if self._said or trial.runs:
            return
        self._row = self._row + 1 if skipped else 0
        if skipped and (self._row >= _PATIENCE or scale() <= 1):
            self._say(scale())

    def _say(self, scale):
        self._said = True
        if process.rank() == 0:
            _log.warning(
                "Training steps are skipped, %s%d in a row so far: their gradients hold an inf or a nan, and the loss "
                "scale is %g%s. 'minispore.insight.explain_overflow(step, *inputs)' names the operation and the line.",
                "at least " if self._looked_at else "",
                self._row,
                scale,
                ", below which it does not go" if scale <= 1 else "",
            )

    def _look_later(self, overflow, scale):
        """Queue the numbers of one step in 16, or of each while steps are skipped; count those computed by now."""
        self._steps += 1
        if self._close or self._steps % _EVERY == 0:
            computed = backend.other_memory.event(backend.xp)
            self._later.append((computed, self._steps, overflow.array, scale.array))
        while self._later and self._later[0][0].done and not self._said:
            _, number, overflow, scale = self._later.popleft()
            # A row needs neighbours: two skips with unread steps between them do not prove that all were skipped.
            self._row = self._row if number == self._looked_at + 1 else 0
            self._looked_at, self._close = number, bool(_number(overflow))
            self.count(self._close, lambda scale=scale: float(_number(scale)))


def _reports_a_skip(out):
    """True if a step's output is ``(loss, overflow, scale, ...)`` with Tensors of one element."""
    flags = out[1:3] if isinstance(out, tuple) else ()
    return len(flags) == 2 and all(isinstance(x, Tensor) and x.size == 1 for x in flags)


def _number(array):
    """The number in an array that the device has computed."""
    return backend.other_memory.read_aside(backend.xp, array)


def _watch(step):
    """Put the hook on a training step that is made."""
    step.register_forward_hook(HopelessSkips())


def _watch_scaler(scaler, skipped, scale):
    """Count a step of a user's own loop, whose scaler is asked to adjust."""
    vars(scaler).setdefault("_skips", HopelessSkips()).count(skipped, lambda: scale)


TrainOneStepWithLossScaleCell.attached.append(_watch)
DynamicLossScaler._adjusting = _watch_scaler
