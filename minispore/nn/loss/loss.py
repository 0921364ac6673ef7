"""Losses of differences and of angles, and the cross entropy of rows; ``cross_entropy`` has the other likelihoods."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.number_checks import check_number, check_python_float
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.functional import nn_loss
from minispore.ops.operations.math.arithmetic import Mul
from minispore.ops.operations.nn.cross_entropy import check_reduction
from minispore.ops.operations.nn.loss import OneHotOfLabels
from minispore.ops.operations.nn.loss import SmoothL1Loss as SmoothL1Operation
from minispore.ops.operations.nn.loss import SoftmaxCrossEntropyWithLogits as CrossEntropyOperation
from minispore.ops.operations.nn.loss import SparseSoftmaxCrossEntropyWithLogits as SparseCrossEntropyOperation
from minispore.ops.operations.reduce.reduction import ReduceMean, ReduceSum

__all__ = [
    "CosineEmbeddingLoss",
    "HuberLoss",
    "L1Loss",
    "LossBase",
    "MSELoss",
    "SmoothL1Loss",
    "SoftmaxCrossEntropyWithLogits",
]


class LossBase(Cell):
    """Base of losses: ``loss = reduction(elementwise losses)``.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        ValueError: If the reduction is unknown.
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


class MSELoss(LossBase):
    """Squared error: ``(logits - labels) ** 2``, reduced.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MSELoss()(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        5.0
    """

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        return self.get_loss(F.square(F.sub(logits, labels)))


class L1Loss(LossBase):
    """Absolute error: ``|logits - labels|``, reduced.

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


class CosineEmbeddingLoss(LossBase):
    """``1 - cos(x1, x2)`` for the label 1, ``max(0, cos(x1, x2) - margin)`` for -1; reduced.

    Args:
        margin (float): In [-1, 1]. Default: 0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Inputs:
        - **logits_x1**, **logits_x2** (Tensor) - Shape ``(N, D, ...)``, of one floating dtype; the angle is along D.
        - **labels** (Tensor) - 1 or -1, shape ``(N, ...)``.

    Raises:
        TypeError: If the margin is not a float or the dtypes differ.
        ValueError: If the margin is out of range, the reduction is unknown or the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> x, y = ms.Tensor([[1.0, 0.0], [3.0, 4.0]]), ms.Tensor([[1.0, 0.0], [3.0, -4.0]])
        >>> print(ms.nn.CosineEmbeddingLoss(reduction="sum")(x, y, ms.Tensor([1, 1])))
        1.28
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = check_python_float("CosineEmbeddingLoss", "margin", margin, -1.0, 1.0)

    def construct(self, logits_x1, logits_x2, labels: Tensor) -> Tensor:
        """The loss."""
        return nn_loss.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of each row: ``-sum(labels[i] * log softmax(logits[i]))``, reduced.

    Args:
        sparse (bool): If True, labels are class numbers (int32 or int64) rather than rows of probabilities. Default:
            False.
        reduction (str): "none", "mean" or "sum". Default: "none".

    Inputs:
        - **logits** (Tensor) - Shape ``(N, C)``, floating.
        - **labels** (Tensor) - Shape ``(N,)`` of class numbers, or ``(N, C)`` of the logits' dtype.

    Raises:
        TypeError: If dtypes do not fit.
        ValueError: If the reduction is unknown, shapes do not fit or, on the CPU, a class number is outside of the
            classes.

    Examples:
        >>> import minispore as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> print(loss(ms.ops.zeros((2, 2)), ms.Tensor([0, 1])))
        0.6931472
    """

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.sparse = check_bool("SoftmaxCrossEntropyWithLogits", "sparse", sparse)
        self.sparse_softmax_cross_entropy = SparseCrossEntropyOperation()
        self.softmax_cross_entropy = CrossEntropyOperation()
        self.one_hot = OneHotOfLabels()

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        if not self.sparse:
            return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])
        if self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)
        one_hot = self.one_hot(labels, logits.shape[-1], 1, 0).astype(logits.dtype)
        return self.get_loss(self.softmax_cross_entropy(logits, one_hot)[0])
