"""Counts of values in intervals. What decides the intervals is read on the host; gradients pass to weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_int, check_switch, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import operand, real, values_of

__all__ = ["histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def _limits(name, values, limits):
    """The lowest and the highest of values, or those given; one value gets a half on both sides."""
    if limits is not None:
        if not isinstance(limits, (tuple, list)) or len(limits) != 2:
            raise value_error(name, "the 'range' must be two numbers", shown(limits))
        low, high = (float(values_of(name, x, "range")) for x in limits)
        if not np.isfinite(low) or not np.isfinite(high) or low > high:
            raise value_error(name, "the 'range' must be two finite numbers that ascend", shown(limits))
    else:
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        if not np.isfinite(low) or not np.isfinite(high):
            raise value_error(name, "the values must be finite, or a 'range' must be given", f"{low} to {high}")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _edges(name, values, bins, limits):
    """The ends of intervals, as float32: of ``bins`` equal ones, or those given."""
    if is_int(bins):
        low, high = _limits(name, values, limits)
        return np.linspace(low, high, check_int(name, "bins", bins, 0, 2**31) + 1).astype(np.float32)
    if not isinstance(bins, (tuple, list, Tensor)):
        raise type_error(name, "the 'bins' must be an int, or a row of numbers", shown(bins))
    edges = values_of(name, bins, "bins")
    if edges.ndim != 1 or (np.diff(edges) < 0).any():
        raise value_error(name, "the 'bins' must be a row that ascends", shown(bins))
    return edges.astype(np.float32)


def histogram_bin_edges(a, bins=10, range=None, weights=None) -> Tensor:
    """The ends of ``bins`` equal intervals from the lowest to the highest value, or over ``range``.

    Shapes: any gives (bins + 1,). Dtypes: floats, ints and bools; the answer is float32; TypeError for complex.

    Raises:
        TypeError: If ``a`` or ``weights`` holds no numbers, or ``a`` is not a real number. Also if ``bins`` is not an
            int, or a row of numbers.
        ValueError: If ``bins`` is out of range, or ``range`` is not two numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.histogram_bin_edges(ms.Tensor([0.0, 1.0, 4.0]), 2))
        [0. 2. 4.]
    """
    if weights is not None:
        operand("histogram_bin_edges", weights, "weights")
    values = real("histogram_bin_edges", operand("histogram_bin_edges", a, "a"), "a").asnumpy()
    return Tensor(_edges("histogram_bin_edges", values, bins, range))


def _counts(name, columns, edges, weights, density):
    """The number of rows, or their weight, in each box between edges."""
    lengths = [max(len(e) - 1, 0) for e in edges]
    place, kept = np.zeros(len(columns[0]), np.int64), np.ones(len(columns[0]), bool)
    for values, ends, length in zip(columns, edges, lengths, strict=True):
        inside = np.searchsorted(ends, values, side="right") - 1
        inside = np.where(values == ends[-1], length - 1, inside) if length else inside
        kept &= (inside >= 0) & (inside < length)
        place = place * length + inside
    count = int(np.prod(lengths))
    if weights is None:
        weights = ops.ones((len(place),))
    else:
        weights = ops.cast(operand(name, weights, "weights").reshape(-1), np.dtype(np.float32))
        if weights.size != len(place):
            raise value_error(name, f"the 'weights' must be {len(place)}", weights.size)
    if count and len(place):
        out = ops.unsorted_segment_sum(weights, Tensor(np.where(kept, place, -1).astype(np.int32)), count)
    else:
        out = ops.zeros((count,))
    out = out.reshape(tuple(lengths))
    return _densities(out, edges) if check_switch(name, "density", density) else out


def _densities(counts, edges):
    """Counts divided by their sum and the size of their box."""
    for axis, ends in enumerate(edges):
        widths = np.diff(ends).reshape((-1,) + (1,) * (len(edges) - axis - 1))
        counts = counts / Tensor(widths)
    sizes = counts
    for axis, ends in enumerate(edges):
        sizes = sizes * Tensor(np.diff(ends).reshape((-1,) + (1,) * (len(edges) - axis - 1)))
    total = ops.reduce_sum(sizes)
    return counts / total


def histogram(a, bins=10, range=None, weights=None, density: bool = False) -> Any:
    """Number of values in each interval, as float32, and the ends of the intervals.

    With ``weights`` it is their sum; with ``density`` the share of all, divided by the length of the interval.

    Shapes: any gives (bins,) and (bins + 1,). Dtypes: any; the answer is float32.

    Raises:
        TypeError: If ``a`` or ``weights`` holds no numbers, or ``bins`` is not an int, or a row of numbers.
        ValueError: If ``bins`` is out of range, or ``range`` is not two numbers.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(*mnp.histogram(ms.Tensor([0.0, 1.0, 4.0]), 2))
        [2. 1.] [0. 2. 4.]
    """
    values = values_of("histogram", a, "a").reshape(-1)
    edges = _edges("histogram", values, bins, range)
    return _counts("histogram", [values], [edges], weights, density), Tensor(edges)


def _columns(name, sample):
    """The coordinates of points as columns: of an array its columns, of a list its elements."""
    if isinstance(sample, (tuple, list)):
        columns = [values_of(name, x, "sample").reshape(-1) for x in sample]
    else:
        values = values_of(name, sample, "sample")
        if values.ndim not in (1, 2):
            raise value_error(name, "the 'sample' must have 1 or 2 axes", f"shape {values.shape}")
        columns = list(values.reshape((len(values), -1)).T)
    if not columns or len({len(c) for c in columns}) != 1:
        raise value_error(name, "the coordinates must be equally many of each axis", shown([len(c) for c in columns]))
    return columns


def _boxes(name, columns, bins, limits):
    """The ends of intervals along each axis."""
    each = [bins] * len(columns) if is_int(bins) else list(bins) if getattr(bins, "ndim", 0) == 2 else bins
    if not isinstance(each, (tuple, list)) or len(each) != len(columns):
        raise value_error(name, f"the 'bins' must be an int, or {len(columns)} of ints and rows", shown(bins))
    spans = [None] * len(columns) if limits is None else limits
    if not isinstance(spans, (tuple, list)) or len(spans) != len(columns):
        raise value_error(name, f"the 'range' must be {len(columns)} pairs of numbers", shown(limits))
    return [_edges(name, *one) for one in zip(columns, each, spans, strict=True)]


def histogramdd(sample, bins=10, range=None, weights=None, density: bool = False) -> Any:
    """Number of points in each box, as float32, and a list of the ends of the intervals along each axis.

    Shapes: (N, D) gives one axis for each of the D coordinates, and D rows of ends. Dtypes: any; the answer is float32.

    Raises:
        TypeError: If ``sample`` or ``weights`` holds no numbers.
        ValueError: If ``sample`` does not have 1 or 2 axes, or ``bins`` is not an int, nor an int or a row for each
            axis. Also if ``bins`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> counts, edges = mnp.histogramdd(ms.Tensor([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]), 2)
        >>> print(counts)
        [[1. 0.]
         [0. 2.]]
    """
    columns = _columns("histogramdd", sample)
    edges = _boxes("histogramdd", columns, bins, range)
    return _counts("histogramdd", columns, edges, weights, density), [Tensor(e) for e in edges]


def histogram2d(x, y, bins=10, range=None, weights=None, density: bool = False) -> Any:
    """Number of points ``(x, y)`` in each box, as float32, and the ends of the intervals of ``x`` and of ``y``.

    Shapes: (N,) and (N,) give (bins of x, bins of y), and the ends one longer each. Dtypes: any; the answer is float32.

    Raises:
        TypeError: If ``x``, ``y`` or ``weights`` holds no numbers.
        ValueError: If the coordinates are not equally many of each axis, or ``bins`` is not an int, or 2 of ints and
            rows. Also if ``bins`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> counts, x_edges, y_edges = mnp.histogram2d(ms.Tensor([0.0, 1.0, 1.0]), ms.Tensor([0.0, 1.0, 1.0]), 2)
        >>> print(counts)
        [[1. 0.]
         [0. 2.]]
    """
    columns = _columns("histogram2d", [x, y])
    edges = _boxes("histogram2d", columns, bins, range)
    return _counts("histogram2d", columns, edges, weights, density), *(Tensor(e) for e in edges)
