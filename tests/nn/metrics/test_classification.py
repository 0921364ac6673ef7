"""Classification metrics: accuracy, precision, recall and F-scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nn.metrics.test_error import CUTS, SEEDS, C, N, fed
from nn.metrics.test_top_k import scores_and_classes

import minispore as ms
from minispore import nn

FORMS = [ms.Tensor, lambda x: x, lambda x: x.tolist(), lambda x: ms.Tensor(x, ms.int32) if x.dtype.kind == "i" else x]


def bits(seed):
    return np.random.default_rng(seed).integers(0, 2, (2, N, 3))


def quotient(x, y):
    return np.array([a / b if b else 0.0 for a, b in zip(x, y, strict=True)])


def test_calling_a_metric_forgets_what_was_before_and_tells_of_this_batch_alone():
    metric, scores = nn.Accuracy(), ms.Tensor([[0.2, 0.8], [0.9, 0.1]])
    assert [metric(scores, ms.Tensor(classes)) for classes in ([1, 1], [1, 0])] == [0.5, 1.0]
    assert metric.eval() == 1.0
    with pytest.raises(ValueError, match="there must be 2 inputs, but got 0"):
        metric()


@given(seed=SEEDS, cuts=CUTS, form=st.sampled_from(FORMS))
def test_the_accuracy_is_the_part_of_right_predictions(seed, cuts, form):
    scores, classes = scores_and_classes(seed)
    expected = (scores.argmax(1) == classes).mean()
    assert fed(nn.Accuracy(), cuts, scores, classes, form=form).eval() == expected
    assert fed(nn.Accuracy(), cuts, scores, np.eye(C, dtype=np.int32)[classes]).eval() == expected


@given(seed=SEEDS, cuts=CUTS)
def test_a_multilabel_prediction_is_right_in_all_its_bits(seed, cuts):
    prediction, label = bits(seed)
    expected = (prediction == label).all(1).mean()
    assert fed(nn.Accuracy("multilabel"), cuts, prediction, label).eval() == expected


@given(seed=SEEDS, cuts=CUTS)
def test_precision_recall_and_f1_count_each_class(seed, cuts):
    scores, classes = scores_and_classes(seed)
    chosen, label = np.eye(C)[scores.argmax(1)], np.eye(C)[classes]
    true, predicted, actual = (chosen * label).sum(0), chosen.sum(0), label.sum(0)
    expected = {
        nn.Precision(): quotient(true, predicted),
        nn.Recall(): quotient(true, actual),
        nn.F1(): quotient(2 * true, predicted + actual),
        nn.Fbeta(2): quotient(5 * true, predicted + 4 * actual),
    }
    for metric, ratios in expected.items():
        fed(metric, cuts, scores, classes)
        np.testing.assert_allclose(metric.eval(), ratios, rtol=1e-12)
        np.testing.assert_allclose(metric.eval(average=True), ratios.mean(), rtol=1e-12)


@given(seed=SEEDS, cuts=CUTS)
def test_multilabel_precision_and_recall_count_each_sample(seed, cuts):
    prediction, label = bits(seed)
    true = (prediction * label).sum(1)
    for kind, whole in ((nn.Precision, prediction), (nn.Recall, label)):
        found = fed(kind("multilabel"), cuts, prediction, label).eval()
        np.testing.assert_allclose(found, quotient(true, whole.sum(1)), rtol=1e-12)


def test_indexes_choose_the_inputs():
    scores, classes = scores_and_classes(0)
    metric = nn.Accuracy().set_indexes([2, 0])
    metric.update(classes, None, scores)
    assert metric.indexes == [2, 0] and metric.eval() == fed(nn.Accuracy(), [], scores, classes).eval()
