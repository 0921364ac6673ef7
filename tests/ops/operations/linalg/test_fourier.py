"""Fourier transforms are NumPy's, and gradients pass through them."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

from minispore import Tensor, ops

RNG = np.random.default_rng(6)
X = RNG.standard_normal((2, 3, 4, 5))
Z = X + 1j * RNG.standard_normal(X.shape)


@pytest.mark.parametrize("norm", ["backward", "forward", "ortho"])
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_a_transform_is_numpys(axes, norm):
    last = tuple(range(-axes, 0))
    for inverse, numpys in ((False, np.fft.fftn), (True, np.fft.ifftn)):
        found = ops.FFTWithSize(axes, inverse, False, norm)(Tensor(Z)).asnumpy()
        np.testing.assert_allclose(found, numpys(Z, axes=last, norm=norm), atol=1e-12)
    for x in (X, X[..., :4]):
        half = ops.FFTWithSize(axes, False, True, norm)(Tensor(x))
        np.testing.assert_allclose(half.asnumpy(), np.fft.rfftn(x, axes=last, norm=norm), atol=1e-12)
        back = ops.FFTWithSize(axes, True, True, norm, signal_sizes=x.shape[-axes:])(half)
        np.testing.assert_allclose(back.asnumpy(), x, atol=1e-12)
        whole = ops.FFTWithSize(axes, False, True, norm, onesided=False)(Tensor(x))
        np.testing.assert_allclose(ops.FFTWithSize(axes, True, True, norm, False)(whole).asnumpy(), x, atol=1e-12)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("norm", ["backward", "ortho"])
def test_a_gradient_is_the_difference_quotient(norm, inverse):
    transform = ops.FFTWithSize(2, inverse, True, norm)
    x = Z if inverse else X
    weights = Tensor(RNG.standard_normal(transform(Tensor(x)).shape))

    def total(x):
        out = transform(x)
        return ((ops.real(out) + ops.imag(out) * 2) * weights).sum()

    assert_differentiated(total, x)


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: ops.FFTWithSize(4, False, False), ValueError, "'signal_ndim'"),
        (lambda: ops.FFTWithSize(1, 0, False), TypeError, "'inverse'"),
        (lambda: ops.FFTWithSize(1, False, False, "none"), ValueError, "'norm'"),
        (lambda: ops.FFTWithSize(1, True, True, signal_sizes=(0,)), TypeError, "'signal_sizes'"),
        (lambda: ops.FFTWithSize(1, True, True, signal_sizes=(7,))(Tensor(Z)), ValueError, "'signal_sizes'"),
        (lambda: ops.FFTWithSize(1, False, False)(Tensor(X)), TypeError, "complex64 or complex128"),
        (lambda: ops.FFTWithSize(1, False, True)(Tensor(Z)), TypeError, "float32 or float64"),
        (lambda: ops.FFTWithSize(2, False, True)(Tensor([1.0])), ValueError, "at least 2 axes"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For '.*{part}"):
        call()
