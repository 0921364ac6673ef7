"""The loss scale: one value and its update rule, shared by managers, update cells and scalers.

Gradients too small for float16 become zero. So the loss is multiplied by a scale before it is differentiated, and the
gradients are divided by it afterwards. If the scaled gradients overflow, the scale was too large: the step is skipped
and the scale reduced. After a number of steps without overflow the scale is increased.
"""

import weakref
from dataclasses import dataclass, replace

import numpy as np

from minispore.checks import check_int, check_real
from minispore.context import running
from minispore.errors import shown, type_error
from minispore.graph.homes import is_at_home
from minispore.ops.functional import assign
from minispore.parameter import Parameter
from minispore.tensor import Tensor

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

        An overflow divides the scale by the factor, down to 1 at least, and restarts the window; ``window`` good steps
        in a row multiply it by the factor, unless the product is too large for float32, and restart the window.
        """
        step = self.step + 1
        if not finite:
            return replace(self, scale=max(min(self.scale, LARGEST) / self.factor, 1.0), step=step, last=step)
        if step - self.last >= self.window:
            grown = self.scale * self.factor
            return replace(self, scale=grown if grown <= LARGEST else self.scale, step=step, last=step)
        return replace(self, step=step)


_known = []  # pairs, of a weak reference to an array of one number on a GPU and the number: those last read or stored


def number_of(x, asked=False):
    """The number in a Tensor of one element; on a GPU, one that was lately read or stored is not waited for again.

    A write gives a Tensor another array, so that the number of an array stays what it is. But a captured graph writes
    into the arrays of Parameters that are at home. A number read from one of those is not kept; that of another is, if
    it is ``asked`` for in every step.
    """
    if isinstance(x.array, np.ndarray) or running.recorder is not None:
        return x.item()  # which tells the recorder that the host reads it
    known = _known_number(x.array)
    if known is not None:
        return known
    is_kept = not isinstance(x, Parameter) or (asked and not is_at_home(x))
    return _remembered(x.array, x.item()) if is_kept else x.item()


def is_known(x):
    """True if the number in a one-element Tensor on a GPU was lately read or stored."""
    return _known_number(x.array) is not None


def _known_number(array):
    return next((number for known, number in _known if known() is array), None)


def _remembered(array, number):
    global _known
    _known = [(weakref.ref(array), number), *[pair for pair in _known[:31] if pair[0]() is not None]]
    return number


def advance(scale, step, last, factor, window, finite):
    """Update a loss scale whose state is three Parameters: the scale, the steps so far, the step of the last change."""
    after = LossScale(float(number_of(scale)), factor, window, int(number_of(step)), int(number_of(last))).after(finite)
    for parameter, value in ((scale, after.scale), (step, after.step), (last, after.last)):
        store(parameter, value)


def store(parameter, value):
    """Set every element of a Parameter; a value too large for its dtype becomes inf."""
    with np.errstate(over="ignore"):
        host = np.full(parameter.shape, value, parameter.dtype.np)
    assign(parameter, Tensor(host))
    if parameter.size == 1 and not isinstance(parameter.array, np.ndarray):
        _remembered(parameter.array, host.item())


def check_scale(operation, argument, value, low=1, above=False):
    """``value`` as an int or a float from ``low`` (or above it) to the largest float32."""
    check_real(operation, argument, value, low, LARGEST, above=above)
    return value if isinstance(value, int) else float(value)


def check_overflow(operation, argument, value):
    """The truth of ``value``: a bool, 0 or 1 in its place, or a Tensor of one element."""
    if not isinstance(value, (np.bool_, Tensor)) and not (isinstance(value, int) and value in (0, 1)):
        raise type_error(operation, f"the '{argument}' must be a bool or a Tensor of one", shown(value))
    return truth(value)


def truth(value):
    """``bool(value)``; a Tensor that was lately read is not waited for again."""
    return bool(number_of(value) if isinstance(value, Tensor) and value.size == 1 else value)


def check_factor_and_window(operation, factor, window, whole_factor=False):
    """Check the factor, at least 1 (so that an overflow never increases the scale), and the window, an int above 0."""
    check = check_int if whole_factor else check_real
    check(operation, "scale_factor", factor, 1)
    factor = factor if isinstance(factor, int) else float(factor)
    return factor, check_int(operation, "scale_window", window, 1)
