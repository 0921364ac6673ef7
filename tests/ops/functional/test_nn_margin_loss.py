"""Losses of margins that MindSpore's CPU does not compute, and what all of them refuse."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops

RNG = np.random.default_rng(7)
X = RNG.standard_normal((3, 4)).astype(np.float32)
LABELS = np.array([[3, 0, -1, 1], [-1, 2, 3, 0], [1, 2, 0, 3]], np.int32)


def of_labels(x, labels):
    """Row by row, by the definition."""
    costs, marks = [], np.zeros(labels.shape, np.int32)
    for n, row in enumerate(labels):
        mine = row[: np.argmax(row < 0)] if (row < 0).any() else row
        marks[n, mine] = 1
        others = [i for i in range(x.shape[1]) if i not in mine]
        costs.append(sum(max(0, 1 - x[n, y] + x[n, i]) for y in mine for i in others) / x.shape[1])
    return np.array(costs), marks


def test_margins_of_labels_are_those_of_the_definition():
    costs, marks = of_labels(X, LABELS)
    found = ops.multilabel_margin_loss(Tensor(X), Tensor(LABELS), "none")
    np.testing.assert_allclose(found.asnumpy(), costs, rtol=1e-6)
    loss, is_label = ops.MultilabelMarginLoss("sum")(Tensor(X), Tensor(LABELS))
    np.testing.assert_allclose(loss.asnumpy(), costs.sum(), rtol=1e-6)
    np.testing.assert_array_equal(is_label.asnumpy(), marks)
    np.testing.assert_allclose(nn.MultilabelMarginLoss()(Tensor(X), Tensor(LABELS)).asnumpy(), costs.mean(), rtol=1e-6)
    alone = ops.multilabel_margin_loss(Tensor(X[0]), Tensor(LABELS[0]), "none")
    np.testing.assert_allclose(alone.asnumpy(), costs[0], rtol=1e-6)


def test_triplets_are_those_of_the_definition():
    a, b, c = (RNG.standard_normal((3, 4)).astype(np.float32) for _ in range(3))

    def distance(x, y, p):
        return (np.abs(x - y + 1e-6) ** p).sum(-1) ** (1 / p)

    for p, swap in ((2, False), (1, True), (3, True)):
        far = distance(a, c, p)
        far = np.minimum(far, distance(b, c, p)) if swap else far
        expected = np.maximum(0, distance(a, b, p) - far + 0.5)
        found = ops.triplet_margin_loss(Tensor(a), Tensor(b), Tensor(c), 0.5, p, swap=swap, reduction="none")
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)
        of_primitive = ops.TripletMarginLoss(p, swap, reduction="none")(Tensor(a), Tensor(b), Tensor(c), Tensor(0.5))
        np.testing.assert_array_equal(of_primitive.asnumpy(), found.asnumpy())


def test_the_primitive_of_soft_margins_is_its_formula():
    signs = np.sign(X[::-1])
    expected = np.log1p(np.exp(-signs * X))
    for reduction, reduce in (("none", lambda x: x), ("mean", np.mean), ("sum", np.sum)):
        found = ops.SoftMarginLoss(reduction)(Tensor(X), Tensor(signs))
        np.testing.assert_allclose(found.asnumpy(), reduce(expected), rtol=1e-5)


def test_float16_is_rounded_once():
    x, y, signs = X.astype(np.float16), X[::-1].astype(np.float16), np.sign(X).astype(np.float16)
    found = ops.margin_ranking_loss(Tensor(x), Tensor(y), Tensor(signs), 0.1)
    exact = np.maximum(0, -signs.astype(float) * (x.astype(float) - y.astype(float)) + 0.1).mean()
    assert found.dtype == ms.float16
    assert found.asnumpy() == np.float16(exact)


T, I = Tensor(X), Tensor(LABELS)  # noqa: E741 - indices
WRONG = [
    (ValueError, "For 'hinge_embedding_loss', the 'targets' must have", lambda: ops.hinge_embedding_loss(T, T[:1])),
    (TypeError, "For 'hinge_embedding_loss', the 'margin' must be", lambda: ops.hinge_embedding_loss(T, T, "1")),
    (ValueError, "For 'margin_ranking_loss', the 'reduction'", lambda: ops.margin_ranking_loss(T, T, T, 0.0, "max")),
    (TypeError, "For 'margin_ranking_loss', the 'input2' must be a Tensor", lambda: ops.margin_ranking_loss(T, 1, T)),
    (ValueError, "For 'multi_margin_loss', the 'p' must be", lambda: ops.multi_margin_loss(T, I[:, 0], 3)),
    (ValueError, "For 'multi_margin_loss', the 'input' must have", lambda: ops.multi_margin_loss(T, I)),
    (TypeError, "For 'multilabel_margin_loss', the 'target' must", lambda: ops.multilabel_margin_loss(T, T)),
    (ValueError, "For 'multilabel_soft_margin_loss', the 'target'", lambda: ops.multilabel_soft_margin_loss(T, T[0])),
    (ValueError, "For 'gaussian_nll_loss', the 'eps' must be", lambda: ops.gaussian_nll_loss(T, T, T, eps=0.0)),
    (ValueError, "For 'triplet_margin_loss', the 'p' must be", lambda: ops.triplet_margin_loss(T, T, T, p=0)),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=part):
        call()
