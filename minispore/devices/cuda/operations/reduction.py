"""Sums over axes: to one axis by a kernel of our own, of which several make one launch; narrow floats in float32."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import channel_sums, reduction
from minispore.graph.sums_together import Sums, kept_axis
from minispore.ops.axes import as_axes
from minispore.ops.operations.reduce.reduction import ReduceSum

__all__ = []


@kernel_of(ReduceSum, "cuda")
def _reduce_sum(op, xp, x, axis):
    left = kept_axis(op, axis, x.ndim)
    made = None if left is None else channel_sums.channel_sums(xp, [(x, left)])
    return made[0] if made else reduction.narrow_sum(xp, x, as_axes(op, axis, x.ndim, repeated=True), op.keep_dims)


@kernel_of(Sums, "cuda")
def _sums(op, xp, *xs):
    axes = [kept_axis(primitive, axes, x.ndim) for (primitive, axes), x in zip(op.sums, xs, strict=True)]
    made = channel_sums.channel_sums(xp, list(zip(xs, axes, strict=True)))
    return made and tuple(made)
