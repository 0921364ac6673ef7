"""Layers of mathematics: triangles, products, moments, sums of exponentials, ranges."""

from __future__ import annotations

import math

import numpy as np

from minispore.core.checks import check_bool, check_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.list_checks import check_axes
from minispore.ops.number_checks import check_real

__all__ = ["DiGamma", "IGamma", "LBeta", "LGamma", "MatMul", "Moments", "Range", "ReduceLogSumExp", "Tril", "Triu"]


class Tril(Cell):
    """The lower triangle of each matrix of x, up to the ``k``-th diagonal; zeros above it.

    Shapes: at least two axes, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If x has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Tril()(ms.ops.ones((2, 2))))
        [[1. 0.]
         [1. 1.]]
    """

    def construct(self, x, k=0) -> Tensor:
        """Cut."""
        return F.tril(x, k)


class Triu(Cell):
    """The upper triangle of each matrix of x, from the ``k``-th diagonal on; zeros below it.

    Shapes: at least two axes, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If x has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Triu()(ms.ops.ones((2, 2))))
        [[1. 1.]
         [0. 1.]]
    """

    def construct(self, x, k=0) -> Tensor:
        """Cut."""
        return F.triu(x, k)


class MatMul(Cell):
    """``x1 @ x2``, matrices over axes that broadcast, or vectors; each may be transposed in its last two axes first.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K); rows lose their axis.

    Args:
        transpose_x1 (bool): Default: False.
        transpose_x2 (bool): Default: False.

    Raises:
        TypeError: If a flag is not a bool or an input not a Tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MatMul(transpose_x2=True)(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 4.0]])))
        [[11.]]
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None:
        super().__init__()
        self.transpose_x1 = check_bool("MatMul", "transpose_x1", transpose_x1)
        self.transpose_x2 = check_bool("MatMul", "transpose_x2", transpose_x2)

    def construct(self, x1, x2) -> Tensor:
        """Multiply."""
        _check_tensors("MatMul", x1=x1, x2=x2)
        x1 = x1.swapaxes(-1, -2) if self.transpose_x1 and x1.ndim > 1 else x1
        x2 = x2.swapaxes(-1, -2) if self.transpose_x2 and x2.ndim > 1 else x2
        return F.matmul(x1, x2)


class Moments(Cell):
    """The mean and the variance (of the whole, undivided by ``n - 1``) of x along axes.

    Shapes: any but (); both answers are without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints
    and complex, kept; TypeError for bools.

    Args:
        axis (Union[int, tuple[int]]): Default: None, all.
        keep_dims (bool): If True, the axes stay, of length 1. Default: None, which is False.

    Raises:
        TypeError: If an argument is of a wrong kind or x not a Tensor.
        ValueError: If an axis is out of range.

    Examples:
        >>> import minispore as ms
        >>> mean, variance = ms.nn.Moments(axis=0)(ms.Tensor([1.0, 3.0]))
        >>> print(mean, variance)
        2.0 1.0
    """

    def __init__(self, axis: int | tuple[int, ...] | None = None, keep_dims: bool | None = None) -> None:
        super().__init__()
        self.axis = () if axis is None else check_axes("Moments", "axis", axis)
        self.keep_dims = check_bool("Moments", "keep_dims", False if keep_dims is None else keep_dims)

    def construct(self, x) -> Tensor:
        """Both."""
        _check_tensors("Moments", x=x)
        mean = F.reduce_mean(x, self.axis, True)
        variance = F.reduce_mean(F.square(x - mean), self.axis, self.keep_dims)
        return F.reduce_mean(x, self.axis, self.keep_dims), variance


class ReduceLogSumExp(Cell):
    """``log(sum(e ** x))`` along axes.

    Shapes: any; the answer is without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        axis (Union[int, tuple[int]]): The axes.
        keep_dims (bool): If True, the axes stay, of length 1. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind or x not a Tensor.
        ValueError: If an axis is out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReduceLogSumExp(0)(ms.Tensor([0.0, 0.0])))
        0.6931472
    """

    def __init__(self, axis: int | tuple[int, ...], keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = check_axes("ReduceLogSumExp", "axis", axis)
        self.keep_dims = check_bool("ReduceLogSumExp", "keep_dims", keep_dims)

    def construct(self, x) -> Tensor:
        """Reduce."""
        _check_tensors("ReduceLogSumExp", x=x)
        return F.logsumexp(x, self.axis, self.keep_dims)


class Range(Cell):
    """The numbers ``start, start + delta, ...`` below ``limit``, as a Tensor; with one argument, from 0 to it.

    Args:
        start (Union[int, float]): The first number; the limit if it is the only argument.
        limit (Union[int, float]): Where the numbers end, not included. Default: None.
        delta (Union[int, float]): The distance, not 0. Default: 1.

    Raises:
        TypeError: If an argument is not a number.
        ValueError: If ``delta`` is 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Range(1, 8, 2)())
        [1 3 5 7]
    """

    def __init__(self, start: int | float, limit: int | float | None = None, delta: int | float = 1) -> None:
        super().__init__()
        start, limit = (0, start) if limit is None else (start, limit)
        for name, value in (("start", start), ("limit", limit), ("delta", delta)):
            check_real("Range", name, value)
        if delta == 0:
            raise value_error("Range", "the 'delta' must not be 0", delta)
        count = math.ceil((limit - start) / delta)
        check_int("Range", "limit", count, high=2**31)
        kind = np.int32 if all(map(is_int, (start, limit, delta))) else np.float32
        self.result_tensor = Tensor(np.arange(start, limit, delta, kind))

    def construct(self) -> Tensor:
        """The numbers."""
        return self.result_tensor


def _check_tensors(layer, **tensors):
    """Raise TypeError in the layer's name unless all are Tensors."""
    for name, x in tensors.items():
        if not isinstance(x, Tensor):
            raise type_error(layer, f"the '{name}' must be a Tensor", shown(x))


class LGamma(Cell):
    """Elementwise logarithm of the gamma function's size: ``ops.lgamma``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If x is not a floating Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LGamma()(ms.Tensor([2.0, 4.0])))
        [0.        1.7917595]
    """

    def construct(self, x) -> Tensor:
        """The logarithm."""
        return F.lgamma(x)


class DiGamma(Cell):
    """Elementwise derivative of the gamma function's logarithm: ``ops.digamma``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If x is not a floating Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.DiGamma()(ms.Tensor([1.0, 2.0])).asnumpy().round(4))
        [-0.5772  0.4228]
    """

    def construct(self, x) -> Tensor:
        """The derivative."""
        return F.digamma(x)


class IGamma(Cell):
    """Elementwise share of the gamma integral below x: ``ops.igamma``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is not a floating Tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.IGamma()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0])))
        [0.63212055 0.26424113]
    """

    def construct(self, a, x) -> Tensor:
        """The share."""
        return F.igamma(a, x)


class LBeta(Cell):
    """Elementwise logarithm of the beta function: ``out = ln |gamma(x)| + ln |gamma(y)| - ln |gamma(x + y)|``.

    Shapes: those of the two broadcast. In float32 the difference is inexact for large numbers.

    Raises:
        TypeError: If an input is not a floating Tensor.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LBeta()(ms.Tensor([2.0]), ms.Tensor([2.0])))
        [-1.7917595]
    """

    def construct(self, x, y) -> Tensor:
        """The logarithm."""
        return F.lgamma(x) + F.lgamma(y) - F.lgamma(x + y)
