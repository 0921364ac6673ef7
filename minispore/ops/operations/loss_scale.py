"""A loss scale in a step: gradients are divided by it and checked, and a rule changes it."""

import numpy as np

from minispore.core.primitive import Primitive, Spec
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.kernels.select import updated
from minispore.ops.type_checks import check_float

__all__ = []

_LARGEST = float(np.finfo(np.float32).max)


class Unscale(Primitive):
    """``x * (1 / scale)`` for each Tensor x, at least in float32; last a bool, True if any is not finite."""

    differentiable = False
    autocast = False

    def infer(self, scale, *xs):
        check_float(self, "scale", scale)
        for i, x in enumerate(xs):
            check_float(self, f"x[{i}]", x)
        overflow = Spec((), np.dtype(bool))
        return *[Spec(x.shape, np.result_type(np.float32, x.dtype)) for x in xs], overflow

    def compute(self, xp, scale, *xs):
        inverse, overflow = scale.dtype.type(1) / scale, xp.asarray(False)
        outs = [widen(xp, x) * inverse for x in xs]
        for y in outs:
            overflow = xp.logical_or(overflow, xp.logical_not(xp.isfinite(y).all()))
        return *outs, overflow


def next_loss_scale(choose, scale, step, last, overflow, factor, window):
    """The rule of a dynamic loss scale: its state after a step, of Python's numbers or of arrays of one.

    It is the one text of the rule beside the CUDA kernel's. An overflow divides the scale by the factor, down to 1 at
    least. ``window`` good steps in a row multiply it by the factor, unless the product is too large for float32. Both
    restart the window.

    Args:
        choose (Callable): ``choose(condition, a, b)`` is a if the condition is true, else b.
        scale (float): The scale.
        step (int): Steps before this one.
        last (int): The step at which the window began.
        overflow (bool): True if the gradients of this step overflowed.
        factor (float): The factor of each change.
        window (int): Good steps in a row before the scale grows.

    Returns:
        tuple, the new scale, step and last.
    """
    step = step + 1
    grows = (step - last >= window) & (overflow ^ True)
    grown = choose(scale * factor <= _LARGEST, scale * factor, scale)
    shrunk = choose(scale <= _LARGEST, scale, _LARGEST) / factor
    shrunk = choose(shrunk >= 1.0, shrunk, 1.0)
    return choose(overflow, shrunk, choose(grows, grown, scale)), step, choose(overflow | grows, step, last)


class AdvanceLossScale(Primitive):
    """Update a dynamic loss scale after a step, without the host: inputs are three Parameters and a bool, overflow.

    The Parameters are the scale, the number of steps, and the step of the last change. The rule,
    :func:`next_loss_scale`, is computed in float64 and rounded once.
    """

    differentiable = False
    autocast = False
    writes = (0, 1, 2)

    def __init__(self, factor, window):
        self.add_prim_attr("factor", factor)
        self.add_prim_attr("window", window)

    def infer(self, scale, step, last, overflow):
        return scale, step, last

    def compute(self, xp, scale, step, last, overflow):
        return updated(xp, next_loss_scale, (scale, step, last), overflow, self.factor, self.window)


class UnscaleAndAdvance(Primitive):
    """``Unscale`` by the scale of a dynamic loss scale; the last three outputs are its state after the step.

    Inputs are the scale, the number of steps, the step of the last change, and Tensors. The outputs are ``Unscale``'s,
    then the values that ``AdvanceLossScale`` would write: one launch for all of it.
    """

    differentiable = False
    autocast = False

    def __init__(self, factor, window):
        self.add_prim_attr("factor", factor)
        self.add_prim_attr("window", window)

    def infer(self, scale, step, last, *xs):
        return *_unscale.infer(scale, *xs), scale, step, last

    def compute(self, xp, scale, step, last, *xs):
        *outs, overflow = _unscale._computed(xp, scale.reshape(()), *xs)
        advance = self.cached_primitive(AdvanceLossScale, self.factor, self.window)
        return *outs, overflow, *advance._computed(xp, scale, step, last, overflow)


_unscale = Unscale()
