"""Functional wrappers of losses of margins, and of the likelihood of a normal distribution.

What each sample costs stands in functions that the layers of ``nn.loss`` call too. float16 is computed in float32.
"""

from __future__ import annotations

import math

from minispore.core.checks import check_bool, check_choice
from minispore.core.dtype import FLOATS, NARROW_FLOATS, float32
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.array_filling import one_hot, zeros_like
from minispore.ops.functional.math_binary import maximum, minimum, select
from minispore.ops.functional.math_unary import abs, log, square
from minispore.ops.functional.nn_activation import logsigmoid, relu
from minispore.ops.functional.reduce import reduce_sum
from minispore.ops.number_checks import check_no_complex, check_real
from minispore.ops.operations.nn.cross_entropy import check_reduction

__all__ = [
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "margin_ranking_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "triplet_margin_loss",
]


# The cost of each sample or element


def hinges(inputs, targets, margin):
    """``inputs`` for a target above 0, ``max(0, margin - inputs)`` for one below, 0 for 0."""
    zero = zeros_like(inputs)
    return select(targets > 0, inputs, select(targets < 0, relu(margin - inputs), zero))


def rankings(input1, input2, target, margin):
    """``max(0, -target * (input1 - input2) + margin)``."""
    return relu((input2 - input1) * target + margin)


def gaps_of_classes(x, target, p, margin, weight):
    """``sum over j != y of max(0, margin - x[y] + x[j]) ** p / C``, times ``weight[y]``, of each row."""
    mine = one_hot(target, x.shape[1], Tensor(1, x.dtype), Tensor(0, x.dtype))
    gaps = relu(margin - (x * mine).sum(1, keepdims=True) + x) ** p * (1 - mine)
    gaps = gaps if weight is None else gaps * (mine * weight).sum(1, keepdims=True)
    return gaps.mean(1)


def soft_margins_of_labels(x, target, weight):
    """The mean over classes of ``-w * (y * log sigmoid(x) + (1 - y) * log sigmoid(-x))``, of each row."""
    losses = -(target * logsigmoid(x) + (1 - target) * logsigmoid(-x))
    return (losses if weight is None else losses * weight).mean(-1)


def margins_of_labels(x, target):
    """``sum of max(0, 1 - x[y] + x[i]) / C`` over the labels y and the classes i that are none, of each row.

    Returns:
        tuple: the sums, and 1 for each class that is a label, else 0, in int32. The labels of a row end before its
        first negative number.
    """
    counts = cast((target >= 0), float32).cumprod(1).astype(x.dtype)
    on, off = Tensor(1, x.dtype), Tensor(0, x.dtype)
    mine = one_hot(maximum(target, 0), x.shape[1], on, off) * counts.expand_dims(-1)
    labels = mine.sum(1).minimum(1)
    of_labels = (mine * x.expand_dims(1)).sum(-1, keepdims=True)
    gaps = relu(1 - of_labels + x.expand_dims(1)) * counts.expand_dims(-1) * (1 - labels).expand_dims(1)
    return gaps.sum((1, 2)) / x.shape[1], labels.astype("int32")


def triplets(anchor, positive, negative, margin, p, eps, swap):
    """``max(0, |anchor - positive| - |anchor - negative| + margin)``, norms of order p along the last axis."""

    def distance(a, b):
        return (abs(a - b + eps) ** p).sum(-1) ** (1 / p)

    far = distance(anchor, negative)
    far = minimum(far, distance(positive, negative)) if swap else far
    return relu(distance(anchor, positive) - far + margin)


def normal_costs(x, target, var, full, eps):
    """``0.5 * (log(v) + (x - target) ** 2 / v)``, ``v = max(var, eps)``; ``full`` adds ``0.5 * log(2 * pi)``."""
    var = maximum(var, eps)
    losses = 0.5 * (log(var) + square(x - target) / var)
    return losses + 0.5 * math.log(2 * math.pi) if full else losses


# The functions


def _reduced(operation, reduction, elements, *tensors):
    """The costs that ``elements`` computes of Tensors, reduced; rounded once where the first is of a narrow type."""
    check_reduction(operation, reduction)
    kind = tensors[0].array.dtype
    if kind in NARROW_FLOATS:
        tensors = [cast(x, float32) if x.array.dtype in FLOATS else x for x in tensors]
    out = elements(*tensors)
    out = out if reduction == "none" else out.mean() if reduction == "mean" else reduce_sum(out)
    return cast(out, kind) if kind in FLOATS else out


def _check_alike(operation, **tensors):
    """Raise unless all are Tensors of one shape."""
    check_tensors(operation, **tensors)
    (first, x), *others = tensors.items()
    for name, y in others:
        if y.shape != x.shape:
            raise value_error(operation, f"the '{name}' must have the shape of '{first}', {x.shape}", y.shape)


def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean") -> Tensor:
    """Hinge loss of distances of pairs that are alike (1) or unlike (-1).

    ``inputs`` for a target above 0, ``max(0, margin - inputs)`` for one below, 0 for 0; reduced.

    Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Args:
        inputs (Tensor): Floating.
        targets (Tensor): 1 or -1, of the shape of ``inputs``.
        margin (float): Default: 1.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor, or the margin not a number.
        ValueError: If the shapes differ or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> x, target = ms.Tensor([0.25, 0.25]), ms.Tensor([1, -1])
        >>> print(ms.ops.hinge_embedding_loss(x, target, reduction="none"))
        [0.25 0.75]
    """
    check_real("hinge_embedding_loss", "margin", margin)
    _check_alike("hinge_embedding_loss", inputs=inputs, targets=targets)
    return _reduced("hinge_embedding_loss", reduction, lambda *xs: hinges(*xs, margin), inputs, targets)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean") -> Tensor:
    """Loss of pairs in the wrong order, or nearer than a margin.

    ``max(0, -target * (input1 - input2) + margin)``; reduced.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        input1 (Tensor): Floating.
        input2 (Tensor): The shape of the first.
        target (Tensor): 1 where input1 is to be larger, -1 where input2 is.
        margin (float): Default: 0.0.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor, or the margin not a number.
        ValueError: If the shapes differ or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> x, y, target = ms.Tensor([1.0, 3.0]), ms.Tensor([2.0, 2.0]), ms.Tensor([1.0, 1.0])
        >>> print(ms.ops.margin_ranking_loss(x, y, target, reduction="none"))
        [1. 0.]
    """
    check_real("margin_ranking_loss", "margin", margin)
    _check_alike("margin_ranking_loss", input1=input1, input2=input2, target=target)
    return _reduced("margin_ranking_loss", reduction, lambda *xs: rankings(*xs, margin), input1, input2, target)


def multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction="mean") -> Tensor:
    """Margin loss of a class against all others.

    ``sum over j != y of max(0, margin - x[y] + x[j]) ** p / C``, times ``weight[y]``; reduced over samples.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        input (Tensor): x, shape ``(N, C)``, floating.
        target (Tensor): The class y of each sample, ints, shape ``(N,)``.
        p (int): 1 or 2. Default: 1.
        margin (float): Default: 1.
        weight (Tensor): A weight for each class, shape ``(C,)``. Default: None.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If p is another number, the shapes do not fit or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.multi_margin_loss(ms.Tensor([[0.5, 1.0]]), ms.Tensor([1])))
        0.25
    """
    name = "multi_margin_loss"
    check_choice(name, "p", p, (1, 2)), check_real(name, "margin", margin)
    check_tensors(name, input=input, target=target, **({} if weight is None else {"weight": weight}))
    if input.ndim != 2 or target.shape != input.shape[:1]:
        expected = "the 'input' must have the shape (N, C) and the 'target' (N,)"
        raise value_error(name, expected, f"{input.shape} and {target.shape}")
    if weight is not None and weight.shape != input.shape[1:]:
        raise value_error(name, f"the 'weight' must have the shape {input.shape[1:]}", weight.shape)
    return _reduced(name, reduction, lambda x, y: gaps_of_classes(x, y, p, margin, weight), input, target)


def multilabel_margin_loss(input, target, reduction="mean") -> Tensor:
    """Margin loss of several classes against all others.

    ``sum of max(0, 1 - x[y] + x[i]) / C`` over the labels y of a sample and the classes i that are none; reduced.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        input (Tensor): x, shape ``(N, C)`` or ``(C,)``, floating.
        target (Tensor): The labels of each sample, ints, filled up with -1; the shape of the input.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an input is not a Tensor, or the target not of ints.
        ValueError: If the shapes do not fit or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> x, labels = ms.Tensor([[0.1, 0.2, 0.4, 0.8]]), ms.Tensor([[3, 0, -1, 1]])
        >>> print(ms.ops.multilabel_margin_loss(x, labels))
        0.85
    """
    name = "multilabel_margin_loss"
    _check_alike(name, input=input, target=target)
    if input.ndim not in (1, 2):
        raise value_error(name, "the 'input' must have 1 or 2 axes", f"shape {input.shape}")
    if target.array.dtype.kind not in "iu":
        raise type_error(name, "the 'target' must be a Tensor of ints", target.dtype)
    rows = (-1, input.shape[-1])
    out = _reduced(name, reduction, lambda x, y: margins_of_labels(x, y)[0], input.reshape(rows), target.reshape(rows))
    return out.reshape(()) if input.ndim == 1 else out


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean") -> Tensor:
    """The mean over classes of ``-w * (y * log sigmoid(x) + (1 - y) * log sigmoid(-x))``; reduced over samples.

    Dtypes: floats, ints and bools; the answer is float32; TypeError for complex.

    Args:
        input (Tensor): x, shape ``(N, C)``, floating.
        target (Tensor): y, 0 or 1, of the input's shape.
        weight (Tensor): w, a weight for each class. Default: None.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the shapes do not fit or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.multilabel_soft_margin_loss(ms.ops.zeros((1, 2)), ms.Tensor([[1.0, 0.0]])))
        0.6931472
    """
    name = "multilabel_soft_margin_loss"
    _check_alike(name, input=input, target=target)
    check_no_complex(name, "input", input)
    check_no_complex(name, "target", target)
    if weight is not None:
        check_tensors(name, weight=weight)
    return _reduced(name, reduction, lambda x, y: soft_margins_of_labels(x, y, weight), input, target)


def gaussian_nll_loss(x, target, var, full: bool = False, eps=1e-6, reduction="mean") -> Tensor:
    """Negative log-likelihood of normal numbers with a mean and a variance.

    ``0.5 * (log(v) + (x - target) ** 2 / v)``, ``v = max(var, eps)``; ``full`` adds ``0.5 * log(2 * pi)``.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        x (Tensor): The mean that is expected, floating.
        target (Tensor): It and x broadcast.
        var (Tensor): The variance, which broadcasts to them.
        full (bool): Default: False.
        eps (float): Above 0. Default: 1e-6.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If eps is not above 0, the shapes do not broadcast or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.gaussian_nll_loss(ms.Tensor([1.0]), ms.Tensor([3.0]), ms.Tensor([1.0])))
        2.0
    """
    name = "gaussian_nll_loss"
    check_bool(name, "full", full), check_real(name, "eps", eps, 0, above=True)
    check_tensors(name, x=x, target=target, var=var)
    return _reduced(name, reduction, lambda *xs: normal_costs(*xs, full, eps), x, target, var)


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap: bool = False, reduction="mean"
) -> Tensor:
    """Loss of a distance to a like example against that to an unlike one.

    ``max(0, |anchor - positive| - |anchor - negative| + margin)``, norms along the last axis; reduced.

    Dtypes: floats, kept; ints give float32; TypeError for bools and complex.

    Args:
        anchor (Tensor): Floating.
        positive (Tensor): The shape of the anchor.
        negative (Tensor): The shape of the anchor.
        margin (float): Default: 1.0.
        p (int): The norms' order, above 0. Default: 2.
        eps (float): Added to each difference. Default: 1e-6.
        swap (bool): If True, the nearer of anchor and positive is compared with negative. Default: False.
        reduction (str): "mean", "sum" or "none". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If p is not above 0, the shapes differ or the reduction is unknown.

    Examples:
        >>> import minispore as ms
        >>> x, near, far = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0]]), ms.Tensor([[0.0, 2.0]])
        >>> print(ms.ops.triplet_margin_loss(x, near, far, eps=0.0))
        4.0
    """
    name = "triplet_margin_loss"
    check_real(name, "margin", margin), check_real(name, "p", p, 0, above=True), check_real(name, "eps", eps)
    check_bool(name, "swap", swap)
    _check_alike(name, anchor=anchor, positive=positive, negative=negative)
    settings = margin, p, eps, swap
    return _reduced(name, reduction, lambda *xs: triplets(*xs, *settings), anchor, positive, negative)
