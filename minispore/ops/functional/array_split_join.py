"""Functional wrappers that slice, split, stack and repeat Tensors."""

from __future__ import annotations

import itertools

import numpy as np

from minispore.core.checks import check_int, check_positive_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_pieces import concat, split
from minispore.ops.functional.array_rearrange import atleast_1d, atleast_2d, atleast_3d
from minispore.ops.operations.array import slicing, space_to_depth
from minispore.ops.operations.array.gather import Gather

__all__ = [
    "batch_to_space_nd",
    "cat",
    "chunk",
    "column_stack",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "narrow",
    "repeat_elements",
    "repeat_interleave",
    "reverse_sequence",
    "slice",
    "space_to_batch_nd",
    "strided_slice",
    "tensor_split",
    "unbind",
    "unstack",
    "vsplit",
    "vstack",
]
METHODS = "chunk dsplit hsplit narrow tensor_split unbind vsplit"

_MOST_PIECES = 2**20  # with more pieces than elements, most pieces are empty

_slice, _gather = slicing.Slice(), Gather()


def slice(input_x: Tensor, begin, size) -> Tensor:
    """A block of a Tensor, from the places where it begins and its lengths.

    ``input_x[begin[0] : begin[0] + size[0], ...]``: ``Slice()(input_x, begin, size)``.

    Shapes: ``size``; -1 takes all that is left. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``begin`` or ``size`` is not a tuple or a list of ints.
        ValueError: If ``begin`` and ``size`` do not lie within the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, 2)))
        [[2 3]
         [5 6]]
    """
    return _slice(input_x, begin, size)


def strided_slice(
    input_x: Tensor,
    begin,
    end,
    strides,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
) -> Tensor:
    """A slice of a Tensor with steps.

    ``input_x[begin[0]:end[0]:strides[0], ...]``, where bit i of a mask belongs to position i.

    ``begin_mask`` and ``end_mask`` open a bound, ``ellipsis_mask`` means ``...``, ``new_axis_mask`` a new axis, and
    ``shrink_axis_mask`` the one index ``begin[i]``.

    Shapes: each sliced axis has the number of its chosen elements. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``begin``, ``end`` or ``strides`` is not a tuple of ints. Also if
            an argument is not an int.
        ValueError: If ``begin``, ``end`` and ``strides`` are not of one length, a stride is 0, or a mask is below 0.
            Also if they name more axes than there are. Also if ``ellipsis_mask`` does not have at most one bit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.strided_slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
        [[1 3]
         [4 6]]
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    return make(slicing.StridedSlice, *masks)(input_x, begin, end, strides)


def narrow(input: Tensor, axis, start, length) -> Tensor:
    """``length`` elements along an axis, from ``start`` on.

    Shapes: ``length`` along the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis``, ``start`` or ``length`` is not an int.
        ValueError: If ``start`` and ``length`` do not lie within the shape, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.narrow(ms.Tensor([1, 2, 3, 4]), 0, 1, 2))
        [2 3]
    """
    check_tensors("narrow", input=input)
    axis = as_axis("narrow", axis, input.ndim)
    begin, size = [0] * input.ndim, [-1] * input.ndim
    begin[axis], size[axis] = start, length
    return slice(input, begin, size)


def unstack(input_x: Tensor, axis=0) -> tuple[Tensor, ...]:
    """The Tensors along an axis, as a tuple: ``Unstack(axis)(input_x)``.

    Shapes: without the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.unstack(ms.Tensor([[1, 2], [3, 4]])))
        [1 2] [3 4]
    """
    return make(slicing.Unstack, axis)(input_x)


def unbind(input: Tensor, dim=0) -> tuple[Tensor, ...]:
    """The Tensors along an axis, as a tuple: :func:`unstack`.

    Shapes: without the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``dim`` is not an int.
        ValueError: If ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.unbind(ms.Tensor([[1, 2], [3, 4]]), 1))
        [1 3] [2 4]
    """
    return unstack(input, dim)


def chunk(input: Tensor, chunks, axis=0) -> tuple[Tensor, ...]:
    """``input`` cut along an axis into at most ``chunks`` pieces of one length; the last may be shorter.

    Shapes: as ``input``, but along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``chunks`` or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``chunks`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.chunk(ms.Tensor([1, 2, 3, 4, 5]), 3))
        [1 2] [3 4] [5]
    """
    check_tensors("chunk", input=input)
    check_positive_int("chunk", "chunks", chunks)
    length = input.shape[as_axis("chunk", axis, input.ndim)]
    return split(input, max(-(-length // chunks), 1), axis)


def tensor_split(input: Tensor, indices_or_sections, axis=0) -> tuple[Tensor, ...]:
    """``input`` cut along an axis: into as many pieces as an int says, the first ones longer, or before indices.

    Shapes: as ``input``, but along ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
            Also if ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.tensor_split(ms.Tensor([1, 2, 3, 4, 5]), 2))
        [1 2 3] [4 5]
        >>> print(*ops.tensor_split(ms.Tensor([1, 2, 3, 4, 5]), (1, 3)))
        [1] [2 3] [4 5]
    """
    check_tensors("tensor_split", input=input)
    axis = as_axis("tensor_split", axis, input.ndim)
    length = input.shape[axis]
    if isinstance(indices_or_sections, int):
        sections = check_int("tensor_split", "indices_or_sections", indices_or_sections, 1, _MOST_PIECES)
        short, longer = divmod(length, sections)
        stops = np.cumsum([short + (i < longer) for i in range(sections)]).tolist()
    elif isinstance(indices_or_sections, (list, tuple)) and all(map(is_int, indices_or_sections)):
        stops = [*indices_or_sections, length]
    else:
        expected = "the 'indices_or_sections' must be an int, or a tuple or list of ints"
        raise type_error("tensor_split", expected, shown(indices_or_sections))
    before = (Ellipsis, *(np.s_[:],) * (input.ndim - axis - 1))
    return tuple(input[(before[0], np.s_[start:stop], *before[1:])] for start, stop in itertools.pairwise([0, *stops]))


def _split_along(name, input, sections, axis):
    if input.ndim <= axis:
        raise value_error(name, f"the 'input' must have at least {axis + 1} axes", f"shape {input.shape}")
    return tensor_split(input, sections, axis)


def vsplit(input: Tensor, indices_or_sections) -> tuple[Tensor, ...]:
    r"""``input`` cut along its first axis: :func:`tensor_split`.

    Shapes: at least two axes; as ``input``, but along the first. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``input`` has no axis, or ``indices_or_sections`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.vsplit(ms.Tensor([[1, 2], [3, 4]]), 2), sep="\n")
        [[1 2]]
        [[3 4]]
    """
    check_tensors("vsplit", input=input)
    return _split_along("vsplit", input, indices_or_sections, 0)


def hsplit(input: Tensor, indices_or_sections) -> tuple[Tensor, ...]:
    """``input`` cut along its second axis, or the only one: :func:`tensor_split`.

    Shapes: as ``input``, but along the second axis, of (N,) along the only one. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``input`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.hsplit(ms.Tensor([1, 2, 3, 4]), (1,)))
        [1] [2 3 4]
    """
    check_tensors("hsplit", input=input)
    return _split_along("hsplit", input, indices_or_sections, int(input.ndim > 1))


def dsplit(input: Tensor, indices_or_sections) -> tuple[Tensor, ...]:
    """``input`` cut along its third axis: :func:`tensor_split`.

    Shapes: at least three axes; as ``input``, but along the third. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``indices_or_sections`` is not an int, or a tuple or list of ints.
        ValueError: If ``input`` has fewer than 3 axes, or ``indices_or_sections`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> left, right = ops.dsplit(ms.Tensor([[[1, 2], [3, 4]]]), 2)
        >>> print(left)
        [[[1]
          [3]]]
        >>> print(right)
        [[[2]
          [4]]]
    """
    check_tensors("dsplit", input=input)
    return _split_along("dsplit", input, indices_or_sections, 2)


def _sequence(name, tensors):
    if not isinstance(tensors, (tuple, list)):
        raise type_error(name, "the input must be a tuple or list of Tensors", type(tensors).__name__)
    if not tensors:
        raise type_error(name, "the input must hold at least one Tensor", "none")
    return tensors


def cat(tensors, axis=0) -> Tensor:
    """Tensors joined along an axis: :func:`concat`.

    Shapes: the lengths along ``axis`` are added; the others must be equal. Dtypes: any, kept.

    Raises:
        TypeError: If an element of the input is not a Tensor, or ``axis`` is not an int.
        ValueError: If the input holds no Tensor, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cat((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4]])), axis=1))
        [[1 2 3 4]]
    """
    return concat(tensors, axis)


def hstack(tensors) -> Tensor:
    """Tensors joined along their second axis; one-axis Tensors along that axis.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tensors`` is not a tuple or list of Tensors, or holds none.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hstack((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    rows = atleast_1d(list(_sequence("hstack", tensors)))
    return concat(rows, int(rows[0].ndim > 1))


def vstack(inputs) -> Tensor:
    """Tensors joined along their first axis; one-axis Tensors become rows.

    Dtypes: any, kept.

    Raises:
        TypeError: If the input is not a tuple or list of Tensors, or the input holds no Tensor. Also if ``inputs`` is
            not a Tensor, or a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.vstack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """
    return concat(atleast_2d(list(_sequence("vstack", inputs))), 0)


def dstack(inputs) -> Tensor:
    """Tensors joined along their third axis; Tensors of fewer axes get new ones as in :func:`atleast_3d`.

    Dtypes: any, kept.

    Raises:
        TypeError: If the input is not a tuple or list of Tensors, or the input holds no Tensor. Also if ``inputs`` is
            not a Tensor, or a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dstack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[[1 3]
          [2 4]]]
    """
    return concat(atleast_3d(list(_sequence("dstack", inputs))), 2)


def column_stack(tensors) -> Tensor:
    """Tensors joined along their second axis; one-axis Tensors become columns.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``tensors`` is not a tuple or list of Tensors, or holds none.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.column_stack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 3]
         [2 4]]
    """
    rows = atleast_1d(list(_sequence("column_stack", tensors)))
    return concat([x if x.ndim > 1 else x.reshape((-1, 1)) for x in rows], 1)


def _repeated(name, x, counts, axis):
    axis = as_axis(name, axis, x.ndim)
    length = x.shape[axis]
    counts = counts if isinstance(counts, (tuple, list)) else (counts,) * length
    counts = counts * length if len(counts) == 1 else counts
    if any(is_int(n) and n >= 2**60 for n in counts):
        raise value_error(name, "the 'repeats' must be below 2 ** 60", shown(counts))
    if len(counts) != length or any(not is_int(n) or n < 0 for n in counts):
        raise value_error(name, f"the 'repeats' must be an int of at least 0, or {length} of them", counts)
    return _gather(x, Tensor(np.repeat(np.arange(length), counts)), axis)


def repeat_elements(x: Tensor, rep, axis=0) -> Tensor:
    """Each element ``rep`` times in a row along an axis.

    Shapes: ``rep`` times as long along the axis. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``rep`` or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input, or ``rep`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.repeat_elements(ms.Tensor([[1, 2], [3, 4]]), 2, 1))
        [[1 1 2 2]
         [3 3 4 4]]
    """
    check_tensors("repeat_elements", x=x)
    return _repeated("repeat_elements", x, check_positive_int("repeat_elements", "rep", rep), axis)


def repeat_interleave(input: Tensor, repeats, axis=None) -> Tensor:
    """Each element ``repeats`` times in a row along an axis, or, without one, of all elements in a row.

    A tuple, list or Tensor of ints says how often for each element.

    Shapes: as ``input``, longer along ``axis``; (N,) without one. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``repeats`` is neither an int nor ints, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.repeat_interleave(x, 2))
        [1. 1. 2. 2. 3. 3. 4. 4.]
        >>> print(ops.repeat_interleave(x, ms.Tensor([1, 2]), 0))
        [[1. 2.]
         [3. 4.]
         [3. 4.]]
    """
    check_tensors("repeat_interleave", input=input)
    if isinstance(repeats, Tensor):
        repeats = repeats.tolist()
    if axis is None:
        input, axis = input.reshape((-1,)), 0
    if isinstance(repeats, int):
        return repeat_elements(input, repeats, axis)
    if not isinstance(repeats, (tuple, list)):
        raise type_error("repeat_interleave", "the 'repeats' must be an int, or ints", shown(repeats))
    return _repeated("repeat_interleave", input, repeats, axis)


def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim, batch_dim=0) -> Tensor:
    """The first elements of each sequence in reverse order: ``ReverseSequence(seq_dim, batch_dim)(x, seq_lengths)``.

    Shapes: that of ``x``. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``seq_lengths`` is not a Tensor, or ``seq_dim`` or ``batch_dim`` is not an int.
        ValueError: If ``seq_lengths`` has a shape that does not fit, or ``seq_dim`` or ``batch_dim`` is no axis of the
            input. Also if ``batch_dim`` is the ``seq_dim``.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reverse_sequence(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ms.Tensor([2, 3]), 1))
        [[2. 1. 3.]
         [6. 5. 4.]]
    """
    return make(slicing.ReverseSequence, seq_dim, batch_dim)(x, seq_lengths)


def space_to_batch_nd(input_x: Tensor, block_size, paddings) -> Tensor:
    """The places within blocks as samples: ``SpaceToBatchND(block_size, paddings)(input_x)``.

    Shapes: (N, C, H, W) gives (N * block ** 2, C, H / block, W / block). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor. Also if ``block_size`` does not hold ints above 0, or ``paddings`` as
            many pairs of at least 0.
        ValueError: If ``input_x`` does not have more than 2 axes. Also if ``block_size`` does not hold ints above 0, or
            ``paddings`` as many pairs of at least 0. Also if the padded lengths are not multiples of the
            ``block_size``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]]).ravel())
        [1. 2. 3. 4.]
    """
    return space_to_depth.SpaceToBatchND(block_size, paddings)(input_x)


def batch_to_space_nd(input_x: Tensor, block_shape, crops) -> Tensor:
    """Samples as the places within blocks: ``BatchToSpaceND(block_shape, crops)(input_x)``.

    Shapes: (N, C, H, W) gives (N / block ** 2, C, H * block, W * block). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor. Also if ``block_shape`` does not hold ints above 0, or ``crops`` as
            many pairs of at least 0.
        ValueError: If ``input_x`` does not have more than 2 axes. Also if ``block_shape`` does not hold ints above 0,
            or ``crops`` as many pairs of at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]])
        >>> print(ops.batch_to_space_nd(x, [2, 2], [[0, 0], [0, 0]]))
        [[[[1. 2.]
           [3. 4.]]]]
    """
    return space_to_depth.BatchToSpaceND(block_shape, crops)(input_x)
