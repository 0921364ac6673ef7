"""DeformableOffsets: taps that do not move read what a convolution reads; errors."""

import numpy as np
import pytest

from minispore import Tensor, ops

X = Tensor(np.random.default_rng(0).standard_normal((2, 4, 5, 6)))
W = Tensor(np.random.default_rng(1).standard_normal((3, 4, 3, 3)))


def test_taps_that_stay_make_a_convolution():
    rest = np.zeros((2, 27, 5, 6))
    rest[:, 18:] = 1
    found = ops.deformable_conv2d(X, W, Tensor(rest), (3, 3), (1, 1, 1, 1), (1, 1, 1, 1))
    expected = ops.conv2d(X, W, pad_mode="pad", padding=1)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), atol=1e-12)


def make(**changes):
    arguments = {"strides": (1, 1, 1, 1), "pads": (1, 1, 1, 1), "ksize": (3, 3)} | changes
    return ops.DeformableOffsets(**arguments)


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: make(strides=(2, 1, 1, 1)), ValueError, "'strides' must begin with 1 and 1"),
        (lambda: make(strides=(1, 1, 1)), ValueError, "'strides' must be 4 ints"),
        (lambda: make(pads=1), TypeError, "'pads'"),
        (lambda: make(ksize=(0, 3)), ValueError, "'ksize'"),
        (lambda: make(modulated=False), ValueError, "'modulated'"),
        (lambda: make(deformable_groups=3)(X, X), ValueError, "a multiple of the 'deformable_groups'"),
        (lambda: make()(X, X), ValueError, "'offsets' must have the shape"),
        (lambda: make()(X, 3), TypeError, "'offsets' must be a Tensor"),
        (lambda: make(ksize=(9, 9))(X, X), ValueError, "'x' must be at least 9 long"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For 'DeformableOffsets', .*{part}"):
        call()
