"""Top-k accuracy: the share of labels among the k largest predictions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from nn.metrics.test_error import CUTS, SEEDS, C, N, fed

from minispore import nn


def scores_and_classes(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, C)).astype(np.float32), rng.integers(0, C, N)


@given(seed=SEEDS, cuts=CUTS, k=st.integers(1, C))
def test_the_label_is_among_the_k_largest(seed, cuts, k):
    scores, classes = scores_and_classes(seed)
    larger = (scores > scores[range(N), classes][:, None]).sum(1)
    metric = nn.TopKCategoricalAccuracy(k)
    assert fed(metric, cuts, scores, classes).eval() == (larger < k).mean()
    assert fed(metric, cuts, scores, np.eye(C)[classes]).eval() == (larger < k).mean()


def test_of_equal_predictions_the_first_classes_count():
    metric = nn.TopKCategoricalAccuracy(2)
    metric.update(np.ones((3, 4)), np.array([0, 1, 3]))
    assert metric.eval() == 2 / 3


def test_top_1_and_top_5_are_top_k():
    scores, classes = np.arange(12.0).reshape(2, 6), np.array([5, 1])
    found = [
        fed(kind(), [], scores, classes).eval() for kind in (nn.Top1CategoricalAccuracy, nn.Top5CategoricalAccuracy)
    ]
    assert found == [0.5, 1.0]
