"""Functional wrappers that reshape, repeat and gather Tensors."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_choice, check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.operations.array import repeating, reshaping
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.transpose import Transpose
from minispore.ops.operations.gradient_flow import Identity

__all__ = [
    "broadcast_to",
    "expand_dims",
    "flatten",
    "gather",
    "identity_copy",
    "reshape",
    "squeeze",
    "tile",
    "transpose",
]
METHODS = "broadcast_to expand_dims gather squeeze tile"


def reshape(input: Tensor, shape) -> Tensor:
    """The same elements in another shape: ``Reshape()(input, shape)``.

    Shapes: the product of lengths stays; one length may be -1, and is then found. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.reshape(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (3, -1)))
        [[1 2]
         [3 4]
         [5 6]]
    """
    return _reshape(input, shape)


def transpose(input: Tensor, input_perm) -> Tensor:
    """The axes in another order: ``Transpose()(input, input_perm)``.

    Shapes: ``out.shape[i] = input.shape[input_perm[i]]``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``input_perm`` is not an int.
        ValueError: If ``input_perm`` does not name each axis once, or ``input_perm`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.transpose(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)))
        [[1 4]
         [2 5]
         [3 6]]
    """
    return _transpose(input, input_perm)


def expand_dims(input_x: Tensor, axis) -> Tensor:
    """A new axis of length 1: ``ExpandDims()(input_x, axis)``.

    Shapes: a length 1 more, at ``axis``. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.expand_dims(ms.Tensor([1, 2, 3]), 0))
        [[1 2 3]]
        >>> print(ops.expand_dims(ms.Tensor([1, 2]), -1))
        [[1]
         [2]]
    """
    return _expand_dims(input_x, axis)


_reshape, _transpose, _expand_dims = reshaping.Reshape(), Transpose(), reshaping.ExpandDims()
_tile, _gather, _identity, _broadcast_to = (
    repeating.Tile(),
    Gather(),
    Identity(),
    repeating.BroadcastTo(()),
)
_identity.autocast = False  # a copy keeps its dtype in every cell


def squeeze(input: Tensor, axis=None) -> Tensor:
    """Without axes of length 1: ``Squeeze(axis)(input)``.

    Shapes: without the lengths 1; ValueError where an ``axis`` that is named has another. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis`` is not an int, or a tuple or list of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.squeeze(ms.Tensor([[[1], [2]]])))
        [1 2]
    """
    return make(reshaping.Squeeze, tuple(axis) if isinstance(axis, list) else () if axis is None else axis)(input)


def flatten(input: Tensor, order="C", *, start_dim=1, end_dim=-1) -> Tensor:
    """The axes from ``start_dim`` to ``end_dim`` as one; by default all but the first.

    Shapes: (N, *) gives (N, product of the others). Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``start_dim`` or ``end_dim`` is not an int.
        ValueError: If ``order`` is unknown, or ``start_dim`` or ``end_dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.flatten(ms.Tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])))
        [[1 2 3 4]
         [5 6 7 8]]
    """
    check_tensors("flatten", input=input)
    check_choice("flatten", "order", order, ("C", "F"))
    rank = input.ndim
    for name, dim in (("start_dim", start_dim), ("end_dim", end_dim)):
        check_int("flatten", name, dim)
    if rank < 2:
        return input.reshape(-1)
    for name, dim in (("start_dim", start_dim), ("end_dim", end_dim)):
        if not -rank <= dim < rank:
            raise value_error("flatten", f"the '{name}' must be in [-{rank}, {rank})", dim)
    start, end = start_dim % rank, end_dim % rank
    if start > end:
        raise value_error("flatten", "the 'start_dim' must not come after the 'end_dim'", f"{start_dim} and {end_dim}")
    return input.reshape((*input.shape[:start], int(np.prod(input.shape[start : end + 1])), *input.shape[end + 1 :]))


def broadcast_to(input: Tensor, shape) -> Tensor:
    """``input`` stretched to ``shape``: ``BroadcastTo(shape)(input)``.

    Shapes: ``shape``; -1 keeps a length. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``input`` does not broadcast to the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.broadcast_to(ms.Tensor([1, 2]), (3, 2)))
        [[1 2]
         [1 2]
         [1 2]]
    """
    return make(repeating.BroadcastTo, reshaping.as_shape(_broadcast_to, shape))(input)


def tile(input: Tensor, multiples) -> Tensor:
    """``input`` repeated along its axes: ``Tile()(input, multiples)``.

    Shapes: each length times its multiple. Dtypes: any, kept.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``multiples`` is not an int.
        ValueError: If ``multiples`` does not hold an int above 0 for each axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tile(ms.Tensor([[1, 2]]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    return _tile(input, multiples)


def gather(input_params: Tensor, input_indices: Tensor, axis, batch_dims=0) -> Tensor:
    """Elements at indices along an axis: ``Gather(batch_dims)(input_params, input_indices, axis)``.

    The first ``batch_dims`` axes are a batch: input and indices have them in common.

    Shapes: the axis gives way to the shape of the indices. Dtypes: any, kept.

    Raises:
        TypeError: If ``input_params`` or ``input_indices`` is not a Tensor, or ``axis`` or ``batch_dims`` is not an
            int.
        ValueError: If ``input_indices`` is out of range, or ``axis`` or ``batch_dims`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> print(ops.gather(x, ms.Tensor([2, 0]), 1))
        [[3. 1.]
         [6. 4.]]
        >>> print(ops.gather(x, ms.Tensor(1), 0))
        [4. 5. 6.]
    """
    check_tensors("gather", input_params=input_params, input_indices=input_indices)
    if check_int("gather", "batch_dims", batch_dims) == 0:
        return _gather(input_params, input_indices, axis)
    as_axis("gather", axis, input_params.ndim)
    if batch_dims != input_indices.ndim:
        as_axis("gather", batch_dims, input_indices.ndim, "batch_dims")
    return make(Gather, batch_dims)(input_params, input_indices, axis)


def identity_copy(x: Tensor) -> Tensor:
    """Another Tensor of the same values.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1, 2])
        >>> x is ops.identity_copy(x)
        False
        >>> print(ops.identity_copy(x))
        [1 2]
    """
    return _identity(x)
