"""Negative log-likelihood losses: of classes, and of binary outcomes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.loss.test_loss import REDUCTIONS, ROWS, SEEDS, SHAPES, log_softmax, normal, sigmoid, tensors

import minispore as ms
from minispore import nn

WEIGHTS = np.array([0.5, 1.0, 2.0, 0.25])


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@given(seed=SEEDS, shape=SHAPES, smoothing=st.sampled_from([0.0, 0.3]), weighted=st.booleans())
def test_the_cross_entropy_of_class_numbers_leaves_ignored_ones_out(reduction, kind, seed, shape, smoothing, weighted):
    rng = np.random.default_rng(seed)
    x, y = normal(rng, shape).astype(np.float32), rng.integers(0, 4, (shape[0], *shape[2:]))
    y.flat[0] = 0  # at least one label counts
    weights = WEIGHTS if weighted else np.ones(4)
    weight = ms.Tensor(WEIGHTS.astype(np.float32)) if weighted else None
    found = nn.CrossEntropyLoss(weight, 2, reduction, smoothing)(ms.Tensor(x), ms.Tensor(y.astype(kind)))
    logs = log_softmax(x.astype(np.float64)) * weights.reshape(-1, *[1] * (x.ndim - 2))
    picked = np.take_along_axis(logs, np.expand_dims(y, 1), 1).squeeze(1)
    losses = np.where(y == 2, 0, -(1 - smoothing) * picked - smoothing * logs.mean(1))
    expected = losses if reduction == "none" else losses.sum()
    expected = expected / weights[y][y != 2].sum() if reduction == "mean" else expected
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-5)


@given(seed=SEEDS)
def test_class_numbers_are_one_hot_probabilities(seed):
    rng = np.random.default_rng(seed)
    x, y = ms.Tensor(normal(rng, (5, 4)).astype(np.float32)), rng.integers(0, 4, 5)
    loss = nn.CrossEntropyLoss(label_smoothing=0.2)
    hard, soft = loss(x, ms.Tensor(y)), loss(x, ms.Tensor(np.eye(4, dtype=np.float32)[y]))
    np.testing.assert_allclose(hard.asnumpy(), soft.asnumpy(), rtol=2e-6)


def test_one_sample_may_come_without_a_batch_axis():
    x, y = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor(1)
    assert nn.CrossEntropyLoss(reduction="none")(x, y).shape == ()
    np.testing.assert_allclose(nn.CrossEntropyLoss()(x, y).asnumpy(), 1.407606, rtol=1e-6)


def test_a_mean_of_ignored_labels_only_is_nan_and_their_sum_0():
    x, y = ms.Tensor(np.ones((2, 3), np.float32)), ms.Tensor([-100, -100])
    assert np.isnan(nn.CrossEntropyLoss()(x, y).asnumpy()) and nn.CrossEntropyLoss(reduction="sum")(x, y) == 0


def test_ignored_labels_get_no_gradient():
    x, y = ms.Tensor(np.ones((2, 3), np.float32)), ms.Tensor([1, -100])
    g = ms.grad(nn.CrossEntropyLoss(label_smoothing=0.3))(x, y).asnumpy()
    assert (g[0] != 0).all() and (g[1] == 0).all()


def test_the_label_to_ignore_may_lie_outside_of_the_classes_and_no_other():
    x = ms.Tensor(ROWS)
    for loss in (nn.CrossEntropyLoss(ignore_index=7), nn.NLLLoss(ignore_index=7)):
        assert loss(x, ms.Tensor([0, 7])) == loss(x[:1], ms.Tensor([0]))
        with pytest.raises(ValueError, match="or the 'ignore_index', 7, but got -100"):
            loss(x, ms.Tensor([0, -100]))


def test_weights_of_a_wider_type_widen_the_loss():
    x, y = ms.Tensor(np.ones((2, 4)), ms.float16), ms.Tensor([1, 2])
    assert nn.CrossEntropyLoss(ms.Tensor(WEIGHTS, ms.float32))(x, y).dtype == ms.float32
    assert nn.CrossEntropyLoss(ms.Tensor(WEIGHTS, ms.float16))(x, y).dtype == ms.float16


def test_the_logarithms_of_impossible_outcomes_are_cut_also_in_float16():
    for kind in (ms.float32, ms.float16):
        p, y = ms.Tensor([0.0, 1.0, 0.0], kind), ms.Tensor([1.0, 0.0, 0.0], kind)
        found = nn.BCELoss(reduction="none")(p, y).asnumpy()
        np.testing.assert_allclose(found, [27.631, 27.631, 0], rtol=1e-3)
        assert np.isfinite(ms.grad(nn.BCELoss())(ms.Tensor([0.5], kind), ms.Tensor([1.0], kind)).asnumpy()).all()


def test_what_is_no_probability_has_no_loss():
    found = nn.BCELoss(reduction="none")(ms.Tensor([-0.1, 0.5, 1.1]), ms.Tensor([1.0, 1.0, 1.0])).asnumpy()
    assert np.isnan(found).tolist() == [True, False, True]


def test_large_logits_neither_overflow_nor_lose_their_gradient():
    x, y = ms.Tensor([1000.0, -1000.0]), ms.Tensor([0.0, 1.0])
    loss = nn.BCEWithLogitsLoss("sum")
    assert loss(x, y).asnumpy() == 2000 and ms.grad(loss)(x, y).asnumpy().tolist() == [1, -1]


def test_weights_of_outcomes_are_broadcast():
    x, y = normal(np.random.default_rng(0), (2, 3)), np.full((2, 3), 0.25)
    weight, positive = np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 3.0])
    loss = nn.BCEWithLogitsLoss("none", *tensors([weight, positive]))
    p = sigmoid(x)
    expected = -weight * (positive * y * np.log(p) + (1 - y) * np.log(1 - p))
    np.testing.assert_allclose(loss(*tensors([x, y])).asnumpy(), expected, rtol=1e-5)
