"""The base of losses, and the losses of differences."""

from __future__ import annotations

from typing import Any

from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.loss.fit import check_broadcast
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.functional import nn_loss
from minispore.ops.number_checks import check_number, check_python_float
from minispore.ops.operations.math.arithmetic import Mul
from minispore.ops.operations.nn.cross_entropy import check_reduction
from minispore.ops.operations.nn.loss import SmoothL1Loss as SmoothL1Operation
from minispore.ops.operations.reduce.reduction import ReduceMean, ReduceSum

__all__ = ["HuberLoss", "L1Loss", "LossBase", "MSELoss", "SmoothL1Loss"]


class LossBase(Cell):
    """Base of losses: ``loss = reduction(elementwise losses)``.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        ValueError: If the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> class Cubed(ms.nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss(abs(logits - labels) ** 3)
        >>> print(Cubed("sum")(ms.Tensor([1.0, 4.0]), ms.Tensor([2.0, 2.0])))
        9.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_reduction(type(self).__name__, reduction)
        self.average, self.reduce = reduction != "sum", reduction != "none"
        self.reduce_mean, self.reduce_sum, self.mul = ReduceMean(), ReduceSum(), Mul()  # for subclasses, as MindSpore's

    def get_axis(self, x) -> Any:
        """The axes of x, all of them, as a tuple."""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0) -> Any:
        """The elementwise losses ``x``, weighted and reduced."""
        x = x if isinstance(weights, float) and weights == 1.0 else x * weights
        if self.reduction == "none":
            return x
        return x.mean() if self.reduction == "mean" else x.sum()


class _Loss(LossBase):
    """The name that LossBase had first; subclasses of either are the same."""


class _OfDifferences(LossBase):
    """Base of losses of ``logits - labels``."""

    def _check_fit(self, logits, labels):
        check_broadcast(self.cls_name, logits, labels)


class MSELoss(_OfDifferences):
    """Squared error: ``(logits - labels) ** 2``, reduced.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``logits`` or ``labels`` is not a Tensor.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MSELoss()(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        5.0
    """

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        return self.get_loss(F.square(F.sub(logits, labels)))


class L1Loss(_OfDifferences):
    """Absolute error: ``|logits - labels|``, reduced.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If ``logits`` or ``labels`` is not a Tensor.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.L1Loss()(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        2.0
    """

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        return self.get_loss(F.abs(F.sub(logits, labels)))


class SmoothL1Loss(LossBase):
    """``0.5 * d * d / beta`` where ``d = |logits - labels|`` is below beta, else ``d - 0.5 * beta``; reduced.

    Args:
        beta (float): Above 0. Default: 1.
        reduction (str): "mean", "sum" or "none". Default: "none".

    Inputs:
        - **logits**, **labels** (Tensor) - Of one shape and one floating dtype.

    Raises:
        TypeError: If beta is not a float or the dtypes do not fit.
        ValueError: If beta is not above 0, the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.SmoothL1Loss()(ms.Tensor([1.0, 3.0]), ms.Tensor([1.5, 1.0])))
        [0.125 1.5  ]
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = check_python_float("SmoothL1Loss", "beta", beta, 0, above=True)
        self.smooth_l1_loss = SmoothL1Operation(beta, reduction)

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        return self.smooth_l1_loss(logits, labels)


class HuberLoss(LossBase):
    """``0.5 * d * d`` where ``d = |logits - labels|`` is below delta, else ``delta * (d - 0.5 * delta)``; reduced.

    Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".
        delta (Union[int, float]): Above 0. Default: 1.

    Inputs:
        - **logits**, **labels** (Tensor) - Of shapes that broadcast.

    Raises:
        TypeError: If delta is not a number or an input not a Tensor.
        ValueError: If delta is not above 0, the reduction is unknown or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.HuberLoss("sum", delta=0.5)(ms.Tensor([1.0, 3.0]), ms.Tensor([1.5, 1.0])))
        1.0
    """

    def __init__(self, reduction: str = "mean", delta: int | float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = check_number("HuberLoss", "delta", delta, "an int or a float")

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        return nn_loss.huber_loss(logits, labels, self.reduction, self.delta)
