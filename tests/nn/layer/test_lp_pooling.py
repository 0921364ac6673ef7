"""LPPool computes norms of windows, whose gradient at 0 is 0, in both modes, and refuses what does not fit."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops

X = np.random.default_rng(0).standard_normal((2, 3, 6, 8)).astype(np.float32)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("p", [1, 2, 2.0, 4, -2])
def test_each_window_gives_its_norm(p, mode, restored):
    ms.set_context(mode=mode)
    windows = X.reshape(2, 3, 3, 2, 4, 2).astype(np.float64)
    planes, rows = nn.LPPool2d(p, 2), nn.LPPool1d(p, 2)
    for _ in range(2):
        found, in_rows = planes(Tensor(X)), rows(Tensor(X[0]))
    np.testing.assert_allclose(found.asnumpy(), (windows**p).sum((3, 5)) ** (1 / p), rtol=2e-5)
    expected = (X[0].reshape(3, 6, 4, 2).astype(np.float64) ** p).sum(3) ** (1 / p)
    np.testing.assert_allclose(in_rows.asnumpy(), expected, rtol=2e-5)
    np.testing.assert_array_equal(rows(Tensor(X[0, 0])).asnumpy(), in_rows.asnumpy()[0])


def test_a_window_of_zeros_passes_no_gradient():
    x = Tensor(np.float32([[[0, 0, 3, 4]]]))
    gradient = ms.grad(lambda x: ops.lp_pool1d(x, 2, 2).sum())(x)
    np.testing.assert_allclose(gradient.asnumpy(), [[[0, 0, 0.6, 0.8]]], rtol=1e-6)


WRONG = [
    (lambda: nn.LPPool1d("2", 3), TypeError, "LPPool1d', the 'norm_type'"),
    (lambda: nn.LPPool2d(0, 3), ValueError, "LPPool2d', the 'norm_type'"),
    (lambda: nn.LPPool1d(2, (3,)), TypeError, "LPPool1d', the 'kernel_size'"),
    (lambda: nn.LPPool2d(2, 3, 0), ValueError, "LPPool2d', the 'stride'"),
    (lambda: ops.lp_pool2d(Tensor(X[0]), 2, 3), ValueError, "lp_pool2d', the 'x'"),
    (lambda: ops.lp_pool1d(Tensor(X), 2, 3), ValueError, "lp_pool1d', the 'x'"),
    (lambda: ops.lp_pool1d(X[0], 2, 3), TypeError, "lp_pool1d', the 'x'"),
]


@pytest.mark.parametrize(("call", "kind", "text"), WRONG)
def test_what_does_not_fit_is_refused_by_name(call, kind, text):
    with pytest.raises(kind, match=f"^For '{text} must"):
        call()
