"""The loss scale: one value and its update rule, shared by managers, update cells and scalers.

Gradients too small for float16 become zero. So the loss is multiplied by a scale before it is differentiated, and the
gradients are divided by it afterwards. If the scaled gradients overflow, the scale was too large: the step is skipped
and the scale reduced. After a number of steps without overflow the scale is increased.
"""

from collections.abc import ItemsView
from dataclasses import dataclass, replace

import numpy as np

from minispore.core.checks import check_bool, check_int
from minispore.core.errors import shown, type_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.ops.functional import assign
from minispore.ops.kernels.select import either
from minispore.ops.number_checks import check_real
from minispore.ops.operations.loss_scale import next_loss_scale

__all__ = []

LARGEST = float(np.finfo(np.float32).max)  # the largest scale: it is stored as float32


@dataclass(frozen=True)
class LossScale:
    """The state of a dynamic loss scale.

    Attributes:
        scale (float): The factor of the loss, from 1 to the largest float32.
        factor (float): The factor of each change.
        window (int): How many good steps in a row before it grows.
        step (int): Steps so far.
        last (int): The step at which the window began: the last overflow, or the last growth.
    """

    scale: float
    factor: float = 2.0
    window: int = 2000
    step: int = 0
    last: int = 0

    def after(self, finite):
        """The state after a step, given whether its gradients were finite.

        An overflow divides the scale by the factor, down to 1 at least. ``window`` good steps in a row multiply it by
        the factor, unless the product is too large for float32. Both restart the window.
        """
        state = self.scale, self.step, self.last, not finite
        scale, step, last = next_loss_scale(either, *state, self.factor, self.window)
        return replace(self, scale=scale, step=step, last=last)


class State:
    """Base of managers and scalers: the state of a loss scale is what Parameters the object holds."""

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """The state as Parameters by name, which ``save_checkpoint`` and ``load_param_into_net`` take."""
        check_bool("parameters_dict", "recurse", recurse)
        return {p.name: p for p in vars(self).values() if isinstance(p, Parameter)}

    def parameters_and_names(self) -> ItemsView[str, Parameter]:
        """Pairs of name and Parameter."""
        return self.parameters_dict().items()


def advance(scale, step, last, factor, window, finite):
    """Update a loss scale held in three Parameters: the scale, the steps so far, the step of the last change."""
    after = LossScale(float(scale.item()), factor, window, int(step.item()), int(last.item())).after(finite)
    for parameter, value in ((scale, after.scale), (step, after.step), (last, after.last)):
        store(parameter, value)


def store(parameter, value):
    """Set every element of a Parameter; a value too large for its dtype becomes inf."""
    with np.errstate(over="ignore"):
        host = np.full(parameter.shape, value, parameter.dtype.np)
    assign(parameter, Tensor(host))


def check_scale(operation, argument, value, low=1, above=False):
    """``value`` as an int or a float from ``low`` (or above it) to the largest float32."""
    check_real(operation, argument, value, low, LARGEST, above=above)
    return value if isinstance(value, int) else float(value)


def check_overflow(operation, argument, value):
    """The truth of ``value``: a bool, 0 or 1 in its place, or a Tensor of one element."""
    if not isinstance(value, (np.bool_, Tensor)) and not (isinstance(value, int) and value in (0, 1)):
        raise type_error(operation, f"the '{argument}' must be a bool or a Tensor of one", shown(value))
    return bool(value)


def overflow_flag(operation, argument, value):
    """``value``, as for :func:`check_overflow`, as a Tensor of one bool; the host does not read a Tensor."""
    if not isinstance(value, Tensor) or value.size != 1:
        return Tensor(check_overflow(operation, argument, value))
    return value if value.array.dtype == bool else value != 0


def check_factor_and_window(operation, factor, window, whole_factor=False):
    """Check the factor, at least 1 (so that an overflow never increases the scale), and the window, an int above 0."""
    check = check_int if whole_factor else check_real
    check(operation, "scale_factor", factor, 1)
    factor = factor if isinstance(factor, int) else float(factor)
    return factor, check_int(operation, "scale_window", window, 1)
