"""Loss scaling: check and unscale all gradients by one launch, and move the scale on by another, or by the same."""

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.kernel_table import kernel_of
from minispore.devices import device_numbers
from minispore.devices.cuda import loss_scale, multi_tensor
from minispore.ops.operations.loss_scale import AdvanceLossScale, Unscale, UnscaleAndAdvance
from minispore.ops.operations.overflow_status import AllFinite

__all__ = []


@kernel_of(AllFinite, "cuda")
def _all_finite(op, xp, *xs):
    return multi_tensor.all_finite(xp, [x for x in xs if x.dtype in FLOATS])


@kernel_of(Unscale, "cuda")
def _unscale(op, xp, scale, *xs):
    return multi_tensor.unscaled(xp, scale, xs)


@kernel_of(AdvanceLossScale, "gpu")
def _advance(op, xp, scale, step, last, overflow):
    """One launch; or on the host, if it reads the scale in each step: so it waits only once."""
    new = None
    if not device_numbers.is_asked(scale):
        new = loss_scale.advanced(xp, scale, step, last, overflow, op.factor, op.window)
    if new is None:
        host = op.compute(np, *map(backend.to_host, (scale, step, last, overflow)))
        new = tuple([backend.from_host(np.asarray(y)) for y in host])
    return new


@kernel_of(UnscaleAndAdvance, "cuda")
def _unscale_and_advance(op, xp, scale, step, last, *xs):
    return loss_scale.unscaled_and_advanced(xp, scale, step, last, xs, op.factor, op.window)
