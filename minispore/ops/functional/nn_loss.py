"""Functional wrappers of losses: ``ops.cross_entropy``, ``ops.mse_loss`` and their like."""

from __future__ import annotations

from minispore.core.checks import check_int
from minispore.core.dtype import float16, float32, float64
from minispore.core.errors import type_error, value_error
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.array_filling import zeros_like
from minispore.ops.functional.math_binary import masked_fill, maximum, select
from minispore.ops.functional.math_unary import abs, sqrt, square
from minispore.ops.functional.nn_activation import log_softmax
from minispore.ops.functional.state import cast
from minispore.ops.number_checks import check_no_complex, check_number
from minispore.ops.operations.nn.cross_entropy import BCEWithLogitsLoss, BinaryCrossEntropy, NLLLoss, check_reduction
from minispore.ops.operations.nn.loss import KLDivLoss, SmoothL1Loss
from minispore.ops.promotion import lowered_dtype

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "nll_loss",
    "smooth_l1_loss",
]


def _reduced(x, reduction):
    return x if reduction == "none" else x.mean() if reduction == "mean" else x.sum()


def cross_entropy(
    input: Tensor, target: Tensor, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
) -> Tensor:
    """Cross entropy of ``softmax(input)``: ``-log softmax(input)[target]``, or ``-sum(target * log softmax(input))``.

    Args:
        input (Tensor): Logits of shape ``(C,)`` or ``(N, C, ...)``, floating.
        target (Tensor): Class numbers (int32 or int64) of the shape without C, or probabilities of the input's shape.
        weight (Tensor): A weight for each class, shape ``(C,)``. Default: None.
        ignore_index (int): The class number that does not count. Default: -100.
        reduction (str): "mean" (over the weights of the class numbers), "sum" or "none". Default: "mean".
        label_smoothing (float): How much of each target is spread evenly over all classes, in [0, 1]. Default: 0.

    Returns:
        Tensor, 0-d, or of the shape without C for "none".

    Raises:
        TypeError: If an input is not a Tensor, or has a wrong dtype, or ``ignore_index`` is not an int.
        ValueError: If shapes do not fit, the reduction is unknown or, on the CPU, a class number is outside of the
            classes and not ``ignore_index``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.cross_entropy(ms.ops.zeros((2, 4)), ms.Tensor([1, 3])))
        1.3862944
    """
    check_reduction("cross_entropy", reduction)
    check_int("cross_entropy", "ignore_index", ignore_index)
    check_number("cross_entropy", "label_smoothing", label_smoothing)
    check_tensors("cross_entropy", input=input, target=target)
    soft = is_differentiable(target)
    if input.ndim == 1:
        lone = target.expand_dims(0)
        loss = cross_entropy(input.expand_dims(0), lone, weight, ignore_index, reduction, label_smoothing)
        return loss.reshape(())
    logs = log_softmax(input, 1)
    if not soft:
        return nll_loss(logs, target, weight, ignore_index, reduction, label_smoothing)
    if target.shape != input.shape:
        expected = f"the 'target' must be class numbers, of int32 or int64, or probabilities of shape {input.shape}"
        raise value_error("cross_entropy", expected, f"{target.dtype} of shape {target.shape}")
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / input.shape[1]
    return _reduced(-(_weighted(logs, weight) * target).sum(1), reduction)


def _weighted(x, weight):
    """``x`` of shape ``(N, C, ...)`` times a weight for each class."""
    if weight is None:
        return x
    check_tensors("cross_entropy", weight=weight)
    return x * weight.reshape((1, -1) + (1,) * (x.ndim - 2))


def nll_loss(
    inputs: Tensor, target: Tensor, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
) -> Tensor:
    """Negative log-likelihood: ``-weight[target] * inputs[target]``, of log-probabilities.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        inputs (Tensor): Log-probabilities of shape ``(N, C, ...)``, floating.
        target (Tensor): Class numbers (int32 or int64), shape ``(N, ...)``.
        weight (Tensor): A weight for each class, shape ``(C,)``. Default: None.
        ignore_index (int): The class number that does not count. Default: -100.
        reduction (str): "mean" (over the targets' weights), "sum" or "none". Default: "mean".
        label_smoothing (float): How much of each target is spread evenly over all classes. Default: 0.

    Raises:
        TypeError: If an input is not a Tensor, or has a wrong dtype, or ``ignore_index`` is not an int.
        ValueError: If shapes do not fit, the reduction is unknown or, on the CPU, a class number is outside of the
            classes and not ``ignore_index``.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.nll_loss(ms.Tensor([[-0.5, -1.0], [-2.0, -0.25]]), ms.Tensor([0, 1])))
        0.375
    """
    check_tensors("nll_loss", inputs=inputs, target=target)
    check_int("nll_loss", "ignore_index", ignore_index)
    check_number("nll_loss", "label_smoothing", label_smoothing)
    if isinstance(weight, Tensor) and weight.itemsize > inputs.itemsize:
        inputs = cast(inputs, weight.dtype)
    loss, total = make(NLLLoss, reduction, ignore_index)(inputs, target, weight)
    if not label_smoothing:
        return loss
    spread = masked_fill(-_weighted(inputs, weight).sum(1), target == ignore_index, 0.0)
    spread = spread.sum() / total if reduction == "mean" else _reduced(spread, reduction)
    return loss * (1 - label_smoothing) + spread * (label_smoothing / inputs.shape[1])


def binary_cross_entropy(logits, labels, weight=None, reduction="mean") -> Tensor:
    """Cross entropy of probabilities: ``-weight * (labels * log(logits) + (1 - labels) * log(1 - logits))``.

    Shapes: any, one for all; "none" keeps it, the others give (). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If an input is not a Tensor, or the dtypes differ.
        ValueError: If the shapes differ or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.binary_cross_entropy(ms.Tensor([0.5, 0.5]), ms.Tensor([0.0, 1.0])))
        0.6931472
    """
    return make(BinaryCrossEntropy, reduction)(logits, labels, weight)


def binary_cross_entropy_with_logits(logits, label, weight=None, pos_weight=None, reduction="mean") -> Tensor:
    """Cross entropy of ``p = sigmoid(logits)``: ``-weight * (pos_weight * label * log(p) + (1 - label) * log(1 - p))``.

    Shapes: any, one for both, to which weights broadcast; "none" keeps it, the others give (). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Raises:
        TypeError: If an input is no floating Tensor.
        ValueError: If the shapes do not fit or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.binary_cross_entropy_with_logits(ms.Tensor([0.0]), ms.Tensor([1.0])))
        0.6931472
    """
    return make(BCEWithLogitsLoss, reduction)(logits, label, weight, pos_weight)


def smooth_l1_loss(input, target, beta=1.0, reduction="none") -> Tensor:
    """Loss that is a square for small errors and a line for large ones.

    ``0.5 * d * d / beta`` where ``d = |input - target|`` is below beta, else ``d - 0.5 * beta``.

    Shapes: any, one for both; "none" keeps it, the others give (). Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If an input is no floating Tensor, the dtypes differ or beta is no float.
        ValueError: If the shapes differ, beta is not above 0 or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.smooth_l1_loss(ms.Tensor([1.0, 3.0]), ms.Tensor([1.5, 1.0])))
        [0.125 1.5  ]
    """
    return make(SmoothL1Loss, beta, reduction)(input, target)


def huber_loss(input: Tensor, target: Tensor, reduction="mean", delta=1.0) -> Tensor:
    """Loss that is a square for small errors and a line for large ones.

    ``0.5 * d * d`` where ``d = |input - target|`` is below delta, else ``delta * (d - 0.5 * delta)``.

    Input and target broadcast to one another.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, kept; ints and bools
    give float32; TypeError for complex.

    Raises:
        TypeError: If an input is not a Tensor or delta not a number.
        ValueError: If the shapes do not broadcast, delta is not above 0 or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.huber_loss(ms.Tensor([1.0, 3.0]), ms.Tensor([1.5, 1.0]), "none"))
        [0.125 1.5  ]
    """
    check_tensors("huber_loss", input=input, target=target)
    check_no_complex("huber_loss", "input", input)
    check_no_complex("huber_loss", "target", target)
    check_number("huber_loss", "delta", delta, "an int or a float")
    if not delta > 0:
        raise value_error("huber_loss", "the 'delta' must be above 0", delta)
    kind = (input - target).dtype if is_differentiable(input) or is_differentiable(target) else float32
    if kind != float64:  # so that float16 is rounded once
        input, target = cast(input, float32), cast(target, float32)
    error = input - target
    return cast(make(SmoothL1Loss, float(delta), reduction)(error, zeros_like(error)) * delta, kind)


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """Loss of the angle between pairs of vectors that are alike (1) or unlike (-1).

    ``1 - cos(input1, input2)`` for the target 1, ``max(0, cos(input1, input2) - margin)`` for -1.

    The cosine is taken along axis 1; a target of another value has no loss.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input1 (Tensor): Shape ``(N, D, ...)``, floating.
        input2 (Tensor): The first one's shape and dtype.
        target (Tensor): 1 or -1, of the shape without D.
        margin (float): In [-1, 1]. Default: 0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor, or the dtypes of the first two differ.
        ValueError: If shapes do not fit or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> x, y = ms.Tensor([[1.0, 0.0], [3.0, 4.0]]), ms.Tensor([[1.0, 0.0], [3.0, -4.0]])
        >>> print(ms.ops.cosine_embedding_loss(x, y, ms.Tensor([1, 1]), reduction="none"))
        [0.   1.28]
    """
    name = "cosine_embedding_loss"
    check_reduction(name, reduction)
    check_tensors(name, input1=input1, input2=input2, target=target)
    if input1.dtype != input2.dtype:
        raise type_error(name, f"the 'input2' must have the dtype of 'input1', {input1.dtype}", input2.dtype)
    if input1.shape != input2.shape:
        raise value_error(name, f"the 'input2' must have the shape of 'input1', {input1.shape}", input2.shape)
    if input1.ndim < 2 or target.shape != input1.shape[:1] + input1.shape[2:]:
        got = f"{target.shape} for {input1.shape}"
        raise value_error(name, "the 'target' must have the shape of 'input1' without its axis 1", got)
    kind = lowered_dtype(input1)
    if input1.dtype == float16:  # so that it is rounded once
        input1, input2 = cast(input1, float32), cast(input2, float32)
    norms = (input1 * input1).sum(1) * (input2 * input2).sum(1)
    cosine = (input1 * input2).sum(1) / sqrt(norms)
    unlike = select(target == -1, maximum(cosine - margin, 0.0), 0.0)
    return cast(_reduced(select(target == 1, 1 - cosine, unlike), reduction), kind)


def _error(operation, input, target, reduction):
    check_reduction(operation, reduction)
    check_tensors(operation, input=input, target=target)
    error = input - target
    check_no_complex(operation, "input - target", error)
    return error if is_differentiable(error) else cast(error, float32)


def mse_loss(input: Tensor, target: Tensor, reduction="mean") -> Tensor:
    """Squared error: ``(input - target) ** 2``; the two broadcast.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, kept; ints give float32;
    TypeError for bools and complex.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the shapes do not broadcast or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.mse_loss(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 2.0, 6.0]), reduction="none"))
        [0. 0. 9.]
        >>> print(ops.mse_loss(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 2.0, 6.0])))
        3.0
    """
    return _reduced(square(_error("mse_loss", input, target, reduction)), reduction)


def l1_loss(input: Tensor, target: Tensor, reduction="mean") -> Tensor:
    """Absolute error: ``|input - target|``; the two broadcast.

    Shapes: any that broadcast; "none" gives their common shape, the others (). Dtypes: floats, kept; ints give float32;
    TypeError for bools and complex.

    Raises:
        TypeError: If an input is not a Tensor.
        ValueError: If the shapes do not broadcast or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.l1_loss(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 2.0, 6.0]), reduction="none"))
        [0. 0. 3.]
        >>> print(ops.l1_loss(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([1.0, 2.0, 6.0])))
        1.0
    """
    return _reduced(abs(_error("l1_loss", input, target, reduction)), reduction)


def kl_div(logits: Tensor, labels: Tensor, reduction="mean") -> Tensor:
    """Divergence of Kullback and Leibler from log-probabilities: ``KLDivLoss(reduction)(logits, labels)``.

    Shapes: one for both; () unless the reduction is "none". Dtypes: floats, kept; TypeError for ints, bools and
    complex.

    Raises:
        TypeError: If ``logits`` or ``labels`` is not a Tensor, ``labels`` and ``logits`` differ in dtype, or
            ``reduction`` is not a str.
        ValueError: If ``labels`` has a shape that does not fit, or ``reduction`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.kl_div(ms.Tensor([-0.7, -0.7]), ms.Tensor([0.5, 0.5]), "none"))
        [0.0034264 0.0034264]
        >>> print(ops.kl_div(ms.Tensor([-0.7, -0.7]), ms.Tensor([0.5, 0.5]), "sum"))
        0.0068528056
    """
    return make(KLDivLoss, reduction)(logits, labels)
