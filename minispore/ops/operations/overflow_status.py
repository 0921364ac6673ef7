"""Overflow status: of Tensors, and of the register that the emulated Ascend keeps.

On Ascend the protocol is: allocate a status, clear it before the computation to watch, get it after; ``depend`` orders
them.
"""

from functools import partial

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.errors import runtime_error
from minispore.core.primitive import Primitive, Spec
from minispore.ops.common import check_float, check_tensor
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.kernels.select import select

__all__ = ["AllFinite", "FloatStatus", "NPUAllocFloatStatus", "NPUClearFloatStatus", "NPUGetFloatStatus"]

_LARGEST = float(np.finfo(np.float32).max)
_STATUS = Spec((8,), np.dtype(np.float32))  # the shape of an Ascend status: the register is its first element


class FloatStatus(Primitive):
    """Overflow flag of a Tensor: 1.0 if it holds an inf or a nan, else 0.0; shape (1,)."""

    differentiable = False
    autocast = False

    def infer(self, x):
        check_float(self, "x", x)
        return Spec((1,), np.dtype(np.float32))

    def compute(self, xp, x):
        return xp.logical_not(xp.isfinite(x).all()).astype(np.float32).reshape(1)


class AllFinite(Primitive):
    """True if every element of all Tensors is finite: one bool, shape (); integers and empty Tensors always are."""

    differentiable = False
    variadic = True
    autocast = False

    def infer(self, *xs):
        for i, x in enumerate(xs):
            check_tensor(self, f"x[{i}]", x)
        return Spec((), np.dtype(bool))

    def compute(self, xp, *xs):
        finite = xp.asarray(True)
        for x in xs:
            if x.dtype in FLOATS:
                finite = xp.logical_and(finite, xp.isfinite(x).all())
        return finite


class Unscale(Primitive):
    """``x / scale`` for each Tensor x, at least in float32, and last whether any of it is not finite: one launch."""

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

    The Parameters are the scale, the number of steps, and that of the last change. The rule, :func:`next_loss_scale`,
    is computed in float64 and rounded once.
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
        state = scale.astype(np.float64), step, last, overflow.reshape(())
        after = next_loss_scale(partial(select, xp), *state, self.factor, self.window)
        return tuple(new.astype(old.dtype, copy=False) for new, old in zip(after, (scale, step, last), strict=True))


class UnscaleAndAdvance(Primitive):
    """``Unscale`` by the scale of a dynamic loss scale; the last three outputs are its state after the step.

    Inputs are the scale, the number of steps, that of the last change, and Tensors. The outputs are those of
    ``Unscale``, and what ``AdvanceLossScale`` would then write: one launch for all of it.
    """

    differentiable = False
    autocast = False

    def __init__(self, factor, window):
        self.add_prim_attr("factor", factor)
        self.add_prim_attr("window", window)

    def infer(self, scale, step, last, *xs):
        return *_unscale.infer(scale, *xs), scale, step, last

    def compute(self, xp, scale, step, last, *xs):
        *outs, overflow = _unscale.computed(xp, scale.reshape(()), *xs)
        advance = self.cached_primitive(AdvanceLossScale, self.factor, self.window)
        return *outs, overflow, *advance.computed(xp, scale, step, last, overflow)


_unscale = Unscale()


class _RegisterStatus(Primitive):
    """Base of the operations on the register, which only the emulated Ascend has."""

    differentiable = False
    autocast = False

    def infer(self, *status):
        if backend.register is None:
            expected = "the 'device_target' must be 'Ascend', which alone keeps an overflow register"
            raise runtime_error(self.name, expected)
        for s in status:
            check_tensor(self, "status", s)
        return _STATUS


class NPUAllocFloatStatus(_RegisterStatus):
    """A new status: zeros of shape (8,)."""

    def compute(self, xp):
        return xp.zeros(*_STATUS)


class NPUClearFloatStatus(_RegisterStatus):
    """Clear the register; the result is a status of zeros."""

    def compute(self, xp, status):
        backend.register.raised = False
        return xp.zeros(*_STATUS)


class NPUGetFloatStatus(_RegisterStatus):
    """Read the register: a status whose elements are 1.0 where an overflow has been since it was cleared, else 0.0."""

    def compute(self, xp, status):
        return xp.full(_STATUS.shape, float(backend.register.raised), _STATUS.dtype)
