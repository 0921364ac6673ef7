"""Elements in runs and ranges, whose number depends on the data: equal neighbours, ranges, what a list lacks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import DType, as_dtype, int32, int64
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_number, check_same_type, check_tensor

__all__ = ["ListDiff", "RaggedRange", "UniqueConsecutive"]

_INT32 = np.dtype(np.int32)


def _index_dtype(op, argument, dtype):
    """The NumPy dtype of indices, int32 or int64."""
    dtype = as_dtype(dtype, op.name).np
    if dtype not in (np.int32, np.int64):
        raise type_error(op.name, f"the '{argument}' must be int32 or int64", dtype)
    return dtype


class UniqueConsecutive(Primitive):
    """The first of each run of equal elements, the run of each element, and each run's length; int32.

    It has no gradient: one that is asked for is an error.

    Shapes: any gives (number of runs,); the run of each element is as ``x``. Dtypes: floats, ints and bools, kept;
    TypeError for complex.

    Args:
        return_idx (bool): If False, the runs are an empty Tensor. Default: False.
        return_counts (bool): If False, the lengths are an empty Tensor. Default: False.
        axis (int): Slices along this axis are compared. Default: None: the elements, as one row.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.UniqueConsecutive(return_idx=True, return_counts=True)(ms.Tensor([5, 5, 7, 5])))
        [5 7 5] [0 0 1 2] [2 1 1]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, return_idx: bool = False, return_counts: bool = False, axis: int | None = None) -> None:
        self.add_prim_attr("return_idx", check_bool(self.name, "return_idx", return_idx))
        self.add_prim_attr("return_counts", check_bool(self.name, "return_counts", return_counts))
        self.add_prim_attr("axis", axis)

    def infer(self, x):
        check_tensor(self, "x", x)
        runs, shape = x.shape, (None,)
        if self.axis is not None:
            axis = as_axis(self, self.axis, len(x.shape))
            runs, shape = (x.shape[axis],), (*x.shape[:axis], None, *x.shape[axis + 1 :])
        runs = Spec(runs if self.return_idx else (0,), _INT32)
        return Spec(shape, x.dtype), runs, Spec((None,) if self.return_counts else (0,), _INT32)

    def compute(self, xp, x):
        rows = x.ravel() if self.axis is None else xp.moveaxis(x, self.axis, 0)
        wide = widen(xp, rows).reshape(len(rows), x.size // max(len(rows), 1))
        first = xp.concatenate((xp.ones(min(len(rows), 1), bool), (wide[1:] != wide[:-1]).any(1)))
        at = xp.nonzero(first)[0]
        out = rows[at] if self.axis is None else xp.moveaxis(rows[at], 0, self.axis)
        runs = (xp.cumsum(first) - 1).astype(_INT32).reshape(x.shape if self.axis is None else -1)
        counts = xp.diff(xp.concatenate((at, xp.asarray([len(rows)])))).astype(_INT32)
        none = xp.zeros(0, _INT32)
        return xp.ascontiguousarray(out), runs if self.return_idx else none, counts if self.return_counts else none


class ListDiff(Primitive):
    """The elements of a vector x that are not in y, in their order, and their places; they have no gradient.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Args:
        out_idx (DType): The dtype of the places, int32 or int64. Default: int32.

    Raises:
        TypeError: If ``out_idx`` is not a dtype, ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If ``x`` or ``y`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.ListDiff()(ms.Tensor([1, 2, 3, 4]), ms.Tensor([2, 4])))
        [1 3] [0 2]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, out_idx: DType = int32) -> None:
        self.add_prim_attr("out_idx", _index_dtype(self, "out_idx", out_idx))

    def infer(self, x, y):
        for name, spec in (("x", x), ("y", y)):
            check_rank(self, name, spec, (1,))
        check_same_type(self, x=x, y=y)
        return Spec((None,), x.dtype), Spec((None,), self.out_idx)

    def compute(self, xp, x, y):
        at = xp.nonzero(~xp.isin(widen(xp, x), widen(xp, y)))[0]
        return x[at], at.astype(self.out_idx)


class RaggedRange(Primitive):
    """Ranges one behind the other: where each starts and the last ends, and ``starts[i], starts[i] + deltas[i], ...``.

    A range ends before ``limits[i]``. They have no gradient.

    Shapes: three of (N,), or of (), give (N + 1,) and (count,). Floats and ints are taken, one dtype, which the second
    output keeps; the first has ``Tsplits``.

    Args:
        Tsplits (DType): The dtype of the first output, int32 or int64. Default: int64.

    Raises:
        TypeError: If ``Tsplits`` is not a dtype, ``starts``, ``limits`` or ``deltas`` is not a Tensor, or ``limits``
            and ``starts`` differ in dtype.
        ValueError: If ``starts`` does not have 0 or 1 axes, or ``limits`` or ``deltas`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> starts, limits, steps = ms.Tensor([0.0, 5.0]), ms.Tensor([3.0, 9.0]), ms.Tensor([1.0, 2.0])
        >>> print(*ops.RaggedRange(Tsplits=ms.int32)(starts, limits, steps))
        [0 3 5] [0. 1. 2. 5. 7.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, Tsplits: DType = int64) -> None:  # noqa: N803 - MindSpore's name
        self.add_prim_attr("Tsplits", _index_dtype(self, "Tsplits", Tsplits))

    def infer(self, starts, limits, deltas):
        check_number(self, "starts", starts)
        check_rank(self, "starts", starts, (0, 1))
        check_same_type(self, starts=starts, limits=limits, deltas=deltas)
        check_shape(self, "limits", limits, starts.shape)
        check_shape(self, "deltas", deltas, starts.shape)
        return Spec((starts.shape[0] + 1 if starts.shape else 2,), self.Tsplits), Spec((None,), starts.dtype)

    def compute(self, xp, starts, limits, deltas):
        starts, limits, deltas = (x.reshape(-1) for x in (starts, limits, deltas))
        if bool((deltas == 0).any()):
            raise value_error(self.name, "the 'deltas' must be other than 0", 0)
        exact = limits.astype(np.float64) - starts.astype(np.float64)
        counts = xp.maximum(xp.ceil(exact / deltas.astype(np.float64)), 0).astype(np.int64)
        splits = xp.concatenate((xp.zeros(1, np.int64), xp.cumsum(counts)))
        places = xp.arange(int(splits[-1]))
        owner = xp.searchsorted(splits[1:], places, side="right")
        values = starts[owner] + deltas[owner] * (places - splits[owner]).astype(starts.dtype)
        return splits.astype(self.Tsplits), values.astype(starts.dtype)
