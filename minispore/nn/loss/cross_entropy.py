"""Negative log-likelihood losses: of classes, and of binary outcomes."""

from __future__ import annotations

from minispore.core.checks import check_int
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.nn.loss.fit import check_classes
from minispore.nn.loss.loss import LossBase
from minispore.ops.functional import nn_loss
from minispore.ops.number_checks import check_python_float

__all__ = ["BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "NLLLoss"]


def _check_weight(loss, weight):
    if weight is not None and not isinstance(weight, Tensor):
        raise type_error(type(loss).__name__, "the 'weight' must be a Tensor", type(weight).__name__)
    return weight


class _OfClasses(LossBase):
    """Base of losses whose labels are class numbers."""

    _takes_probabilities = False

    def __init__(self, weight, ignore_index, reduction) -> None:
        super().__init__(reduction)
        check_int(type(self).__name__, "ignore_index", ignore_index)
        self.weight, self.ignore_index = _check_weight(self, weight), ignore_index

    def _check_fit(self, logits, labels):
        check_classes(self.cls_name, logits, labels, self._takes_probabilities)


class CrossEntropyLoss(_OfClasses):
    """Cross entropy of ``softmax(logits)``: ``-log softmax(logits)[labels]`` or ``-sum(labels * log softmax(logits))``.

    Args:
        weight (Tensor): A weight for each class, shape ``(C,)``. Default: None.
        ignore_index (int): The class number to ignore. Default: -100.
        reduction (str): "mean" (weighted by the class weights), "sum" or "none". Default: "mean".
        label_smoothing (float): The part of each label spread evenly over all classes, in [0, 1]. Default: 0.

    Inputs:
        - **logits** (Tensor) - Shape ``(C,)`` or ``(N, C, ...)``, floating.
        - **labels** (Tensor) - Class numbers (int32 or int64) of the shape without C, or probabilities of the logits'
          shape.

    Raises:
        TypeError: If an argument or a dtype is of a wrong kind.
        ValueError: If the reduction is unknown, the smoothing out of range or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> loss = ms.nn.CrossEntropyLoss(label_smoothing=0.1)
        >>> print(loss(ms.ops.zeros((2, 4)), ms.Tensor([1, 3])))
        1.3862944
    """

    _takes_probabilities = True

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing=0.0
    ) -> None:
        super().__init__(weight, ignore_index, reduction)
        self.label_smoothing = check_python_float("CrossEntropyLoss", "label_smoothing", label_smoothing, 0.0, 1.0)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        arguments = self.weight, self.ignore_index, self.reduction, self.label_smoothing
        return nn_loss.cross_entropy(logits, labels, *arguments)


class NLLLoss(_OfClasses):
    """Negative log-likelihood: ``-weight[labels] * logits[labels]``, of log-probabilities.

    Args:
        weight (Tensor): A weight for each class, shape ``(C,)``. Default: None.
        ignore_index (int): The class number to ignore. Default: -100.
        reduction (str): "mean" (weighted by the class weights), "sum" or "none". Default: "mean".

    Inputs:
        - **logits** (Tensor) - Log-probabilities of shape ``(N, C, ...)``, floating.
        - **labels** (Tensor) - Class numbers (int32 or int64), shape ``(N, ...)``.

    Raises:
        TypeError: If an argument or a dtype is of a wrong kind.
        ValueError: If the reduction is unknown or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.NLLLoss()(ms.Tensor([[-0.5, -1.0], [-2.0, -0.25]]), ms.Tensor([0, 1])))
        0.375
    """

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(weight, ignore_index, reduction)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        return nn_loss.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """Cross entropy of probabilities: ``-weight * (labels * log(logits) + (1 - labels) * log(1 - logits))``; reduced.

    The logarithm is taken of at least 1e-12, so that the loss of a certain error is 27.6 and not infinite. "none"
    keeps the shape, the others give ().

    Args:
        weight (Tensor): Of the inputs' shape and dtype. Default: None.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Inputs:
        - **logits** (Tensor) - In [0, 1], floating; outside of it the loss is nan.
        - **labels** (Tensor) - The logits' shape and dtype.

    Raises:
        TypeError: If the weight is not a Tensor or dtypes differ.
        ValueError: If the reduction is unknown or shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.BCELoss()(ms.Tensor([0.5, 0.5]), ms.Tensor([0.0, 1.0])))
        0.6931472
        >>> print(ms.nn.BCELoss(reduction="none")(ms.Tensor([0.5, 0.0]), ms.Tensor([1.0, 1.0])))
        [ 0.6931472 27.631021 ]
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = _check_weight(self, weight)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        return nn_loss.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Cross entropy ``-weight * (pos_weight * labels * log(p) + (1 - labels) * log(1 - p))``, ``p = sigmoid(logits)``.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".
        weight (Tensor): Broadcasts to the logits. Default: None.
        pos_weight (Tensor): Broadcasts to the logits. Default: None.

    Inputs:
        - **logits** (Tensor) - Floating.
        - **labels** (Tensor) - The logits' shape, floating.

    Raises:
        TypeError: If a weight is not a Tensor or an input not a floating Tensor.
        ValueError: If the reduction is unknown or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.BCEWithLogitsLoss()(ms.Tensor([0.0, 0.0]), ms.Tensor([0.0, 1.0])))
        0.6931472
    """

    def __init__(self, reduction: str = "mean", weight: Tensor | None = None, pos_weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.weight, self.pos_weight = _check_weight(self, weight), _check_weight(self, pos_weight)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        arguments = self.weight, self.pos_weight, self.reduction
        return nn_loss.binary_cross_entropy_with_logits(logits, labels, *arguments)
