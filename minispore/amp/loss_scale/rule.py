"""The loss scale: one value with one rule, whose faces are managers, update cells and scalers.

Gradients that are too small for float16 become zero. So the loss is multiplied by a scale before it is differentiated,
and the gradients are divided by it after. Where the scaled gradients overflow, the step is skipped, and the scale was
too large; where they have not for a while, it may be larger.
"""

from dataclasses import dataclass, replace

import numpy as np

from minispore.checks import check_int, check_real
from minispore.errors import shown, type_error
from minispore.ops.functional import assign
from minispore.tensor import Tensor

__all__ = []

LARGEST = float(np.finfo(np.float32).max)  # that a scale, which is stored as float32, can be


@dataclass(frozen=True)
class LossScale:
    """A dynamic loss scale at one moment.

    Attributes:
        scale (float): What the loss is multiplied by, from 1 to what float32 holds.
        factor (float): By how much it changes.
        window (int): How many good steps in a row before it grows.
        step (int): Steps so far.
        last (int): The step at which the window began anew: the last overflow, or the last growth.
    """

    scale: float
    factor: float = 2.0
    window: int = 2000
    step: int = 0
    last: int = 0

    def after(self, finite):
        """The scale after a step whose gradients were finite, or were not.

        An overflow divides it by the factor, down to 1 at least, and the window begins anew; after ``window`` good
        steps in a row it is multiplied by the factor, unless that is more than float32 holds, and the window begins
        anew.
        """
        step = self.step + 1
        if not finite:
            return replace(self, scale=max(min(self.scale, LARGEST) / self.factor, 1.0), step=step, last=step)
        if step - self.last >= self.window:
            grown = self.scale * self.factor
            return replace(self, scale=grown if grown <= LARGEST else self.scale, step=step, last=step)
        return replace(self, step=step)


def advance(scale, step, last, factor, window, finite):
    """Move a loss scale on whose state is three Parameters: the scale, the steps so far, the last step of a window."""
    after = LossScale(float(scale), factor, window, int(step), int(last)).after(finite)
    for parameter, value in ((scale, after.scale), (step, after.step), (last, after.last)):
        store(parameter, value)


def store(parameter, value):
    """Set every element of a Parameter; what is too large for its dtype becomes inf."""
    with np.errstate(over="ignore"):
        assign(parameter, Tensor(np.full(parameter.shape, value, parameter.dtype.np)))


def check_scale(operation, argument, value, low=1, above=False):
    """``value`` as an int or a float from ``low`` (or above it) to the largest that float32 holds."""
    check_real(operation, argument, value, low, LARGEST, above=above)
    return value if isinstance(value, int) else float(value)


def check_overflow(operation, argument, value):
    """The truth of ``value``: a bool, or a Tensor of one element."""
    if not isinstance(value, (bool, np.bool_, Tensor)):
        raise type_error(operation, f"the '{argument}' must be a bool or a Tensor of one", shown(value))
    return bool(value)


def check_course(operation, factor, window, whole_factor=False):
    """The factor, at least 1 (so that an overflow never makes the scale larger), and the window, an int above 0."""
    check = check_int if whole_factor else check_real
    check(operation, "scale_factor", factor, 1)
    factor = factor if isinstance(factor, int) else float(factor)
    return factor, check_int(operation, "scale_window", window, 1)
