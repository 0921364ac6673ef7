"""Sums of narrow floats over axes, accumulated in float32 without a widened copy."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import reduction
from minispore.ops.axes import as_axes
from minispore.ops.operations.reduce.reduction import ReduceSum

__all__ = []


@kernel_of(ReduceSum, "cuda")
def _reduce_sum(op, xp, x, axis):
    return reduction.narrow_sum(xp, x, as_axes(op, axis, x.ndim), op.keep_dims)
