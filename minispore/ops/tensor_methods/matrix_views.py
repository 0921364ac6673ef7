"""Tensor's methods that turn, reshape or take apart its elements, under names of matrices and of NumPy."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int, is_int
from minispore.core.dtype import int32, int64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.axes import as_axis
from minispore.ops.broadcasting import sum_to
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_no_complex

__all__ = []


def _sizes(operation, sizes):
    sizes = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    for n in sizes:
        if not is_int(n):
            raise type_error(operation, "the shape must be ints", shown(n))
        if n < 0:
            raise value_error(operation, "the shape must be of lengths of at least 0", shown(n))
    return tuple(sizes)


def _conjugate_matrix(self) -> Tensor:
    """The matrix with rows and columns exchanged, and conjugated.

    Shapes: (M, N) gives (N, M). Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1 + 2j, 3], [4, 5 - 1j]]).H)
        [[1.-2.j 4.-0.j]
         [3.-0.j 5.+1.j]]
    """
    if self.ndim != 2:
        raise value_error("H", "the Tensor must have 2 axes", f"shape {self.shape}")
    return F.conj(F.transpose(self, (1, 0)))


def _matrices_turned(self) -> Tensor:
    """The last two axes exchanged.

    ``adjoint()`` is the method, ``mT`` the property.

    Shapes: (..., M, N) gives (..., N, M). Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).mT)
        [[1 3]
         [2 4]]
    """
    if self.ndim < 2:
        raise value_error("mT", "the Tensor must have 2 axes at least", f"shape {self.shape}")
    return F.swapaxes(self, -1, -2)


def _t(self) -> Tensor:
    """A matrix with rows and columns exchanged, a vector or a number as it is.

    Dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2, 3], [4, 5, 6]]).t())
        [[1 4]
         [2 5]
         [3 6]]
    """
    if self.ndim > 2:
        raise value_error("t", "the Tensor must have at most 2 axes", f"shape {self.shape}")
    return F.transpose(self, tuple(range(self.ndim))[::-1])


def _reshape_as(self, other: Tensor) -> Tensor:
    """The same elements in another Tensor's shape.

    Shapes: that of ``other``. Dtypes: any, kept.

    Raises:
        TypeError: If ``other`` is not a Tensor.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 2, 3, 4]).reshape_as(ms.Tensor([[0, 0], [0, 0]])))
        [[1 2]
         [3 4]]
    """
    check_tensors("reshape_as", other=other)
    return F.reshape(self, other.shape)


def _resize(self, *new_shape) -> Tensor:
    """The elements in a row, cut off or followed by zeros, in another shape.

    Dtypes: any, kept.

    Raises:
        TypeError: If the shape does not hold ints.
        ValueError: If the shape has a negative length.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 2, 3]).resize(2, 2))
        [[1 2]
         [3 0]]
    """
    shape = _sizes("resize", new_shape)
    count, row = int(np.prod(shape)), self.reshape((-1,))
    if count > self.size:
        row = F.concat((row, F.zeros((count - self.size,), self.dtype)))
    return row[:count].reshape(shape)


def _sum_to_size(self, *size) -> Tensor:
    """The sum over axes that ``size`` lacks, or has with the length 1.

    Dtypes: floats, ints and complex, kept; bools give int32.

    Raises:
        TypeError: If the shape does not hold ints.
        ValueError: If ``size`` does not broadcast to the shape, or the shape has a negative length.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).sum_to_size(1, 2))
        [[4. 6.]]
    """
    shape = _sizes("sum_to_size", size)
    lead = self.ndim - len(shape)
    if lead < 0 or any(n not in (1, m) for n, m in zip(shape, self.shape[lead:], strict=True)):
        raise value_error("sum_to_size", f"the 'size' must broadcast to the shape {self.shape}", shape)
    return sum_to(self, shape)


def _ptp(self, axis=None, keepdims: bool = False) -> Tensor:
    """The largest element less the smallest, along an axis or of all.

    Shapes: without the axis, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``axis`` is not an int or a tuple of ints, or ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]).ptp(axis=1))
        [4. 1.]
    """
    check_bool("ptp", "keepdims", keepdims)
    return F.amax(self, axis, keepdims) - F.amin(self, axis, keepdims)


def _choose(self, choices, mode: str = "clip") -> Tensor:
    """Each element from the one of ``choices`` that this Tensor's number names, with broadcasting.

    Shapes: those of the Tensor and the choices broadcast. Dtypes: ints, kept; TypeError for floats, bools and complex.

    Raises:
        TypeError: If ``choices`` is not a Tensor, or a tuple or list of them, or holds no numbers.
        ValueError: If ``mode`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([0, 1, 0]).choose([ms.Tensor([1, 2, 3]), ms.Tensor([10, 20, 30])]))
        [ 1 20  3]
    """
    check_choice("choose", "mode", mode, ("clip", "wrap", "raise"))
    if isinstance(choices, Tensor):
        choices = list(choices)
    if not isinstance(choices, (tuple, list)) or not choices:
        raise type_error("choose", "the 'choices' must be a Tensor, or a tuple or list of them", shown(choices))
    if self.array.dtype.kind not in "iu":
        raise type_error("choose", "the Tensor must hold ints", self.dtype)
    each = [x if isinstance(x, Tensor) else Tensor(x) for x in choices]
    shape = np.broadcast_shapes(self.shape, *[x.shape for x in each])
    stacked = F.stack([F.broadcast_to(x, shape) for x in each]).reshape((len(each), -1))
    index = F.broadcast_to(self, shape).reshape((1, -1))
    if mode == "raise" and (int(index.min()) < 0 or int(index.max()) >= len(each)):
        raise value_error("choose", f"the numbers must be in [0, {len(each)})", f"{index.min()} to {index.max()}")
    index = index % len(each) if mode == "wrap" else F.clip_by_value(index, 0, len(each) - 1)
    return F.gather_elements(stacked, 0, F.cast(index, int32)).reshape(shape)


def _diff(self, n=1, axis=-1, prepend=None, append=None) -> Tensor:
    """Differences of neighbours along an axis, with ``prepend`` before and ``append`` after the elements.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``axis`` is not an int, or ``prepend`` or ``append`` is not a Tensor.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 4, 9, 16]).diff())
        [3 5 7]
    """
    if not is_int(n) or n != 1:
        raise value_error("diff", "the 'n' must be 1", shown(n))
    axis = as_axis("diff", axis, self.ndim)
    for name, x in (("prepend", prepend), ("append", append)):
        if x is not None:
            check_tensors("diff", **{name: x})
    parts = [x for x in (prepend, self, append) if x is not None]
    x = F.concat(tuple(parts), axis) if len(parts) > 1 else self
    length, before = x.shape[axis], (slice(None),) * axis
    return x[(*before, slice(1, length))] - x[(*before, slice(0, max(length - 1, 0)))]


def _diagflat(self, offset: int = 0) -> Tensor:
    """The elements in a row on a diagonal of a square matrix, whose other elements are 0.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``offset`` is not an int.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 2]).diagflat())
        [[1 0]
         [0 2]]
    """
    check_int("diagflat", "offset", offset)
    row, places = self.reshape((-1,)), np.arange(self.size)
    side = self.size + abs(offset)
    return row.scatter_to(
        (side, side), (Tensor(places + max(-offset, 0), int64), Tensor(places + max(offset, 0), int64))
    )


def _fill_diagonal(self, fill_value, wrap: bool = False) -> Tensor:
    """A copy with one number on the diagonal; with ``wrap`` a tall matrix goes on below it.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).fill_diagonal(0))
        [[0 2]
         [3 0]]
    """
    check_bool("fill_diagonal", "wrap", wrap)
    check_no_complex("fill_diagonal", "fill_value", fill_value)
    if self.ndim < 2 or (self.ndim > 2 and len(set(self.shape)) > 1):
        expected = "the Tensor must be a matrix, or have axes of one length"
        raise value_error("fill_diagonal", expected, f"shape {self.shape}")
    marked = np.zeros(self.shape, bool)
    np.fill_diagonal(marked, True, wrap)
    return F.masked_fill(self, Tensor(marked), F.cast(Tensor(fill_value), self.dtype))


def _index_put(self, indices, values, accumulate: bool = False) -> Tensor:
    """A copy with ``values`` at the places that a tuple of Tensors names, or added there.

    Shapes: kept; the indices broadcast to one shape, to which the values broadcast. Dtypes: any, kept.

    Raises:
        TypeError: If ``indices`` is not a tuple or list of Tensors, or one of them or ``values`` is not a Tensor.
        ValueError: If ``values`` does not broadcast to the indices' shape, or ``accumulate`` is not 0 or 1.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 2.0, 3.0]).index_put((ms.Tensor([0, 2]),), ms.Tensor([10.0, 30.0])))
        [10.  2. 30.]
    """
    if not isinstance(indices, (tuple, list)) or not indices:
        raise type_error("index_put", "the 'indices' must be a tuple or list of Tensors", shown(indices))
    check_tensors("index_put", values=values, **{f"indices[{i}]": x for i, x in enumerate(indices)})
    if accumulate not in (0, 1):
        raise value_error("index_put", "the 'accumulate' must be 0 or 1", shown(accumulate))
    if accumulate:
        shape = self[tuple(indices)].shape
        return self + F.broadcast_to(values, shape).scatter_to(self.shape, tuple(indices))
    out = F.identity_copy(self)
    out[tuple(indices)] = values
    return out


def _masked_scatter(self, mask: Tensor, tensor: Tensor) -> Tensor:
    """A copy with the elements of ``tensor``, in a row, where the mask holds.

    Shapes: any, kept; the mask broadcasts to it. Dtypes: any, kept.

    Raises:
        TypeError: If ``mask`` or ``tensor`` is not a Tensor.
        ValueError: If ``mask`` does not broadcast to the shape, or ``tensor`` has too few elements.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 2, 3]).masked_scatter(ms.Tensor([True, False, True]), ms.Tensor([10, 30])))
        [10  2 30]
    """
    check_tensors("masked_scatter", mask=mask, tensor=tensor)
    places = F.broadcast_to(mask, self.shape).asnumpy().nonzero()
    count = len(places[0]) if places else int(mask.asnumpy())
    if count > tensor.size:
        raise value_error("masked_scatter", f"the 'tensor' must have at least {count} elements", tensor.size)
    out = F.identity_copy(self)
    out[tuple(Tensor(p) for p in places)] = tensor.reshape((-1,))[:count]
    return out


def _infinite(sign):
    """Tensor's method: True for the elements that are infinite with a given sign."""

    def method(self) -> Tensor:
        """True for the elements that are negative infinity (``isneginf``) or positive infinity (``isposinf``).

        Shapes: any, kept. Dtypes: floats; the answer is bool; TypeError for ints, bools and complex.

        Examples:
            >>> import numpy as np
            >>> import minispore as ms
            >>> x = ms.Tensor([np.inf, -np.inf, np.nan, 1.0])
            >>> print(x.isposinf())
            [ True False False False]
            >>> print(x.isneginf())
            [False  True False False]
        """
        return F.logical_and(F.isinf(self), self * sign > 0)

    return method


def _argwhere(self) -> Tensor:
    """The places of the elements other than zero, a row of int64 indices for each: ``ops.nonzero``.

    Shapes: (count, axes), known from the values alone. Dtypes: floats, ints and bools; the answer is int64; TypeError
    for complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[0, 3], [5, 0]]).argwhere())
        [[0 1]
         [1 0]]
    """
    return F.nonzero(self)


def _msort(self) -> Tensor:
    """The elements in ascending order along the first axis.

    Shapes: any of at least one axis, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[3, 1], [2, 4]]).msort())
        [[2 1]
         [3 4]]
    """
    return F.sort(self, 0)[0]


def _clamp(self, min=None, max=None) -> Tensor:
    """The elements held between two bounds, of which one may be None: ``ops.clamp``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([-2.0, 0.5, 9.0]).clamp(min=0.0, max=1.0))
        [0.  0.5 1. ]
    """
    return F.clamp(self, min, max)


def _ger(self, vec2) -> Tensor:
    """Products of every pair of elements of two vectors: ``out[i, j] = self[i] * vec2[j]``.

    Shapes: (N,) and (M,) give (N, M). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``vec2`` is not a Tensor, or the two differ in dtype.
        ValueError: If ``vec2`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1.0, 2.0]).ger(ms.Tensor([10.0, 20.0])))
        [[10. 20.]
         [20. 40.]]
    """
    return F.ger(self, vec2)


def _hardshrink(self, lambd: float = 0.5) -> Tensor:
    """The elements with sizes above ``lambd`` as they are, 0 for the others: ``ops.hardshrink``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([-1.0, 0.3, 0.5, 2.0]).hardshrink())
        [-1.  0.  0.  2.]
    """
    return F.hardshrink(self, lambd)


def _soft_shrink(self, lambd: float = 0.5) -> Tensor:
    """The elements brought nearer to 0 by ``lambd``, and 0 for those that are nearer than that: ``ops.softshrink``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``lambd`` is not a number.
        ValueError: If ``lambd`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([-1.0, 0.3, 0.5, 2.0]).soft_shrink())
        [-0.5  0.   0.   1.5]
    """
    return F.softshrink(self, lambd)


METHODS_OF_VIEWS = {
    "H": property(_conjugate_matrix),
    "adjoint": _matrices_turned,
    "argwhere": _argwhere,
    "choose": _choose,
    "clamp": _clamp,
    "diagflat": _diagflat,
    "diff": _diff,
    "fill_diagonal": _fill_diagonal,
    "ger": _ger,
    "hardshrink": _hardshrink,
    "index_put": _index_put,
    "isneginf": _infinite(-1),
    "isposinf": _infinite(1),
    "mH": property(F.adjoint),
    "mT": property(_matrices_turned),
    "masked_scatter": _masked_scatter,
    "msort": _msort,
    "ptp": _ptp,
    "reshape_as": _reshape_as,
    "resize": _resize,
    "soft_shrink": _soft_shrink,
    "sum_to_size": _sum_to_size,
    "t": _t,
}
