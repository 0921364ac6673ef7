"""Layers of planes: nn.Unfold held to its windows written out, which MindSpore's CPU does not compute."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops


def windows(x, kernel, stride, rate, padding):
    """Each window's points row by row, each with its channels, by loops."""
    if padding == "same":
        sides = []
        for n, k, s, r in zip(x.shape[2:], kernel, stride, rate, strict=True):
            total = max((-(-n // s) - 1) * s + r * (k - 1) + 1 - n, 0)
            sides.append((total // 2, total - total // 2))
        x = np.pad(x, ((0, 0), (0, 0), *sides))
    rows, columns = (
        (n - r * (k - 1) - 1) // s + 1 for n, k, s, r in zip(x.shape[2:], kernel, stride, rate, strict=True)
    )
    out = np.zeros((x.shape[0], kernel[0] * kernel[1] * x.shape[1], rows, columns), x.dtype)
    for i in range(rows):
        for j in range(columns):
            top, left = i * stride[0], j * stride[1]
            points = [
                x[:, :, top + a * rate[0], left + b * rate[1]] for a in range(kernel[0]) for b in range(kernel[1])
            ]
            out[:, :, i, j] = np.concatenate(points, axis=1)
    return out


@pytest.mark.parametrize("padding", ["same", "VALID"])
@pytest.mark.parametrize(
    ("kernel", "stride", "rate"),
    [((2, 3), (1, 2), (2, 1)), ((3, 2), (2, 3), (1, 2)), ((1, 1), (2, 2), (1, 1)), ((2, 2), (3, 3), (3, 4))],
)
def test_unfold_puts_each_windows_points_row_by_row_into_the_channels(kernel, stride, rate, padding):
    x = np.arange(2 * 2 * 5 * 6, dtype=np.float32).reshape(2, 2, 5, 6)
    cell = nn.Unfold([1, *kernel, 1], (1, *stride, 1), [1, *rate, 1], padding)
    np.testing.assert_array_equal(cell(ms.Tensor(x)).asnumpy(), windows(x, kernel, stride, rate, padding.lower()))


def test_the_gradient_of_unfold_counts_the_windows_that_meet_each_point():
    cell = nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])
    found = ms.grad(lambda x: cell(x).sum())(ops.ones((1, 1, 3, 3)))
    assert found.asnumpy()[0, 0].tolist() == [[1, 2, 1], [2, 4, 2], [1, 2, 1]]


ONES = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: nn.Unfold(2, ONES, ONES), TypeError),
        (lambda: nn.Unfold([2, 2, 2, 1], ONES, ONES), ValueError),
        (lambda: nn.Unfold(ONES, [1, 3, 2, 2], ONES), ValueError),
        (lambda: nn.Unfold(ONES, [1, 3, 0, 1], ONES), ValueError),
        (lambda: nn.Unfold(ONES, ONES, [1, 2, 2]), ValueError),
        (lambda: nn.Unfold([1, 2, 2.0, 1], ONES, ONES), ValueError),
        (lambda: nn.Unfold(ONES, ONES, ONES, "foo"), ValueError),
        (lambda: nn.Unfold(ONES, ONES, ONES, 1), TypeError),
        (lambda: nn.Unfold(ONES, ONES, ONES)([[1.0]]), TypeError),
        (lambda: nn.Unfold(ONES, ONES, ONES)(ops.ones((2, 5, 6))), ValueError),
        (lambda: nn.Unfold([1, 9, 2, 1], ONES, ONES)(ops.ones((1, 1, 5, 6))), ValueError),
    ],
)
def test_unfold_refuses_other_forms(call, error):
    with pytest.raises(error, match="For 'Unfold'"):
        call()


def test_image_gradients_are_differences_of_neighbours_with_zeros_at_the_end():
    squares = np.arange(16, dtype=np.int32).reshape(1, 1, 4, 4) ** 2
    dy, dx = nn.ImageGradients()(ms.Tensor(squares))
    assert dy.dtype == dx.dtype == ms.int32 and dy.asnumpy()[0, 0, 0].tolist() == [16, 24, 32, 40]
    assert dy.asnumpy()[0, 0, 3].tolist() == [0] * 4 and dx.asnumpy()[0, 0, :, 3].tolist() == [0] * 4
    np.testing.assert_array_equal(dx.asnumpy()[..., :3], np.diff(squares, axis=3))
    with pytest.raises(ValueError, match=r"^For 'ImageGradients', the 'images' must have 4 axes"):
        nn.ImageGradients()(ms.Tensor(squares[0]))
