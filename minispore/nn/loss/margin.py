"""Losses of margins: hinge embedding, ranking, triplets, and several classes at once."""

from __future__ import annotations

import warnings

import numpy as np

from minispore.core.checks import check_choice, check_switch
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.loss.loss import LossBase
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.functional import nn_margin_loss as costs
from minispore.ops.number_checks import check_real

__all__ = [
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
]


def check_pair(loss, **tensors):
    """Raise unless all are Tensors of one shape."""
    for name, x in tensors.items():
        if not isinstance(x, Tensor):
            raise type_error(loss, f"the '{name}' must be a Tensor", shown(x))
    (first, x), *others = tensors.items()
    for name, y in others:
        if y.shape != x.shape:
            raise value_error(loss, f"the '{name}' must have the shape of '{first}', {x.shape}", y.shape)


def check_broadcast(loss, **tensors):
    """Raise unless two Tensors broadcast; a warning tells of shapes that differ, which is mostly a slip."""
    shapes = [x.shape for x in tensors.values() if isinstance(x, Tensor)]
    try:
        spread = len(shapes) == 2 and np.broadcast_shapes(*shapes)
    except ValueError:
        spread = None
    if shapes[1:] == shapes[:1] or not spread:
        return check_pair(loss, **tensors)
    (first, second) = tensors
    text = f"For '{loss}', the '{second}' of shape {shapes[1]} is not of the shape of '{first}', {shapes[0]}"
    warnings.warn(f"{text}: the differences have the shape {spread}.", stacklevel=2)


def check_weight(loss, weight):
    """``weight``, which must be None or a Tensor."""
    if weight is not None and not isinstance(weight, Tensor):
        raise type_error(loss, "the 'weight' must be None or a Tensor", shown(weight))
    return weight


class HingeEmbeddingLoss(LossBase):
    """``x`` for a label above 0, ``max(0, margin - x)`` for one below, 0 for 0; reduced.

    Shapes: any, one for all; "none" keeps it, the others give (). Dtypes: floats, kept; ints and bools give float32;
    TypeError for complex.

    Args:
        margin (float): Default: 1.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If the margin is not a number or an input not a Tensor.
        ValueError: If the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.HingeEmbeddingLoss(reduction="none")(ms.Tensor([0.25, 0.25]), ms.Tensor([1, -1])))
        [0.25 0.75]
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = check_real("HingeEmbeddingLoss", "margin", margin)

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        check_pair("HingeEmbeddingLoss", logits=logits, labels=labels)
        return self.get_loss(costs.hinges(logits, labels, self.margin))


class MarginRankingLoss(LossBase):
    """``max(0, -target * (input1 - input2) + margin)``; reduced.

    Shapes: any, one for all; "none" keeps it, the others give (). Dtypes: floats, kept; ints give float32; TypeError
    for bools and complex.

    Args:
        margin (float): Default: 0.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If the margin is not a float or an input not a Tensor.
        ValueError: If the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> loss = ms.nn.MarginRankingLoss(reduction="none")
        >>> print(loss(ms.Tensor([1.0, 3.0]), ms.Tensor([2.0, 2.0]), ms.Tensor([1.0, 1.0])))
        [1. 0.]
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = check_real("MarginRankingLoss", "margin", margin)

    def construct(self, input1, input2, target) -> Tensor:
        """The loss."""
        check_pair("MarginRankingLoss", input1=input1, input2=input2, target=target)
        return self.get_loss(costs.rankings(input1, input2, target, self.margin))


class SoftMarginLoss(LossBase):
    """``log(1 + e ** (-labels * logits))``; reduced.

    The labels are -1 and 1.

    Shapes: any, one for all; "none" keeps it, the others give (). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.SoftMarginLoss("none")(ms.Tensor([0.0, 2.0, 2.0]), ms.Tensor([1.0, 1.0, -1.0])))
        [0.6931472  0.12692805 2.126928  ]
    """

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        check_pair("SoftMarginLoss", logits=logits, labels=labels)
        return self.get_loss(-F.logsigmoid(logits * labels))


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of ``-w * (y * log sigmoid(x) + (1 - y) * log sigmoid(-x))``; reduced over samples.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        weight (Tensor): A weight for each class. Default: None.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Inputs:
        - **x**, **target** (Tensor) - Shape ``(N, C)``; the target is 0 or 1.

    Raises:
        TypeError: If the weight or an input is not a Tensor.
        ValueError: If the reduction is unknown, the shapes differ or there are no two axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MultiLabelSoftMarginLoss()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]])))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = check_weight("MultiLabelSoftMarginLoss", weight)

    def construct(self, x, target) -> Tensor:
        """The loss."""
        check_pair("MultiLabelSoftMarginLoss", x=x, target=target)
        if x.ndim != 2:
            raise value_error("MultiLabelSoftMarginLoss", "the 'x' must have 2 axes", f"shape {x.shape}")
        return self.get_loss(costs.soft_margins_of_labels(x, target, self.weight))


class MultilabelMarginLoss(LossBase):
    """``sum of max(0, 1 - x[y] + x[i]) / C`` over the labels y of a sample and the classes i that are none; reduced.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Inputs:
        - **x** (Tensor) - Shape ``(N, C)`` or ``(C,)``.
        - **target** (Tensor) - The labels of each sample, ints, filled up with -1; the shape of x.

    Raises:
        TypeError: If an input is not a Tensor, or the target not of ints.
        ValueError: If the reduction is unknown, or the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> loss = ms.nn.MultilabelMarginLoss()
        >>> print(loss(ms.Tensor([[0.1, 0.2, 0.4, 0.8]]), ms.Tensor([[3, 0, -1, 1]])))
        0.85
    """

    def construct(self, x, target) -> Tensor:
        """The loss."""
        return F.multilabel_margin_loss(x, target, self.reduction)


class MultiMarginLoss(LossBase):
    """``sum over j != y of max(0, margin - x[y] + x[j]) ** p / C``, times ``weight[y]``; reduced over samples.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        p (int): 1 or 2. Default: 1.
        margin (float): Default: 1.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".
        weight (Tensor): A weight for each class. Default: None.

    Inputs:
        - **x** (Tensor) - Shape ``(N, C)``.
        - **target** (Tensor) - The class y of each sample, shape ``(N,)``.
        - **weight** (Tensor) - In place of the argument's. Default: None.

    Raises:
        TypeError: If the margin is not a number, or the weight or an input not a Tensor.
        ValueError: If p is another number, the reduction is unknown, or the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MultiMarginLoss()(ms.Tensor([[0.5, 1.0]]), ms.Tensor([1])))
        0.25
    """

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Tensor | None = None) -> None:
        super().__init__(reduction)
        self.p = check_choice("MultiMarginLoss", "p", p, (1, 2))
        self.margin = check_real("MultiMarginLoss", "margin", margin)
        self.weight = check_weight("MultiMarginLoss", weight)

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        """The loss."""
        _check_classes("MultiMarginLoss", x, target)
        weight = self.weight if check_weight("MultiMarginLoss", weight) is None else weight
        return self.get_loss(costs.gaps_of_classes(x, target, self.p, self.margin, weight))


def _check_classes(loss, x, target):
    """Raise unless x is a Tensor of shape (N, C), and target one of N class numbers."""
    for name, value in (("x", x), ("target", target)):
        if not isinstance(value, Tensor):
            raise type_error(loss, f"the '{name}' must be a Tensor", shown(value))
    if x.ndim != 2:
        raise value_error(loss, "the 'x' must have 2 axes", f"shape {x.shape}")
    if target.shape != x.shape[:1]:
        raise value_error(loss, f"the 'target' must have the shape {x.shape[:1]}", target.shape)


class TripletMarginLoss(LossBase):
    """``max(0, |x - positive| - |x - negative| + margin)``, norms of order p along the last axis; reduced.

    Args:
        p (int): The norms' order, above 0. Default: 2.
        swap (bool): If True, the smaller of ``|x - negative|`` and ``|positive - negative|`` counts. Default: False.
        eps (float): Added to each difference. Default: 1e-6.
        reduction (str): "mean", "sum" or "none". Default: "mean".
        margin (float): The difference by which negative must be farther than positive. Default: 1.0.

    Inputs:
        - **x**, **positive**, **negative** (Tensor) - Of one shape.
        - **margin** (float) - In place of the argument's where it is not 1. Default: 1.0.

    Raises:
        TypeError: If an argument is of a wrong kind or an input not a Tensor.
        ValueError: If p is not above 0, the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> x, near, far = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0]]), ms.Tensor([[0.0, 5.5]])
        >>> print(ms.nn.TripletMarginLoss(eps=0.0)(x, near, far))  # 5.0 - 5.5 + 1.0
        0.5
    """

    def __init__(
        self, p: int = 2, swap: bool = False, eps: float = 1e-6, reduction: str = "mean", margin: float = 1.0
    ) -> None:
        super().__init__(reduction)
        self.p = check_real("TripletMarginLoss", "p", p, 0, above=True)
        self.swap = check_switch("TripletMarginLoss", "swap", swap)
        self.eps = check_real("TripletMarginLoss", "eps", eps)
        self.margin = check_real("TripletMarginLoss", "margin", margin)

    def construct(self, x, positive, negative, margin: float = 1.0) -> Tensor:
        """The loss."""
        check_pair("TripletMarginLoss", x=x, positive=positive, negative=negative)
        margin = self.margin if check_real("TripletMarginLoss", "margin", margin) == 1 else margin
        return self.get_loss(costs.triplets(x, positive, negative, margin, self.p, self.eps, self.swap))
