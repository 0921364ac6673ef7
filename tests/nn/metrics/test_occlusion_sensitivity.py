"""OcclusionSensitivity gives the falls of the score that MindSpore 2.0.0 gives, and refuses what does not fit."""

import numpy as np
import pytest

from minispore import Tensor, nn, ops


def powers(x):
    """Scores of two classes: 0, and the sum of the input's elements times powers of two."""
    flat = x.reshape(x.shape[0], -1)
    weights = Tensor((2.0 ** np.arange(flat.shape[1])).astype(np.float32))
    return ops.stack((flat.sum(1) * 0, (flat * weights).sum(1)), 1)


FALLS = [
    ((1, 4), {}, [3, 7, 15, 14]),
    ((1, 4), {"margin": 1, "n_batch": 2}, [1, 3, 6, 12]),
    ((1, 1, 4), {"margin": 0}, [0, 0, 0, 0]),
    ((1, 2, 3), {}, [[27, 63, 63], [27, 63, 63]]),
    ((1, 1, 2, 3), {"margin": 1}, [[1, 3, 6], [9, 27, 54]]),
    ((1, 2, 2, 2), {"margin": 1, "pad_val": 0.5}, [[[0.5, 1.5], [2.5, 7.5]], [[8.5, 25.5], [42.5, 127.5]]]),
    ((1, 6), {"margin": 1, "b_box": [1, 3]}, [3, 6, 12]),
    ((1, 6), {"margin": 1, "b_box": [-2, 3]}, [1, 3, 6, 12]),
    ((1, 2, 3), {"margin": 1, "b_box": [-1, -1, 1, 2]}, [[3, 6], [27, 54]]),
    ((1, 6), {"margin": 1, "b_box": [2, 2]}, 6),
]


@pytest.mark.parametrize(("shape", "arguments", "expected"), FALLS)
def test_falls_are_mindspores(shape, arguments, expected):
    metric = nn.OcclusionSensitivity(**arguments)
    for _ in range(2):
        metric.update(powers, Tensor(np.ones(shape, np.float32)), Tensor(1))
        np.testing.assert_array_equal(metric.eval(), expected)


def test_a_margin_may_differ_between_axes():
    metric = nn.OcclusionSensitivity(margin=[2, 1])
    metric.update(powers, np.ones((1, 2, 3), np.float32), np.array([1]))
    np.testing.assert_array_equal(metric.eval(), [[9, 27, 54], [9, 27, 54]])


def updated(shape=(1, 6), label=1, model=powers, **arguments):
    return nn.OcclusionSensitivity(**arguments).update(model, np.ones(shape, np.float32), np.array(label))


WRONG = [
    (lambda: updated(pad_val=1), TypeError),
    (lambda: updated(margin=1.0), TypeError),
    (lambda: updated(margin=-1), ValueError),
    (lambda: updated(margin=[1, 1]), ValueError),
    (lambda: updated(n_batch=0), ValueError),
    (lambda: updated(b_box=(0, 1)), TypeError),
    (lambda: updated(b_box=[0, 6]), ValueError),
    (lambda: updated(b_box=[3, 1]), ValueError),
    (lambda: updated(b_box=[0, 1, 1, 2]), ValueError),
    (lambda: updated((2, 6)), ValueError),
    (lambda: updated(label=7), ValueError),
    (lambda: updated(label=[1, 1]), ValueError),
    (lambda: updated(model=3), TypeError),
    (lambda: nn.OcclusionSensitivity().update(powers), ValueError),
    (lambda: nn.OcclusionSensitivity().eval(), RuntimeError),
]


@pytest.mark.parametrize(("call", "kind"), WRONG)
def test_what_does_not_fit_is_refused(call, kind):
    with pytest.raises(kind, match=r"^For 'OcclusionSensitivity(\.update)?', "):
        call()
