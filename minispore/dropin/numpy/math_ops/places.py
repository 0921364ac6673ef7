"""Places of values among others, counts of ints, and flat indices."""

from __future__ import annotations

import numpy as np

from minispore import ops
from minispore.core.checks import check_choice, check_int, check_switch
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_shape, operand, operands
from minispore.ops.number_checks import check_no_complex

__all__ = ["bincount", "digitize", "ravel_multi_index", "searchsorted"]


def searchsorted(a, v, side="left", sorter=None) -> Tensor:
    """Place of ``v`` in the ascending row ``a``: before its equals, or after them ("right"), as int32.

    ``sorter`` are the places of the elements of ``a`` in ascending order, if it does not ascend.

    Shapes: that of ``v``; ``a`` and ``sorter`` are (N,). Dtypes: floats, ints and bools; the answer is int32; TypeError
    for complex.

    Raises:
        TypeError: If ``a``, ``v`` or ``sorter`` holds no numbers.
        ValueError: If ``a`` is not a row, ``side`` is unknown, or ``sorter`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.searchsorted(ms.Tensor([1.0, 3.0, 5.0]), ms.Tensor([0.0, 3.0, 9.0])))
        [0 1 3]
    """
    check_choice("searchsorted", "side", side, ("left", "right"))
    row, values = operands("searchsorted", a, v, "a", "v")
    if row.ndim != 1:
        raise value_error("searchsorted", "the 'a' must be a row", f"shape {row.shape}")
    if sorter is not None:
        order = operand("searchsorted", sorter, "sorter")
        if order.shape != row.shape:
            raise value_error("searchsorted", f"the 'sorter' must have the shape {row.shape}", order.shape)
        row = ops.gather(row, order, 0)
    return _found(row, values, side == "right")


def _found(row, values, right):
    places = (ops.less_equal if right else ops.less)(row, values.expand_dims(-1))
    return ops.reduce_sum(ops.cast(places, np.dtype(np.int32)), -1)


def digitize(x, bins, right: bool = False) -> Tensor:
    """The number of the interval between neighbours of ``bins`` in which each element lies, as int32.

    The intervals include their lower end, or with ``right`` their upper end; ``bins`` ascend or descend.

    Shapes: that of ``x``, kept; ``bins`` is (N,). Dtypes: floats, ints and bools; the answer is int32; TypeError for
    complex.

    Raises:
        TypeError: If ``x`` or ``bins`` holds no numbers.
        ValueError: If ``bins`` is not a row.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.digitize(ms.Tensor([0.5, 1.0, 9.0]), ms.Tensor([0.0, 1.0, 2.0])))
        [1 2 3]
    """
    right = check_switch("digitize", "right", right)
    x, row = operands("digitize", x, bins, "x", "bins")
    if row.ndim != 1:
        raise value_error("digitize", "the 'bins' must be a row", f"shape {row.shape}")
    if row.size and bool(row[0] > row[-1]):
        return row.size - _found(ops.reverse(row, (0,)), x, right)
    return _found(row, x, not right)


def bincount(x, weights=None, minlength=0, length=None) -> Tensor:
    """Count of each number from 0 on in a row of ints, or the sum of its weights, as float32.

    There are at least ``minlength`` counts, or exactly ``length`` if that is given; larger numbers are then left out.

    Shapes: (N,) gives (largest number + 1,), at least ``minlength``; weights are (N,). Dtypes: ints and bools; the
    answer is float32; TypeError for floats and complex.

    Raises:
        TypeError: If ``x`` or ``weights`` holds no numbers, ``x`` does not hold ints, or ``minlength`` or ``length`` is
            not an int.
        ValueError: If ``x`` is not a row, or holds a number below 0 or too large to count up to. Also if ``minlength``
            or ``length`` is below 0, or ``weights`` has another shape than ``x``.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.bincount(ms.Tensor([1, 1, 3])))
        [0. 2. 0. 1.]
    """
    row = operand("bincount", x)
    if row.dtype.is_float:
        raise type_error("bincount", "the 'x' must be ints", row.dtype)
    if row.array.dtype.kind in "bu":
        row = ops.cast(row, np.dtype(np.int64))  # -1 stands for numbers left out
    if row.ndim != 1:
        raise value_error("bincount", "the 'x' must be a row", f"shape {row.shape}")
    check_no_complex("bincount", "weights", weights)
    host = row.asnumpy()
    if host.size and host.min() < 0:
        raise value_error("bincount", "the 'x' must be at least 0", int(host.min()))
    most = int(host.max()) + 1 if host.size else 0
    count = max(most, check_int("bincount", "minlength", minlength, 0, 2**31))
    count = count if length is None else check_int("bincount", "length", length, 0, 2**31)
    weights = (
        ops.ones(row.shape)
        if weights is None
        else ops.cast(operand("bincount", weights, "weights"), np.dtype(np.float32))
    )
    if weights.shape != row.shape:
        raise value_error("bincount", f"the 'weights' must have the shape {row.shape}", weights.shape)
    weights = ops.cast(weights, np.dtype(np.float32))
    return ops.unsorted_segment_sum(weights, ops.select(row < count, row, ops.full_like(row, -1)), count)


def ravel_multi_index(multi_index, dims, mode="clip", order="C") -> Tensor:
    """The flat index of elements, of which each row of ``multi_index`` is the index along one axis of ``dims``.

    An index outside becomes the nearest one inside ("clip") or counts around ("wrap"). The answer is float32.

    Shapes: (D, ...) for D lengths in ``dims`` gives (...).

    Raises:
        TypeError: If ``multi_index`` holds no numbers, an input is complex, or ``multi_index`` does not hold ints. Also
            if ``dims`` is not an int, or a tuple or list of ints.
        ValueError: If ``dims`` is below 0, or ``mode`` or ``order`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ravel_multi_index(ms.Tensor([[0, 1], [1, 2]]), (2, 3)))  # of (0, 1) and (1, 2)
        [1. 5.]
    """
    check_choice("ravel_multi_index", "mode", mode, ("clip", "wrap"))
    check_choice("ravel_multi_index", "order", order, ("C", "F"))
    places, lengths = (
        operand("ravel_multi_index", multi_index, "multi_index"),
        as_shape("ravel_multi_index", dims, "dims"),
    )
    if places.dtype.is_float or places.array.dtype == np.bool_:
        raise type_error("ravel_multi_index", "the 'multi_index' must be ints", places.dtype)
    if not places.ndim or places.shape[0] != len(lengths) or 0 in lengths:
        raise value_error(
            "ravel_multi_index", f"the 'multi_index' must have {len(lengths)} rows", f"shape {places.shape}"
        )
    sizes = Tensor(np.array(lengths, np.int64)).reshape((-1,) + (1,) * (places.ndim - 1))
    inside = ops.floor_mod(places, sizes) if mode == "wrap" else ops.maximum(ops.minimum(places, sizes - 1), 0)
    steps = np.cumprod([1, *lengths[:-1]] if order == "F" else [1, *lengths[:0:-1]])
    steps = Tensor(steps if order == "F" else steps[::-1].copy()).reshape(sizes.shape)
    return ops.cast(ops.reduce_sum(inside * steps, 0), np.dtype(np.float32))
