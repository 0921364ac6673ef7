"""Reductions over segments: elements or blocks with one segment number become one."""

import ml_dtypes
import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_int
from minispore.ops.casting import cast
from minispore.ops.kernels.label_checks import check_segments
from minispore.ops.kernels.scatter import added_at, combined_at
from minispore.ops.kernels.select import select
from minispore.ops.operations.array.scatter import check_indices
from minispore.ops.operations.math.extremes import Maximum, Minimum
from minispore.ops.operations.math.select import Select
from minispore.ops.type_checks import check_number

__all__ = ["UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum"]

_INT64 = np.dtype(np.int64)
_select, _maximum, _minimum = Select(), Maximum(), Minimum()


def _at(x, segment_ids):
    """The value in ``x`` of each element's segment; 0 for an element without one."""
    segment_ids = cast(segment_ids, _INT64)  # a narrow type may not hold the number of segments
    inside = _minimum(_maximum(segment_ids, 0), len(x) - 1)
    found = x[inside]
    kept = (segment_ids == inside).reshape(segment_ids.shape + (1,) * (found.ndim - segment_ids.ndim))
    return _select(kept, found, 0)


class _Segments(Primitive):
    """Base of reductions over segments: ``out[s]`` reduces all ``x[i..]`` with ``segment_ids[i..] == s``.

    An element with a negative number goes nowhere. One of ``num_segments`` or more is an IndexError on the host; on a
    GPU it goes nowhere, too, since a check would make the host wait.
    """

    def adapt(self, x, segment_ids, num_segments):
        """Read the number of segments."""
        if isinstance(num_segments, Tensor):
            num_segments = as_int(self, "num_segments", num_segments)
        return x, segment_ids, num_segments

    def infer(self, x, segment_ids, num_segments):
        check_number(self, "input_x", x)
        check_indices(self, "segment_ids", segment_ids)
        check_int(self.name, "num_segments", num_segments, 1, 2**60)
        rank = len(segment_ids.shape)
        if not rank or x.shape[:rank] != segment_ids.shape:
            expected = f"the shape of 'segment_ids' must be that of the first axes of 'input_x', {x.shape}"
            raise value_error(self.name, expected, segment_ids.shape)
        return Spec((num_segments, *x.shape[rank:]), x.dtype)

    def compute(self, xp, x, segment_ids, num_segments):
        check_segments(xp, self.name, segment_ids, num_segments)
        segment_ids = segment_ids.astype(_INT64)
        shape = (num_segments + 1, *x.shape[segment_ids.ndim :])  # the last row takes the elements without a segment
        inside = (segment_ids >= 0) & (segment_ids < num_segments)
        key = (select(xp, inside, segment_ids, num_segments),)
        return self.forward(xp, xp.full(shape, self.empty(x.dtype), x.dtype), key, x)[:num_segments]


class UnsortedSegmentSum(_Segments):
    """Sum of each segment; 0 for an empty one.

    Shapes: (``num_segments``,), then the axes of ``x`` that ``segment_ids`` has not. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UnsortedSegmentSum()(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 3))
        [4. 6. 0.]
    """

    def empty(self, dtype):
        """The value of an empty segment."""
        return dtype.type(0)

    def forward(self, xp, out, key, x):
        return added_at(xp, out, key, x)

    def bprop(self, x, segment_ids, num_segments, out, dout):
        return _at(dout, segment_ids), None, None


class _SegmentChoice(_Segments):
    """Base of the extremes of segments: the gradient goes in equal parts to those that are equal to it."""

    def bprop(self, x, segment_ids, num_segments, out, dout):
        chosen = cast(x == _at(out, segment_ids), dout.array.dtype)
        count = _sum(chosen, segment_ids, num_segments)
        return _at(dout / _maximum(count, 1), segment_ids) * chosen, None, None


def _limits(dtype):
    return np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.finfo(dtype)


class UnsortedSegmentMax(_SegmentChoice):
    """Largest of each segment; the lowest number of the dtype for an empty one.

    Shapes: (``num_segments``,), then the axes of ``x`` that ``segment_ids`` has not. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UnsortedSegmentMax()(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [3. 4.]
    """

    def empty(self, dtype):
        """The value of an empty segment."""
        return _limits(dtype).min

    def forward(self, xp, out, key, x):
        return combined_at(xp, out, key, x, xp.maximum)


class UnsortedSegmentMin(_SegmentChoice):
    """Smallest of each segment; the highest number of the dtype for an empty one.

    Shapes: (``num_segments``,), then the axes of ``x`` that ``segment_ids`` has not. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UnsortedSegmentMin()(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [1. 2.]
    """

    def empty(self, dtype):
        """The value of an empty segment."""
        return _limits(dtype).max

    def forward(self, xp, out, key, x):
        return combined_at(xp, out, key, x, xp.minimum)


class UnsortedSegmentProd(_Segments):
    """Product of each segment; 1 for an empty one.

    Shapes: (``num_segments``,), then the axes of ``x`` that ``segment_ids`` has not. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``x`` or ``segment_ids`` is not a Tensor, or ``num_segments`` is not an int.
        ValueError: If the shape of ``segment_ids`` is not that of the first axes of ``x``, or ``num_segments`` is out
            of range.
        IndexError: If ``segment_ids`` is not below ``num_segments``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.UnsortedSegmentProd()(ms.Tensor([1.0, 2.0, 3.0, 4.0]), ms.Tensor([0, 1, 0, 1], ms.int32), 2))
        [3. 8.]
    """

    def empty(self, dtype):
        """The value of an empty segment."""
        return dtype.type(1)

    def forward(self, xp, out, key, x):
        return combined_at(xp, out, key, x, xp.multiply)

    def bprop(self, x, segment_ids, num_segments, out, dout):
        zero = x == 0
        safe, zeros = _select(zero, 1, x), cast(zero, dout.array.dtype)
        others = _at(_sum(zeros, segment_ids, num_segments), segment_ids) - zeros
        product = _at(self(safe, segment_ids, num_segments) * dout, segment_ids) / safe
        return _select(others == 0, product, 0), None, None


_sum = UnsortedSegmentSum()
