"""Layers that drop channels, bound norms or measure them: Dropout1d to 3d, ClipByNorm, L1Regularizer, Norm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.list_checks import check_axes
from minispore.ops.number_checks import check_number

__all__ = ["ClipByNorm", "Dropout1d", "Dropout2d", "Dropout3d", "L1Regularizer", "Norm"]


class _ChannelDropout(Cell):
    """Base of dropout of whole channels in training; in evaluation x is handed on."""

    def __init__(self, p=0.5) -> None:
        super().__init__()
        name = type(self).__name__
        if not isinstance(p, float):
            raise type_error(name, "the 'p' must be a float", shown(p))
        if not 0 <= p <= 1:
            raise value_error(name, "the 'p' must be in [0, 1]", p)
        self.p = p


class Dropout1d(_ChannelDropout):
    """Dropout of the channels of ``(N, C, L)`` or ``(C, L)``: ``out = x * mask / (1 - p)``.

    Arguments and errors as :class:`Dropout2d`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Dropout1d()(ms.ops.ones((2, 3, 4))).shape
        (2, 3, 4)
        >>> print(ms.nn.Dropout1d(p=0.5).set_train(False)(ms.Tensor([[[1.0, 2.0]]])))
        [[[1. 2.]]]
    """

    def construct(self, x) -> Tensor:
        """Drop in training."""
        return F.dropout1d(x, self.p) if self.training and self.p else x


class Dropout2d(_ChannelDropout):
    """Dropout of the channels of ``(N, C, H, W)``: ``out = x * mask / (1 - p)``.

    Args:
        p (float): The probability that a channel of a sample becomes zeros, in [0, 1]; others are scaled by ``1 / (1 -
            p)``. Default: 0.5.

    Raises:
        TypeError: If ``p`` is not a float.
        ValueError: If ``p`` is out of range, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Dropout2d()(ms.ops.ones((2, 3, 4, 5))).shape
        (2, 3, 4, 5)
        >>> print(ms.nn.Dropout2d(p=0.5).set_train(False)(ms.Tensor([[[[1.0, 2.0]]]])))
        [[[[1. 2.]]]]
    """

    def construct(self, x) -> Tensor:
        """Drop in training."""
        return F.dropout2d(x, self.p) if self.training and self.p else x

    def extend_repr(self) -> Any:
        """MindSpore shows, as p, the probability that a channel stays."""
        return f"p={1 - self.p}"


class Dropout3d(_ChannelDropout):
    """Dropout of the channels of ``(N, C, D, H, W)``: ``out = x * mask / (1 - p)``.

    In training the mask is 0 for a whole channel with probability p, else 1; in evaluation ``out = x``. Arguments and
    errors as :class:`Dropout2d`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Dropout3d()(ms.ops.ones((2, 3, 2, 4, 5))).shape
        (2, 3, 2, 4, 5)
        >>> _ = ms.set_seed(0)
        >>> print(ms.nn.Dropout3d().set_train()(ms.ops.ones((1, 4, 1, 1, 2))).reshape(4, 2))
        [[0. 0.]
         [0. 0.]
         [2. 2.]
         [0. 0.]]
    """

    def construct(self, x) -> Tensor:
        """Drop in training."""
        return F.dropout3d(x, self.p) if self.training and self.p else x

    def extend_repr(self) -> Any:
        """MindSpore shows, as p, the probability that a channel stays."""
        return f"p={1 - self.p}"


class ClipByNorm(Cell):
    """``x * clip_norm / max(norm, clip_norm)``, with the Euclidean norm over ``axis``.

    Args:
        axis (Union[int, tuple[int], list[int]]): Default: None, all axes.

    Inputs:
        x (Tensor): float16 or float32; the output is float32.
        clip_norm (Tensor): A Tensor that broadcasts with x.

    Raises:
        TypeError: If ``axis`` has another type, or an input is not a floating Tensor.
        ValueError: If x has no such axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ClipByNorm()(ms.Tensor([3.0, 4.0]), ms.Tensor(1.0)))
        [0.6 0.8]
    """

    def __init__(self, axis: int | tuple[int, ...] | Sequence[int] | None = None) -> None:
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, (int, tuple, list, type(None))):
            raise type_error("ClipByNorm", "the 'axis' must be an int, a tuple or a list", shown(axis))
        self.axis = axis

    def construct(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        """Clip."""
        for name, value in (("x", x), ("clip_norm", clip_norm)):
            if not isinstance(value, Tensor):
                raise type_error("ClipByNorm", f"the '{name}' must be a Tensor", type(value).__name__)
        if not x.dtype.is_float:
            raise type_error("ClipByNorm", "the 'x' must be a floating Tensor", x.dtype)
        return F.clip_by_norm(x, clip_norm, self.axis)


class L1Regularizer(Cell):
    """``out = scale * sum of |weights|``, in float32.

    Shapes: any; the answer is (). Dtypes: floats, ints and complex; the answer is float32; TypeError for bools.

    Raises:
        TypeError: If ``scale`` is not a number, or the weights are bools.
        ValueError: If ``scale`` is not above 0 and finite.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.L1Regularizer(0.5)(ms.Tensor([1.0, -3.0])))
        2.0
    """

    def __init__(self, scale) -> None:
        super().__init__()
        check_number("L1Regularizer", "scale", scale)
        if not 0 < scale < math.inf:
            raise value_error("L1Regularizer", "the 'scale' must be above 0 and finite", scale)
        self.scale = scale

    def construct(self, weights) -> Tensor:
        """The penalty."""
        if not isinstance(weights, Tensor):
            raise type_error("L1Regularizer", "the 'weights' must be a Tensor", type(weights).__name__)
        if weights.dtype.np.kind == "b":
            raise type_error("L1Regularizer", "the 'weights' must be numbers", weights.dtype)
        return F.cast(F.abs(weights), float32).sum() * self.scale


class Norm(Cell):
    """The Euclidean norm over axes: ``out = sqrt(sum of x ** 2)``.

    Shapes: any; the answer is without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats and complex,
    kept; TypeError for ints and bools.

    Args:
        axis (Union[int, tuple]): Default: (), all axes.
        keep_dims (bool): If True, the axes are kept, with length 1. Default: False.

    Raises:
        TypeError: If ``keep_dims`` is not a bool.
        ValueError: If x has no such axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Norm()(ms.Tensor([3.0, 4.0])))
        5.0
    """

    def __init__(self, axis: int | tuple[Any, ...] = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = check_axes("Norm", "axis", axis)
        self.keep_dims = check_bool("Norm", "keep_dims", keep_dims)

    def construct(self, x) -> Tensor:
        """The norm."""
        return F.sqrt(F.reduce_sum(F.square(x), self.axis, self.keep_dims))

    def extend_repr(self) -> Any:
        """The arguments."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"
