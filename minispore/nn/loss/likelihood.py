"""Losses of distributions and of segmentations, and errors' means: KL divergence, Gauss, Poisson, Dice, focal."""

from __future__ import annotations

import math

from minispore.core.checks import check_bool, check_choice, check_int, check_switch, check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.layer.activation import get_activation
from minispore.nn.loss.loss import LossBase
from minispore.nn.loss.margin import check_broadcast, check_pair, check_weight
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.functional.nn_margin_loss import normal_costs
from minispore.ops.number_checks import check_real

__all__ = [
    "DiceLoss",
    "FocalLoss",
    "GaussianNLLLoss",
    "KLDivLoss",
    "MAELoss",
    "MultiClassDiceLoss",
    "PoissonNLLLoss",
    "RMSELoss",
]


class MAELoss(LossBase):
    """Absolute error: ``|logits - label|``, reduced.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the reduction is unknown or the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MAELoss()(ms.Tensor([1.0, 5.0]), ms.Tensor([2.0, 2.0])))
        2.0
    """

    def construct(self, logits, label) -> Tensor:
        """The loss."""
        check_broadcast("MAELoss", logits=logits, label=label)
        return self.get_loss(F.abs(F.sub(logits, label)))


class RMSELoss(LossBase):
    """Root of the mean squared error: ``sqrt(mean((logits - label) ** 2))``.

    Shapes: any that broadcast; the answer is (). Dtypes: floats and complex, kept; TypeError for ints and bools.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.RMSELoss()(ms.Tensor([1.0, 5.0]), ms.Tensor([4.0, 2.0])))
        3.0
    """

    def __init__(self) -> None:
        super().__init__()

    def construct(self, logits, label) -> Tensor:
        """The loss."""
        check_broadcast("RMSELoss", logits=logits, label=label)
        return F.sqrt(F.square(F.sub(logits, label)).mean())


class KLDivLoss(LossBase):
    """``labels * (log(labels) - logits)``, 0 where the label is 0; the logits are logarithms of probabilities.

    Shapes: any, one for all; "none" keeps it, the others give (). Dtypes: float32 and float64, kept; float16 gives
    float32; TypeError for ints, bools and complex.

    Args:
        reduction (str): "mean", "sum", "none", or "batchmean", the sum divided by the samples. Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.KLDivLoss("sum")(ms.ops.zeros((2,)), ms.Tensor([1.0, 0.0])))
        0.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        check_choice("KLDivLoss", "reduction", reduction, ("mean", "sum", "none", "batchmean"))
        super().__init__("sum" if reduction == "batchmean" else reduction)
        self.reduction, self._of_batch = reduction, reduction == "batchmean"

    def construct(self, logits, labels) -> Tensor:
        """The loss."""
        check_pair("KLDivLoss", logits=logits, labels=labels)
        known = labels > 0
        logarithm = F.log(F.select(known, labels, F.ones_like(labels)))
        losses = F.select(known, labels * (logarithm - logits), F.zeros_like(logits))
        return losses.sum() / logits.shape[0] if self._of_batch else self.get_loss(losses)


class GaussianNLLLoss(LossBase):
    """``0.5 * (log(v) + (logits - labels) ** 2 / v)``, ``v = max(var, eps)``; ``full`` adds ``0.5 * log(2 * pi)``.

    Shapes: any that fit one another; () or, for "none", that of ``logits``. Dtypes: floats, kept; ints give float32;
    TypeError for bools and complex.

    Args:
        full (bool): Default: False.
        eps (float): Above 0. Default: 1e-6.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind or an input not a Tensor.
        ValueError: If eps is not above 0, or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.GaussianNLLLoss()(ms.Tensor([1.0]), ms.Tensor([3.0]), ms.Tensor([1.0])))
        2.0
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = check_bool("GaussianNLLLoss", "full", full)
        self.eps = check_real("GaussianNLLLoss", "eps", eps, 0, above=True)

    def construct(self, logits, labels, var) -> Tensor:
        """The loss."""
        check_pair("GaussianNLLLoss", logits=logits, labels=labels)
        if not isinstance(var, Tensor):
            raise type_error("GaussianNLLLoss", "the 'var' must be a Tensor", shown(var))
        return self.get_loss(normal_costs(logits, labels, var, self.full, self.eps))


class PoissonNLLLoss(LossBase):
    """``e ** input - target * input``, or ``input - target * log(input + eps)`` without ``log_input``; reduced.

    With ``full`` Stirling's ``t * log(t) - t + 0.5 * log(2 * pi * t)`` is added where the target t is above 1.

    Shapes: any that broadcast; "none" gives their common shape, the others ().

    Args:
        log_input (bool): If True, the input is the rate's logarithm. Default: True.
        full (bool): Default: False.
        eps (float): Default: 1e-8.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind or an input not a Tensor.
        ValueError: If the reduction is unknown or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PoissonNLLLoss()(ms.Tensor([0.0]), ms.Tensor([2.0])))
        1.0
    """

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.log_input = check_switch("PoissonNLLLoss", "log_input", log_input)
        self.full = check_switch("PoissonNLLLoss", "full", full)
        self.eps = check_real("PoissonNLLLoss", "eps", eps)

    def construct(self, input, target) -> Tensor:
        """The loss."""
        check_broadcast("PoissonNLLLoss", input=input, target=target)
        rate = F.exp(input) if self.log_input else input
        losses = rate - target * (input if self.log_input else F.log(input + self.eps))
        return self.get_loss(losses + self._stirling(target) if self.full else losses)

    @staticmethod
    def _stirling(target):
        many = target > 1
        t = F.select(many, target, F.ones_like(target))
        return F.select(many, t * F.log(t) - t + 0.5 * F.log(2 * math.pi * t), F.zeros_like(target))


def _dice(logits, label, smooth):
    """``1 - 2 * sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth)``."""
    return 1 - 2 * (logits * label).sum() / (F.square(logits).sum() + F.square(label).sum() + smooth)


class DiceLoss(LossBase):
    """``1 - 2 * sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth)``.

    Shapes: any, one for both; the answer is (). Dtypes: floats and complex, kept; ints give float32; TypeError for
    bools.

    Args:
        smooth (float): Above 0. Default: 1e-5.

    Raises:
        TypeError: If ``smooth`` is not a number or an input not a Tensor.
        ValueError: If ``smooth`` is not above 0 or the shapes differ.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.DiceLoss(1.0)(ms.Tensor([1.0, 1.0]), ms.Tensor([1.0, 0.0])))
        0.5
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = check_real("DiceLoss", "smooth", smooth, 0, above=True)

    def construct(self, logits, label) -> Tensor:
        """The loss."""
        check_pair("DiceLoss", logits=logits, label=label)
        return _dice(logits, label, self.smooth)


class MultiClassDiceLoss(LossBase):
    """The mean of :class:`DiceLoss` over the classes, axis 1 of the activated logits.

    Dtypes: as :class:`DiceLoss`.

    Args:
        weights (Tensor): A weight for each class, shape ``(C, 1)``. Default: None.
        ignore_indiex (int): A class that is left out of the sum, not of the divisor. Default: None.
        activation (Union[str, Cell]): Applied to the logits. Default: "softmax".

    Raises:
        TypeError: If an argument is of a wrong kind or an input not a Tensor.
        ValueError: If the activation is unknown, the shapes differ, or there is not a weight for each class.
        KeyError: If ``activation`` is an unknown name.

    Examples:
        >>> import minispore as ms
        >>> logits, label = ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 0.0]])
        >>> print(round(float(ms.nn.MultiClassDiceLoss(activation=None)(logits, label)), 3))
        0.5
    """

    def __init__(self, weights: Tensor | None = None, ignore_indiex: int | None = None, activation="softmax") -> None:
        super().__init__()
        self.weights = check_weight("MultiClassDiceLoss", weights)
        if ignore_indiex is not None:
            check_int("MultiClassDiceLoss", "ignore_indiex", ignore_indiex)
        self.ignore_indiex = ignore_indiex
        if activation is not None and not callable(activation):
            check_text("MultiClassDiceLoss", "activation", activation)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, logits, label) -> Tensor:
        """The loss."""
        check_pair("MultiClassDiceLoss", logits=logits, label=label)
        if label.ndim < 2:
            raise value_error("MultiClassDiceLoss", "the 'label' must have at least 2 axes", f"shape {label.shape}")
        classes = label.shape[1]
        if self.weights is not None and self.weights.shape[0] != classes:
            expected = f"the 'weights' must have a row for each of the {classes} classes"
            raise value_error("MultiClassDiceLoss", expected, f"shape {self.weights.shape}")
        logits = logits if self.activation is None else self.activation(logits)
        losses = [self._of_class(logits, label, i) for i in range(classes) if i != self.ignore_indiex]
        return sum(losses) / classes

    def _of_class(self, logits, label, i):
        loss = _dice(logits[:, i], label[:, i], 1e-5)
        return loss if self.weights is None else loss * self.weights[i]


class FocalLoss(LossBase):
    """``-weight * (1 - p) ** gamma * log(p)``, p the softmax probability of the label's class; reduced.

    Source: Lin et al., Focal loss for dense object detection, 2017.

    Dtypes: logits of floats, kept; labels of ints; TypeError for others.

    Args:
        weight (Tensor): A weight for each class. Default: None.
        gamma (float): At least 0. Default: 2.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Inputs:
        - **logits** (Tensor) - Shape ``(N, C)``, ``(N, C, L)`` or ``(N, C, H, W)``.
        - **labels** (Tensor) - Class numbers with 1 in place of C, or weights of all classes in the logits' shape.

    Raises:
        TypeError: If an argument is of a wrong kind or an input not a Tensor.
        ValueError: If gamma is below 0, the reduction is unknown, or the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.FocalLoss(gamma=0.0)(ms.ops.zeros((1, 2)), ms.Tensor([[1]])))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = check_weight("FocalLoss", weight)
        self.gamma = check_real("FocalLoss", "gamma", gamma, 0)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        self._check(logits, labels)
        logarithm = F.log_softmax(logits, 1)
        losses = -((1 - F.exp(logarithm)) ** self.gamma) * logarithm
        if self.weight is not None:
            losses = losses * self.weight.reshape((1, -1) + (1,) * (logits.ndim - 2))
        if labels.shape == logits.shape and labels.shape[1] != 1:
            return self.get_loss(losses * labels)
        one, zero = Tensor(1, logits.dtype), Tensor(0, logits.dtype)
        return self.get_loss((losses * F.one_hot(labels.squeeze(1), logits.shape[1], one, zero, 1)).sum(1))

    def _check(self, logits, labels):
        for name, x in (("logits", logits), ("labels", labels)):
            if not isinstance(x, Tensor):
                raise type_error("FocalLoss", f"the '{name}' must be a Tensor", shown(x))
        if not 2 <= logits.ndim <= 4:
            raise value_error("FocalLoss", "the 'logits' must have 2, 3 or 4 axes", f"shape {logits.shape}")
        indices = (logits.shape[0], 1, *logits.shape[2:])
        if labels.shape not in (indices, logits.shape):
            expected = f"the 'labels' must have the shape {indices} or {logits.shape}"
            raise value_error("FocalLoss", expected, labels.shape)
        if self.weight is not None and self.weight.shape != logits.shape[1:2]:
            raise value_error("FocalLoss", f"the 'weight' must have the shape {logits.shape[1:2]}", self.weight.shape)
