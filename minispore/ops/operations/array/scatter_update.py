"""Writing into a Parameter: its rows, or blocks named by rows of indices, replaced or combined with ``updates``.

Each writes its first input, a Parameter or a Tensor, and returns the new values. Gradients pass where MindSpore has
them: through ScatterUpdate, ScatterMax, ScatterMin, ScatterNdUpdate and IndexAdd; asked for through another they are an
error.
"""

from __future__ import annotations

from minispore.core.checks import check_switch
from minispore.core.dtype import FLOATS
from minispore.core.errors import type_error
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor, wrap
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.dtype_promotion import promote
from minispore.ops.kernels.scatter import added_at, combined_at, divided_at, placed_at
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.scatter import (
    TensorScatterMax,
    TensorScatterMin,
    TensorScatterUpdate,
    block_shape,
    check_indices,
    check_wide_indices,
    rows,
)
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type

__all__ = [
    "IndexAdd",
    "ScatterAdd",
    "ScatterDiv",
    "ScatterMax",
    "ScatterMin",
    "ScatterMul",
    "ScatterNdAdd",
    "ScatterNdDiv",
    "ScatterNdMax",
    "ScatterNdMin",
    "ScatterNdMul",
    "ScatterNdSub",
    "ScatterNdUpdate",
    "ScatterSub",
    "ScatterUpdate",
]


_replaces, _largest, _smallest = TensorScatterUpdate(), TensorScatterMax(), TensorScatterMin()


def _is_real(dtype):
    return dtype in FLOATS or dtype.kind in "iu"


class _Writing(Primitive):
    """Base of operations that write their first input; updates of a narrower type, or ints, are widened to its own.

    Args:
        use_locking (bool): Accepted, without effect.
    """

    writes = (0,)

    def __init__(self, use_locking: bool = True) -> None:
        self.add_prim_attr("use_locking", use_locking)

    def adapt(self, x, indices, updates):
        """Widen updates: a marked cell has lowered them, or they are whole numbers."""
        if not isinstance(x, Tensor):
            raise type_error(self.name, "the 'input_x' must be a Parameter or a Tensor", type(x).__name__)
        if isinstance(updates, Tensor) and all(_is_real(t.array.dtype) for t in (x, updates)):
            own = x.array.dtype
            updates = cast(updates, own) if promote(own, updates.array.dtype) == own else updates
        return x, indices, updates

    def infer(self, x, indices, updates):
        check_number(self, "input_x", x)
        check_same_type(self, input_x=x, updates=updates)
        check_shape(self, "updates", updates, self.target(x, indices))
        return (x,)

    def compute(self, xp, x, indices, updates):
        return (self.forward(xp, x, self.key(indices), updates),)

    def bprop(self, x, indices, updates, out, dout):
        """Refuse: a gradient through it is an error."""
        return super().bprop(x, indices, updates, out, dout)


class _AsOnACopy:
    """Mixed into those whose rule is that of ``on_a_copy``, the operation that does the same to a copy of x."""

    def bprop(self, x, indices, updates, out, dout):
        return self.on_a_copy.bprop(x, self.blocks(indices), updates, out, dout)


class _Rows(_Writing):
    """Base of those whose indices count rows: ``x[indices[i..]]`` meets ``updates[i..]``."""

    def target(self, x, indices):
        """The shape that the updates must have."""
        check_wide_indices(self, "indices", indices)
        as_axis(self, 0, len(x.shape))
        return indices.shape + x.shape[1:]

    def key(self, indices):
        """The key of the elements to write."""
        return (indices,)

    def blocks(self, indices):
        """The indices as rows of one index each."""
        return wrap(indices.array[..., None])


class _Blocks(_Writing):
    """Base of those with rows of indices: ``x[indices[i.., 0], indices[i.., 1], ...]`` meets ``updates[i..]``."""

    def target(self, x, indices):
        """The shape that the updates must have."""
        return block_shape(self, x.shape, indices, check_wide_indices)

    def key(self, indices):
        """The key of the elements to write."""
        return rows(indices)

    def blocks(self, indices):
        """The indices as they are."""
        return indices


def _replaced(self, xp, x, key, updates):
    return placed_at(xp, x, key, updates)


def _added(self, xp, x, key, updates):
    return added_at(xp, x.copy(), key, updates)


def _subtracted(self, xp, x, key, updates):
    return added_at(xp, x.copy(), key, xp.negative(updates))


class ScatterUpdate(_AsOnACopy, _Rows):
    """Rows replaced: ``x[indices] = updates``; the last stays where several go to one row.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterUpdate()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 30.]
    """

    forward, on_a_copy = _replaced, _replaces


class ScatterAdd(_Rows):
    """Rows added to: ``x[indices] += updates``.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterAdd()(p, ms.Tensor([0, 0], ms.int32), ms.Tensor([10.0, 30.0])))
        [41.  2.  3.]
    """

    forward = _added


class ScatterSub(_Rows):
    """Rows subtracted from: ``x[indices] -= updates``.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterSub()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([10.0, 30.0])))
        [ -9.   2. -27.]
    """

    forward = _subtracted


class ScatterMul(_Rows):
    """Rows multiplied: ``x[indices] *= updates``.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterMul()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 90.]
    """

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.multiply)


class ScatterDiv(_Rows):
    """Rows divided: ``x[indices] /= updates``; integers are rounded toward zero.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterDiv()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, 2.0])))
        [0.5 2.  1.5]
    """

    def forward(self, xp, x, key, updates):
        return divided_at(xp, x, key, updates)


class ScatterMax(_AsOnACopy, _Rows):
    """Rows replaced by the larger: ``x[indices] = max(x[indices], updates)``.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterMax()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, 2.0])))
        [2. 2. 3.]
    """

    on_a_copy = _largest

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.maximum)


class ScatterMin(_AsOnACopy, _Rows):
    """Rows replaced by the smaller: ``x[indices] = min(x[indices], updates)``.

    Shapes: the updates have ``indices.shape + x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterMin()(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, 2.0])))
        [1. 2. 2.]
    """

    on_a_copy = _smallest

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.minimum)


class ScatterNdUpdate(_AsOnACopy, _Blocks):
    """Elements or blocks at rows of indices replaced by ``updates``.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdUpdate()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 30.]
    """

    forward, on_a_copy = _replaced, _replaces


class ScatterNdAdd(_Blocks):
    """``updates`` added to the elements or blocks at rows of indices.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdAdd()(p, ms.Tensor([[0], [0]], ms.int32), ms.Tensor([10.0, 30.0])))
        [41.  2.  3.]
    """

    forward = _added


class ScatterNdSub(_Blocks):
    """``updates`` subtracted from the elements or blocks at rows of indices.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdSub()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [ -9.   2. -27.]
    """

    forward = _subtracted


class ScatterNdMul(_Blocks):
    """The elements or blocks at rows of indices multiplied by ``updates``.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdMul()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 90.]
    """

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.multiply)


class ScatterNdDiv(_Blocks):
    """The elements or blocks at rows of indices divided by ``updates``; integers are rounded toward zero.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdDiv()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [0.5 2.  1.5]
    """

    def forward(self, xp, x, key, updates):
        return divided_at(xp, x, key, updates)


class ScatterNdMax(_Blocks):
    """The elements or blocks at rows of indices replaced by the larger of them and ``updates``.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdMax()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [2. 2. 3.]
    """

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.maximum)


class ScatterNdMin(_Blocks):
    """The elements or blocks at rows of indices replaced by the smaller of them and ``updates``.

    Shapes: the updates have ``indices.shape[:-1] + x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``use_locking`` is not a bool, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates``
            is not a Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.ScatterNdMin()(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [1. 2. 2.]
    """

    def forward(self, xp, x, key, updates):
        return combined_at(xp, x, key, updates, xp.minimum)


class IndexAdd(_Writing):
    """``y`` added along an axis: ``x[.., indices[i], ..] += y[.., i, ..]``.

    Shapes: that of ``x``; ``y`` is as ``x``, with as many elements along the axis as there are indices. Dtypes: floats
    and ints, kept; TypeError for bools and complex.

    Args:
        axis (int): The axis that the indices count along.
        use_lock (bool): Accepted, without effect. Default: True.
        check_index_bound (bool): Accepted; an index outside is an error on the CPU. Default: True.

    Raises:
        TypeError: If ``axis`` is not an int, ``x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not
            a Tensor.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
        >>> print(ops.IndexAdd(axis=1)(p, ms.Tensor([1], ms.int32), ms.Tensor([[10.0], [10.0]])))
        [[ 1. 12.]
         [ 3. 14.]]
    """

    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> None:
        super().__init__(check_switch(self.name, "use_lock", use_lock))
        check_switch(self.name, "check_index_bound", check_index_bound)
        self.add_prim_attr("axis", axis)

    def target(self, x, indices):
        """The shape that the updates must have."""
        check_indices(self, "indices", indices)
        axis = as_axis(self, self.axis, len(x.shape))
        return x.shape[:axis] + indices.shape + x.shape[axis + 1 :]

    def compute(self, xp, x, indices, y):
        key = (slice(None),) * (self.axis % x.ndim) + (indices,)
        return (added_at(xp, x.copy(), key, y),)

    def bprop(self, x, indices, y, out, dout):
        return dout, None, (_gather(dout, indices, self.axis % x.ndim) if needs_grad(y) else None)


_gather = Gather()
