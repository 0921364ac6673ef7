"""Sums, means, extremes and running sums over axes; None stands for all axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore import ops
from minispore.core.checks import check_int, check_switch, plain
from minispore.core.dtype import FLOATS, float32
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.array_ops.rearranging import broadcast_arrays
from minispore.dropin.numpy.utils import as_axes, as_axis, common, converted, floating, numbers_only, operand, real

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "average",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "min",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanstd",
    "nansum",
    "nanvar",
    "ptp",
    "std",
    "sum",
    "var",
]

_BOOL, _INT32 = np.dtype(np.bool_), np.dtype(np.int32)


def _reduced(name, reduce, x, axis, keepdims):
    """``reduce`` over the axes, in the type of ``x``; no axes leave it as it is."""
    axes = as_axes(name, axis, x.ndim, keepdims=keepdims)
    return ops.cast(reduce(x, axes, bool(keepdims)), x.dtype) if axes else x


def _summands(name, a):
    """An operand as numbers: bools count as int32."""
    x = operand(name, a, "a")
    return ops.cast(x, _INT32) if x.array.dtype == _BOOL else x


def _begun(name, initial):
    """The value that a reduction begins with, a Tensor of one element."""
    start = numbers_only(name, operand(name, initial, "initial"), "initial")
    if start.size != 1:
        raise value_error(name, "the 'initial' must be one number", f"shape {start.shape}")
    return start.reshape(())


def sum(a, axis=None, dtype=None, keepdims: bool = False, initial=None) -> Tensor:
    """Sum over axes, and of ``initial`` if it is given; bools are counted as int32.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; bools give
    int32.

    Raises:
        TypeError: If ``a`` or ``initial`` holds no numbers, ``axis`` is not an int or a tuple of ints, or ``dtype`` is
            not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.sum(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [3. 7.]
    """
    out = _reduced("sum", ops.reduce_sum, _summands("sum", a), axis, keepdims)
    if initial is not None:
        out = ops.cast(out + _begun("sum", initial), out.dtype)
    return converted("sum", out, dtype)


def mean(a, axis=None, keepdims: bool = False, dtype=None) -> Tensor:
    """Mean over axes, in the type of ``a``; that of ints is cut to the whole number next to it towards 0.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.mean(ms.Tensor([[1.0, 2.0], [3.0, 6.0]]), 1))
        [1.5 4.5]
    """
    x = numbers_only("mean", operand("mean", a, "a"), "a")
    axes = as_axes("mean", axis, x.ndim, keepdims=keepdims)
    wide = x if x.array.dtype in FLOATS else ops.cast(x, float32)
    out = ops.reduce_mean(wide, axes, bool(keepdims)) if axes else wide
    return converted("mean", ops.cast(out, x.dtype), dtype)


# Extremes


_LARGEST, _SMALLEST = (ops.reduce_max, ops.maximum), (ops.reduce_min, ops.minimum)
_EXTREMES = {"amax": _LARGEST, "max": _LARGEST, "ptp": _LARGEST, "amin": _SMALLEST, "min": _SMALLEST}


def _extreme(name, a, axis, keepdims, initial=None, where=True):
    reduce, pick = _EXTREMES[name]
    x = numbers_only(name, operand(name, a, "a"), "a")
    start = None if initial is None else ops.cast(_begun(name, initial), x.dtype)
    if where is not None and not (isinstance(plain(where), int) and plain(where)):
        if start is None:
            raise value_error(name, "an 'initial' must be given with 'where'", "None")
        mask = operand(name, where, "where")
        if mask.array.dtype != _BOOL:
            raise type_error(name, "the 'where' must be bools", mask.dtype)
        x = ops.select(*broadcast_arrays(mask, x, start))
    out = _reduced(name, reduce, x, axis, keepdims)
    return out if start is None else pick(out, start)


def amax(a, axis=None, keepdims: bool = False, initial=None, where=True) -> Tensor:
    """Largest over axes of what the mask ``where`` selects, and of ``initial``, if they are given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``initial`` holds no numbers.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.amax(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [5. 4.]
    """
    return _extreme("amax", a, axis, keepdims, initial, where)


def amin(a, axis=None, keepdims: bool = False, initial=None, where=True) -> Tensor:
    """Smallest over axes of what the mask ``where`` selects, and of ``initial``, if they are given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``initial`` holds no numbers.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.amin(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _extreme("amin", a, axis, keepdims, initial, where)


def max(a, axis=None, keepdims: bool = False, initial=None, where=True) -> Tensor:
    """Largest over axes: :func:`amax`.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``initial`` holds no numbers.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.max(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [5. 4.]
    """
    return _extreme("max", a, axis, keepdims, initial, where)


def min(a, axis=None, keepdims: bool = False, initial=None, where=True) -> Tensor:
    """Smallest over axes: :func:`amin`.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``initial`` holds no numbers.
        ValueError: If ``axis`` is no axis of the input, or ``where`` is given without ``initial``.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.min(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _extreme("min", a, axis, keepdims, initial, where)


def ptp(x, axis=None, keepdims: bool = False) -> Tensor:
    """Largest less smallest over axes.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.ptp(ms.Tensor([[1.0, 5.0], [3.0, 4.0]]), 1))
        [4. 1.]
    """
    return _extreme("ptp", x, axis, keepdims) - amin(x, axis, keepdims)


def _position(name, a, axis, find):
    x = operand(name, a, "a")
    return find(x.reshape(-1), 0) if axis is None else find(x, as_axis(name, axis, x.ndim))


def argmax(a, axis=None) -> Tensor:
    """The first place of the largest element along an axis, or of all in a row for None, as int64.

    Shapes: without the axis. Dtypes: floats, ints and bools; the answer is int64; TypeError for complex.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.argmax(ms.Tensor([[1.0, 5.0], [7.0, 7.0]]), 1))
        [1 0]
    """
    return _position("argmax", a, axis, ops.argmax)


def argmin(a, axis=None) -> Tensor:
    """The first place of the smallest element along an axis, or of all in a row for None, as int32.

    Shapes: without the axis. Dtypes: floats, ints and bools; the answer is int32; TypeError for complex.

    Raises:
        TypeError: If ``a`` holds no numbers, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.argmin(ms.Tensor([[1.0, 5.0], [7.0, 7.0]]), 1))
        [0 0]
    """
    return _position("argmin", a, axis, ops.argmin)


# Moments


def _variance(name, x, axis, ddof, keepdims):
    axes = as_axes(name, axis, x.ndim, keepdims=keepdims)
    check_int(name, "ddof", ddof)
    wide = x if x.array.dtype in FLOATS else ops.cast(real(name, x), float32)
    if not axes:
        return ops.zeros_like(wide)
    return ops.var(wide, axes, ddof, bool(keepdims))


def var(x, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Variance over axes, in the type of ``x``: the sum of ``(x - mean) ** 2 / (count - ddof)``.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``x`` is not a real number, ``x`` is not a Tensor, or ``axis`` or ``ddof`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.var(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]), 1))
        [1. 9.]
    """
    x = numbers_only("var", operand("var", x))
    return ops.cast(_variance("var", x, axis, ddof, keepdims), x.dtype)


def std(x, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, as float32 for ints: the root of the variance.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, kept; ints give float32; TypeError
    for bools and complex.

    Raises:
        TypeError: If ``x`` is not a real number, ``x`` is not a Tensor, or ``axis`` or ``ddof`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.std(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]), 1))
        [1. 3.]
    """
    x = numbers_only("std", operand("std", x))
    return ops.sqrt(_variance("std", x, axis, ddof, keepdims))


def average(x, axis=None, weights=None, returned: bool = False) -> Any:
    """:func:`mean` over axes, weighted if there are ``weights``; with ``returned`` also their sum.

    Without ``weights`` it is :func:`mean` itself: dtypes are kept, and a mean of ints is cut towards 0. It is a
    ValueError if ``weights`` have another shape than ``x``. Of ``x`` with weights:

    Dtypes: floats, kept; int8 and uint8 give float16; int16, int32, int64, uint16, uint32 and uint64 give float32;
    TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.average(ms.Tensor([1.0, 3.0]), weights=ms.Tensor([3.0, 1.0])))
        1.5
    """
    x = numbers_only("average", operand("average", x))
    returned = check_switch("average", "returned", returned)
    axes = as_axes("average", axis, x.ndim)
    if weights is None:
        out = mean(x, axes)
        return (out, ops.full_like(out, x.size // (out.size or 1))) if returned else out
    weights = operand("average", weights, "weights")
    if weights.shape != x.shape:
        raise value_error("average", f"the 'weights' must have the shape {x.shape}", weights.shape)
    x, weights = (floating(t, "average") for t in common("average", [x, weights]))
    total = sum(weights, axes)
    out = sum(x * weights, axes) / total
    return (out, total) if returned else out


# Without nan


def _numbers(name, a):
    """An operand, and where it holds numbers."""
    x = _summands(name, a) if name in ("nansum", "nancumsum") else numbers_only(name, operand(name, a, "a"), "a")
    return x, ops.equal(x, x)


def _instead(x, kept, value):
    return ops.select(kept, x, ops.full_like(x, value))


def nansum(a, axis=None, dtype=None, keepdims: bool = False) -> Tensor:
    """Sum over axes of what is not nan.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, ints and complex, kept; bools give
    int32.

    Raises:
        TypeError: If ``a`` holds no numbers, ``axis`` is not an int or a tuple of ints, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nansum(ms.Tensor([1.0, np.nan, 3.0])))
        4.0
    """
    return sum(_instead(*_numbers("nansum", a), 0), axis, dtype, keepdims)


def nanmax(a, axis=None, dtype=None, keepdims: bool = False) -> Tensor:
    """Largest over axes of what is not nan.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``dtype`` is not a dtype.
        ValueError: If ``a`` has no elements along the axes, or ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nanmax(ms.Tensor([1.0, np.nan, 3.0])))
        3.0
    """
    return converted("nanmax", _nan_extreme("nanmax", a, axis, keepdims, ops.reduce_max, -np.inf), dtype)


def nanmin(a, axis=None, dtype=None, keepdims: bool = False) -> Tensor:
    """Smallest over axes of what is not nan.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Raises:
        TypeError: If ``a`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``dtype`` is not a dtype.
        ValueError: If ``a`` has no elements along the axes, or ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nanmin(ms.Tensor([1.0, np.nan, 3.0])))
        1.0
    """
    return converted("nanmin", _nan_extreme("nanmin", a, axis, keepdims, ops.reduce_min, np.inf), dtype)


def _nan_extreme(name, a, axis, keepdims, reduce, neutral):
    x, kept = _numbers(name, a)
    if x.array.dtype in FLOATS:
        x = _instead(x, kept, neutral)
    return _reduced(name, reduce, x, axis, keepdims)


def _nan_moments(name, a, axis, keepdims):
    """The numbers of ``a`` as floats, 0 for nan, where they are, how many there are and their mean."""
    x, kept = _numbers(name, a)
    wide = x if x.array.dtype == np.float64 else ops.cast(real(name, x, "a"), float32)
    axes = as_axes(name, axis, x.ndim, keepdims=keepdims)
    numbers, ones = _instead(wide, kept, 0), ops.cast(kept, wide.dtype)
    count = sum(ones, axes, keepdims=True)
    return numbers, ones, count, sum(numbers, axes, keepdims=True) / count, axes


def _without(name, x, axes, keepdims):
    """``x``, whose ``axes`` have length 1, without them unless they are to be kept."""
    return x if keepdims else x.reshape(tuple(n for i, n in enumerate(x.shape) if i not in axes))


def nanmean(a, axis=None, dtype=None, keepdims: bool = False) -> Tensor:
    """Mean over axes of what is not nan: as float64 for float64, else as float32, if no ``dtype`` is given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: float32 and float64, kept; float16 and
    ints give float32; TypeError for bools and complex.

    Raises:
        TypeError: If ``a`` is not a real number, ``a`` is not a Tensor, or ``axis`` is not an int or a tuple of ints.
            Also if ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nanmean(ms.Tensor([1.0, np.nan, 3.0])))
        2.0
    """
    *_, middle, axes = _nan_moments("nanmean", a, axis, keepdims)
    kind = middle.dtype if dtype is None else _float_of(dtype, "nanmean")
    return converted("nanmean", _without("nanmean", middle, axes, keepdims), kind)


def _float_of(dtype, name):
    """float64 for float64, else float32: the types of means without nan."""
    from_user = converted(name, ops.zeros((), float32), dtype).dtype
    return from_user if from_user.np == np.float64 else float32


def _nan_variance(name, a, axis, ddof, keepdims):
    check_int(name, "ddof", ddof)
    numbers, ones, count, middle, axes = _nan_moments(name, a, axis, keepdims)
    away = (numbers - middle) * ones
    out = sum(away * away, axes, keepdims=True) / (count - ddof)
    return ops.cast(_without(name, out, axes, keepdims), float32)


def nanvar(a, axis=None, dtype=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Variance over axes of what is not nan, as float32, if no ``dtype`` is given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints; the answer is float32;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``a`` is not a real number, ``a`` is not a Tensor, or ``axis`` or ``ddof`` is not an int. Also if
            ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nanvar(ms.Tensor([1.0, np.nan, 3.0])))
        1.0
    """
    return converted("nanvar", _nan_variance("nanvar", a, axis, ddof, keepdims), dtype)


def nanstd(a, axis=None, dtype=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes of what is not nan, as float32, if no ``dtype`` is given.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats and ints; the answer is float32;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``a`` is not a real number, ``a`` is not a Tensor, or ``axis`` or ``ddof`` is not an int. Also if
            ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nanstd(ms.Tensor([1.0, np.nan, 3.0])))
        1.0
    """
    return converted("nanstd", ops.sqrt(_nan_variance("nanstd", a, axis, ddof, keepdims)), dtype)


# Running sums and counts


def _running(name, function, a, axis, dtype, narrow):
    x = operand(name, a, "a")
    x = ops.cast(x, narrow[x.array.dtype.name]) if x.array.dtype.name in narrow else x
    x = converted(name, x, dtype)
    return function(x.reshape(-1), 0) if axis is None else function(x, as_axis(name, axis, x.ndim))


_SUMS = dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), _INT32)
_PRODUCTS = _SUMS | dict.fromkeys(("uint8", "uint16"), np.dtype(np.uint32))


def cumsum(a, axis=None, dtype=None) -> Tensor:
    """Running sum along an axis, or of all elements in a row for None; narrow ints become int32.

    Shapes: any, kept; (number of elements,) without an axis. Dtypes: floats, int32, int64, uint32, uint64 and complex,
    kept; int8, int16, uint8, uint16 and bools give int32.

    Raises:
        TypeError: If ``a`` holds no numbers, ``axis`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cumsum(ms.Tensor([[1, 2], [3, 4]])))
        [ 1  3  6 10]
    """
    return _running("cumsum", ops.cumsum, a, axis, dtype, _SUMS)


def cumprod(a, axis=None, dtype=None) -> Tensor:
    """Running product along an axis, or of all elements in a row for None; narrow ints become (u)int32.

    Shapes: any, kept; (number of elements,) without an axis. Dtypes: floats, int32, int64, uint32, uint64 and complex,
    kept; int8, int16 and bools give int32; uint8 and uint16 give uint32.

    Raises:
        TypeError: If ``a`` holds no numbers, ``axis`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cumprod(ms.Tensor([1, 2, 3, 4])))
        [ 1  2  6 24]
    """
    return _running("cumprod", ops.cumprod, a, axis, dtype, _PRODUCTS)


def nancumsum(a, axis=None, dtype=None) -> Tensor:
    """:func:`cumsum` in which nan counts as 0.

    Shapes: any, kept; (number of elements,) without an axis. Dtypes: floats, int32, int64, uint32, uint64 and complex,
    kept; int8, int16, uint8, uint16 and bools give int32.

    Raises:
        TypeError: If ``a`` holds no numbers, ``axis`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.nancumsum(ms.Tensor([1.0, np.nan, 3.0])))
        [1. 1. 4.]
    """
    return _running("nancumsum", ops.cumsum, _instead(*_numbers("nancumsum", a), 0), axis, dtype, _SUMS)


def count_nonzero(x, axis=None, keepdims: bool = False) -> Tensor:
    """Number of elements other than 0 over axes, as int32.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: any; the answer is int32.

    Raises:
        TypeError: If ``x`` holds no numbers, or ``axis`` is not an int or a tuple of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.count_nonzero(ms.Tensor([[1, 0, 2], [0, 0, 3]]), 1))
        [2 1]
    """
    x = operand("count_nonzero", x)
    return _reduced("count_nonzero", ops.reduce_sum, ops.cast(ops.not_equal(x, 0), _INT32), axis, keepdims)
