"""Losses of margins and of distributions: MindSpore 2.0.0's numbers, formulas where its CPU has none, gradients."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

import minispore as ms
from minispore import nn

A = np.array([[0.2, 0.9, -0.5], [1.5, -0.3, 0.7]])
B = np.array([[0.5, 0.1, 0.4], [1.0, -1.0, 0.2]])
POS = np.array([[0.5, 0.1, 0.4], [0.2, 0.3, 0.5]])
SIGN = np.array([[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0]])
BIT = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
COUNT = np.array([[2.0, 0.5, 3.0], [1.0, 4.0, 0.0]])
CLASS = np.array([1, 0], np.int32)
WEIGHT = np.array([1.0, 2.0, 0.5])


def weight():
    return ms.Tensor(WEIGHT)


def triplet(x, positive, negative, p, margin):
    def distance(a, b):
        return (np.abs(a - b + 1e-6) ** p).sum(-1) ** (1 / p)

    return np.maximum(0, distance(x, positive) - distance(x, negative) + margin)


CASES = {  # loss without reduction, inputs, elementwise losses
    "MAELoss": (nn.MAELoss, (A, B), [[0.3, 0.8, 0.9], [0.5, 0.7, 0.5]]),
    "KLDivLoss": (nn.KLDivLoss, (A, POS), [[-0.4465736, -0.3202585, -0.1665163], [-0.6218876, -0.2711919, -0.6965736]]),
    "HingeEmbeddingLoss": (nn.HingeEmbeddingLoss, (A, SIGN), [[0.2, 0.1, -0.5], [0.0, -0.3, 0.7]]),
    "MarginRankingLoss": (
        lambda reduction: nn.MarginRankingLoss(0.25, reduction),
        (A, B, SIGN),
        np.maximum(0, (B - A) * SIGN + 0.25),
    ),
    "MultiLabelSoftMarginLoss": (
        lambda reduction: nn.MultiLabelSoftMarginLoss(weight(), reduction),
        (A, BIT),
        [1.1891603, 1.2039040],
    ),
    "MultiMarginLoss": (nn.MultiMarginLoss, (A, CLASS), [0.1, 0.0666667]),
    "MultiMarginLoss, squares": (
        lambda reduction: nn.MultiMarginLoss(2, 1.5, reduction, weight()),
        (A, CLASS),
        [0.4333333, 0.1633333],
    ),
    "GaussianNLLLoss": (
        lambda reduction: nn.GaussianNLLLoss(full=True, reduction=reduction),
        (A, B, POS),
        [[0.6623642, 2.9676442, 1.4732919], [0.7392184, 1.1336180, 0.8223642]],
    ),
    "PoissonNLLLoss": (
        nn.PoissonNLLLoss,
        (A, POS),
        [[1.1214026, 2.3696032, 0.8065305], [4.1816883, 0.8308183, 1.6637527]],
    ),
    "PoissonNLLLoss of rates": (
        lambda reduction: nn.PoissonNLLLoss(False, True, reduction=reduction),
        (POS, COUNT),
        [[2.5381002, 1.2512938, 4.9129534], [1.8094403, 8.2731543, 0.5]],
    ),
    "FocalLoss": (nn.FocalLoss, (A, CLASS[:, None]), [0.1010075, 0.0694231]),
    "FocalLoss with weights": (
        lambda reduction: nn.FocalLoss(weight(), 1.5, reduction),
        (A, CLASS[:, None]),
        [0.3093908, 0.1125214],
    ),
    "SoftMarginLoss": (nn.SoftMarginLoss, (A, SIGN), np.log1p(np.exp(-A * SIGN))),
    "TripletMarginLoss": (nn.TripletMarginLoss, (A, B, POS), triplet(A, B, POS, 2, 1.0)),
    "TripletMarginLoss of sums": (
        lambda reduction: nn.TripletMarginLoss(1, reduction=reduction, margin=0.5),
        (A, B, POS),
        triplet(A, B, POS, 1, 0.5),
    ),
}
WHOLE = {  # loss, inputs, the one number
    "RMSELoss": (nn.RMSELoss, (A, B), 0.6493586),
    "DiceLoss": (nn.DiceLoss, (POS, BIT), 0.2916682),
    "DiceLoss, smooth": (lambda: nn.DiceLoss(1e-2), (A, B), 0.3968750),
    "MultiClassDiceLoss": (nn.MultiClassDiceLoss, (POS, BIT), 0.3907068),
    "MultiClassDiceLoss without one": (
        lambda: nn.MultiClassDiceLoss(ignore_indiex=1, activation="sigmoid"),
        (POS, BIT),
        0.1246106,
    ),
    "MultiClassDiceLoss with weights": (
        lambda: nn.MultiClassDiceLoss(ms.Tensor([[0.3], [0.7], [1.0]])),
        (POS, BIT),
        [0.2588345],
    ),
    "KLDivLoss of a batch": (lambda: nn.KLDivLoss("batchmean"), (A, POS), -1.2615007),
    "FocalLoss of all classes": (nn.FocalLoss, (A, BIT), 0.7643811),
}


@pytest.mark.parametrize(("loss", "inputs", "expected"), CASES.values(), ids=CASES)
def test_each_element_and_each_reduction_is_mindspores(loss, inputs, expected):
    tensors = [ms.Tensor(x) for x in inputs]
    found = [loss(reduction=reduction)(*tensors).asnumpy() for reduction in ("none", "mean", "sum")]
    for value, wanted in zip(found, (expected, np.mean(expected), np.sum(expected)), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize(("loss", "inputs"), [row[:2] for row in [*CASES.values(), *WHOLE.values()]])
def test_the_gradient_is_that_of_differences(loss, inputs):
    cell, (x, *others) = loss() if loss not in [row[0] for row in CASES.values()] else loss(reduction="mean"), inputs
    others = [ms.Tensor(y) for y in others]
    assert_differentiated(lambda t: cell(t, *others).sum(), x)


def soft_margins(x):
    return nn.MultiLabelSoftMarginLoss()(x, x)


REFUSALS = [
    (ValueError, "For 'MAELoss', the 'label' must have the shape of 'logits'", lambda t: nn.MAELoss()(t, t[:, :2])),
    (TypeError, "For 'RMSELoss', the 'logits' must be a Tensor", lambda t: nn.RMSELoss()(3, t)),
    (ValueError, "For 'KLDivLoss', the 'reduction' must be one of", lambda t: nn.KLDivLoss("x")),
    (TypeError, "For 'MarginRankingLoss', the 'margin' must be a number", lambda t: nn.MarginRankingLoss("1")),
    (ValueError, "For 'MultiMarginLoss', the 'p' must be one of", lambda t: nn.MultiMarginLoss(3)),
    (ValueError, "For 'MultiMarginLoss', the 'target' must have the shape", lambda t: nn.MultiMarginLoss()(t, t)),
    (TypeError, "For 'MultiMarginLoss', the 'weight' must be None or a Tensor", lambda t: nn.MultiMarginLoss(weight=3)),
    (ValueError, "For 'MultiLabelSoftMarginLoss', the 'x' must have 2", lambda t: soft_margins(t[0])),
    (ValueError, "For 'GaussianNLLLoss', the 'eps' must be finite and above 0", lambda t: nn.GaussianNLLLoss(eps=0.0)),
    (ValueError, "For 'DiceLoss', the 'smooth' must be finite and above 0", lambda t: nn.DiceLoss(0.0)),
    (ValueError, "For 'MultiClassDiceLoss', the 'weights' must have", lambda t: nn.MultiClassDiceLoss(t)(t, t)),
    (ValueError, "For 'FocalLoss', the 'labels' must have the shape", lambda t: nn.FocalLoss()(t, t[0])),
    (ValueError, "For 'FocalLoss', the 'gamma' must be finite and at least 0", lambda t: nn.FocalLoss(gamma=-1.0)),
    (ValueError, "For 'TripletMarginLoss', the 'p' must be finite and above 0", lambda t: nn.TripletMarginLoss(0)),
]


@pytest.mark.parametrize(("kind", "message", "call"), REFUSALS)
def test_wrong_arguments_are_refused(kind, message, call):
    with pytest.raises(kind, match=message):
        call(ms.Tensor(A))


@pytest.mark.parametrize(
    ("loss", "value"), [(nn.MAELoss, 1.25), (nn.RMSELoss, 2.5**0.5), (nn.PoissonNLLLoss, 5.5482202)]
)
def test_shapes_that_broadcast_are_taken_as_mindspore_takes_them_and_told(loss, value):
    column, row = ms.Tensor(np.arange(4.0).reshape(4, 1), ms.float32), ms.Tensor(np.arange(4.0), ms.float32)
    with pytest.warns(UserWarning, match=rf"For '{loss.__name__}', the '\w+' of shape \(4,\) is not of the shape of"):
        assert float(loss()(column, row)) == pytest.approx(value, rel=1e-6)
    with pytest.raises(ValueError, match="must have the shape of"):
        loss()(column, ms.Tensor(np.ones((3, 2)), ms.float32))
