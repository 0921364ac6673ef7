"""Metrics that are means: of the loss, of absolute and of squared errors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn

SEEDS = st.integers(0, 2**32 - 1)


CUTS = st.lists(st.integers(1, 11), max_size=3).map(sorted)


N, C = 12, 4


def fed(metric, cuts, *arrays, form=ms.Tensor):
    """The metric after all samples, cut into batches; what was before is forgotten."""
    metric.update(*map(ms.Tensor, arrays))
    metric.clear()
    for parts in zip(*(np.split(x, sorted(set(cuts))) for x in arrays), strict=True):
        metric.update(*map(form, parts))
    return metric


@given(seed=SEEDS, cuts=CUTS)
def test_errors_are_summed_over_a_sample_and_averaged_over_samples(seed, cuts):
    x, y = np.random.default_rng(seed).normal(size=(2, N, 3)).astype(np.float32)
    for metric, errors in ((nn.MAE(), abs(x - y)), (nn.MSE(), (x - y).astype(np.float64) ** 2)):
        np.testing.assert_allclose(fed(metric, cuts, x, y).eval(), errors.sum() / N, rtol=1e-6)


@given(losses=st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=8))
def test_the_loss_is_the_mean_of_the_batches(losses):
    metric = nn.Loss()
    for i, loss in enumerate(losses):
        metric.update(ms.Tensor(loss, ms.float32) if i % 2 else [loss])
    np.testing.assert_allclose(metric.eval(), np.mean(losses), atol=1e-6)
