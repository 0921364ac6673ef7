"""Losses."""

from minispore.errors import value_error
from minispore.nn.basic import check_bool
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.loss import SoftmaxCrossEntropyWithLogits as CrossEntropyOperation
from minispore.ops.loss import SparseSoftmaxCrossEntropyWithLogits as SparseCrossEntropyOperation

__all__ = ["L1Loss", "LossBase", "MSELoss", "SoftmaxCrossEntropyWithLogits"]


class LossBase(Cell):
    """Base of losses: how the elements' losses are reduced.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        ValueError: If the reduction is another.
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise value_error(type(self).__name__, "the 'reduction' must be 'mean', 'sum' or 'none'", repr(reduction))
        self.reduction = reduction

    def get_loss(self, x, weights=1.0):
        """The elements' losses ``x``, weighted and reduced."""
        x = x if isinstance(weights, float) and weights == 1.0 else x * weights
        if self.reduction == "none":
            return x
        return x.mean() if self.reduction == "mean" else x.sum()


class MSELoss(LossBase):
    """Squared error: ``(logits - labels) ** 2``, reduced."""

    def construct(self, logits, labels):
        """The loss."""
        return self.get_loss(F.square(logits - labels))


class L1Loss(LossBase):
    """Absolute error: ``|logits - labels|``, reduced."""

    def construct(self, logits, labels):
        """The loss."""
        return self.get_loss(F.abs(logits - labels))


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of each row: ``-sum(labels[i] * log softmax(logits[i]))``, reduced.

    Args:
        sparse (bool): Whether labels are class numbers (int32 or int64) rather than rows of probabilities. Default:
            False.
        reduction (str): "none", "mean" or "sum". Default: "none".

    Inputs:
        - **logits** (Tensor) - Shape ``(N, C)``, floating.
        - **labels** (Tensor) - Shape ``(N,)`` of class numbers, or ``(N, C)`` of the logits' dtype.

    Raises:
        TypeError: If dtypes do not fit.
        ValueError: If the reduction is unknown or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> print(loss(ms.ops.zeros((2, 2)), ms.Tensor([0, 1])))
        0.6931472
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = check_bool("SoftmaxCrossEntropyWithLogits", "sparse", sparse)
        self.sparse_cross_entropy, self.cross_entropy = SparseCrossEntropyOperation(), CrossEntropyOperation()

    def construct(self, logits, labels):
        """The loss."""
        if not self.sparse:
            return self.get_loss(self.cross_entropy(logits, labels)[0])
        if self.reduction == "mean":
            return self.sparse_cross_entropy(logits, labels)
        one_hot = F.one_hot(labels, logits.shape[-1]).astype(logits.dtype)
        return self.get_loss(self.cross_entropy(logits, one_hot)[0])
