"""Elements named one by one along an axis: gathering them, and putting or adding others there in a copy."""

import numpy as np

from minispore import backend
from minispore.autograd import needs_grad
from minispore.errors import shown, value_error
from minispore.ops.common import as_axis, check_number, check_same_type, check_shape, check_tensor
from minispore.ops.kernels.scatter import added_at, along, placed_at
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.scatter import check_indices, counted
from minispore.ops.operations.math.unary import Select
from minispore.ops.primitive import Primitive, Spec
from minispore.tensor import wrap

__all__ = ["GatherD", "TensorScatterElements"]

_select, _zeros_like = Select(), ZerosLike()


def _check(op, x, axis, index, argument):
    """Refuse an index that does not lie within ``x`` beside the axis; returns the axis, counted from the front."""
    check_tensor(op, "x", x)
    check_indices(op, argument, index)
    axis = as_axis(op, axis, len(x.shape), "dim")
    fits = len(index.shape) == len(x.shape)
    if not fits or any(n > m for i, (n, m) in enumerate(zip(index.shape, x.shape, strict=True)) if i != axis):
        expected = f"the '{argument}' must have as many axes as 'x' and, but along axis {axis}, be no longer"
        raise value_error(op.name, expected, f"shape {index.shape} for {x.shape}")
    return axis


class GatherD(Primitive):
    """Elements along ``dim``: ``out[i, j, k] = x[i, index[i, j, k], k]`` where dim is 1."""

    def infer(self, x, dim, index):
        _check(self, x, dim, index, "index")
        return Spec(index.shape, x.dtype)

    def compute(self, xp, x, dim, index):
        return x[along(xp, index, dim % x.ndim)]

    def bprop(self, x, dim, index, out, dout):
        zeros = wrap(backend.xp.zeros(x.shape, dout.array.dtype))
        return self.cached_primitive(TensorScatterElements, dim, "add")(zeros, index, dout), None, None


class TensorScatterElements(Primitive):
    """A copy of ``x`` with ``updates`` at, or added at, the elements that ``indices`` name along ``axis``.

    Args:
        axis (int): The axis. Default: 0.
        reduction (str): "none" (the last stays where several go to one place) or "add". Default: "none".
    """

    def __init__(self, axis=0, reduction="none"):
        if reduction not in ("none", "add"):
            raise value_error(self.name, "the 'reduction' must be 'none' or 'add'", shown(reduction))
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("reduction", reduction)

    def infer(self, x, indices, updates):
        check_number(self, "input_x", x)
        _check(self, x, self.axis, indices, "indices")
        check_same_type(self, input_x=x, updates=updates)
        check_shape(self, "updates", updates, indices.shape)
        return x

    def compute(self, xp, x, indices, updates):
        key = along(xp, indices, self.axis % x.ndim)
        if self.reduction == "add":
            return added_at(xp, x.copy(), key, updates)
        return placed_at(xp, x, key, updates)

    def bprop(self, x, indices, updates, out, dout):
        at_updates = _gather_d(dout, self.axis, indices)
        if self.reduction == "add":
            return dout, None, at_updates
        numbers = counted(updates.shape)
        stays = _gather_d(self(wrap(backend.xp.zeros(x.shape, np.int64)), indices, numbers), self.axis, indices)
        at_x = needs_grad(x) and self(dout, indices, _zeros_like(updates))
        return at_x, None, needs_grad(updates) and _select(stays == numbers, at_updates, 0)


_gather_d = GatherD()
