"""The loss scale: one value with one rule, whose faces are managers, update cells and scalers.

Gradients that are too small for float16 become zero. So the loss is multiplied by a scale before it is differentiated,
and the gradients are divided by it after. Where the scaled gradients overflow, the step is skipped, and the scale was
too large; where they have not for a while, it may be larger.
"""

from dataclasses import dataclass, replace

import numpy as np

from minispore.errors import type_error, value_error
from minispore.ops.functional import assign
from minispore.tensor import Tensor

__all__ = []


@dataclass(frozen=True)
class LossScale:
    """A dynamic loss scale at one moment.

    Attributes:
        scale (float): What the loss is multiplied by, at least 1.
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
        steps in a row it is multiplied by the factor, and the window begins anew.
        """
        step = self.step + 1
        if not finite:
            return replace(self, scale=max(self.scale / self.factor, 1.0), step=step, last=step)
        if step - self.last >= self.window:
            return replace(self, scale=self.scale * self.factor, step=step, last=step)
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


def check_scale_argument(operation, argument, value, low, kinds=(int, float), strict=False):
    """Refuse a loss scale, factor or window that is no number, or not large enough."""
    if isinstance(value, bool) or not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise type_error(operation, f"the '{argument}' must be {names}", f"{value!r}")
    if value < low or (strict and value == low):
        raise value_error(operation, f"the '{argument}' must be {'above' if strict else 'at least'} {low}", value)
    return value
