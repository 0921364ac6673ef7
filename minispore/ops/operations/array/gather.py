"""Elements named one by one along an axis: gathering them, and putting or adding others there in a copy."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor, wrap
from minispore.ops.axes import as_axis
from minispore.ops.kernels.scatter import added_at, along, placed_at
from minispore.ops.kernels.take import nearest, taken
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.scatter import check_indices, counted
from minispore.ops.operations.math.select import Select
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type, check_tensor

__all__ = ["Gather", "GatherD", "TensorScatterElements"]

_select, _zeros_like = Select(), ZerosLike()


class Gather(Primitive):
    """Elements of ``x`` along ``axis`` at ``indices``: ``out[.., i.., ..] = x[.., indices[i..], ..]``.

    An index outside of the axis is a ValueError on the host; on a GPU the nearest is taken, since a check would make
    the host wait.

    The first ``batch_dims`` axes are a batch: input and indices have them in common.

    Shapes: the axis gives way to the shape of the indices. Dtypes: any, kept.

    Args:
        batch_dims (int): How many axes ``x`` and ``indices`` have in common; below 0, counted from the last of the
            indices' axes. Default: 0.

    Raises:
        TypeError: If ``batch_dims`` or ``axis`` is not an int, or ``x`` or ``indices`` is not a Tensor.
        ValueError: If ``indices`` is out of range, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Gather()(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ms.Tensor([2, 0]), 1))
        [[3. 1.]
         [6. 4.]]
    """

    complex_numbers = "as written"

    def __init__(self, batch_dims: int = 0) -> None:
        self.add_prim_attr("batch_dims", batch_dims)

    def _batch(self, x, indices, axis):
        """The number of leading axes that belong to the batch."""
        if self.batch_dims == 0:
            return 0
        rank = len(indices.shape)
        batch = rank if self.batch_dims == rank else as_axis(self, self.batch_dims, rank, "batch_dims")
        if axis < batch or x.shape[:batch] != indices.shape[:batch]:
            expected = (
                f"the 'input_params' and 'input_indices' must have the same first {batch} axes, before the 'axis'"
            )
            raise value_error(self.name, expected, f"{x.shape}, {indices.shape} and axis {axis}")
        return batch

    def adapt(self, x, indices, axis):
        """Read an axis that is a Tensor as an int."""
        return x, indices, axis.item() if isinstance(axis, Tensor) and axis.size == 1 else axis

    def infer(self, x, indices, axis):
        check_tensor(self, "input_params", x)
        check_tensor(self, "input_indices", indices)
        if indices.dtype.kind not in "iu":
            raise type_error(self.name, "the 'input_indices' must be a Tensor of ints", indices.dtype)
        axis = as_axis(self, axis, len(x.shape))
        batch = self._batch(x, indices, axis)
        return Spec(x.shape[:axis] + indices.shape[batch:] + x.shape[axis + 1 :], x.dtype)

    def compute(self, xp, x, indices, axis):
        axis = axis % x.ndim
        batch = self._batch(x, indices, axis)
        if not batch:
            return taken(xp, self.name, x, indices, axis)
        out = xp.empty(x.shape[:axis] + indices.shape[batch:] + x.shape[axis + 1 :], x.dtype)
        for place in np.ndindex(*x.shape[:batch]):
            out[place] = taken(xp, self.name, x[place], xp.asarray(indices[place]), axis - batch)
        return out

    def bprop(self, x, indices, axis, out, dout):
        axis = axis % x.ndim
        batch = self._batch(x.array, indices.array, axis)
        if not batch:
            return (dout.scatter_to(x.shape, (slice(None),) * axis + (indices,)) if needs_grad(x) else None), None, None
        return (_of_batch(x, indices, axis, batch, dout) if needs_grad(x) else None), None, None


def _of_batch(x, indices, axis, batch, dout):
    """The gradient of a gathering with a batch: rows of ``dout`` added into zeros at the batch's places and indices."""
    rank, count = indices.ndim, x.ndim - axis - 1
    # Axes in the order (batch, indices, between, after), so that the places of batch and index lead
    between = tuple(range(batch, axis))
    own = tuple(range(axis, axis + rank - batch))
    after = tuple(range(dout.ndim - count, dout.ndim))
    moved = dout.transpose((*range(batch), *own, *between, *after))
    shape = (*x.shape[:batch], x.shape[axis], *x.shape[batch:axis], *x.shape[axis + 1 :])
    places = np.indices(indices.shape[:batch], dtype=np.int64)
    places = [wrap(backend.from_host(p.reshape(p.shape + (1,) * (rank - batch)))) for p in places]
    added = moved.scatter_to(shape, (*places, indices))
    return added.transpose((*range(batch), *range(batch + 1, axis + 1), batch, *range(axis + 1, x.ndim)))


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
    """Elements along ``dim``: ``out[i, j, k] = x[i, index[i, j, k], k]`` where dim is 1.

    Shapes: that of ``index``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` or ``index`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``index`` has other axes than ``x``, or is longer than it beside the axis. Also if ``dim`` is no
            axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GatherD()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, ms.Tensor([[0, 0], [1, 0]])))
        [[1. 1.]
         [4. 3.]]
    """

    complex_numbers = "as written"

    def infer(self, x, dim, index):
        _check(self, x, dim, index, "index")
        return Spec(index.shape, x.dtype)

    def compute(self, xp, x, dim, index):
        return x[nearest(xp, x.shape, along(xp, index, dim % x.ndim))]

    def bprop(self, x, dim, index, out, dout):
        zeros = wrap(backend.xp.zeros(x.shape, dout.array.dtype))
        return self.cached_primitive(TensorScatterElements, dim, "add")(zeros, index, dout), None, None


class TensorScatterElements(Primitive):
    """A copy of ``x`` with ``updates`` at, or added at, the elements that ``indices`` name along ``axis``.

    Shapes: that of ``x``; indices and updates have one shape, with as many axes. Dtypes: floats, ints and complex,
    kept; TypeError for bools.

    Args:
        axis (int): The axis. Default: 0.
        reduction (str): "none" (the last stays where several go to one place) or "add". Default: "none".

    Raises:
        TypeError: If ``axis`` is not an int, ``reduction`` is not a str, or ``x``, ``indices`` or ``updates`` is not a
            Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``reduction`` is not "none" or "add", or ``indices`` has another number of axes than ``x``, or is
            longer than it beside the axis. Also if ``axis`` is no axis of the input, or ``updates`` has a shape that
            does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, places, updates = ms.Tensor([[1.0, 2.0], [4.0, 5.0]]), ms.Tensor([[0], [1]]), ms.Tensor([[10.0], [50.0]])
        >>> print(ops.TensorScatterElements(axis=1)(x, places, updates))
        [[10.  2.]
         [ 4. 50.]]
    """

    complex_numbers = "as written"

    def __init__(self, axis: int = 0, reduction: str = "none") -> None:
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
        at_x = self(dout, indices, _zeros_like(updates)) if needs_grad(x) else None
        return at_x, None, (_select(stays == numbers, at_updates, 0) if needs_grad(updates) else None)


_gather_d = GatherD()
