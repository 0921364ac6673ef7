"""Functions that combine elements: differences, products of sets, choices, runs of equal elements, places."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_positive_int, check_switch
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_manipulation import gather
from minispore.ops.functional.array_pieces import concat, stack
from minispore.ops.functional.array_rearrange import diag, swapaxes
from minispore.ops.functional.math_binary import select
from minispore.ops.functional.nn_resize import pad
from minispore.ops.functional.reduce import reduce_sum
from minispore.ops.functional.reduce_sort_scan import nonzero, sort, unique
from minispore.ops.number_checks import check_no_complex
from minispore.ops.operations.array.runs import UniqueConsecutive
from minispore.ops.operations.nn.padding import MirrorPad

__all__ = [
    "argwhere",
    "cartesian_prod",
    "channel_shuffle",
    "combinations",
    "diagflat",
    "diff",
    "mirror_pad",
    "msort",
    "padding",
    "trapz",
    "unique_consecutive",
    "unique_with_pad",
]
METHODS = "argwhere diagflat diff msort unique_consecutive unique_with_pad"


def argwhere(input: Tensor) -> Tensor:
    """The indices of the elements other than zero, a row for each, int64: ``ops.nonzero``.

    Shapes: (count, axes of input), known from the values alone. Dtypes: floats, ints and bools; the answer is int64;
    TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.argwhere(ms.Tensor([[0, 3], [5, 0]])))
        [[0 1]
         [1 0]]
    """
    return nonzero(input)


def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """Differences along an axis: ``out[i] = x[i + 1] - x[i]``, n times over.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        x (Tensor): Numbers.
        n (int): How often differences are taken, at least 1. Default: 1.
        axis (int): Default: -1.
        prepend (Tensor): What goes before x along the axis. Default: None.
        append (Tensor): What goes behind x along the axis. Default: None.

    Raises:
        TypeError: If x is not a Tensor of numbers, or another argument of a wrong kind.
        ValueError: If n is below 1, there is no such axis, or it has no element.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.diff(ms.Tensor([1, 3, -1, 0, 4])))
        [ 2 -4  1  4]
    """
    check_positive_int("diff", "n", n)
    check_tensors("diff", x=x)
    axis = as_axis("diff", axis, x.ndim)
    for name, more in (("prepend", prepend), ("append", append)):
        if more is not None:
            check_tensors("diff", **{name: more})
            x = concat((more, x) if name == "prepend" else (x, more), axis)
    lead = (slice(None),) * axis
    for _ in range(n):
        if not x.shape[axis]:
            raise value_error("diff", "the 'x' must have an element along the axis", f"shape {x.shape}")
        x = x[(*lead, slice(1, None))] - x[(*lead, slice(None, -1))]
    return x


def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """Integral by trapezoids along an axis: ``out = sum of (y[i] + y[i + 1]) / 2 * (x[i + 1] - x[i])``.

    Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Args:
        y (Tensor): The values; integers are taken as float32.
        x (Tensor): The points: one row for all, or of the shape of y. Default: None, ``dx`` apart.
        dx (float): The distance of points where x is None. Default: 1.0.
        dim (int): The axis. Default: -1.

    Raises:
        TypeError: If y or x is not a Tensor, or ``dx`` not a number.
        ValueError: If there is no such axis, or x does not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.trapz(ms.Tensor([1.0, 2.0, 4.0]), ms.Tensor([0.0, 1.0, 3.0])))
        7.5
    """
    check_tensors("trapz", y=y)
    check_no_complex("trapz", "y", y)
    axis = as_axis("trapz", dim, y.ndim, "dim")
    y = swapaxes(y if y.dtype.is_float else cast(y, float32), axis, -1)
    steps = dx
    if x is not None:
        check_tensors("trapz", x=x)
        check_no_complex("trapz", "x", x)
        x = x if x.dtype.is_float else cast(x, float32)
        steps = diff(x if x.ndim == 1 else swapaxes(x, axis, -1))
        if steps.shape[-1] != y.shape[-1] - 1:
            raise value_error("trapz", f"the 'x' must have {y.shape[-1]} points", x.shape)
    elif isinstance(dx, bool) or not isinstance(dx, (int, float)):
        raise type_error("trapz", "the 'dx' must be a number", shown(dx))
    return swapaxes(reduce_sum((y[..., 1:] + y[..., :-1]) * 0.5 * steps, -1, True), axis, -1).squeeze(axis)


def cartesian_prod(*inputs) -> Tensor:
    """Every combination of an element of each of some vectors, a row for each, the last element the fastest.

    Shapes: K rows (N,), (M,), ... give (N * M * ..., K); one row is kept. Dtypes: any, kept.

    Raises:
        TypeError: If an input is not a Tensor, or the dtypes differ.
        ValueError: If there is no input, or one has not one axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.cartesian_prod(ms.Tensor([1, 2]), ms.Tensor([5, 6])))
        [[1 5]
         [1 6]
         [2 5]
         [2 6]]
    """
    if not inputs:
        raise value_error("cartesian_prod", "there must be at least one input", "none")
    check_tensors("cartesian_prod", **{f"inputs[{i}]": x for i, x in enumerate(inputs)})
    for x in inputs:
        if x.ndim != 1:
            raise value_error("cartesian_prod", "the inputs must have one axis", f"shape {x.shape}")
    places = np.indices([x.size for x in inputs]).reshape(len(inputs), -1)
    columns = [gather(x, Tensor(at), 0) for x, at in zip(inputs, places, strict=True)]
    return columns[0] if len(columns) == 1 else stack(columns, -1)


def combinations(x: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Every choice of ``r`` elements of a vector, in their order, a row for each.

    Dtypes: any, kept.

    Args:
        x (Tensor): One axis.
        r (int): How many are chosen, at least 0. Default: 2.
        with_replacement (bool): If True, an element may be chosen again. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If x has not one axis, or ``r`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.combinations(ms.Tensor([1, 3, -1])))
        [[ 1  3]
         [ 1 -1]
         [ 3 -1]]
    """
    check_int("combinations", "r", r, 0)
    check_tensors("combinations", x=x)
    if x.ndim != 1:
        raise value_error("combinations", "the 'x' must have one axis", f"shape {x.shape}")
    choose = itertools.combinations
    if check_switch("combinations", "with_replacement", with_replacement):
        choose = itertools.combinations_with_replacement
    places = np.array(list(choose(range(x.size), r)), np.int64).reshape(-1, r)
    return gather(x, Tensor(places), 0)


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """The matrix with the elements of a Tensor on a diagonal, ``offset`` places right of the main one.

    Shapes: any of N elements gives (N + abs(offset), N + abs(offset)).

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If the input is not a Tensor, or the offset not an int.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.diagflat(ms.Tensor([1, 2]), 1))
        [[0 1 0]
         [0 0 2]
         [0 0 0]]
    """
    check_tensors("diagflat", input=input)
    right = check_int("diagflat", "offset", offset)
    below, beside = max(-right, 0), max(right, 0)
    return pad(diag(input.reshape((-1,))), (beside, below, below, beside))


def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    """The channels of ``(N, C, ...)`` in turns from each of some groups: the i-th of every group, then the next.

    Any dtype is taken and kept.

    Args:
        x (Tensor): At least 3 axes.
        groups (int): The number of groups; it divides C.

    Raises:
        TypeError: If x is not a Tensor or ``groups`` not an int.
        ValueError: If x has too few axes, or ``groups`` is below 1 or does not divide C.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.channel_shuffle(ms.ops.arange(4).reshape((1, 4, 1)), 2).ravel())
        [0 2 1 3]
    """
    check_positive_int("channel_shuffle", "groups", groups)
    check_tensors("channel_shuffle", x=x)
    if x.ndim < 3 or x.shape[1] % groups:
        expected = f"the 'x' must have at least 3 axes, and channels that {groups}, 'groups', divides"
        raise value_error("channel_shuffle", expected, f"shape {x.shape}")
    n, channels, *rest = x.shape
    return x.reshape((n, groups, channels // groups, *rest)).swapaxes(1, 2).reshape(x.shape)


def mirror_pad(input_x: Tensor, paddings: Tensor, mode) -> Tensor:
    """Padding by the mirror image, a pair of lengths for each axis: ``MirrorPad(mode)(input_x, paddings)``.

    Shapes: each length grows by its pair of ``paddings``. Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``input_x`` or ``paddings`` is not a Tensor, or ``mode`` is not a str or an int.
        ValueError: If ``paddings`` has a shape that does not fit, or the padding does not fit into the shape. Also if
            ``mode`` is not "REFLECT" or "SYMMETRIC".

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> pairs = ms.Tensor([[0, 0], [1, 2]])
        >>> print(ops.mirror_pad(ms.Tensor([[1.0, 2.0, 3.0]]), pairs, "REFLECT"))  # the border is not repeated
        [[2. 1. 2. 3. 2. 1.]]
        >>> print(ops.mirror_pad(ms.Tensor([[1.0, 2.0, 3.0]]), pairs, "SYMMETRIC"))  # it is
        [[1. 1. 2. 3. 3. 2.]]
    """
    return make(MirrorPad, mode)(input_x, paddings)


def msort(input: Tensor) -> Tensor:
    """The elements in ascending order along the first axis: ``ops.sort(input, 0)[0]``.

    Shapes: any of at least one axis, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.msort(ms.Tensor([[3, 1], [2, 4], [1, 2]])))
        [[1 1]
         [2 2]
         [3 4]]
    """
    return sort(input, 0)[0]


def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """The last axis, of length 1, filled up with zeros to ``pad_dim_size``.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        x (Tensor): At least 2 axes, the last of length 1.
        pad_dim_size (int): At least 1. Default: 8.

    Raises:
        TypeError: If x is not a Tensor or the size not an int.
        ValueError: If the shape of x is another, or the size is below 1.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.padding(ms.Tensor([[8.0], [10.0]]), 3))
        [[ 8.  0.  0.]
         [10.  0.  0.]]
    """
    check_positive_int("padding", "pad_dim_size", pad_dim_size)
    check_tensors("padding", x=x)
    if x.ndim < 2 or x.shape[-1] != 1:
        raise value_error("padding", "the 'x' must have at least 2 axes, the last of length 1", f"shape {x.shape}")
    return pad(x, (0, pad_dim_size - 1))


def unique_consecutive(input, return_idx: bool = False, return_counts: bool = False, axis: int | None = None) -> Any:
    """The first of each run of equal elements, or of equal slices along an axis.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        input (Tensor): Any shape.
        return_idx (bool): If True, the number of the run of each element or slice too, int32. Default: False.
        return_counts (bool): If True, the length of each run too, int32. Default: False.
        axis (int): The axis. Default: None, all elements as one row.

    Returns:
        Tensor, or a tuple of up to three of them.

    Raises:
        TypeError: If the input is not a Tensor, a flag not a bool or the axis not an int.
        ValueError: If there is no such axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.unique_consecutive(ms.Tensor([1, 1, 2, 2, 3, 1])))
        [1 2 3 1]
    """
    out, runs, counts = make(UniqueConsecutive, return_idx, return_counts, axis)(input)
    found = (out, *((runs,) if return_idx else ()), *((counts,) if return_counts else ()))
    return found if len(found) > 1 else out


def unique_with_pad(x: Tensor, pad_num: int) -> tuple[Tensor, Tensor]:
    """The distinct elements as they come, filled up with ``pad_num`` to the length of x, and each element's place.

    Dtypes: floats and ints, kept; bools give int64; TypeError for complex.

    Args:
        x (Tensor): One axis.
        pad_num (int): A number, or a 0-d Tensor of the dtype of x.

    Raises:
        TypeError: If x is not a Tensor.
        ValueError: If x has not one axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.unique_with_pad(ms.Tensor([5, 1, 5]), 0)[0])
        [5 1 0]
    """
    check_tensors("unique_with_pad", x=x)
    if x.ndim != 1:
        raise value_error("unique_with_pad", "the 'x' must have one axis", f"shape {x.shape}")
    distinct, place = unique(x)
    rest = x.size - distinct.size
    filled = Tensor(np.arange(x.size) >= distinct.size)
    return select(filled, pad_num, pad(distinct, (0, rest))), place
