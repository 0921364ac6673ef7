"""Negative log-likelihood losses, and the base of losses with one number per element and a ``reduction``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.label_checks import check_labels
from minispore.ops.kernels.select import select
from minispore.ops.operations.array.creation import OneHot
from minispore.ops.operations.math.exponential import Exp, Log
from minispore.ops.operations.math.select import Select
from minispore.ops.operations.math.unary import Abs
from minispore.ops.operations.nn.activation import ReLU, Sigmoid
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_float, check_same_type, named

__all__ = ["BCEWithLogitsLoss", "BinaryCrossEntropy", "NLLLoss"]

REDUCTIONS = ("mean", "sum", "none")
_TINY = 1e-12  # the probability below which logarithms are cut, as in MindSpore

_abs, _exp, _log, _relu, _select, _sigmoid = Abs(), Exp(), Log(), ReLU(), Select(), Sigmoid()
_one_hot = OneHot(1)


def check_reduction(operation, reduction):
    """Raise ValueError unless ``reduction`` is the name of one; returns it."""
    if not isinstance(reduction, str) or reduction not in REDUCTIONS:
        raise value_error(operation, "the 'reduction' must be 'mean', 'sum' or 'none'", shown(reduction))
    return reduction


class ReducedLoss(Primitive):
    """Base of losses of elements: their mean, their sum, or themselves, in the first input's dtype."""

    def __init__(self, reduction="mean") -> None:
        self.add_prim_attr("reduction", check_reduction(self.name, reduction))

    def spec(self, shape, dtype):
        """The Spec of the reduced loss of elements of ``shape``."""
        return Spec(shape if self.reduction == "none" else (), dtype)

    def reduced(self, xp, elements, dtype):
        """The loss of the elements' losses."""
        if self.reduction != "none":
            count = elements.dtype.type(elements.size if self.reduction == "mean" else 1)
            elements = xp.asarray(elements.sum() / count)
        return narrow(xp, elements, dtype)

    def arriving(self, dout, x):
        """The gradient that reaches each element of a loss of the size of ``x``."""
        return dout * (1 / x.size) if self.reduction == "mean" else dout


def _fitted(gradient, x):
    """A gradient in the shape and dtype of its Tensor."""
    gradient = sum_to(gradient, x.array.shape)
    return gradient if gradient.array.dtype == x.array.dtype else cast(gradient, x.array.dtype)


class NLLLoss(ReducedLoss):
    """Negative log-likelihood: ``loss[i] = -weight[labels[i]] * logits[i, labels[i]]``; the mean is by weights.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: logits of shape ``(N, C, ...)`` (log-probabilities), labels of shape ``(N, ...)`` (int32 or int64), weight
    of shape ``(C,)`` or None. A label of ``ignore_index`` has no loss and no weight. Another one outside of the classes
    is a ValueError on the host. On a GPU, where a check would wait, it has no loss and no weight either. The second
    output is the sum of the labels' weights.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> logits, labels = ms.Tensor([[-0.1, -2.4], [-1.2, -0.4]]), ms.Tensor([0, 1], ms.int32)
        >>> print(*ops.NLLLoss("none")(logits, labels, ms.Tensor([1.0, 1.0])))
        [0.1 0.4] 2.0
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(self, reduction="mean", ignore_index=-100) -> None:
        super().__init__(reduction)
        self.add_prim_attr("ignore_index", check_int(self.name, "ignore_index", ignore_index))

    def adapt(self, logits, labels, weight=None):
        """A weight may be left out."""
        return logits, labels, weight

    def infer(self, logits, labels, weight):
        check_float(self, "logits", logits)
        if not isinstance(labels, Spec) or labels.dtype.name not in ("int32", "int64"):
            got = named(labels.dtype) if isinstance(labels, Spec) else type(labels).__name__
            raise type_error(self.name, "the 'labels' must be a Tensor of int32 or int64", got)
        if len(logits.shape) < 2:
            raise value_error(self.name, "the 'logits' must have the shape (N, C, ...)", logits.shape)
        check_shape(self, "labels", labels, (*logits.shape[:1], *logits.shape[2:]))
        if weight is not None:
            check_float(self, "weight", weight)
            check_shape(self, "weight", weight, logits.shape[1:2])
        kind = logits.dtype
        return self.spec(labels.shape, kind), Spec((), kind if weight is None else weight.dtype)

    def compute(self, xp, logits, labels, weight):
        check_labels(xp, self.name, labels, logits.shape[1], self.ignore_index)
        x, each = widen(xp, logits), (-1,) + (1,) * (logits.ndim - 2)
        chosen = xp.expand_dims(labels, 1) == xp.arange(x.shape[1]).reshape(each)
        chosen &= xp.expand_dims(labels != self.ignore_index, 1)
        of_class = xp.ones_like(x[:1]) if weight is None else widen(xp, weight).reshape(each)
        loss = -select(xp, chosen, x * of_class, x.dtype.type(0)).sum(1)
        total = select(xp, chosen, of_class, of_class.dtype.type(0)).sum()
        if self.reduction != "none":
            loss = loss.sum() / (total if self.reduction == "mean" else x.dtype.type(1))
        kind = logits.dtype if weight is None else weight.dtype
        return narrow(xp, xp.asarray(loss), logits.dtype), narrow(xp, xp.asarray(total), kind)

    def bprop(self, logits, labels, weight, out, dout):
        arriving = dout[0].expand_dims(1) if self.reduction == "none" else dout[0]
        if self.reduction == "mean":
            arriving = arriving / out[1]
        if weight is not None:
            arriving = arriving * weight.reshape((1, -1) + (1,) * (logits.ndim - 2))
        counted = _select(labels == self.ignore_index, -1 - labels * 0, labels)
        chosen = cast(_one_hot(counted, logits.shape[1], -1.0, 0.0), logits.array.dtype)
        return (_fitted(chosen * arriving, logits) if needs_grad(logits) else None), None, None


class BinaryCrossEntropy(ReducedLoss):
    """Cross entropy of probabilities: ``-weight * (labels * log(logits) + (1 - labels) * log(1 - logits))``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: logits in [0, 1], labels and weight (or None) of their shape and dtype. Logarithms are taken of 1e-12 at
    least; a number outside [0, 1] has the loss nan.

    Raises:
        TypeError: If ``reduction`` is not a str, ``logits``, ``labels`` or ``weight`` is not a Tensor, or ``labels``
            and ``logits`` differ in dtype.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or ``labels`` or ``weight`` has a shape that does
            not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.BinaryCrossEntropy("none")(ms.Tensor([0.9, 0.5]), ms.Tensor([1.0, 0.0]), ms.Tensor([1.0, 1.0])))
        [0.10536055 0.6931472 ]
    """

    def adapt(self, logits, labels, weight=None):
        """A weight may be left out."""
        return logits, labels, weight

    def infer(self, logits, labels, weight):
        check_float(self, "logits", logits)
        others = {"labels": labels} if weight is None else {"labels": labels, "weight": weight}
        check_same_type(self, logits=logits, **others)
        for name, spec in others.items():
            check_shape(self, name, spec, logits.shape)
        return self.spec(logits.shape, logits.dtype)

    def compute(self, xp, logits, labels, weight):
        p, y = widen(xp, logits), widen(xp, labels)
        tiny = p.dtype.type(_TINY)
        loss = -(y * xp.log(xp.maximum(p, tiny)) + (1 - y) * xp.log(xp.maximum(1 - p, tiny)))
        loss = select(xp, (p >= 0) & (p <= 1), loss, p.dtype.type(np.nan))
        return self.reduced(xp, loss if weight is None else loss * widen(xp, weight), logits.dtype)

    def bprop(self, logits, labels, weight, out, dout):
        arriving = self.arriving(dout, logits)
        scaled = arriving if weight is None else arriving * weight
        odds = _log_of(1 - logits) - _log_of(logits)
        of_p = scaled * _over_variance(logits - labels, logits) if needs_grad(logits) else None
        of_weight = arriving * (labels * odds - _log_of(1 - logits)) if needs_grad(weight) else None
        return of_p, (scaled * odds if needs_grad(labels) else None), of_weight


def _log_of(p):
    """``log(max(p, 1e-12))``, whatever the dtype."""
    kind = p.array.dtype
    p = cast(p, np.dtype(np.float32)) if kind.itemsize == 2 else p
    return cast(_log(p.maximum(_TINY)), kind)


def _over_variance(x, p):
    """``x / max(p * (1 - p), 1e-12)``, whatever the dtype."""
    kind = p.array.dtype
    p = cast(p, np.dtype(np.float32)) if kind.itemsize == 2 else p
    return cast(x / (p * (1 - p)).maximum(_TINY), kind)


class BCEWithLogitsLoss(ReducedLoss):
    """Cross entropy of ``p = sigmoid(logits)``: ``-weight * (pos_weight * label * log(p) + (1 - label) * log(1 - p))``.

    Computed from logarithms that do not overflow. Inputs: logits, label of their shape, weight and pos_weight that
    broadcast to it, or None. The loss has the logits' dtype.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``reduction`` is not a str, or an argument is not a Tensor.
        ValueError: If ``reduction`` is not "mean", "sum" or "none", or ``label`` has a shape that does not fit. Also if
            ``weight`` or ``pos_weight`` does not broadcast to the shape, or the shapes of ``logits`` and ``weight`` do
            not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> one = ms.Tensor([1.0, 1.0])
        >>> print(ops.BCEWithLogitsLoss("none")(ms.Tensor([0.0, 100.0]), ms.Tensor([1.0, 0.0]), one, one))
        [  0.6931472 100.       ]
    """

    def adapt(self, logits, label, weight=None, pos_weight=None):
        """Weights may be left out."""
        return logits, label, weight, pos_weight

    def infer(self, logits, label, weight, pos_weight):
        check_float(self, "logits", logits)
        check_float(self, "label", label)
        check_shape(self, "label", label, logits.shape)
        for name, spec in (("weight", weight), ("pos_weight", pos_weight)):
            if spec is not None:
                check_float(self, name, spec)
                if broadcast_shape(self, logits.shape, spec.shape, ("logits", name)) != logits.shape:
                    raise value_error(self.name, f"the '{name}' must broadcast to {logits.shape}", spec.shape)
        return self.spec(logits.shape, logits.dtype)

    def compute(self, xp, logits, label, weight, pos_weight):
        x, y = widen(xp, logits), widen(xp, label)
        softplus = xp.log1p(xp.exp(-xp.abs(x))) + xp.maximum(-x, x.dtype.type(0))
        positive = y if pos_weight is None else y * widen(xp, pos_weight)
        loss = (1 - y) * x + (1 - y + positive) * softplus
        return self.reduced(xp, loss if weight is None else loss * widen(xp, weight), logits.dtype)

    def bprop(self, logits, label, weight, pos_weight, out, dout):
        arriving = self.arriving(dout, logits)
        scaled = arriving if weight is None else arriving * weight
        softplus = _log(1 + _exp(-_abs(logits))) + _relu(-logits)
        slope = (1 if pos_weight is None else pos_weight) - 1
        positive = 1 + slope * label
        loss = (1 - label) * logits + positive * softplus
        return (
            _fitted(scaled * (1 - label - positive * _sigmoid(-logits)), logits) if needs_grad(logits) else None,
            _fitted(scaled * (slope * softplus - logits), label) if needs_grad(label) else None,
            _fitted(arriving * loss, weight) if needs_grad(weight) else None,
            _fitted(scaled * label * softplus, pos_weight) if needs_grad(pos_weight) else None,
        )
