"""Losses that are one operation, because their gradient is far simpler than their parts'."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.dtype import float32
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.running import running
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.label_checks import check_labels, of_known_labels
from minispore.ops.kernels.reduce import row_maxima, row_sums
from minispore.ops.kernels.select import select
from minispore.ops.number_checks import check_real
from minispore.ops.operations.array.creation import OneHot
from minispore.ops.operations.nn.activation import Sigmoid
from minispore.ops.operations.nn.cross_entropy import ReducedLoss
from minispore.ops.operations.nn.softmax import LogSoftmax, Softmax
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_same_type, named

__all__ = [
    "KLDivLoss",
    "SigmoidCrossEntropyWithLogits",
    "SmoothL1Loss",
    "SoftmaxCrossEntropyWithLogits",
    "SparseSoftmaxCrossEntropyWithLogits",
]


class SoftmaxCrossEntropyWithLogits(Primitive):
    r"""Cross entropy of each row: ``(loss, dlogits)``, ``loss[i] = -sum(labels[i] * log softmax(logits[i]))``.

    The second output is the loss's derivative by the logits, ``softmax(logits) - labels`` (for labels that sum to 1).

    Shapes: (N, C) twice gives (N,) and (N, C). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``logits`` or ``labels`` is not a Tensor, or ``labels`` and ``logits`` differ in dtype.
        ValueError: If ``logits`` does not have 2 axes, or ``labels`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> loss, dlogits = ops.SoftmaxCrossEntropyWithLogits()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]]))
        >>> print(loss, dlogits, sep="\n")
        [0.6931472]
        [[-0.5  0.5]]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def infer(self, logits, labels):
        check_float(self, "logits", logits)
        check_rank(self, "logits", logits, (2,))
        check_same_type(self, logits=logits, labels=labels)
        check_shape(self, "labels", labels, logits.shape)
        return Spec(logits.shape[:1], logits.dtype), Spec(logits.shape, logits.dtype)

    def compute(self, xp, logits, labels):
        z, target = widen(xp, logits), widen(xp, labels)
        shifted = z - row_maxima(xp, z)
        powers = xp.exp(shifted)
        total = row_sums(xp, powers)[:, None]
        losses = (xp.log(total) - shifted) * target
        losses = select(xp, target == 0, z.dtype.type(0), losses)  # a class of chance 0 costs nothing: not 0 * inf
        loss = row_sums(xp, losses)
        powers /= total
        powers -= target
        return narrow(xp, loss, logits.dtype), narrow(xp, powers, logits.dtype)

    def bprop(self, logits, labels, out, dout):
        by_loss = dout[0].expand_dims(1)
        d_logits = by_loss * (_softmax(logits) * labels.sum(1, keepdims=True) - labels) if needs_grad(logits) else None
        d_labels = by_loss * -_log_softmax(logits) if needs_grad(labels) else None
        return d_logits, d_labels


_softmax, _log_softmax = Softmax(-1), LogSoftmax(-1)


class SigmoidCrossEntropyWithLogits(Primitive):
    """Cross entropy of each chance apart: ``-(label * log p + (1 - label) * log(1 - p))``, ``p = sigmoid(logits)``.

    The labels are constants of the gradient.

    Shapes: any, the same for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``logits`` or ``label`` is not a Tensor, or ``label`` and ``logits`` differ in dtype.
        ValueError: If ``label`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SigmoidCrossEntropyWithLogits()(ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 0.0])))
        [0.6931472 2.126928 ]
    """

    def infer(self, logits, label):
        check_float(self, "logits", logits)
        check_same_type(self, logits=logits, label=label)
        check_shape(self, "label", label, logits.shape)
        return logits

    def compute(self, xp, logits, label):
        z, target = widen(xp, logits), widen(xp, label)
        loss = xp.maximum(z, 0) - z * target + xp.log1p(xp.exp(-xp.abs(z)))
        return narrow(xp, loss, logits.dtype)

    def bprop(self, logits, label, out, dout):
        return ((_sigmoid(logits) - label) * dout if needs_grad(logits) else None), None


_sigmoid = Sigmoid()


class OneHotOfLabels(OneHot):
    """``OneHot`` of class numbers: a label outside of the classes is a ValueError on the host; a GPU gives it no class.

    A loss of probabilities turns sparse labels into these.
    """

    def compute(self, xp, indices, depth, on_value, off_value):
        check_labels(xp, "SoftmaxCrossEntropyWithLogits", indices, depth)
        return super().compute(xp, indices, depth, on_value, off_value)


class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    """Mean cross entropy against class numbers: ``mean over i of -log softmax(logits[i])[labels[i]]``.

    With ``is_grad`` the result is that mean's derivative by the logits instead. A label outside of the classes is a
    ValueError on the host. On a GPU, where a check would wait, it counts as no class.

    Shapes: (N, C) and (N,) give (). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> logits, labels = ms.Tensor([[0.0, 0.0], [9.0, 0.0]]), ms.Tensor([0, 0], ms.int32)
        >>> print(ops.SparseSoftmaxCrossEntropyWithLogits()(logits, labels))
        0.34663528
    """

    def __init__(self, is_grad: bool = False) -> None:
        self.add_prim_attr("is_grad", is_grad)

    def infer(self, logits, labels):
        check_float(self, "logits", logits)
        check_rank(self, "logits", logits, (2,))
        if not isinstance(labels, Spec) or labels.dtype.name not in ("int32", "int64"):
            got = named(labels.dtype) if isinstance(labels, Spec) else type(labels).__name__
            raise type_error(self.name, "the 'labels' must be a Tensor of int32 or int64", got)
        if labels.shape != logits.shape[:1]:
            raise value_error(self.name, f"the 'labels' must have the shape {logits.shape[:1]}", labels.shape)
        return Spec(logits.shape if self.is_grad else (), logits.dtype)

    def compute(self, xp, logits, labels):
        check_labels(xp, self.name, labels, logits.shape[1])
        z = widen(xp, logits)
        shifted = z - row_maxima(xp, z)
        chosen = labels[:, None] == xp.arange(z.shape[1], dtype=labels.dtype)
        powers = xp.exp(shifted)
        total = row_sums(xp, powers)[:, None]
        if not self.is_grad:
            losses = select(xp, chosen, xp.log(total) - shifted, z.dtype.type(0))
            return narrow(xp, losses.sum() / z.dtype.type(len(z)), logits.dtype)
        powers /= total
        powers -= chosen
        powers *= of_known_labels(xp, labels, z.shape[1], z.dtype.type(1 / len(z)))
        return narrow(xp, powers, logits.dtype)

    def bprop(self, logits, labels, out, dout):
        if self.is_grad:  # the derivative of softmax, row by row
            p = _softmax(logits)
            return (dout - (dout * p).sum(1, keepdims=True)) * p * (1 / logits.shape[0]), None
        if running.tape is None:
            return _sparse_grad_times(logits, labels, dout), None
        return _sparse_grad(logits, labels) * dout, None


_sparse_grad = SparseSoftmaxCrossEntropyWithLogits(is_grad=True)


class SparseCrossEntropyGrad(Primitive):
    """The mean's derivative by the logits times ``dout``, the gradient of the mean: a number."""

    differentiable = False

    def infer(self, logits, labels, dout):
        return logits

    def compute(self, xp, logits, labels, dout):
        return narrow(xp, _sparse_grad._computed(xp, widen(xp, logits), labels) * widen(xp, dout), logits.dtype)


_sparse_grad_times = SparseCrossEntropyGrad()


class SparseCrossEntropyInFloat32(SparseSoftmaxCrossEntropyWithLogits):
    """The mean cross entropy in float32 of logits in a narrower float, as of their cast to float32."""

    def infer(self, logits, labels):
        return super().infer(logits, labels)._replace(dtype=np.dtype(np.float32))

    def compute(self, xp, logits, labels):
        return super().compute(xp, widen(xp, logits), labels)

    def bprop(self, logits, labels, out, dout):
        if running.tape is None:
            return _sparse_grad_times(logits, labels, dout), None
        return cast(_sparse_grad(cast(logits, float32), labels) * dout, logits.dtype), None


class SmoothL1Loss(ReducedLoss):
    """Loss that is a square for small errors and a line for large ones.

    ``0.5 * d * d / beta`` where ``d = |prediction - target|`` is below beta, else ``d - 0.5 * beta``.

    Inputs of one shape and dtype. Source: Girshick, Fast R-CNN, 2015.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``beta`` is not a number, ``reduction`` is not a str, or ``prediction`` or ``target`` is not a
            Tensor. Also if ``target`` and ``prediction`` differ in dtype.
        ValueError: If ``beta`` is not finite and above 0, or ``reduction`` is not "mean", "sum" or "none". Also if
            ``target`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.SmoothL1Loss()(ms.Tensor([0.0, 0.0]), ms.Tensor([0.5, 3.0])))  # a square, then a line
        [0.125 2.5  ]
    """

    def __init__(self, beta=1.0, reduction="none") -> None:
        super().__init__(reduction)
        self.add_prim_attr("beta", check_real(self.name, "beta", beta, 0, above=True, kinds=(float,)))

    def infer(self, prediction, target):
        check_float(self, "prediction", prediction)
        check_same_type(self, prediction=prediction, target=target)
        check_shape(self, "target", target, prediction.shape)
        return self.spec(prediction.shape, prediction.dtype)

    def compute(self, xp, prediction, target):
        d = xp.abs(widen(xp, prediction) - widen(xp, target))
        beta = d.dtype.type(self.beta)
        elements = select(xp, d < beta, d * d * (d.dtype.type(0.5) / beta), d - d.dtype.type(0.5) * beta)
        return self.reduced(xp, elements, prediction.dtype)

    def bprop(self, prediction, target, out, dout):
        slope = (prediction - target).clip(-self.beta, self.beta) * (1 / self.beta)
        dx = self.arriving(dout, prediction) * slope
        return (
            dx if needs_grad(prediction) else None,
            -dx if needs_grad(target) else None,
        )


class KLDivLoss(Primitive):
    """Divergence of Kullback and Leibler: ``label * (log label - logits)`` of log-probabilities, 0 where label <= 0.

    The label is a constant of the gradient. "batchmean" divides the sum by the length of the first axis.

    Shapes: any, one for both; "none" keeps it, the others give (). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``reduction`` is not a str, ``logits`` or ``label`` is not a Tensor, or ``label`` and ``logits``
            differ in dtype.
        ValueError: If ``reduction`` is unknown, or ``label`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.KLDivLoss("none")(ms.Tensor([-0.7, -0.7]), ms.Tensor([0.5, 0.5])))
        [0.0034264 0.0034264]
    """

    def __init__(self, reduction="mean") -> None:
        check_choice(self.name, "reduction", reduction, ("none", "mean", "batchmean", "sum"))
        self.add_prim_attr("reduction", reduction)

    def infer(self, logits, label):
        check_float(self, "logits", logits)
        check_same_type(self, logits=logits, label=label)
        check_shape(self, "label", label, logits.shape)
        if self.reduction == "batchmean" and not logits.shape:
            raise value_error(self.name, "the 'logits' must have an axis for 'batchmean'", "shape ()")
        return Spec(logits.shape if self.reduction == "none" else (), logits.dtype)

    def _count(self, x):
        """The divisor of the sum."""
        return {"mean": x.size, "batchmean": x.shape[0] if x.shape else 1}.get(self.reduction, 1)

    def compute(self, xp, logits, label):
        x, target = widen(xp, logits), widen(xp, label)
        above = target > 0
        loss = select(xp, above, target * (xp.log(select(xp, above, target, 1)) - x), x.dtype.type(0))
        if self.reduction != "none":
            loss = xp.asarray(loss.sum() / x.dtype.type(self._count(x)))
        return narrow(xp, loss, logits.dtype)

    def bprop(self, logits, label, out, dout):
        return (label.maximum(0) * dout * (-1 / self._count(logits)) if needs_grad(logits) else None), None
