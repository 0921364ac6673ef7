"""Functional wrappers of variance, standard deviation, norms and distances; float16 is computed in float32."""

from __future__ import annotations

import math as numbers

import numpy as np

from minispore.core.checks import check_switch
from minispore.core.dtype import FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.reduce import reduce_mean, reduce_sum
from minispore.ops.functional.reduce_extremes import reduce_max, reduce_min
from minispore.ops.number_checks import check_number, is_real
from minispore.ops.operations.gradient_flow import StopGradient
from minispore.ops.operations.linalg.svd import Svd
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.reduce import norm as norms
from minispore.ops.promotion import lowered_dtype

__all__ = ["cdist", "cosine_similarity", "dist", "logsumexp", "norm", "renorm", "std", "std_mean", "var", "var_mean"]
METHODS = "norm renorm"

_stop, _select, _singular = StopGradient(), Select(), Svd(compute_uv=False)


def _wide(name, x, argument="input"):
    """A floating Tensor in at least float32, and the dtype in which operations see it."""
    if not isinstance(x, Tensor) or x.array.dtype not in FLOATS:
        got = str(getattr(x, "dtype", type(x).__name__))
        raise type_error(name, f"the '{argument}' must be a floating Tensor", got)
    kind = lowered_dtype(x)
    return cast(x, np.dtype(np.float32)) if x.itemsize == 2 else x, kind


def _moments(name, input, axis, ddof, keepdims):
    """Variance and mean, in at least float32, and the dtype that they are to have."""
    x, kind = _wide(name, input)
    if not isinstance(ddof, (int, bool)):
        raise type_error(name, "the 'ddof' must be an int or a bool", shown(ddof))
    mean = reduce_mean(x, axis, True)
    count = x.size // mean.size if mean.size else 0
    centred = x - mean
    variance = reduce_sum(centred * centred, axis, keepdims) / (count - int(ddof))
    return variance, mean if keepdims else mean.reshape(variance.shape), kind


def var(input: Tensor, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Variance over axes: ``out = sum of (input - mean) ** 2 / (count - ddof)``.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 3.0], [2.0, 8.0]])
        >>> print(ops.var(x, 1))
        [1. 9.]
        >>> print(ops.var(x, 1, ddof=1))
        [ 2. 18.]
    """
    variance, _, kind = _moments("var", input, axis, ddof, keepdims)
    return cast(variance, kind)


def std(input: Tensor, axis=None, ddof=0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes: the square root of :func:`var`.

    Shapes: without the axes, or with ``keepdims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.std(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]), 1))
        [1. 3.]
    """
    variance, _, kind = _moments("std", input, axis, ddof, keepdims)
    return cast(variance.sqrt(), kind)


def var_mean(input: Tensor, axis=None, ddof=0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Variance and mean over axes.

    Shapes: without the axes, or with ``keepdims`` of length 1 there, twice. Dtypes: floats, kept; TypeError for ints,
    bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.var_mean(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]), 1))
        [1. 9.] [2. 5.]
    """
    variance, mean, kind = _moments("var_mean", input, axis, ddof, keepdims)
    return cast(variance, kind), cast(mean, kind)


def std_mean(input: Tensor, axis=None, ddof=0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over axes.

    Shapes: without the axes, or with ``keepdims`` of length 1 there, twice. Dtypes: floats, kept; TypeError for ints,
    bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``ddof`` is not an int or
            a bool. Also if ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.std_mean(ms.Tensor([[1.0, 3.0], [2.0, 8.0]]), 1))
        [1. 3.] [2. 5.]
    """
    variance, mean, kind = _moments("std_mean", input, axis, ddof, keepdims)
    return cast(variance.sqrt(), kind), cast(mean, kind)


def logsumexp(input: Tensor, axis, keep_dims: bool = False) -> Tensor:
    """Logarithm of a sum of powers.

    ``out = ln(sum of e ** input)`` over axes, () being all, without overflow on the way.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, ``axis`` is not an int or a tuple of ints, or ``keep_dims`` is not a
            bool.
        ValueError: If ``axis`` is no axis of the input, or ``input`` has no elements along the axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.logsumexp(ms.Tensor([1000.0, 1000.0]), 0))  # 1000 + ln 2; e ** 1000 alone would overflow
        1000.6932
    """
    x, kind = _wide("logsumexp", input)
    top = _stop(reduce_max(x, axis, True))
    top = _select(top.isfinite(), top, 0)
    out = reduce_sum((x - top).exp(), axis, keep_dims).log()
    return cast(out + (top if keep_dims else top.reshape(out.shape)), kind)


# Lengths


def norm(A: Tensor, ord=None, dim=None, keepdim: bool = False, *, dtype=None) -> Tensor:  # noqa: N803 - MindSpore's name
    """Norm of a vector or a matrix, or of those that lie along ``dim`` (one axis: vectors, two: matrices).

    Without ``ord`` it is the root of the sum of squares. For vectors ``ord`` may be any number: 0 counts the nonzero
    elements, inf is the largest size, -inf the smallest. For matrices it may be "fro", 1, -1, inf or -inf: the largest
    or smallest sum of sizes over a column (1) or row (inf).

    Shapes: without the axes, or with ``keepdim`` of length 1 there; () without ``dim``. Dtypes: floats, kept; TypeError
    for ints, bools and complex.

    Raises:
        TypeError: If A is no floating Tensor, or ``ord`` is a string for vectors.
        ValueError: If ``ord`` is not a norm of matrices (norms by singular values are not offered). Also if A has more
            than two axes and only ``ord`` is given.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[3.0, 4.0], [0.0, 0.0]])
        >>> print(ops.norm(x))
        5.0
        >>> print(ops.norm(x, ord=1, dim=1))
        [7. 0.]
    """
    x, kind = _wide("norm", A if dtype is None else cast(A, dtype), "A")
    keepdim = check_switch("norm", "keepdim", keepdim)
    axes = tuple(range(x.ndim)) if dim is None else tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    if x.ndim == 0 and axes in ((0,), (-1,)):  # one number is a vector of one element
        return norm(A.reshape((1,)), ord, 0, dtype=dtype).reshape(())
    if ord is None or (isinstance(ord, str) and ord == "fro" and len(axes) == 2):
        out = make(norms.LpNorm, axes, 2, keepdim, 0.0)(x)
    elif len(axes) == 1:
        out = _vector_norm(x, ord, axes[0], keepdim)
    elif len(axes) == 2:
        out = _matrix_norm(x, ord, axes, keepdim)
    else:
        raise value_error("norm", "the 'dim' must name one or two axes when 'ord' is given", f"{len(axes)} axes")
    return cast(out, kind)


def _vector_norm(x, order, axis, keepdim):
    if isinstance(order, str):
        raise type_error("norm", "the 'ord' must be a number for vectors", shown(order))
    check_number("norm", "ord", order)
    if order in (numbers.inf, -numbers.inf):
        return (reduce_max if order > 0 else reduce_min)(x.abs(), axis, keepdim)
    if order >= 0 and order == int(order):
        return make(norms.LpNorm, axis, int(order), keepdim, 0.0)(x)
    return reduce_sum(x.abs() ** order, axis, keepdim) ** (1 / order)


def _norm_by_singular_values(x, order, axes, keepdim):
    """The sum ("nuc"), the largest (2) or the smallest (-2) of the singular values of matrices on two axes."""
    rows, columns = (a % x.ndim for a in axes)
    if rows == columns:
        raise value_error("norm", "the 'dim' must name two axes", shown(axes))
    others = tuple(i for i in range(x.ndim) if i not in (rows, columns))
    values = _singular(x.transpose((*others, rows, columns)))[0]
    out = {"nuc": reduce_sum, 2: reduce_max, -2: reduce_min}[order](values, -1)
    return out.reshape(tuple(1 if i in (rows, columns) else n for i, n in enumerate(x.shape))) if keepdim else out


def _matrix_norm(x, order, axes, keepdim):
    if (is_real(order) or isinstance(order, str)) and order in ("nuc", 2, -2):
        return _norm_by_singular_values(x, order, axes, keepdim)
    if not is_real(order) or order not in (1, -1, numbers.inf, -numbers.inf):
        expected = "the 'ord' must be 1, -1, 2, -2, inf, -inf, 'fro', 'nuc' or None for matrices"
        raise value_error("norm", expected, shown(order))
    rows, columns = axes
    added = rows if abs(order) == 1 else columns
    lengths = reduce_sum(x.abs(), added, True)
    out = (reduce_max if order > 0 else reduce_min)(lengths, columns if added == rows else rows, True)
    return out if keepdim else out.squeeze(axes)


def dist(input: Tensor, other: Tensor, p=2) -> Tensor:
    """Norm of the difference: ``out = (sum of |input - other| ** p) ** (1 / p)``.

    Shapes: any that broadcast; the answer is (). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` or ``other`` is not a floating Tensor, or ``p`` is not a number.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dist(ms.Tensor([0.0, 0.0]), ms.Tensor([3.0, 4.0])))
        5.0
    """
    check_tensors("dist", input=input, other=other)
    check_number("dist", "p", p)
    difference = input - other
    return norm(difference.reshape(-1), p)


def cdist(x1: Tensor, x2: Tensor, p=2.0) -> Tensor:
    """Distances of every pair of rows: ``Cdist(p)(x1, x2)``.

    Shapes: (..., N, M) and (..., K, M) give (..., N, K). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x1`` or ``x2`` is not a Tensor, ``x2`` and ``x1`` differ in dtype, or ``p`` is not a number.
        ValueError: If ``x1`` and ``x2`` have fewer than two axes or other leading lengths. Also if the rows of ``x1``
            and ``x2`` do not have the same length, or ``p`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cdist(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0], [0.0, 1.0]])))
        [[5. 1.]]
    """
    return make(norms.Cdist, p)(x1, x2)


def renorm(input: Tensor, p, axis, maxnorm) -> Tensor:
    """Slices along ``axis`` scaled down to the greatest norm: ``Renorm(p, axis, maxnorm)(input)``.

    A slice whose ``p``-norm ``(sum of |x| ** p) ** (1 / p)`` is above ``maxnorm`` is multiplied by ``maxnorm / norm``.

    Shapes: any with an axis, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``p`` or ``axis`` is not an int. Also if ``maxnorm`` is not a float.
        ValueError: If ``axis`` is no axis of the input, ``p`` is not above 0, or ``maxnorm`` is not finite and at least
            0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.renorm(ms.Tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0))  # the norm of a row is at most 1
        [[0.6 0.8]
         [0.3 0.4]]
    """
    return make(norms.Renorm, p, axis, maxnorm)(input)


def cosine_similarity(x1: Tensor, x2: Tensor, dim=1, eps=1e-08) -> Tensor:
    """Cosine of the angle between vectors along ``dim``: ``out = sum of x1 * x2 / max(|x1| * |x2|, eps)``.

    Shapes: those of the two broadcast, without ``dim``. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``dim`` is not an int, or a tuple or list of ints. Also if an input is neither a Tensor nor a
            number.
        ValueError: If ``dim`` is no axis of the input, or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.cosine_similarity(ms.Tensor([[1.0, 0.0], [0.0, 1.0]]), ms.Tensor([[0.0, 2.0], [0.0, 3.0]])))
        [0. 1.]
    """
    (a, kind), (b, _) = _wide("cosine_similarity", x1, "x1"), _wide("cosine_similarity", x2, "x2")
    length = make(norms.LpNorm, dim, 2, False, 0.0)
    return cast(reduce_sum(a * b, dim) / (length(a) * length(b)).maximum(eps), kind)
