"""PSNR, SSIM, MSSSIM and CentralCrop: MindSpore 2.0.0's numbers, and errors."""

import numpy as np
import pytest

from minispore import Tensor, grad, nn

RNG = np.random.RandomState(0)
A, B = (RNG.rand(2, 3, 16, 16).astype(np.float32) for _ in range(2))
PLANES = np.arange(210, dtype=np.float32).reshape(2, 3, 5, 7)


@pytest.mark.parametrize(
    ("layer", "expected"),
    [
        (nn.PSNR(), [7.774290, 7.516877]),
        (nn.PSNR(255), [55.905094, 55.647686]),
        (nn.SSIM(), [0.19164212, -0.0029001951]),
        (nn.SSIM(2.0, 5, 0.8, 0.02, 0.05), [0.1358770877122879, 0.0141284866258502]),
        (nn.MSSSIM(1.0, (0.3, 0.5), 3), [0.14746858179569244, 0.0]),
        (nn.MSSSIM(1.0, [0.5], 3), [0.17705006897449493, 0.02207975648343563]),
        (nn.MSSSIM(1.0, (1, 1), 3), [0.013267680071294308, 0.0]),
    ],
)
def test_the_similarities_are_those_of_mindspore(layer, expected):
    np.testing.assert_allclose(layer(Tensor(A), Tensor(B)).asnumpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("layer", [nn.SSIM(), nn.MSSSIM(1.0, (0.3, 0.5), 3)])
def test_an_image_is_wholly_similar_to_itself(layer):
    np.testing.assert_allclose(layer(Tensor(A), Tensor(A)).asnumpy(), [1, 1], rtol=1e-6)


def test_a_window_is_no_parameter_and_the_gradient_is_that_of_mindspore():
    layer = nn.SSIM()
    assert layer.trainable_params() == []
    first = [2.8951561e-08, 3.4022497e-07, 1.4416960e-06, -3.0281317e-06]
    found = grad(lambda x: layer(x, Tensor(B)).sum())(Tensor(A)).asnumpy().ravel()[:4]
    np.testing.assert_allclose(found, first, rtol=2e-3)


def test_bytes_have_a_ratio_and_equal_images_an_infinite_one():
    found = nn.PSNR(255)(Tensor((A * 255).astype(np.uint8)), Tensor((B * 255).astype(np.uint8))).asnumpy()
    np.testing.assert_allclose(found, [7.774353, 7.518725], rtol=1e-5)
    assert np.isinf(nn.PSNR()(Tensor(A), Tensor(A)).asnumpy()).all()


@pytest.mark.parametrize(("fraction", "size"), [(0.5, (3, 5)), (0.3, (3, 3)), (0.75, (5, 7)), (1.0, (5, 7))])
def test_the_middle_is_cropped_as_in_mindspore(fraction, size):
    top, left = (5 - size[0]) // 2, (7 - size[1]) // 2
    expected = PLANES[:, :, top : 5 - top, left : 7 - left]
    np.testing.assert_array_equal(nn.CentralCrop(fraction)(Tensor(PLANES)).asnumpy(), expected)
    np.testing.assert_array_equal(nn.CentralCrop(fraction)(Tensor(PLANES[0])).asnumpy(), expected[0])


@pytest.mark.parametrize(
    ("make", "kind", "argument"),
    [
        (lambda: nn.PSNR(0), ValueError, "max_val"),
        (lambda: nn.PSNR(True), TypeError, "max_val"),
        (lambda: nn.PSNR()(Tensor(A), Tensor(B[:1])), ValueError, "img2"),
        (lambda: nn.PSNR()(Tensor(A[0]), Tensor(B[0])), ValueError, "img1"),
        (lambda: nn.PSNR()(Tensor(A), Tensor(B.astype(np.float16))), TypeError, "img2"),
        (lambda: nn.SSIM(filter_size=0), ValueError, "filter_size"),
        (lambda: nn.SSIM(filter_size=1.5), TypeError, "filter_size"),
        (lambda: nn.SSIM(filter_sigma=2), TypeError, "filter_sigma"),
        (lambda: nn.SSIM(k1=1), TypeError, "k1"),
        (lambda: nn.SSIM()(Tensor(A.astype(np.int32)), Tensor(B.astype(np.int32))), TypeError, "img1"),
        (lambda: nn.MSSSIM(power_factors=0.5), TypeError, "power_factors"),
        (lambda: nn.CentralCrop(1), TypeError, "central_fraction"),
        (lambda: nn.CentralCrop(1.5), ValueError, "central_fraction"),
        (lambda: nn.CentralCrop(0.5)(Tensor(A[0, 0])), ValueError, "image"),
    ],
)
def test_wrong_arguments_are_refused(make, kind, argument):
    with pytest.raises(kind, match=f"For '(PSNR|SSIM|MSSSIM|CentralCrop)', the '{argument}' must"):
        make()


@pytest.mark.parametrize("layer", [nn.SSIM(filter_size=17), nn.MSSSIM()])
def test_a_window_that_does_not_fit_is_refused(layer):
    with pytest.raises(ValueError, match="the height and width of 'img1' must be at least the window's"):
        layer(Tensor(A), Tensor(B))
