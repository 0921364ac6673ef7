"""Functional wrappers that gather from and scatter to indices, and reduce segments."""

from __future__ import annotations

from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_manipulation import identity_copy
from minispore.ops.number_checks import check_number
from minispore.ops.operations.array import gather, row_update
from minispore.ops.operations.array import scatter as at_rows
from minispore.ops.operations.array import scatter_update as updates_of
from minispore.ops.operations.reduce import segment

__all__ = [
    "gather_d",
    "gather_elements",
    "gather_nd",
    "index_add",
    "index_fill",
    "index_select",
    "inplace_add",
    "inplace_index_add",
    "inplace_sub",
    "inplace_update",
    "scatter",
    "scatter_add",
    "scatter_div",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "scatter_nd",
    "scatter_nd_add",
    "scatter_nd_div",
    "scatter_nd_max",
    "scatter_nd_min",
    "scatter_nd_mul",
    "scatter_nd_sub",
    "scatter_nd_update",
    "scatter_update",
    "sparse_segment_mean",
    "tensor_scatter_add",
    "tensor_scatter_div",
    "tensor_scatter_elements",
    "tensor_scatter_max",
    "tensor_scatter_min",
    "tensor_scatter_mul",
    "tensor_scatter_sub",
    "tensor_scatter_update",
    "unsorted_segment_max",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sum",
]
METHODS = """
    gather_elements gather_nd index_fill index_select scatter unsorted_segment_max unsorted_segment_min
    unsorted_segment_prod
"""


def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Elements or blocks at rows of indices: ``GatherNd()(input_x, indices)``.

    Shapes: ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``. Dtypes: floats, ints and bools, kept; TypeError
    for complex.

    Raises:
        TypeError: If ``input_x`` or ``indices`` is not a Tensor.
        ValueError: If ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.gather_nd(x, ms.Tensor([[0, 1], [1, 0]])))  # elements
        [2. 3.]
        >>> print(ops.gather_nd(x, ms.Tensor([[1]])))  # rows
        [[3. 4.]]
    """
    return make(at_rows.GatherNd)(input_x, indices)


def scatter_nd(indices: Tensor, updates: Tensor, shape) -> Tensor:
    """Zeros with updates added at rows of indices: ``ScatterNd()(indices, updates, shape)``.

    Shapes: ``shape``. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``indices`` or ``updates`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit. Also
            if ``shape`` does not hold ints above 0.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.scatter_nd(ms.Tensor([[1], [3], [1]]), ms.Tensor([10.0, 20.0, 5.0]), (5,)))  # what meets is added
        [ 0. 15.  0. 20.  0.]
    """
    return make(at_rows.ScatterNd)(indices, updates, shape)


def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` with updates put at rows of indices: ``TensorScatterUpdate()(...)``.

    Shapes: that of ``input_x``; the updates have the shape ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.
    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_update(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([10.0, 30.0])))
        [10.  2. 30.]
    """
    return make(at_rows.TensorScatterUpdate)(input_x, indices, updates)


def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` with updates added at rows of indices: ``TensorScatterAdd()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1.0, 2.0, 3.0])
        >>> print(ops.tensor_scatter_add(x, ms.Tensor([[0], [0]]), ms.Tensor([10.0, 30.0])))  # both are added
        [41.  2.  3.]
    """
    return make(at_rows.TensorScatterAdd)(input_x, indices, updates)


def tensor_scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` with updates subtracted at rows of indices: ``TensorScatterSub()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_sub(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([10.0, 30.0])))
        [ -9.   2. -27.]
    """
    return make(at_rows.TensorScatterSub)(input_x, indices, updates)


def tensor_scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` with the larger of element and update at rows of indices: ``TensorScatterMax()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_max(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([5.0, -5.0])))
        [5. 2. 3.]
    """
    return make(at_rows.TensorScatterMax)(input_x, indices, updates)


def tensor_scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` with the smaller of element and update at rows of indices: ``TensorScatterMin()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_min(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([5.0, -5.0])))
        [ 1.  2. -5.]
    """
    return make(at_rows.TensorScatterMin)(input_x, indices, updates)


def tensor_scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` multiplied at rows of indices: ``TensorScatterMul()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_mul(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([5.0, -5.0])))
        [  5.   2. -15.]
    """
    return make(at_rows.TensorScatterMul)(input_x, indices, updates)


def tensor_scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of ``input_x`` divided at rows of indices: ``TensorScatterDiv()(...)``.

    Shapes: as in :func:`tensor_scatter_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, or ``updates`` and ``input_x`` differ in
            dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tensor_scatter_div(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[0], [2]]), ms.Tensor([2.0, -2.0])))
        [ 0.5  2.  -1.5]
    """
    return make(at_rows.TensorScatterDiv)(input_x, indices, updates)


def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter replaced: ``ScatterUpdate()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
        >>> print(ops.scatter_update(p, ms.Tensor([1], ms.int32), ms.Tensor([[30.0, 40.0]])))
        [[ 1.  2.]
         [30. 40.]]
        >>> print(p.value()[1])  # the Parameter itself has changed
        [30. 40.]
    """
    return make(updates_of.ScatterUpdate)(input_x, indices, updates)


def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter added to: ``ScatterAdd()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_add(p, ms.Tensor([0, 0, 2], ms.int32), ms.Tensor([10.0, 10.0, 10.0])))  # row 0 twice
        [21.  2. 13.]
    """
    return make(updates_of.ScatterAdd)(input_x, indices, updates)


def scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter replaced by the larger of row and update: ``ScatterMax()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_max(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, 2.0])))
        [2. 2. 3.]
    """
    return make(updates_of.ScatterMax)(input_x, indices, updates)


def scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter replaced by the smaller of row and update: ``ScatterMin()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_min(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, 2.0])))
        [1. 2. 2.]
    """
    return make(updates_of.ScatterMin)(input_x, indices, updates)


def scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter multiplied: ``ScatterMul()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_mul(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, -2.0])))
        [ 2.  2. -6.]
    """
    return make(updates_of.ScatterMul)(input_x, indices, updates)


def scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Rows of a Parameter divided: ``ScatterDiv()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape + input_x.shape[1:]``. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_div(p, ms.Tensor([0, 2], ms.int32), ms.Tensor([2.0, -2.0])))
        [ 0.5  2.  -1.5]
    """
    return make(updates_of.ScatterDiv)(input_x, indices, updates)


def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments) -> Tensor:
    """Sum of each segment: ``UnsortedSegmentSum()(input_x, segment_ids, num_segments)``.

    Shapes: ``(num_segments,)`` and the axes that ``segment_ids`` has not. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``input_x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``input_x``, or ``num_segments`` is
            out of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, segments = ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32)
        >>> print(ops.unsorted_segment_sum(x, segments, 3))  # none in segment 2
        [4. 6. 0.]
    """
    return make(segment.UnsortedSegmentSum)(input_x, segment_ids, num_segments)


def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    """Mean of the rows ``x[indices]`` of each segment; 0 for an empty one.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        x (Tensor): Floating, at least 1 axis.
        indices (Tensor): A row of ints.
        segment_ids (Tensor): The segment of each index, ints in ascending order from 0; the last says how many.

    Raises:
        TypeError: If an input is of a wrong kind.
        ValueError: If the indices and segments are not rows of one length, or the segments do not ascend.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0]])
        >>> print(ms.ops.sparse_segment_mean(x, ms.Tensor([0, 1, 2]), ms.Tensor([0, 0, 1])))
        [[1. 3.]
         [4. 9.]]
    """
    check_tensors("sparse_segment_mean", x=x, indices=indices, segment_ids=segment_ids)
    numbers = segment_ids.tolist() if segment_ids.ndim == 1 else []
    if not numbers or indices.shape != segment_ids.shape or numbers != sorted(numbers):
        expected = "the 'segment_ids' must be a row of ints in ascending order, one for each of 'indices'"
        raise value_error("sparse_segment_mean", expected, f"{segment_ids.shape} for {indices.shape}")
    counts = unsorted_segment_sum(segment_ids * 0 + 1, segment_ids, numbers[-1] + 1).maximum(1)
    total = unsorted_segment_sum(make(gather.Gather)(x, indices, 0), segment_ids, numbers[-1] + 1)
    return total / counts.reshape((-1,) + (1,) * (x.ndim - 1)).astype(x.dtype)


def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments) -> Tensor:
    """Largest of each segment: ``UnsortedSegmentMax()(x, segment_ids, num_segments)``.

    Shapes: ``(num_segments,)`` and the axes that ``segment_ids`` has not. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.unsorted_segment_max(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [3. 4.]
    """
    return make(segment.UnsortedSegmentMax)(x, segment_ids, num_segments)


def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments) -> Tensor:
    """Smallest of each segment: ``UnsortedSegmentMin()(x, segment_ids, num_segments)``.

    Shapes: ``(num_segments,)`` and the axes that ``segment_ids`` has not. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.unsorted_segment_min(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [1. 2.]
    """
    return make(segment.UnsortedSegmentMin)(x, segment_ids, num_segments)


def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments) -> Tensor:
    """Product of each segment: ``UnsortedSegmentProd()(x, segment_ids, num_segments)``.

    Shapes: ``(num_segments,)`` and the axes that ``segment_ids`` has not. Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.unsorted_segment_prod(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [3. 8.]
    """
    return make(segment.UnsortedSegmentProd)(x, segment_ids, num_segments)


def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Elements or blocks of a Parameter replaced: ``ScatterNdUpdate()(input_x, indices, updates)``.

    Shapes: the updates have ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_update(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 30.]
    """
    return make(updates_of.ScatterNdUpdate)(input_x, indices, updates)


def scatter_nd_add(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter added to: ``ScatterNdAdd()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_add(p, ms.Tensor([[0], [0]], ms.int32), ms.Tensor([10.0, 30.0])))  # both are added
        [41.  2.  3.]
    """
    return make(updates_of.ScatterNdAdd, use_locking)(input_x, indices, updates)


def scatter_nd_sub(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter subtracted from: ``ScatterNdSub()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_sub(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [ -9.   2. -27.]
    """
    return make(updates_of.ScatterNdSub, use_locking)(input_x, indices, updates)


def scatter_nd_mul(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter multiplied: ``ScatterNdMul()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_mul(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([10.0, 30.0])))
        [10.  2. 90.]
    """
    return make(updates_of.ScatterNdMul, use_locking)(input_x, indices, updates)


def scatter_nd_div(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter divided: ``ScatterNdDiv()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_div(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [0.5 2.  1.5]
    """
    return make(updates_of.ScatterNdDiv, use_locking)(input_x, indices, updates)


def scatter_nd_max(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter replaced by the larger: ``ScatterNdMax()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_max(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [2. 2. 3.]
    """
    return make(updates_of.ScatterNdMax, use_locking)(input_x, indices, updates)


def scatter_nd_min(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Elements or blocks of a Parameter replaced by the smaller: ``ScatterNdMin()(input_x, indices, updates)``.

    Shapes: as in :func:`scatter_nd_update`. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``input_x`` differ in dtype, or ``use_locking`` is not a bool.
        ValueError: If ``updates`` has a shape that does not fit, or ``indices`` has a last axis that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
        >>> print(ops.scatter_nd_min(p, ms.Tensor([[0], [2]], ms.int32), ms.Tensor([2.0, 2.0])))
        [1. 2. 2.]
    """
    return make(updates_of.ScatterNdMin, use_locking)(input_x, indices, updates)


def gather_d(x: Tensor, dim, index: Tensor) -> Tensor:
    """Elements along an axis, each named by itself: ``GatherD()(x, dim, index)``.

    ``out[i, j] = x[index[i, j], j]`` for ``dim`` 0, ``x[i, index[i, j]]`` for ``dim`` 1.

    Shapes: that of ``index``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` or ``index`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``index`` has other axes than ``x``, or is longer than it beside the axis. Also if ``dim`` is no
            axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.gather_d(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, ms.Tensor([[0, 0], [1, 0]])))
        [[1. 1.]
         [4. 3.]]
    """
    return make(gather.GatherD)(x, dim, index)


def gather_elements(input: Tensor, dim, index: Tensor) -> Tensor:
    """Elements along an axis, each named by itself: :func:`gather_d`.

    Shapes: that of ``index``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` or ``index`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``index`` has other axes than ``input``, or is longer than it beside the axis. Also if ``dim`` is
            no axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.gather_elements(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 0, ms.Tensor([[0, 1], [1, 0]])))
        [[1. 4.]
         [3. 2.]]
    """
    return gather_d(input, dim, index)


def tensor_scatter_elements(input_x: Tensor, indices: Tensor, updates: Tensor, axis=0, reduction="none") -> Tensor:
    """A copy with updates at elements named along an axis: ``TensorScatterElements(axis, reduction)(...)``.

    Shapes: that of ``input_x``; indices and updates are of one shape. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``input_x``, ``indices`` or ``updates`` is not a Tensor, ``updates`` and ``input_x`` differ in
            dtype, or ``axis`` is not an int. Also if ``reduction`` is not a str.
        ValueError: If ``indices`` has another number of axes than ``input_x``, or is longer than it beside the axis.
            Also if ``axis`` is no axis of the input, or ``updates`` has a shape that does not fit. Also if
            ``reduction`` is not "none" or "add".
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, places, updates = ms.Tensor([[1.0, 2.0], [4.0, 5.0]]), ms.Tensor([[0], [1]]), ms.Tensor([[10.0], [50.0]])
        >>> print(ops.tensor_scatter_elements(x, places, updates, axis=1))
        [[10.  2.]
         [ 4. 50.]]
        >>> print(ops.tensor_scatter_elements(x, places, updates, axis=1, reduction="add"))
        [[11.  2.]
         [ 4. 55.]]
    """
    return make(gather.TensorScatterElements, axis, reduction)(input_x, indices, updates)


def scatter(input: Tensor, axis, index: Tensor, src: Tensor) -> Tensor:
    """A copy with ``src`` at elements named along an axis: :func:`tensor_scatter_elements`.

    Shapes: that of ``input``; index and ``src`` are of one shape. Dtypes: floats, ints and complex, kept; TypeError for
    bools.

    Raises:
        TypeError: If ``input``, ``index`` or ``src`` is not a Tensor, ``src`` and ``input`` differ in dtype, or
            ``axis`` is not an int.
        ValueError: If ``index`` has another number of axes than ``input``, or is longer than it beside the axis. Also
            if ``axis`` is no axis of the input, or ``src`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.scatter(ms.Tensor([[1.0, 2.0, 3.0]]), 1, ms.Tensor([[2, 0]]), ms.Tensor([[30.0, 10.0]])))
        [[10.  2. 30.]]
    """
    return tensor_scatter_elements(input, index, src, axis)


def index_add(
    x: Tensor, indices: Tensor, y: Tensor, axis, use_lock: bool = True, check_index_bound: bool = True
) -> Tensor:
    """``y`` added to a Parameter along an axis: ``IndexAdd(axis)(x, indices, y)``.

    Shapes: ``y`` is as long as ``indices`` along the axis, and as x along the others. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` is not a Parameter or a Tensor, or ``indices`` or ``y`` is not a Tensor. Also if ``y`` and
            ``x`` differ in dtype, or ``axis`` is not an int.
        ValueError: If ``y`` has a shape that does not fit, or ``axis`` is no axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
        >>> print(ops.index_add(p, ms.Tensor([1], ms.int32), ms.Tensor([[10.0], [10.0]]), 1))
        [[ 1. 12.]
         [ 3. 14.]]
    """
    return make(updates_of.IndexAdd, axis, use_lock, check_index_bound)(x, indices, y)


def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis) -> Tensor:
    """``updates`` added to a Parameter along an axis: ``IndexAdd(axis)(var, indices, updates)``.

    Shapes: ``updates`` is as long as ``indices`` along the axis, and as ``var`` along the others. Dtypes: floats and
    ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``var`` is not a Parameter or a Tensor, or ``indices`` or ``updates`` is not a Tensor. Also if
            ``updates`` and ``var`` differ in dtype, or ``axis`` is not an int.
        ValueError: If ``updates`` has a shape that does not fit, or ``axis`` is no axis of the input.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
        >>> print(ops.inplace_index_add(p, ms.Tensor([0], ms.int32), ms.Tensor([[10.0, 10.0]]), 0))
        [[11. 12.]
         [ 3.  4.]]
    """
    return make(updates_of.IndexAdd, axis)(var, indices, updates)


def index_select(input: Tensor, axis, index: Tensor) -> Tensor:
    """Blocks of ``input`` along an axis, at a row of indices: ``Gather()(input, index, axis)``.

    Negative indices count from the end.

    Shapes: as ``input``, but as long as ``index``, a row, along the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` and ``index`` are not Tensors, ``axis`` is not an int, or ``index`` does not hold ints.
        ValueError: If an index is out of range, ``axis`` is no axis of the input, or ``index`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.index_select(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1, ms.Tensor([2, 0])))
        [[3. 1.]
         [6. 4.]]
    """
    if not isinstance(input, Tensor) or not isinstance(index, Tensor):
        raise type_error("index_select", "the 'input' and 'index' must be Tensors", type(index).__name__)
    if index.ndim != 1:
        raise value_error("index_select", "the 'index' must have 1 axis", f"shape {index.shape}")
    return make(gather.Gather)(input, index, axis)


def index_fill(x: Tensor, axis, index, value) -> Tensor:
    """A copy of ``x`` with a number, or a 0-d Tensor, at a row of indices along an axis.

    Shapes: that of ``x``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int. Also if ``index`` is not an int or a Tensor of
            at most 1 axis, or ``value`` is not a number.
        ValueError: If ``axis`` is no axis of the input, or the mask does not have the shape that it needs.
        IndexError: If a Tensor that indexes does not hold ints or bools, or an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.index_fill(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, ms.Tensor([0], ms.int32), 9.0))
        [[9. 2.]
         [9. 4.]]
    """
    if not isinstance(index, (int, Tensor)) or (isinstance(index, Tensor) and index.ndim > 1):
        raise type_error("index_fill", "the 'index' must be an int or a Tensor of at most 1 axis", shown(index))
    if not isinstance(value, (bool, Tensor)):
        check_number("index_fill", "value", value)
    out = identity_copy(x)
    out[(slice(None),) * as_axis("index_fill", axis, x.ndim) + (index,)] = value
    return out


def inplace_add(x: Tensor, v: Tensor, indices) -> Tensor:
    """Rows ``v`` added to the rows at ``indices`` of a copy of x: ``InplaceAdd(indices)(x, v)``.

    Shapes: that of ``x``; ``v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``x`` or ``v`` is not a Tensor, or ``v`` and ``x`` differ in dtype. Also if ``indices`` is not an
            int or a tuple of ints.
        ValueError: If ``v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inplace_add(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]]), 1))
        [[ 1.  2.]
         [13. 14.]]
    """
    return make(row_update.InplaceAdd, indices)(x, v)


def inplace_sub(x: Tensor, v: Tensor, indices) -> Tensor:
    """Rows ``v`` subtracted from the rows at ``indices`` of a copy of x: ``InplaceSub(indices)(x, v)``.

    Shapes: that of ``x``; ``v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``x`` or ``v`` is not a Tensor, or ``v`` and ``x`` differ in dtype. Also if ``indices`` is not an
            int or a tuple of ints.
        ValueError: If ``v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inplace_sub(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]]), (0,)))
        [[-9. -8.]
         [ 3.  4.]]
    """
    return make(row_update.InplaceSub, indices)(x, v)


def inplace_update(x: Tensor, v: Tensor, indices) -> Tensor:
    """Rows ``v`` at ``indices`` put into a copy of x: ``InplaceUpdate(indices)(x, v)``.

    Shapes: that of ``x``; ``v`` is as long as ``indices``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``x`` or ``v`` is not a Tensor, or ``v`` and ``x`` differ in dtype. Also if ``indices`` is not an
            int, a tuple of ints or a Tensor of ints with one axis.
        ValueError: If ``v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.inplace_update(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[10.0, 10.0]]), (0,)))
        [[10. 10.]
         [ 3.  4.]]
    """
    rows = tuple(indices.tolist()) if isinstance(indices, Tensor) and indices.ndim == 1 else indices
    return make(row_update.InplaceUpdate, rows)(x, v)
