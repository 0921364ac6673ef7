"""Order along an axis: sorting, the largest k, the places of values in sorted rows, distinct values.

The order is stable in both directions: equal elements stay in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core import backend
from minispore.core.dtype import DType, as_dtype, int64
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor, wrap
from minispore.ops.axes import as_axis, as_int
from minispore.ops.kernels.float16.cast import widen
from minispore.ops.operations.array.gather import TensorScatterElements
from minispore.ops.operations.array.scatter import check_indices
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_number, check_same_type, check_tensor

__all__ = ["InTopK", "SearchSorted", "Sort", "TopK", "Unique"]


def _order(xp, x, axis, descending):
    """The positions of the elements in order along an axis."""
    x = widen(xp, x)
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable")
    return x.shape[axis] - 1 - xp.flip(xp.argsort(xp.flip(x, axis), axis=axis, kind="stable"), axis)


def put_along(op, x, axis, index, values):
    """Zeros like ``x``, with ``values`` added at ``index`` along an axis."""
    zeros = wrap(backend.xp.zeros(x.shape, values.array.dtype))
    return op.cached_primitive(TensorScatterElements, axis, "add")(zeros, index, values)


class Sort(Primitive):
    """Elements in order along an axis.

    ``(sorted x, the position that each element came from)`` along ``axis``; positions are int32.

    Shapes: any but (), kept; both answers have it. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        axis (int): The axis. Default: -1.
        descending (bool): If True, the largest comes first. Default: False.

    Raises:
        TypeError: If ``descending`` is not a bool, ``axis`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Sort(descending=True)(ms.Tensor([1.0, 3.0, 2.0])))
        [3. 2. 1.] [1 2 0]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, axis: int = -1, descending: bool = False) -> None:
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("descending", descending)

    def infer(self, x):
        check_number(self, "x", x)
        as_axis(self, self.axis, len(x.shape))
        return x, Spec(x.shape, np.dtype(np.int32))

    def compute(self, xp, x):
        order = _order(xp, x, self.axis, self.descending)
        return xp.take_along_axis(x, order, self.axis), order.astype(np.int32)

    def bprop(self, x, out, dout):
        return put_along(self, x, self.axis, out[1], dout[0])


class TopK(Primitive):
    """The largest elements along the last axis.

    ``(the k largest elements along the last axis, their positions)``, the largest first; positions are int32.

    Shapes: (..., N) gives (..., k) twice. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        sorted (bool): Accepted; they are sorted in any case. Default: True.

    Raises:
        TypeError: If ``sorted`` is not a bool, ``x`` is not a Tensor, or ``k`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.TopK()(ms.Tensor([3.0, 1.0, 2.0]), 2))
        [3. 2.] [0 2]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, sorted: bool = True) -> None:
        self.add_prim_attr("sorted", sorted)

    def adapt(self, x, k):
        """Read k as an int."""
        return x, as_int(self, "k", k)

    def infer(self, x, k):
        check_number(self, "input_x", x)
        length = x.shape[as_axis(self, -1, len(x.shape))]
        if not 0 < k <= length:
            raise value_error(self.name, f"the 'k' must be in [1, {length}], the length of the last axis", k)
        shape = (*x.shape[:-1], k)
        return Spec(shape, x.dtype), Spec(shape, np.dtype(np.int32))

    def compute(self, xp, x, k):
        order = _order(xp, x, -1, True)[..., :k]
        return xp.take_along_axis(x, order, -1), order.astype(np.int32)

    def bprop(self, x, k, out, dout):
        return put_along(self, x, -1, out[1], dout[0]), None


class InTopK(Primitive):
    """True where the score of class ``x2[i]`` is among the k largest of row ``x1[i]``; False for a class outside.

    Shapes: (N, classes) and (N,) give (N,). Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``k`` is not an int, or ``x1`` or ``x2`` is not a Tensor.
        ValueError: If ``x1`` does not have 2 axes, or ``x2`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.InTopK(1)(ms.Tensor([[0.1, 0.7, 0.2], [0.6, 0.3, 0.1]]), ms.Tensor([1, 1], ms.int32)))
        [ True False]
    """

    differentiable = False

    def __init__(self, k) -> None:
        self.add_prim_attr("k", k)

    def infer(self, x1, x2):
        check_float(self, "x1", x1)
        check_rank(self, "x1", x1, (2,))
        check_indices(self, "x2", x2)
        if x2.shape != x1.shape[:1]:
            raise value_error(self.name, f"the 'x2' must have the shape {x1.shape[:1]}", x2.shape)
        return Spec(x2.shape, np.dtype(np.bool_))

    def compute(self, xp, x1, x2):
        classes = x1.shape[1]
        scores = widen(xp, x1)
        score = xp.take_along_axis(scores, xp.clip(x2, 0, classes - 1)[:, None], 1)
        among = ((scores > score).sum(1) < self.k) & xp.isfinite(score[:, 0])
        return among & (x2 >= 0) & (x2 < classes)


class SearchSorted(Primitive):
    """Places of ``values`` in ascending rows: the first, or with ``right`` the last, that keeps them ascending.

    Dtypes: floats and ints; the answer is int64; TypeError for bools and complex.

    Args:
        dtype (DType): The dtype of the indices, int32 or int64. Default: int64.
        right (bool): If True, a value goes after its equals. Default: False.

    Raises:
        TypeError: If ``dtype`` is not a dtype, ``right`` is not a bool, or ``sequence`` or ``values`` is not a Tensor.
            Also if ``values`` and ``sequence`` differ in dtype.
        ValueError: If ``sequence`` has neither one axis nor the leading lengths of ``values``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SearchSorted()(ms.Tensor([1.0, 3.0, 5.0]), ms.Tensor([0.0, 3.0, 9.0])))
        [0 1 3]
    """

    differentiable = False

    def __init__(self, dtype: DType = int64, right: bool = False) -> None:
        dtype = as_dtype(dtype, self.name).np
        if dtype not in (np.int32, np.int64):
            raise type_error(self.name, "the 'dtype' must be int32 or int64", dtype)
        self.add_prim_attr("dtype", dtype)
        self.add_prim_attr("right", right)

    def infer(self, sequence, values):
        check_number(self, "sorted_sequence", sequence)
        check_same_type(self, sorted_sequence=sequence, values=values)
        if not sequence.shape or (len(sequence.shape) > 1 and sequence.shape[:-1] != values.shape[:-1]):
            expected = "the 'sorted_sequence' must have one axis, or all but the last as 'values'"
            raise value_error(self.name, expected, f"{sequence.shape} and {values.shape}")
        return Spec(values.shape, self.dtype)

    def compute(self, xp, sequence, values):
        sequence, values = widen(xp, sequence), widen(xp, values)
        if sequence.ndim == 1:
            indices = xp.searchsorted(sequence, values, side="right" if self.right else "left")
            return xp.asarray(indices).astype(self.dtype)
        rows, values = sequence[..., None, :], values[..., None]
        return ((rows <= values) if self.right else (rows < values)).sum(-1).astype(self.dtype)


class Unique(Primitive):
    """The distinct elements.

    ``(the distinct elements of x in the order in which they come, for each element its place among them)``.

    It has no gradient: one that is asked for is an error.

    Shapes: (count,), known from the values alone, and that of x. Dtypes: floats, ints and bools, kept; TypeError for
    complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Unique()(ms.Tensor([3, 1, 3, 2])))
        [3 1 2] [0 1 0 2]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, x):
        check_tensor(self, "x", x)
        return Spec((None,), x.dtype), Spec(x.shape, np.dtype(np.int32))

    def compute(self, xp, x):
        flat = x.ravel()
        _, first, inverse = xp.unique(widen(xp, flat), return_index=True, return_inverse=True)
        order = xp.argsort(first, kind="stable")
        place = xp.argsort(order, kind="stable").astype(np.int32)
        return flat[first[order]], place[inverse.reshape(x.shape)]
