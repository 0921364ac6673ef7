"""Pooling equals a loop over windows, ties and NaN included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.strict_cupy import strict_cupy

from minispore.ops.kernels.pool2d import avg_pool2d, avg_pool2d_grad, max_pool2d, max_pool2d_gather, max_pool2d_grad


def windows(shape, kernel, stride, pads):
    """Yield each output position with the real pixels of its window, in row-major order."""
    sizes = [(shape[2 + a] + sum(pads[2 * a : 2 * a + 2]) - kernel[a]) // stride[a] + 1 for a in (0, 1)]
    for r in range(sizes[0]):
        for c in range(sizes[1]):
            top, left = r * stride[0] - pads[0], c * stride[1] - pads[2]
            yield (
                (r, c),
                [
                    (i, j)
                    for i in range(top, top + kernel[0])
                    for j in range(left, left + kernel[1])
                    if 0 <= i < shape[2] and 0 <= j < shape[3]
                ],
            )


def winner(plane, pixels):
    """The first NaN of the pixels, or else their first maximum."""
    values = [plane[p] for p in pixels]
    return pixels[int(np.argmax(values))]  # NumPy's argmax takes the first NaN too


def winners(x, kernel, stride, pads):
    for n, c in np.ndindex(*x.shape[:2]):
        for (row, column), pixels in windows(x.shape, kernel, stride, pads):
            yield (n, c, row, column), (n, c, *winner(x[n, c], pixels))


@st.composite
def poolings(draw, dtype=np.float64, nan=False):
    """(x, kernel, stride, pads) where every window holds a real pixel; few different values, so that ties abound."""
    kernel, stride = draw(st.tuples(*[st.integers(1, 3)] * 2)), draw(st.tuples(*[st.integers(1, 3)] * 2))
    pads = tuple(draw(st.integers(0, k - 1)) for k in kernel for _ in (0, 1))
    size = [draw(st.integers(k, 7)) for k in kernel]
    random = np.random.default_rng(draw(st.integers(0, 99)))
    x = random.integers(-3, 3, (draw(st.integers(0, 2)), draw(st.integers(1, 2)), *size)).astype(dtype)
    if nan:
        x[random.random(x.shape) < 0.2] = np.nan
    return x, kernel, stride, pads


def assert_max_pooling_equals_the_loop(x, kernel, stride, pads):
    random = np.random.default_rng(0)
    y = max_pool2d(np, x, kernel, stride, pads)
    dy, v = random.standard_normal(y.shape).astype(x.dtype), random.standard_normal(x.shape).astype(x.dtype)
    expected_y, gathered, dx = np.empty_like(y), np.empty_like(y), np.zeros_like(x)
    for window, pixel in winners(x, kernel, stride, pads):
        expected_y[window], gathered[window] = x[pixel], v[pixel]
        dx[pixel] += dy[window]
    np.testing.assert_array_equal(y, expected_y)
    np.testing.assert_array_equal(max_pool2d_gather(np, x, y, v, kernel, stride, pads), gathered)
    np.testing.assert_allclose(max_pool2d_grad(np, x, y, dy, kernel, stride, pads), dx, rtol=1e-12, atol=1e-12)


@given(poolings())
def test_max_pooling_takes_the_first_maximum_of_each_window(case):
    assert_max_pooling_equals_the_loop(*case)


@given(poolings(nan=True))
def test_max_pooling_passes_nan_on_and_gives_the_first_one_the_gradient(case):
    assert_max_pooling_equals_the_loop(*case)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("size", [(6, 8), (7, 9), (2, 3)])
def test_tiles_of_two_by_two_in_every_float_type_obey_the_same_law(dtype, size):
    x = np.random.default_rng(1).integers(0, 3, (3, 4, *size)).astype(dtype)
    assert_max_pooling_equals_the_loop(x, (2, 2), (2, 2), (0, 0, 0, 0))


def test_an_infinite_gradient_reaches_one_pixel_and_leaves_its_neighbours_zero():
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    for stride in ((2, 2), (1, 1)):
        y = max_pool2d(np, x, (2, 2), stride, (0, 0, 0, 0))
        dx = max_pool2d_grad(np, x, y, np.full_like(y, np.inf), (2, 2), stride, (0, 0, 0, 0))
        assert not np.isnan(dx).any() and np.isinf(dx).sum() == y.size


@given(poolings(), st.booleans())
def test_average_pooling_counts_the_padding_only_when_asked(case, count_include_pad):
    x, kernel, stride, pads = case
    counted = pads if count_include_pad else (0, 0, 0, 0)
    y = avg_pool2d(np, x, kernel, stride, pads, counted)
    dy = np.random.default_rng(0).standard_normal(y.shape)
    expected_y, dx = np.empty_like(y), np.zeros_like(x)
    for (r, c), pixels in windows(x.shape, kernel, stride, pads):
        count = kernel[0] * kernel[1] if count_include_pad else len(pixels)
        expected_y[:, :, r, c] = sum(x[:, :, i, j] for i, j in pixels) / count
        for i, j in pixels:
            dx[:, :, i, j] += dy[:, :, r, c] / count
    np.testing.assert_allclose(y, expected_y, rtol=1e-12, atol=1e-12)
    got = avg_pool2d_grad(np, dy, x.shape, kernel, stride, pads, counted)
    np.testing.assert_allclose(got, dx, rtol=1e-12, atol=1e-12)


def test_same_padding_averages_as_mindspore_does():
    x = np.arange(1, 26, dtype=np.float32).reshape(1, 1, 5, 5)  # nn.AvgPool2d(2, 2, "same") of MindSpore 2.0.0
    y = avg_pool2d(np, x, (2, 2), (2, 2), (0, 1, 0, 1))
    np.testing.assert_array_equal(y[0, 0], [[4, 6, 7.5], [14, 16, 17.5], [21.5, 23.5, 25]])
    assert y.dtype == np.float32


def test_an_image_smaller_than_the_window_gives_no_output_and_no_gradient():
    x = np.ones((2, 3, 2, 5), np.float32)
    y = max_pool2d(np, x, (3, 3), (1, 1), (0,) * 4)
    assert y.shape == avg_pool2d(np, x, (3, 3), (1, 1), (0,) * 4).shape == (2, 3, 0, 3)
    assert not max_pool2d_grad(np, x, y, y, (3, 3), (1, 1), (0,) * 4).any()
    assert not avg_pool2d_grad(np, y, x.shape, (3, 3), (1, 1), (0,) * 4).any()


@pytest.mark.needs("devices")
@given(poolings())
def test_another_array_module_computes_the_same_without_waiting(case):
    x, *arguments = case
    y = max_pool2d(np, x, *arguments)
    x_, y_ = strict_cupy.asarray(x), strict_cupy.asarray(y)
    before = strict_cupy.synchronisations
    results = (
        (max_pool2d(strict_cupy, x_, *arguments), y),
        (max_pool2d_grad(strict_cupy, x_, y_, y_, *arguments), max_pool2d_grad(np, x, y, y, *arguments)),
        (max_pool2d_gather(strict_cupy, x_, y_, x_, *arguments), y),
        (avg_pool2d(strict_cupy, x_, *arguments), avg_pool2d(np, x, *arguments)),
        (avg_pool2d_grad(strict_cupy, y_, x.shape, *arguments), avg_pool2d_grad(np, y, x.shape, *arguments)),
    )
    assert strict_cupy.synchronisations == before
    for got, expected in results:
        np.testing.assert_allclose(got.get(), expected, rtol=1e-12, atol=1e-12)
