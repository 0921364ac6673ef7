"""Elements at lists of indices: gathering them, and putting, adding or combining others into a copy.

With n numbers along the last axis of ``indices``, each row names ``x[i0, ..., i(n-1)]``. This is an element, or a block
if n is less than the number of axes of x.
"""

import math

from minispore.core import backend
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import wrap
from minispore.ops.kernels.scatter import added_at, combined_at, divided_at, placed_at
from minispore.ops.kernels.take import nearest
from minispore.ops.operations.array.creation import ZerosLike
from minispore.ops.operations.array.reshaping import as_shape
from minispore.ops.operations.math.select import Select
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type, check_tensor, named

__all__ = [
    "GatherNd",
    "ScatterNd",
    "TensorScatterAdd",
    "TensorScatterDiv",
    "TensorScatterMax",
    "TensorScatterMin",
    "TensorScatterMul",
    "TensorScatterSub",
    "TensorScatterUpdate",
]

_select, _zeros_like = Select(), ZerosLike()


def check_indices(op, argument, x):
    """Raise TypeError unless x is a Tensor of ints."""
    check_tensor(op, argument, x)
    if x.dtype.kind not in "iu":
        raise type_error(op.name, f"the '{argument}' must be a Tensor of ints", named(x.dtype))


def check_wide_indices(op, argument, x):
    """Raise TypeError unless x is a Tensor of int32 or int64, the kinds that MindSpore takes here."""
    check_tensor(op, argument, x)
    if x.dtype.name not in ("int32", "int64"):
        raise type_error(op.name, f"the '{argument}' must be a Tensor of int32 or int64", named(x.dtype))


def rows(indices):
    """The key that rows of indices make."""
    return tuple(indices[..., i] for i in range(indices.shape[-1]))


def block_shape(op, shape, indices, check=check_indices):
    """The shape of the elements or blocks that ``indices`` name in a Tensor of ``shape``."""
    check(op, "indices", indices)
    if not indices.shape or not 0 < indices.shape[-1] <= len(shape):
        expected = f"the 'indices' must have 1 to {len(shape)} numbers along the last axis"
        raise value_error(op.name, expected, f"shape {indices.shape}")
    return indices.shape[:-1] + shape[indices.shape[-1] :]


class GatherNd(Primitive):
    """Elements or blocks at rows of indices: ``out[i..] = x[indices[i..]]``.

    Shapes: ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats, ints and bools, kept; TypeError for
    complex.

    Raises:
        TypeError: If ``x`` or ``indices`` is not a Tensor.
        ValueError: If ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.GatherNd()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[0, 1], [1, 0]])))
        [2. 3.]
    """

    def infer(self, x, indices):
        check_tensor(self, "input_x", x)
        return Spec(block_shape(self, x.shape, indices), x.dtype)

    def compute(self, xp, x, indices):
        return x[nearest(xp, x.shape, rows(indices))]

    def bprop(self, x, indices, out, dout):
        return _scatter_nd(indices, dout, x.shape), None


class ScatterNd(Primitive):
    """Zeros of ``shape`` to which ``updates`` are added at rows of indices.

    Shapes: ``shape``. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``indices`` or ``updates`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit. Also
            if ``shape`` does not hold ints above 0.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ScatterNd()(ms.Tensor([[1], [3], [1]]), ms.Tensor([10.0, 20.0, 5.0]), (5,)))
        [ 0. 15.  0. 20.  0.]
    """

    def adapt(self, indices, updates, shape):
        """Read the shape as a tuple of ints."""
        return indices, updates, as_shape(self, shape)

    def infer(self, indices, updates, shape):
        check_number(self, "updates", updates)
        if not shape or any(n < 1 for n in shape):
            raise value_error(self.name, "the 'shape' must be ints above 0", shape)
        check_shape(self, "updates", updates, block_shape(self, shape, indices))
        return Spec(shape, updates.dtype)

    def compute(self, xp, indices, updates, shape):
        return added_at(xp, xp.zeros(shape, updates.dtype), rows(indices), updates)

    def bprop(self, indices, updates, shape, out, dout):
        return None, _gather_nd(dout, indices), None


_gather_nd, _scatter_nd = GatherNd(), ScatterNd()


def counted(shape):
    """The Tensor that numbers the elements of a shape from 1."""
    return wrap(backend.xp.arange(1, math.prod(shape) + 1).reshape(shape))


class _TensorScatter(Primitive):
    """Base of operations that bring ``updates`` to rows of indices of a copy of ``x``."""

    def infer(self, x, indices, updates):
        check_number(self, "input_x", x)
        check_same_type(self, input_x=x, updates=updates)
        check_shape(self, "updates", updates, block_shape(self, x.shape, indices, check_wide_indices))
        return x

    def compute(self, xp, x, indices, updates):
        return combined_at(xp, x, rows(indices), updates, self.forward(xp))


class TensorScatterUpdate(_TensorScatter):
    """A copy of ``x`` with ``updates`` at rows of indices; the last stays where several go to one place.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats, ints and
    bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterUpdate()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [0]]), ms.Tensor([10.0, 30.0])))
        [30.  2.  3.]
    """

    def infer(self, x, indices, updates):
        check_same_type(self, input_x=x, updates=updates)
        check_shape(self, "updates", updates, block_shape(self, x.shape, indices, check_wide_indices))
        return x

    def compute(self, xp, x, indices, updates):
        return placed_at(xp, x, rows(indices), updates)

    def bprop(self, x, indices, updates, out, dout):
        numbers = counted(updates.shape)
        stays = _gather_nd(self(wrap(backend.xp.zeros(x.shape, int)), indices, numbers), indices) == numbers
        return (
            self(dout, indices, _zeros_like(updates)) if needs_grad(x) else None,
            None,
            _select(stays, _gather_nd(dout, indices), 0) if needs_grad(updates) else None,
        )


class TensorScatterAdd(_TensorScatter):
    """A copy of ``x`` with ``updates`` added at rows of indices.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterAdd()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [0]]), ms.Tensor([10.0, 30.0])))
        [41.  2.  3.]
    """

    def compute(self, xp, x, indices, updates):
        return added_at(xp, x.copy(), rows(indices), updates)

    def bprop(self, x, indices, updates, out, dout):
        return dout, None, (_gather_nd(dout, indices) if needs_grad(updates) else None)


class TensorScatterSub(_TensorScatter):
    """A copy of ``x`` with ``updates`` subtracted at rows of indices.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterSub()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([10.0, 30.0])))
        [ -9.   2. -27.]
    """

    def compute(self, xp, x, indices, updates):
        return added_at(xp, x.copy(), rows(indices), xp.negative(updates))

    def bprop(self, x, indices, updates, out, dout):
        return dout, None, (-_gather_nd(dout, indices) if needs_grad(updates) else None)


class _ScatterChoice(_TensorScatter):
    """Base of the largest and the smallest: the gradient goes in equal parts to those that are equal to it."""

    def bprop(self, x, indices, updates, out, dout):
        own, others = (x == out).astype(dout.dtype), (_gather_nd(out, indices) == updates).astype(dout.dtype)
        share = dout / _scatter_add(own, indices, others)
        return share * own, None, (_gather_nd(share, indices) * others if needs_grad(updates) else None)


class TensorScatterMax(_ScatterChoice):
    """A copy of ``x`` with the larger of the element and the ``updates`` at rows of indices.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterMax()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([2.0, 2.0])))
        [2. 2. 3.]
    """

    def forward(self, xp):
        return xp.maximum


class TensorScatterMin(_ScatterChoice):
    """A copy of ``x`` with the smaller of the element and the ``updates`` at rows of indices.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterMin()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([2.0, 2.0])))
        [1. 2. 2.]
    """

    def forward(self, xp):
        return xp.minimum


class TensorScatterMul(_TensorScatter):
    """A copy of ``x`` multiplied by the ``updates`` at rows of indices.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterMul()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([2.0, 2.0])))
        [2. 2. 6.]
    """

    def forward(self, xp):
        return xp.multiply

    def bprop(self, x, indices, updates, out, dout):
        return (
            self(dout, indices, updates) if needs_grad(x) else None,
            None,
            self.of_updates(x, indices, updates, dout) if needs_grad(updates) else None,
        )

    def of_updates(self, x, indices, updates, dout):
        """``dout * x *`` the other updates of the place: the product but for zeros, where they allow it."""
        zero = updates == 0
        safe, zeros = _select(zero, 1, updates), zero.astype(dout.dtype)
        others = _gather_nd(_scatter_add(_zeros_like(x), indices, zeros), indices) - zeros
        product = _gather_nd(self(dout * x, indices, safe), indices) / safe
        return _select(others == 0, product, 0)


class TensorScatterDiv(_TensorScatter):
    """A copy of ``x`` divided by the ``updates`` at rows of indices; integers are rounded toward zero.

    Shapes: that of x; the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorScatterDiv()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([2.0, 2.0])))
        [0.5 2.  1.5]
    """

    def compute(self, xp, x, indices, updates):
        return divided_at(xp, x, rows(indices), updates)

    def bprop(self, x, indices, updates, out, dout):
        at_updates = -_gather_nd(dout * out, indices) / updates if needs_grad(updates) else None
        return (self(dout, indices, updates) if needs_grad(x) else None), None, at_updates


_scatter_add = TensorScatterAdd()
