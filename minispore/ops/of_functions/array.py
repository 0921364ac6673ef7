"""Primitives of functions on arrays: windows, segments, places, layouts, sparse matrices, padding."""

from __future__ import annotations

import itertools

import numpy as np

from minispore.core.checks import check_choice, check_int, check_positive_int
from minispore.core.dtype import as_dtype, float32, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_python_float
from minispore.ops.of_functions.base import OfFunction, as_ints

__all__ = [
    "BartlettWindow",
    "Bincount",
    "BlackmanWindow",
    "Bucketize",
    "ChannelShuffle",
    "Coalesce",
    "CompareAndBitpack",
    "DataFormatDimMap",
    "DataFormatVecPermute",
    "Expand",
    "FillV2",
    "HammingWindow",
    "Histogram",
    "IdentityN",
    "IndexFill",
    "IndexPut",
    "InplaceIndexAdd",
    "InplaceUpdateV2",
    "InvertPermutation",
    "LogSpace",
    "LowerBound",
    "MapUniform",
    "PadV3",
    "Padding",
    "ParallelConcat",
    "ScatterAddWithAxis",
    "SegmentMax",
    "SegmentMean",
    "SegmentMin",
    "SegmentProd",
    "SegmentSum",
    "SparseTensorDenseAdd",
    "SparseToDense",
    "SubAndFilter",
    "TrilIndices",
    "TriuIndices",
    "UniqueWithPad",
    "UnravelIndex",
    "UpperBound",
]


# Windows and other constants


class _Window(OfFunction):
    """Base of windows of a length that is a Tensor."""

    tensors = 0

    def __init__(self, periodic: bool = True, dtype=float32) -> None:
        self._keep(periodic=periodic, dtype=as_dtype(dtype, self.name))


class BartlettWindow(_Window):
    """Window of a triangle: ``BartlettWindow(periodic, dtype)(length)``, which is ``ops.bartlett_window``.

    Shapes: a length () gives (length,).

    Raises:
        TypeError: If ``periodic`` is not a bool, ``dtype`` is not a dtype, or ``length`` is not an int.
        ValueError: If ``length`` is not one int, or is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BartlettWindow(periodic=False)(ms.Tensor(5)))
        [0.  0.5 1.  0.5 0. ]
    """

    function = staticmethod(F.bartlett_window)


class BlackmanWindow(_Window):
    """Window of Blackman: ``BlackmanWindow(periodic, dtype)(length)``, which is ``ops.blackman_window``.

    ``0.42 - 0.5 cos(2 pi n / M) + 0.08 cos(4 pi n / M)``, with M the length, or length - 1 if it is not periodic.

    Shapes: a length () gives (length,).

    Raises:
        TypeError: If ``periodic`` is not a bool, ``dtype`` is not a dtype, or ``length`` is not an int.
        ValueError: If ``length`` is not one int, or is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BlackmanWindow(periodic=False)(ms.Tensor(5)).asnumpy().round(2))
        [-0.    0.34  1.    0.34 -0.  ]
    """

    function = staticmethod(F.blackman_window)


class HammingWindow(OfFunction):
    """Window of Hamming: ``HammingWindow(periodic, alpha, beta, dtype)(length)``, which is ``ops.hamming_window``.

    Shapes: a length () gives (length,).

    Raises:
        TypeError: If ``periodic`` is not a bool, ``alpha`` or ``beta`` is not a number, or ``dtype`` is not a dtype.
            Also if ``length`` is not an int.
        ValueError: If ``length`` is not one int, or is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.HammingWindow(periodic=False)(ms.Tensor(5)))
        [0.08 0.54 1.   0.54 0.08]
    """

    tensors = 0
    function = staticmethod(F.hamming_window)

    def __init__(self, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype=float32) -> None:
        self._keep(periodic=periodic, alpha=alpha, beta=beta, dtype=as_dtype(dtype, self.name))


class LogSpace(OfFunction):
    """Powers of a base with evenly spaced exponents: ``LogSpace(steps, base, dtype)(start, end)``, ``ops.logspace``.

    ``out[i] = base ** (start + i * (end - start) / (steps - 1))``.

    Shapes: () and () give (steps,). Dtypes: floats; the answer is float32; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``steps`` or ``base`` is not an int, ``dtype`` is not a dtype, or ``start`` or ``end`` is not a
            Tensor of one float.
        ValueError: When called, if ``steps`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LogSpace(3, 10)(ms.Tensor(0.0), ms.Tensor(2.0)))
        [  1.  10. 100.]
    """

    function = staticmethod(F.logspace)

    def __init__(self, steps: int = 10, base: int = 10, dtype=float32) -> None:
        self._keep(steps=steps, base=base, dtype=as_dtype(dtype, self.name))


class _TriangleIndices(OfFunction):
    """Base of the places of triangles: a call has no input."""

    def __init__(self, row: int, col: int, offset: int = 0, dtype=int32) -> None:
        self._keep(row=row, col=col, offset=offset, dtype=as_dtype(dtype, self.name))


class TrilIndices(_TriangleIndices):
    """Rows and columns of the lower triangle: ``TrilIndices(row, col, offset, dtype)()``, ``ops.tril_indices``.

    Raises:
        TypeError: If ``row``, ``col`` or ``offset`` is not an int, or ``dtype`` is not a dtype.

    Examples:
        >>> from minispore import ops
        >>> print(ops.TrilIndices(2, 2)())
        [[0 1 1]
         [0 0 1]]
    """

    function = staticmethod(F.tril_indices)


class TriuIndices(_TriangleIndices):
    """Rows and columns of the upper triangle: ``TriuIndices(row, col, offset, dtype)()``, ``ops.triu_indices``.

    Raises:
        TypeError: If ``row``, ``col`` or ``offset`` is not an int, or ``dtype`` is not a dtype.

    Examples:
        >>> from minispore import ops
        >>> print(ops.TriuIndices(2, 2)())
        [[0 0 1]
         [0 1 1]]
    """

    function = staticmethod(F.triu_indices)


class FillV2(OfFunction):
    """A Tensor of a shape, filled with one value: ``FillV2()(shape, value)``.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``shape`` is not an int, or ``value`` is not a Tensor without axes.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.FillV2()((2, 2), ms.Tensor(7.0)))
        [[7. 7.]
         [7. 7.]]
    """

    tensors = 0

    def run(self, shape, value) -> Tensor:
        """The filled Tensor."""
        if not isinstance(value, Tensor) or value.ndim:
            raise type_error(self.name, "the 'value' must be a Tensor without axes", shown(value))
        return F.broadcast_to(value, as_ints(shape))


# Elements and their places


class Expand(OfFunction):
    """A Tensor broadcast to a shape, in which -1 keeps a length: ``Expand()(x, shape)``.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``x`` does not broadcast to the shape.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Expand()(ms.Tensor([[1.0], [2.0]]), ms.Tensor([2, 3])))
        [[1. 1. 1.]
         [2. 2. 2.]]
    """

    tensors = 1

    def run(self, x, shape) -> Tensor:
        """The broadcast Tensor."""
        return F.broadcast_to(x, as_ints(shape))


class IdentityN(OfFunction):
    """Several Tensors as they are: ``IdentityN()((x, y))`` is ``(x, y)``.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a tuple or list of Tensors.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.IdentityN()((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2] [3]
    """

    tensors = 0

    def run(self, x) -> tuple[Tensor, ...]:
        """The Tensors."""
        if not isinstance(x, (tuple, list)) or not all(isinstance(y, Tensor) for y in x):
            raise type_error(self.name, "the 'x' must be a tuple or list of Tensors", shown(x))
        return tuple(map(F.identity_copy, x))


class ChannelShuffle(OfFunction):
    """The channels in turns from each of some groups: ``ChannelShuffle(group)(x)``, ``ops.channel_shuffle``.

    Shapes: (N, C, ...), kept; ``group`` divides C. Dtypes: any, kept.

    Raises:
        TypeError: If ``group`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``group`` is not above 0, or ``x`` has fewer than 3 axes, or channels that ``group`` does not
            divide.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ChannelShuffle(2)(ms.Tensor([[[[1]], [[2]], [[3]], [[4]]]])).ravel())
        [1 3 2 4]
    """

    def __init__(self, group: int) -> None:
        self._keep(group=check_positive_int(self.name, "group", group))

    def run(self, x) -> Tensor:
        """The shuffled channels."""
        return F.channel_shuffle(x, self.group)


class Padding(OfFunction):
    """The last axis, of length 1, filled up with zeros: ``Padding(pad_dim_size)(x)``, which is ``ops.padding``.

    Shapes: (..., 1) gives (..., ``pad_dim_size``). Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``pad_dim_size`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``x`` has fewer than 2 axes, or the last is not of length 1.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Padding(4)(ms.Tensor([[1.0], [2.0]])))
        [[1. 0. 0. 0.]
         [2. 0. 0. 0.]]
    """

    function = staticmethod(F.padding)

    def __init__(self, pad_dim_size: int = 8) -> None:
        self._keep(pad_dim_size=pad_dim_size)


class PadV3(OfFunction):
    """Padding from the last axis on: ``PadV3(mode, paddings_contiguous)(x, paddings, value)``, ``ops.pad``.

    Shapes: each padded length grows by its pair. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        mode (str): "constant", "reflect", "edge" or "circular". Default: "constant".
        paddings_contiguous (bool): If False, all lengths before the axes come first, then all behind them. Default:
            True, in pairs.

    Raises:
        TypeError: If ``mode`` is not a str or an int, ``paddings_contiguous`` is not a bool, or ``x`` is not a Tensor.
            Also if ``paddings`` is not a tuple, a list or a Tensor of ints.
        ValueError: If ``mode`` is unknown, or the padding cuts away all of an axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.PadV3()(ms.Tensor([[1.0, 2.0]]), (1, 2), 9.0))
        [[9. 1. 2. 9. 9.]]
    """

    tensors = 1

    def __init__(self, mode: str = "constant", paddings_contiguous: bool = True) -> None:
        check_choice(self.name, "mode", mode, ("constant", "reflect", "edge", "circular"))
        self._keep(mode=mode, paddings_contiguous=paddings_contiguous)

    def run(self, x, paddings, constant_value=None) -> Tensor:
        """The padded Tensor."""
        lengths = list(paddings.tolist() if isinstance(paddings, Tensor) else paddings)
        if not self.paddings_contiguous:
            half = len(lengths) // 2
            lengths = [n for pair in zip(lengths[:half], lengths[half:], strict=True) for n in pair]
        if isinstance(constant_value, Tensor):
            constant_value = constant_value.item()
        mode = "replicate" if self.mode == "edge" else self.mode
        return F.pad(x, tuple(lengths), mode, constant_value if mode == "constant" else None)


class ParallelConcat(OfFunction):
    """Tensors of one shape, whose first axis has length 1, one behind the other: ``ParallelConcat()((x, y))``.

    Dtypes: any, kept.

    Raises:
        TypeError: If the input is not a tuple or list of Tensors.
        ValueError: If the input does not hold Tensors of one shape (1, ...).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ParallelConcat()((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4]]))))
        [[1 2]
         [3 4]]
    """

    tensors = 0

    def run(self, values) -> Tensor:
        """The joined Tensor."""
        if not isinstance(values, (tuple, list)) or not values:
            raise type_error(self.name, "the 'values' must be a tuple or list of Tensors", shown(values))
        if any(not isinstance(x, Tensor) or x.shape[:1] != (1,) or x.shape != values[0].shape for x in values):
            raise value_error(self.name, "the 'values' must be Tensors of one shape (1, ...)", shown(values))
        return F.concat(tuple(values), 0)


class IndexFill(OfFunction):
    """Slices along an axis filled with a value: ``IndexFill()(x, dim, index, value)``, which is ``ops.index_fill``.

    Shapes: that of ``x``; indices () or (N,); the value is (). Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int. Also if ``index`` is not an int or a Tensor of
            at most 1 axis, or ``value`` is not a number.
        ValueError: If ``axis`` is no axis of the input, or the mask does not have the shape that it needs.
        IndexError: If a Tensor that indexes does not hold ints or bools, or an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.IndexFill()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, ms.Tensor([0], ms.int32), 9.0))
        [[9. 2.]
         [9. 4.]]
    """

    tensors = 1
    function = staticmethod(F.index_fill)


class IndexPut(OfFunction):
    """A copy of x1 with x2 at a tuple of indices: ``IndexPut(accumulate)(x1, x2, indices)``.

    Shapes: that of ``x1``; the indices broadcast to one shape, to which ``x2`` broadcasts. Dtypes: floats and ints,
    kept; TypeError for bools and complex.

    Args:
        accumulate (int): 1 to add, 0 to replace. Default: 0.

    Raises:
        TypeError: If ``x1`` or ``x2`` is not a Tensor, the two differ in dtype, or an index does not hold ints.
        ValueError: If ``accumulate`` is unknown, or ``x2`` does not broadcast to the indices' shape, or ``indices`` is
            not a list or tuple of Tensors.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.IndexPut(accumulate=1)(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([10.0]), [ms.Tensor([2])]))
        [ 1.  2. 13.]
    """

    tensors = 2

    def __init__(self, accumulate: int = 0) -> None:
        self._keep(accumulate=check_choice(self.name, "accumulate", accumulate, (0, 1)))

    def run(self, x1, x2, indices) -> Tensor:
        """The copy."""
        if not isinstance(indices, (tuple, list)) or not 0 < len(indices) <= x1.ndim:
            raise value_error(self.name, f"the 'indices' must be 1 to {x1.ndim} Tensors", shown(indices))
        shape = np.broadcast_shapes(*(i.shape for i in indices))
        rows = [F.select(i < 0, i + n, i) for i, n in zip(indices, x1.shape, strict=False)]
        rows = F.stack([F.broadcast_to(i, shape) for i in rows], -1)
        updates = F.broadcast_to(x2, shape + x1.shape[len(indices) :])
        return (F.tensor_scatter_add if self.accumulate else F.tensor_scatter_update)(x1, rows, updates)


class InplaceIndexAdd(OfFunction):
    """Updates added to a Parameter along an axis: ``InplaceIndexAdd(axis)(var, indices, updates)``.

    Shapes: that of the variable; updates are as it is, with as many elements along the axis as there are indices.
    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        axis (int): The axis.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``var``, ``indices`` or ``updates`` is not
            a Tensor. Also if ``updates`` and ``var`` differ in dtype.
        ValueError: If ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), name="p")
        >>> print(ops.InplaceIndexAdd(0)(p, ms.Tensor([1], ms.int32), ms.Tensor([[10.0, 10.0]])))
        [[ 1.  2.]
         [13. 14.]]
    """

    function = staticmethod(F.inplace_index_add)
    writes = (0,)

    def __init__(self, axis: int) -> None:
        self._keep(axis=check_int(self.name, "axis", axis))


class InplaceUpdateV2(OfFunction):
    """A copy of x with rows replaced: ``InplaceUpdateV2()(x, indices, v)``, which is ``ops.inplace_update``.

    Shapes: (N, ...), kept; K indices and values (K, ...). Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``x`` or ``v`` is not a Tensor, or ``v`` and ``x`` differ in dtype. Also if ``indices`` is not an
            int or a tuple of ints.
        ValueError: If ``v`` has a shape that does not fit, ``x`` has no axis, or ``indices`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.InplaceUpdateV2()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), (0,), ms.Tensor([[10.0, 10.0]])))
        [[10. 10.]
         [ 3.  4.]]
    """

    tensors = 1

    def run(self, x, indices, v) -> Tensor:
        """The copy."""
        return F.inplace_update(x, v, indices)


class ScatterAddWithAxis(OfFunction):
    """A copy with updates added along an axis: ``ScatterAddWithAxis(axis)(x, indices, updates)``.

    Shapes: that of ``x``; indices and updates have one shape, with as many axes. Dtypes: floats, ints and complex,
    kept; TypeError for bools.

    Args:
        axis (int): The axis. Default: 0.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x``, ``indices`` or ``updates`` is not a
            Tensor. Also if ``updates`` and ``x`` differ in dtype.
        ValueError: If ``indices`` has another number of axes than ``x``, or is longer than it beside the axis. Also if
            ``axis`` is no axis of the input, or ``updates`` has a shape that does not fit.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0, 3.0]])
        >>> print(ops.ScatterAddWithAxis(1)(x, ms.Tensor([[0, 2]]), ms.Tensor([[10.0, 10.0]])))
        [[11.  2. 13.]]
    """

    def __init__(self, axis: int = 0) -> None:
        self._keep(axis=check_int(self.name, "axis", axis))

    def run(self, input_x, indices, updates) -> Tensor:
        """The copy."""
        return F.tensor_scatter_elements(input_x, indices, updates, self.axis, "add")


class InvertPermutation(OfFunction):
    """The order that undoes an order of 0 to n - 1: ``InvertPermutation()((1, 2, 0))`` is ``(2, 0, 1)``.

    Raises:
        ValueError: If the input is not an order of 0 to n - 1.

    Examples:
        >>> from minispore import ops
        >>> ops.InvertPermutation()((1, 2, 0))
        (2, 0, 1)
    """

    tensors = 0

    def run(self, input_x) -> tuple[int, ...]:
        """The other order, a tuple of ints."""
        order = input_x.tolist() if isinstance(input_x, Tensor) else list(input_x)
        if sorted(order) != list(range(len(order))):
            raise value_error(self.name, f"the 'input_x' must be an order of 0 to {len(order) - 1}", shown(input_x))
        return tuple(int(i) for i in np.argsort(order))


class UnravelIndex(OfFunction):
    """The places in an array of ``dims`` of flat indices, a row for each axis: ``UnravelIndex()(indices, dims)``.

    Shapes: () or (N,) of flat indices gives (D,) or (D, N) for D lengths.

    Any dtype of ints is taken and kept.

    Raises:
        TypeError: If ``indices`` is not a Tensor, or the inputs are not Tensors or numbers (a complex number goes in a
            Tensor).

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UnravelIndex()(ms.Tensor([5, 2], ms.int32), ms.Tensor([2, 3], ms.int32)))
        [[1 0]
         [2 2]]
    """

    tensors = 1

    def run(self, indices, dims) -> Tensor:
        """The places, shape ``(len(dims), n)``, or ``(len(dims),)`` for one index."""
        if not isinstance(indices, Tensor) or indices.ndim > 1 or indices.dtype.np.kind not in "iu":
            raise type_error(self.name, "the 'indices' must be a Tensor of ints with at most 1 axis", shown(indices))
        lengths = dims.tolist() if isinstance(dims, Tensor) else list(dims)
        steps = list(itertools.accumulate(lengths[:0:-1], lambda a, b: a * b, initial=1))[::-1]
        rows = [F.floor_mod(F.floor_div(indices, step), n) for step, n in zip(steps, lengths, strict=True)]
        return F.stack(rows, 0)


class UniqueWithPad(OfFunction):
    """The distinct elements filled up to the length of x: ``UniqueWithPad()(x, pad_num)``, ``ops.unique_with_pad``.

    Shapes: (N,) gives (N,) twice. Dtypes: floats and ints, kept; bools give int64; TypeError for complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If ``x`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.UniqueWithPad()(ms.Tensor([3, 1, 3]), 0))
        [3 1 0] [0 1 0]
    """

    tensors = 1
    function = staticmethod(F.unique_with_pad)


class SubAndFilter(OfFunction):
    """``x - offset`` where it is in [0, max_num), and its places: ``SubAndFilter()(x, max_num, offset)``.

    Shapes: any gives twice (number of the elements that stay,). Dtypes: floats and ints, kept; bools give int64;
    TypeError for complex.

    Raises:
        TypeError: If an input is neither a Tensor nor a number.
        ValueError: If ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.SubAndFilter()(ms.Tensor([3, 5, 9]), 4, 3))
        [0 2] [0 1]
    """

    tensors = 1

    def run(self, input_x, max_num, offset) -> tuple[Tensor, Tensor]:
        """The numbers that stay, and their places, int32."""
        rest = input_x - offset
        stays = (rest >= 0).logical_and(rest < max_num)
        return F.masked_select(rest, stays), F.nonzero(stays).reshape((-1,)).astype(int32)


class MapUniform(OfFunction):
    """Numbers dealt out to groups: ``MapUniform()(x, per_group_size, group_num)``.

    ``out = x % group_num * per_group_size + x // group_num``.

    Shapes: any, kept. Dtypes: floats and ints, kept; bools give int64; TypeError for complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``per_group_size`` or ``group_num`` is not an int.
        ValueError: If ``per_group_size`` or ``group_num`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MapUniform()(ms.Tensor([0, 1, 2, 3]), 10, 2))
        [ 0 10  1 11]
    """

    tensors = 1

    def run(self, input_x, per_group_size, group_num) -> Tensor:
        """The numbers."""
        check_positive_int(self.name, "per_group_size", per_group_size)
        check_positive_int(self.name, "group_num", group_num)
        return F.floor_mod(input_x, group_num) * per_group_size + F.floor_div(input_x, group_num)


class DataFormatDimMap(OfFunction):
    """Axis numbers of one layout as those of another: ``out = src_format.index(dst_format[x])``.

    Shapes: any, kept.

    Any dtype of ints is taken and kept.

    Args:
        src_format (str): "NHWC" or "NCHW". Default: "NHWC".
        dst_format (str): "NHWC" or "NCHW". Default: "NCHW".

    Raises:
        TypeError: If ``src_format`` or ``dst_format`` is not a str, or ``x`` is not a Tensor of ints.
        ValueError: If ``src_format`` or ``dst_format`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DataFormatDimMap()(ms.Tensor([0, 1, 2, 3], ms.int32)))
        [0 3 1 2]
    """

    def __init__(self, src_format: str = "NHWC", dst_format: str = "NCHW") -> None:
        for name, value in (("src_format", src_format), ("dst_format", dst_format)):
            self._keep(**{name: check_choice(self.name, name, value, ("NHWC", "NCHW"))})

    def run(self, input_x) -> Tensor:
        """The numbers of the axes."""
        table = Tensor(np.array([self.src_format.index(c) for c in self.dst_format]), input_x.dtype)
        return F.gather(table, F.floor_mod(input_x, 4), 0)


class DataFormatVecPermute(DataFormatDimMap):
    """Lengths of one layout in the order of another: ``out[i] = x[src_format.index(dst_format[i])]``.

    Any dtype is taken and kept.

    Shapes: (4,) or (4, 2), kept.

    Args:
        src_format (str): "NHWC" or "NCHW". Default: "NHWC".
        dst_format (str): "NHWC" or "NCHW". Default: "NCHW".

    Raises:
        TypeError: If ``src_format`` or ``dst_format`` is not a str, or ``x`` is not a Tensor.
        ValueError: If ``src_format`` or ``dst_format`` is unknown, or ``x`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DataFormatVecPermute()(ms.Tensor([32, 28, 24, 3], ms.int32)))
        [32  3 28 24]
    """

    def run(self, input_x) -> Tensor:
        """The lengths, or pairs of lengths."""
        if input_x.shape not in ((4,), (4, 2)):
            raise value_error(self.name, "the 'x' must have the shape (4,) or (4, 2)", input_x.shape)
        return F.gather(input_x, Tensor([self.src_format.index(c) for c in self.dst_format]), 0)


# Sorted sequences, counts


class _Bound(OfFunction):
    """Base of the places of values in sorted rows."""

    right = False

    def __init__(self, out_type=int32) -> None:
        self._keep(out_type=check_choice(self.name, "out_type", str(as_dtype(out_type, self.name)), ("Int32", "Int64")))

    def run(self, sorted_x, values) -> Tensor:
        """The places."""
        return F.searchsorted(sorted_x, values, out_int32=self.out_type == "Int32", right=self.right)


class LowerBound(_Bound):
    """The first place at which each value keeps its row sorted: ``LowerBound(out_type)(sorted_x, values)``.

    Shapes: (N, M) and (N, K) give (N, K). Dtypes: floats and ints; the answer is int32; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``out_type`` is not a dtype, ``sorted_x`` or ``values`` is not a Tensor of numbers, or the two
            differ in dtype.
        ValueError: If ``sorted_x`` has neither one axis nor the leading lengths of ``values``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.LowerBound()(ms.Tensor([[1, 3, 3, 5]]), ms.Tensor([[3]])))
        [[1]]
    """


class UpperBound(_Bound):
    """The last place at which each value keeps its row sorted: ``UpperBound(out_type)(sorted_x, values)``.

    Shapes: (N, M) and (N, K) give (N, K). Dtypes: floats and ints; the answer is int32; TypeError for bools and
    complex.

    Raises:
        TypeError: If ``out_type`` is not a dtype, ``sorted_x`` or ``values`` is not a Tensor of numbers, or the two
            differ in dtype.
        ValueError: If ``sorted_x`` has neither one axis nor the leading lengths of ``values``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UpperBound()(ms.Tensor([[1, 3, 3, 5]]), ms.Tensor([[3]])))
        [[3]]
    """

    right = True


class Bucketize(OfFunction):
    """The number of boundaries that are at most each element, int32: ``Bucketize(boundaries)(x)``.

    Shapes: any, kept. Dtypes: any; the answer is int32.

    Args:
        boundaries (list[float]): In ascending order.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``boundaries`` is not a list of floats in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Bucketize([0.0, 1.0, 2.0])(ms.Tensor([-1.0, 0.5, 1.0, 9.0])))
        [0 1 2 3]
    """

    def __init__(self, boundaries) -> None:
        if not isinstance(boundaries, list) or list(boundaries) != sorted(boundaries):
            raise value_error(self.name, "the 'boundaries' must be a list of floats in ascending order", boundaries)
        self._keep(boundaries=[check_python_float(self.name, "boundaries", x) for x in boundaries])

    def run(self, x) -> Tensor:
        """The numbers of the buckets."""
        wide = x if x.dtype.is_float else x.astype(float32)
        return F.searchsorted(Tensor(self.boundaries, wide.dtype), wide, out_int32=True, right=True)


class Histogram(OfFunction):
    """Number of elements in each of equal intervals, int32: ``Histogram(bins, min, max)(x)``, ``ops.histc``.

    Shapes: any gives (bins,). Dtypes: floats and ints; the answer is int32; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Histogram(4)(ms.Tensor([0.0, 1.0, 1.0, 4.0])))
        [1 2 0 1]
    """

    function = staticmethod(F.histc)

    def __init__(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> None:
        self._keep(bins=bins, min=min, max=max)


class Bincount(OfFunction):
    """Sum of the weights of each number below ``size``: ``Bincount()(array, size, weights)``; others do not count.

    Shapes: an array (N,), a size () and weights (N,) give (size,). Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``array`` is not a Tensor of ints, or ``weights`` is not a Tensor of numbers.
        ValueError: If ``weights`` has another shape than ``array``, or ``size`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Bincount()(ms.Tensor([1, 1, 3], ms.int32), ms.Tensor(4, ms.int32), ms.Tensor([0.5, 0.5, 2.0])))
        [0. 1. 0. 2.]
    """

    tensors = 1

    def run(self, array, size, weights) -> Tensor:
        """The sums, in the dtype of the weights."""
        if not isinstance(weights, Tensor) or weights.shape != array.shape:
            raise value_error(self.name, f"the 'weights' must have the shape of 'array', {array.shape}", shown(weights))
        count = int(size)
        return F.unsorted_segment_sum(weights, F.select(array < count, array, -1), count)


class CompareAndBitpack(OfFunction):
    """Eight comparisons ``x > threshold`` along the last axis as one uint8, the first as its highest bit."""

    tensors = 1

    def run(self, x, threshold) -> Tensor:
        """The packed bits."""
        if not x.ndim or x.shape[-1] % 8:
            raise value_error(self.name, "the last axis of 'x' must have a length that 8 divides", f"shape {x.shape}")
        bits = (x > threshold).astype(int32).reshape((*x.shape[:-1], x.shape[-1] // 8, 8))
        return F.reduce_sum(bits * Tensor([128, 64, 32, 16, 8, 4, 2, 1], int32), -1).astype(np.uint8)


# Segments of sorted numbers


class _Segment(OfFunction):
    """Base of reductions over rows that have one number; the numbers ascend, and there are as many as the last says."""

    empty = 0

    def run(self, input_x, segment_ids) -> Tensor:
        """The reduction of each segment."""
        numbers = segment_ids.asnumpy()
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not numbers.size or (np.diff(numbers) < 0).any():
            expected = "the 'segment_ids' must be a row of ints in ascending order"
            raise value_error(self.name, expected, f"{segment_ids.dtype} {segment_ids.shape}")
        count = int(numbers[-1]) + 1
        out = self.reduced(input_x, segment_ids, count)
        empty = ~np.isin(np.arange(count), numbers).reshape((-1,) + (1,) * (input_x.ndim - 1))
        return F.select(Tensor(empty), self.empty, out) if empty.any() else out


class SegmentSum(_Segment):
    """Sum of each segment of rows: ``SegmentSum()(x, segment_ids)``; 0 for an empty one.

    Shapes: (N, ...) and (N,) give (last number of a segment + 1, ...). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``. Also if ``segment_ids`` is
            not a row of ints in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SegmentSum()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])))
        [3. 0. 3.]
    """

    reduced = staticmethod(F.unsorted_segment_sum)


class SegmentMax(_Segment):
    """Largest of each segment of rows: ``SegmentMax()(x, segment_ids)``; 0 for an empty one.

    Shapes: (N, ...) and (N,) give (last number of a segment + 1, ...). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``. Also if ``segment_ids`` is
            not a row of ints in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SegmentMax()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])))
        [2. 0. 3.]
    """

    reduced = staticmethod(F.unsorted_segment_max)


class SegmentMin(_Segment):
    """Smallest of each segment of rows: ``SegmentMin()(x, segment_ids)``; 0 for an empty one.

    Shapes: (N, ...) and (N,) give (last number of a segment + 1, ...). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``. Also if ``segment_ids`` is
            not a row of ints in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SegmentMin()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])))
        [1. 0. 3.]
    """

    reduced = staticmethod(F.unsorted_segment_min)


class SegmentProd(_Segment):
    """Product of each segment of rows: ``SegmentProd()(x, segment_ids)``; 1 for an empty one.

    Shapes: (N, ...) and (N,) give (last number of a segment + 1, ...). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``. Also if ``segment_ids`` is
            not a row of ints in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SegmentProd()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])))
        [2. 1. 3.]
    """

    empty = 1
    reduced = staticmethod(F.unsorted_segment_prod)


class SegmentMean(_Segment):
    """Mean of each segment of rows: ``SegmentMean()(x, segment_ids)``; 0 for an empty one.

    The means of integers are rounded toward zero.

    Shapes: (N, ...) and (N,) give (last number of a segment + 1, ...). Dtypes: floats and ints, kept; TypeError for
    bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``. Also if ``segment_ids`` is
            not a row of ints in ascending order.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SegmentMean()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])))
        [1.5 0.  3. ]
    """

    @staticmethod
    def reduced(x, segment_ids, count):
        """The mean of each segment."""
        lengths = F.unsorted_segment_sum(F.ones_like(segment_ids), segment_ids, count).maximum(1)
        lengths = lengths.reshape((-1,) + (1,) * (x.ndim - 1)).astype(x.dtype)
        total = F.unsorted_segment_sum(x, segment_ids, count)
        return total / lengths if x.dtype.is_float else F.truncate_div(total, lengths)


# Sparse matrices by their parts


class Coalesce(OfFunction):
    """Sparse elements with equal places added up, in the order of places: ``Coalesce()(indices, values, shape)``.

    ``indices`` has a row for each axis; ``(indices, values, shape)`` are given back.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor.
        ValueError: If ``values`` are not as many as the columns of ``indices``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> indices, shape = ms.Tensor([[0, 0, 1], [1, 1, 2]]), ms.Tensor([2, 3])
        >>> places, values, _ = ops.Coalesce()(indices, ms.Tensor([1.0, 5.0, 2.0]), shape)
        >>> print(values)
        [6. 2.]
    """

    def run(self, x_indices, x_values, x_shape) -> tuple[Tensor, Tensor, Tensor]:
        """The sparse elements."""
        flat = np.ravel_multi_index(tuple(x_indices.asnumpy()), tuple(x_shape.tolist()))
        places, owner = np.unique(flat, return_inverse=True)
        indices = np.stack(np.unravel_index(places, tuple(x_shape.tolist())))
        values = F.unsorted_segment_sum(x_values, Tensor(owner), len(places))
        return Tensor(indices, x_indices.dtype), values, x_shape


class SparseToDense(OfFunction):
    """The dense Tensor of a shape with values at rows of indices: ``SparseToDense()(indices, values, shape)``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``indices`` or ``values`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``values`` has a shape that does not fit, or ``indices`` has a last axis that does not fit. Also
            if ``shape`` does not hold ints above 0.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SparseToDense()(ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0]), (2, 3)))
        [[0. 1. 0.]
         [0. 0. 2.]]
    """

    tensors = 2
    function = staticmethod(F.scatter_nd)


class SparseTensorDenseAdd(OfFunction):
    """Sparse elements added to a dense Tensor: ``SparseTensorDenseAdd()(x1_indices, x1_values, x1_shape, x2)``.

    ``x1_indices`` has a row of N numbers for each of ``x1_values``; values at one place are added up.

    Shapes: ``x1_indices`` (count, N), ``x1_values`` (count,); ``x2`` of N axes has the shape ``x1_shape``, which is
    kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If an argument is not a Tensor, ``x1_indices`` does not hold ints, or ``x1_values`` and ``x2`` differ
            in dtype.
        ValueError: If ``x1_indices`` does not have N columns, ``x1_values`` are not as many as its rows, or
            ``x1_shape`` is another shape than that of ``x2``.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SparseTensorDenseAdd()(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (1, 2), ms.Tensor([[1.0, 1.0]])))
        [[1. 6.]]
    """

    tensors = 2

    def run(self, x1_indices, x1_values, x1_shape, x2) -> Tensor:
        """The sum."""
        if tuple(x1_shape.tolist() if isinstance(x1_shape, Tensor) else x1_shape) != x2.shape:
            raise value_error(self.name, f"the 'x1_shape' must be the shape of 'x2', {x2.shape}", shown(x1_shape))
        return F.tensor_scatter_add(x2, x1_indices, x1_values)
