"""The cross entropy of rows of logits, and the loss of angles between vectors."""

from __future__ import annotations

from minispore.core.checks import check_bool
from minispore.core.tensor import Tensor
from minispore.nn.loss.fit import check_classes
from minispore.nn.loss.loss import LossBase
from minispore.ops.functional import nn_loss
from minispore.ops.number_checks import check_python_float
from minispore.ops.operations.nn.loss import OneHotOfLabels
from minispore.ops.operations.nn.loss import SoftmaxCrossEntropyWithLogits as CrossEntropyOperation
from minispore.ops.operations.nn.loss import SparseSoftmaxCrossEntropyWithLogits as SparseCrossEntropyOperation

__all__ = ["CosineEmbeddingLoss", "SoftmaxCrossEntropyWithLogits"]


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

    def _check_fit(self, logits, labels):
        if self.sparse:
            check_classes(self.cls_name, logits, labels)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        if not self.sparse:
            return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])
        if self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)
        one_hot = self.one_hot(labels, logits.shape[-1], 1, 0).astype(logits.dtype)
        return self.get_loss(self.softmax_cross_entropy(logits, one_hot)[0])
