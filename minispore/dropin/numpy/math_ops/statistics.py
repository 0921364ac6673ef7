"""Covariance and correlation, and norms."""

from __future__ import annotations

import math

import numpy as np

from minispore import ops
from minispore.core.checks import check_bool, check_int, check_switch
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.numpy.utils import as_axes, as_kind, common, operand, real
from minispore.ops.number_checks import check_number, is_real

__all__ = ["corrcoef", "cov", "norm"]


def _observations(name, m, rowvar):
    """Variables as rows; a row is one variable."""
    x = operand(name, m, "m")
    if x.ndim > 2:
        raise value_error(name, "the observations must have at most 2 axes", f"shape {x.shape}")
    x = x.reshape((1, -1)) if x.ndim < 2 else x
    return x if rowvar or x.shape[0] == 1 else ops.transpose(x, (1, 0))


def _weights(name, argument, value, count):
    """Weights of observations, as floats of the shape ``(count,)``."""
    x = operand(name, value, argument)
    if x.shape != (count,):
        raise value_error(name, f"the '{argument}' must have the shape {(count,)}", x.shape)
    return ops.cast(x, float32)


def cov(
    m, y=None, rowvar: bool = True, bias: bool = False, ddof=None, fweights=None, aweights=None, dtype=None
) -> Tensor:
    """The covariance of the variables that are the rows of ``m`` and ``y`` (columns unless ``rowvar``).

    It is divided by the sum of weights less ``ddof``, which is 0 with ``bias`` and else 1. ``fweights`` say how often
    each observation counts, ``aweights`` how much.

    Shapes: N variables of M observations, (N, M), give (N, N); (M,) gives (). Dtypes: floats, kept; ints and bools give
    float32; TypeError for complex.

    Raises:
        TypeError: If ``m``, ``fweights`` or ``aweights`` holds no numbers, ``m`` is not a real number, or ``rowvar`` is
            not a bool. Also if ``ddof`` is not an int.
        ValueError: If the observations do not have at most 2 axes, or ``y`` has another number of them. Also if
            ``fweights`` or ``aweights`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.cov(ms.Tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])))
        [[ 1. -1.]
         [-1.  1.]]
    """
    x = _variables("cov", m, y, rowvar, dtype)
    less = (0 if check_switch("cov", "bias", bias) else 1) if ddof is None else check_int("cov", "ddof", ddof)
    return _covariance("cov", x, less, fweights, aweights)


def _variables(name, m, y, rowvar, dtype):
    """The observations of all variables, ``(variables, observations)``, in floats."""
    check_bool(name, "rowvar", rowvar)
    x = _observations(name, m, rowvar)
    if y is not None:
        other = _observations(name, y, rowvar)
        if other.shape[1] != x.shape[1]:
            raise value_error(name, f"the 'y' must have {x.shape[1]} observations", other.shape[1])
        x = ops.concat(common(name, [x, other]))
    return ops.cast(
        real(name, x, "m"), as_kind(name, dtype) if dtype is not None else x.dtype if x.dtype.is_float else float32
    )


def _covariance(name, x, less, fweights, aweights):
    weights = ops.cast(_combined(name, x.shape[1], fweights, aweights), x.dtype)
    total = weights.sum()
    away = x - (x * weights).sum(1).expand_dims(1) / total
    share = (weights * _weights_of_degrees(name, x.shape[1], aweights, x.dtype)).sum() / total
    out = ops.matmul(away * weights, ops.transpose(away, (1, 0))) / (total - less * share)
    return out.reshape(()) if out.size == 1 else out


def _combined(name, count, fweights, aweights):
    given = [_weights(name, n, w, count) for n, w in (("fweights", fweights), ("aweights", aweights)) if w is not None]
    return math.prod(given[1:], start=given[0]) if given else ops.ones((count,), float32)


def _weights_of_degrees(name, count, aweights, kind):
    return ops.ones((count,), kind) if aweights is None else ops.cast(_weights(name, "aweights", aweights, count), kind)


def corrcoef(x, y=None, rowvar: bool = True, dtype=None) -> Tensor:
    """The covariance of each pair of variables divided by the deviations of both: :func:`cov` of scaled rows.

    Shapes: (N, M) of N variables gives (N, N). Dtypes: floats, kept; ints and bools give float32; TypeError for
    complex.

    Raises:
        TypeError: If ``x`` or ``y`` holds no numbers or complex ones, ``rowvar`` is not a bool, or ``dtype`` is not a
            dtype.
        ValueError: If the observations do not have at most 2 axes, or ``y`` has another number of them.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.corrcoef(ms.Tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])).round())
        [[ 1. -1.]
         [-1.  1.]]
    """
    out = _covariance("corrcoef", _variables("corrcoef", x, y, rowvar, dtype), 1, None, None)
    if not out.ndim:
        return out / out
    spread = ops.sqrt(ops.diagonal(out))
    return ops.clip_by_value(out / spread.expand_dims(1) / spread, -1.0, 1.0)


# Norms


def norm(x, ord=None, axis=None, keepdims: bool = False) -> Tensor:
    """Norm of a vector or a matrix, or of those along ``axis`` (one: vectors, two: matrices).

    Without ``ord`` it is the root of the sum of squares. Of vectors ``ord`` may be any number: 0 counts what is not 0,
    inf is the largest size, -inf the smallest. Of matrices it may be "fro", and 1, -1, inf or -inf: the largest or
    smallest sum of sizes over a column (1) or row (inf).

    Shapes: without the axes, or with ``keepdims`` of length 1 there; () without ``axis``. Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, ``ord`` is not a number, ``axis`` is not an int or a tuple of ints, or
            ``keepdims`` is not a bool.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> import minispore.numpy as mnp
        >>> print(mnp.norm(ms.Tensor([3.0, 4.0])))
        5.0
    """
    x = operand("norm", x)
    if not x.dtype.is_float:
        raise type_error("norm", "the 'x' must be a floating Tensor", x.dtype)
    axes = as_axes("norm", axis, x.ndim, keepdims=keepdims)
    if ord is None:
        return ops.sqrt(ops.reduce_sum(x * x, axes, keepdims)) if axes else ops.abs(x)
    if len(axes) not in (1, 2):
        raise value_error("norm", "the 'axis' must name one or two axes when 'ord' is given", f"{len(axes)} axes")
    return (_vector_norm if len(axes) == 1 else _matrix_norm)(x, ord, axes, keepdims)


def _vector_norm(x, order, axes, keepdims):
    check_number("norm", "ord", order)
    sizes = ops.abs(x)
    if order in (np.inf, -np.inf):
        return (ops.reduce_max if order > 0 else ops.reduce_min)(sizes, axes, keepdims)
    if order == 0:
        return ops.reduce_sum(ops.cast(ops.not_equal(x, 0), x.dtype), axes, keepdims)
    if order == 1:
        return ops.reduce_sum(sizes, axes, keepdims)
    return ops.pow(ops.reduce_sum(ops.pow(sizes, float(order)), axes, keepdims), 1 / order)


_BY_SINGULAR_VALUES = ("nuc", 2, -2)


def _matrix_norm(x, order, axes, keepdims):
    if not isinstance(order, str) and not is_real(order):
        raise type_error("norm", "the 'ord' must be a number or a str", shown(order))
    if order == "fro":
        return ops.sqrt(ops.reduce_sum(x * x, axes, keepdims))
    if order in _BY_SINGULAR_VALUES:
        raise type_error("norm", "the norms by singular values are not offered: use 1, -1, inf, -inf or 'fro'", order)
    if not is_real(order) or order not in (1, -1, np.inf, -np.inf):
        raise value_error("norm", "the 'ord' must be 1, -1, inf, -inf, 'fro' or None for matrices", shown(order))
    added = axes[0] if abs(order) == 1 else axes[1]
    other = axes[1] if abs(order) == 1 else axes[0]
    sums = ops.reduce_sum(ops.abs(x), added, True)
    out = (ops.reduce_max if order > 0 else ops.reduce_min)(sums, other, True)
    return out if keepdims else ops.squeeze(out, axes)
