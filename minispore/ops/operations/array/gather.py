"""Elements named one by one along an axis: gathering them, and putting or adding others there in a copy."""

import numpy as np

from minispore import backend
from minispore.autograd import needs_grad
from minispore.errors import shown, type_error, value_error
from minispore.ops.common import as_axis, check_number, check_same_type, check_shape, check_tensor
from minispore.ops.kernels.scatter import added_at, along, placed_at
from minispore.ops.kernels.take import taken
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.scatter import check_indices, counted
from minispore.ops.operations.math.select import Select
from minispore.ops.primitive import Primitive, Spec
from minispore.tensor import wrap

__all__ = ["Gather", "GatherD", "TensorScatterElements"]

_select, _zeros_like = Select(), ZerosLike()


class Gather(Primitive):
    """Elements of ``x`` along ``axis`` at ``indices``: ``out[.., i.., ..] = x[.., indices[i..], ..]``.

    An index outside of the axis is a ValueError on the host; on a GPU, where telling would mean to wait, the nearest is
    taken.

    Args:
        batch_dims (int): 0; ``ops.gather`` takes others. Default: 0.
    """

    def __init__(self, batch_dims=0):
        if batch_dims != 0:
            raise value_error(self.name, "the 'batch_dims' must be 0 (ops.gather takes others)", batch_dims)

    def infer(self, x, indices, axis):
        check_tensor(self, "input_params", x)
        check_tensor(self, "input_indices", indices)
        if indices.dtype.kind not in "iu":
            raise type_error(self.name, "the 'input_indices' must be a Tensor of ints", indices.dtype)
        axis = as_axis(self, axis, len(x.shape))
        return Spec(x.shape[:axis] + indices.shape + x.shape[axis + 1 :], x.dtype)

    def compute(self, xp, x, indices, axis):
        return taken(xp, self.name, x, indices, axis % x.ndim)

    def bprop(self, x, indices, axis, out, dout):
        key = (slice(None),) * (axis % x.ndim) + (indices,)
        return needs_grad(x) and dout.scatter_to(x.shape, key), None, None


def _check(op, x, axis, index, argument):
    """Raise unless the index fits within ``x`` but along the axis; returns the axis, counted from the front."""
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
