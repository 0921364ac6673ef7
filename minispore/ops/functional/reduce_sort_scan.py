"""Functional wrappers of sorting, running sums and extremes, counts and masks."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.math_binary import select
from minispore.ops.number_checks import check_no_complex, check_real
from minispore.ops.operations.array import masking, sorting, triangular
from minispore.ops.operations.reduce import cumulative, segment

__all__ = [
    "argsort",
    "bincount",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "histc",
    "intopk",
    "masked_select",
    "nonzero",
    "searchsorted",
    "sequence_mask",
    "sort",
    "top_k",
    "topk",
    "unique",
    "where",
]
METHODS = "argsort bincount cummax cummin cumprod histc masked_select nonzero sort top_k topk"


def sort(input_x: Tensor, axis=-1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along an axis, and their positions: ``Sort(axis, descending)(input_x)``.

    Shapes: any of at least one axis, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, ``descending`` is not a bool, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.sort(ms.Tensor([3.0, 1.0, 2.0])))
        [1. 2. 3.] [1 2 0]
        >>> print(*ops.sort(ms.Tensor([3.0, 1.0, 2.0]), descending=True))
        [3. 2. 1.] [0 2 1]
    """
    return make(sorting.Sort, axis, descending)(input_x)


def argsort(input: Tensor, axis=-1, descending: bool = False) -> Tensor:
    """The positions of the elements in order along an axis, as int32; equal elements may come in any order.

    Shapes: any of at least one axis, kept. Dtypes: floats and ints; the answer is int32; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int, or ``descending`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.argsort(ms.Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    return sort(input, axis, descending)[1]


def top_k(input_x: Tensor, k, sorted: bool = True) -> tuple[Tensor, Tensor]:
    r"""The k largest along the last axis, and their positions: ``TopK(sorted)(input_x, k)``.

    Shapes: (..., n) gives (..., k) twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, ``k`` is not an int, or ``sorted`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.top_k(ms.Tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]]), 2), sep="\n")
        [[3. 2.]
         [6. 5.]]
        [[0 2]
         [1 2]]
    """
    return make(sorting.TopK, sorted)(input_x, k)


def topk(input: Tensor, k, dim=None, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest, or smallest, along an axis (by default the last), and their positions as int32.

    Shapes: ``k`` along the axis, twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor of numbers, or ``k`` or ``dim`` is not an int. Also if ``largest`` or
            ``sorted`` is not a bool.
        ValueError: If ``axis`` or ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.topk(ms.Tensor([3.0, 1.0, 2.0]), 2))
        [3. 2.] [0 2]
        >>> print(*ops.topk(ms.Tensor([3.0, 1.0, 2.0]), 1, largest=False))
        [1.] [1]
    """
    check_tensors("topk", input=input)
    dim = -1 if dim is None else as_axis("topk", dim, input.ndim, "dim")
    check_bool("topk", "largest", largest)
    check_bool("topk", "sorted", sorted)
    if largest and dim in (-1, input.ndim - 1):
        return top_k(input, k, sorted)
    if not largest:
        values, places = sort(input, dim)
        length = values.shape[dim]
        if not 0 < check_int("topk", "k", k) <= length:
            raise value_error("topk", f"the 'k' must be in [1, {length}], the length of the axis", k)
        first = (slice(None),) * (dim % input.ndim) + (slice(0, k),)
        return values[first], places[first]
    values, places = top_k(input.swapaxes(dim, -1), k, sorted)
    return values.swapaxes(dim, -1), places.swapaxes(dim, -1)


def intopk(x1: Tensor, x2: Tensor, k) -> Tensor:
    """True for each row whose class has one of the k largest scores: ``InTopK(k)(x1, x2)``.

    Shapes: (N, classes) and (N,) give (N,). Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` is not a Tensor, or ``k`` is not an int.
        ValueError: If ``x1`` does not have 2 axes, or ``x2`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.intopk(ms.Tensor([[0.1, 0.7, 0.2], [0.6, 0.3, 0.1]]), ms.Tensor([2, 2], ms.int32), 2))
        [ True False]
    """
    return make(sorting.InTopK, k)(x1, x2)


def searchsorted(sorted_sequence: Tensor, values: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """Places of values in ascending rows: ``SearchSorted(dtype, right)(sorted_sequence, values)``.

    Shapes: that of ``values``. Dtypes: floats and ints; the answer is int64; TypeError for bools and complex.

    Raises:
        TypeError: If ``sorted_sequence`` or ``values`` is not a Tensor, ``values`` and ``sorted_sequence`` differ in
            dtype, or ``right`` or ``out_int32`` is not a bool.
        ValueError: If ``sorted_sequence`` has neither one axis nor the leading lengths of ``values``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> row, values = ms.Tensor([1.0, 3.0, 5.0]), ms.Tensor([0.0, 3.0, 9.0])
        >>> print(ops.searchsorted(row, values))
        [0 1 3]
        >>> print(ops.searchsorted(row, values, right=True))  # after an equal one
        [0 2 3]
    """
    check_bool("searchsorted", "out_int32", out_int32)
    return make(sorting.SearchSorted, np.dtype(np.int32 if out_int32 else np.int64), right)(sorted_sequence, values)


def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The distinct elements as they come, and for each element its place among them: ``Unique()(input)``.

    Shapes: (count,), known from the values alone, and that of ``input``. Dtypes: floats, ints and bools, kept;
    TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.unique(ms.Tensor([3, 1, 3, 2])))
        [3 1 2] [0 1 0 2]
    """
    return make(sorting.Unique)(input)


def cumsum(x: Tensor, axis, dtype=None) -> Tensor:
    """Running sum along an axis: ``CumSum()(x, axis)``, of x in another dtype where one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``axis`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cumsum(ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1))
        [[ 1.  3.  6.]
         [ 4.  9. 15.]]
    """
    return make(cumulative.CumSum)(x if dtype is None else cast(x, dtype), axis)


def cumprod(input: Tensor, dim, dtype=None) -> Tensor:
    """Running product along an axis: ``CumProd()(input, dim)``, then in another dtype where one is given.

    Shapes: any, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``dim`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cumprod(ms.Tensor([1.0, 2.0, 3.0, 4.0]), 0))
        [ 1.  2.  6. 24.]
    """
    out = make(cumulative.CumProd)(input, dim)
    return out if dtype is None else cast(out, dtype)


def cummax(input: Tensor, axis) -> tuple[Tensor, Tensor]:
    """Running maximum along an axis and its positions, int64: ``Cummax(axis)(input)``.

    Shapes: any, kept, twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.cummax(ms.Tensor([1.0, 4.0, 2.0, 5.0]), 0))
        [1. 4. 4. 5.] [0 1 1 3]
    """
    return make(cumulative.Cummax, axis)(input)


def cummin(input: Tensor, axis) -> tuple[Tensor, Tensor]:
    """Running minimum along an axis and its positions, int32: ``Cummin(axis)(input)``.

    Shapes: any, kept, twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.cummin(ms.Tensor([5.0, 2.0, 4.0, 1.0]), 0))
        [5. 2. 2. 1.] [0 1 1 3]
    """
    return make(cumulative.Cummin, axis)(input)


def bincount(input: Tensor, weights: Tensor | None = None, minlength=0) -> Tensor:
    """Count of each number from 0 on in a row of ints, or the sum of its weights, as float32.

    Shapes: (N,) gives (largest + 1,), or ``minlength`` if that is more. Dtypes: floats, ints and bools; the answer is
    float32; TypeError for complex.

    Raises:
        TypeError: If an argument is not a Tensor, ``weights`` is not a real number, or ``minlength`` is not an int.
        ValueError: If ``input`` does not have one axis, ``weights`` has a shape that does not fit, or ``minlength`` is
            below 0. Also if a number is below 0 or too large to count up to.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bincount(ms.Tensor([1, 1, 3])))
        [0. 2. 0. 1.]
        >>> print(ops.bincount(ms.Tensor([1, 1, 3]), weights=ms.Tensor([0.5, 0.5, 2.0])))
        [0. 1. 0. 2.]
    """
    check_tensors("bincount", input=input)
    if input.ndim != 1:
        raise value_error("bincount", "the 'input' must have 1 axis", f"shape {input.shape}")
    check_tensors("bincount", weights=input if weights is None else weights)
    check_no_complex("bincount", "weights", weights)
    check_int("bincount", "minlength", minlength, low=0)
    if weights is not None and weights.shape != input.shape:
        raise value_error("bincount", f"the 'weights' must have the shape {input.shape}", weights.shape)
    count = max(int(input.max()) + 1 if input.size else 0, minlength)
    weights = Tensor(np.ones(input.shape, np.float32)) if weights is None else cast(weights, float32)
    return make(segment.UnsortedSegmentSum)(weights, input, count)


def histc(input: Tensor, bins=100, min=0.0, max=0.0) -> Tensor:
    """Number of elements in each of equal intervals from min to max, by default the elements' own; int32.

    Shapes: (bins,). Dtypes: floats and ints; the answer is int32; TypeError for bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``bins`` is not an int, or ``min`` or ``max`` is not a number.
        ValueError: If ``bins`` is out of range, ``min`` or ``max`` is not finite, or ``min`` is not at most ``max``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.histc(ms.Tensor([0.0, 1.0, 1.0, 4.0]), bins=4))
        [1 2 0 1]
    """
    check_tensors("histc", input=input)
    if input.array.dtype == np.bool_:
        raise type_error("histc", "the 'input' must be a Tensor of numbers", input.dtype)
    check_int("histc", "bins", bins, 1, 2**31)
    check_no_complex("histc", "input", input)
    check_real("histc", "min", min), check_real("histc", "max", max)
    if min > max:
        raise value_error("histc", "the 'min' must be at most the 'max'", f"{min} and {max}")
    values = input.asnumpy()
    low, high = (values.min(), values.max()) if min == max and values.size else (float(min), float(max))
    low, high = (low - 1, high + 1) if low == high else (low, high)
    return Tensor(np.histogram(values, bins, (low, high))[0].astype(np.int32))


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is True, as one row: ``MaskedSelect()(input, mask)``.

    Shapes: (count,), known from the values alone. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``input`` or ``mask`` is not a Tensor.
        ValueError: If the shapes of ``input`` and ``mask`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.masked_select(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([True, False, True])))
        [1. 3.]
    """
    return make(masking.MaskedSelect)(input, mask)


def nonzero(input: Tensor) -> Tensor:
    """The indices of the elements other than zero, a row for each: ``NonZero()(input)``.

    Shapes: (count, axes of input), known from the values alone. Dtypes: floats, ints and bools; the answer is int64;
    TypeError for complex.

    Raises:
        TypeError: If ``input`` is not a Tensor.
        ValueError: If ``input`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.nonzero(ms.Tensor([[0, 3], [5, 0]])))
        [[0 1]
         [1 0]]
    """
    return make(masking.NonZero)(input)


def where(condition, x, y) -> Tensor:
    """``x`` where the condition is True, else ``y``; a number follows the Tensor beside it.

    Shapes: those of the three broadcast. Dtypes: floats and ints, kept; bools give int64; TypeError for complex.

    Raises:
        TypeError: If neither ``x`` nor ``y`` is a Tensor, or an input is neither a Tensor nor a number.
        ValueError: If the shapes of ``condition`` and ``x`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([-1.0, 2.0, -3.0])
        >>> print(ops.where(x > 0, x, 0))
        [0. 2. 0.]
    """
    if not isinstance(condition, Tensor):
        raise type_error("where", "the 'condition' must be a Tensor", type(condition).__name__)
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        got = f"{type(x).__name__} and {type(y).__name__}"
        raise type_error("where", "one of 'x' and 'y' must be a Tensor", got)
    return select(condition, x, y)


def sequence_mask(lengths: Tensor, maxlen=None) -> Tensor:
    """Mask of the first elements of rows of several lengths.

    ``out[.., i] = i < lengths[..]`` for i below ``maxlen``, by default the largest of the lengths.

    Shapes: that of ``lengths`` with ``maxlen`` at the end. Dtypes: floats, ints and bools; the answer is bool;
    TypeError for complex.

    Raises:
        TypeError: If ``lengths`` is not a Tensor, or ``maxlen`` is not an int.
        ValueError: If ``maxlen`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.sequence_mask(ms.Tensor([1, 3]), 3))
        [[ True False False]
         [ True  True  True]]
    """
    if not isinstance(lengths, Tensor):
        raise type_error("sequence_mask", "the 'lengths' must be a Tensor", type(lengths).__name__)
    maxlen = int(lengths.max()) if maxlen is None else check_positive_int("sequence_mask", "maxlen", maxlen)
    steps = make(triangular.Range)(0, maxlen, 1)
    return steps < lengths.reshape((*lengths.shape, 1))
