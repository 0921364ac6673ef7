"""Pooling layers over windows of volumes."""

import numpy as np
from hypothesis import given
from nn.layer.test_layer_laws import SEEDS, close, windows

import minispore as ms
from minispore import nn, ops


@given(SEEDS)
def test_pooling_of_volumes_is_that_of_their_windows(seed):
    rng = np.random.default_rng(seed)
    size, stride = tuple(rng.integers(1, 4, 3).tolist()), tuple(rng.integers(1, 3, 3).tolist())
    x = rng.permutation(2 * 3 * 4 * 5 * 6).reshape(2, 3, 4, 5, 6).astype(np.float32)
    seen = windows(x, size, stride)
    out, indices = ops.max_pool3d(ms.Tensor(x), size, stride, return_indices=True)
    np.testing.assert_array_equal(out.asnumpy(), seen.max(-1))
    flat = x.reshape(2, 3, -1)
    at = indices.asnumpy().reshape(2, 3, -1)
    np.testing.assert_array_equal(np.take_along_axis(flat, at, 2).reshape(out.shape), out.asnumpy())
    close(ops.avg_pool3d(ms.Tensor(x), size, stride), seen.mean(-1))
    np.testing.assert_array_equal(nn.MaxPool3d(size, stride)(ms.Tensor(x)).asnumpy(), out.asnumpy())
