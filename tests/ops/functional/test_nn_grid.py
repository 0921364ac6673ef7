"""Sampling under grids, beside numbers that MindSpore 2.0.0 gave on the CPU."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops


def sevens(*shape):
    return Tensor((np.arange(np.prod(shape), dtype=np.float32) * 7 % 11).reshape(shape))


PLANE = sevens(1, 1, 3, 4)
GRID = Tensor(
    np.array(
        [[[[-0.9, -0.3], [0.2, 0.4]], [[1.2, 0.9], [-1.4, 0.1]], [[0.3, 0.7], [-2.1, 3.3]]]],
        np.float32,
    )
)
THETA = Tensor(np.array([[[0.8, 0.5, 0], [-0.5, 0.8, 0.1]]], np.float32))
VOLUME_THETA = Tensor(np.array([[[0.8, 0.5, 0, 0.1], [-0.5, 0.8, 0.1, 0.2], [0.3, 0.2, 0.1, 0]]], np.float32))

RECORDED = [
    ("bilinear", "zeros", False, [2.31, 5.96, 0, 0, 3.42, 0]),
    ("bilinear", "zeros", True, [4.095, 6.48, 0.35, 2.2, 5.535, 0]),
    ("bilinear", "border", False, [3.3, 5.96, 0, 5.25, 3.6, 1]),
    ("bilinear", "border", True, [4.095, 6.48, 0.5, 5.5, 5.535, 1]),
    ("bilinear", "reflection", False, [3.3, 5.96, 0, 4.545, 3.6, 4.2]),
    ("bilinear", "reflection", True, [4.095, 6.48, 1.7, 3.76, 5.535, 5.045]),
    ("nearest", "zeros", False, [6, 4, 0, 0, 4, 0]),
    ("nearest", "zeros", True, [6, 9, 0, 0, 4, 0]),
    ("nearest", "border", False, [6, 4, 0, 6, 4, 1]),
    ("nearest", "reflection", False, [6, 4, 0, 6, 4, 3]),
    ("nearest", "reflection", True, [6, 9, 0, 2, 4, 3]),
]


def assert_close(found, recorded):
    np.testing.assert_allclose(found.asnumpy().ravel(), np.ravel(recorded), rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("mode", "padding", "aligned", "recorded"), RECORDED)
def test_planes_are_sampled_as_mindspore_does(mode, padding, aligned, recorded):
    assert_close(ops.grid_sample(PLANE, GRID, mode, padding, aligned), recorded)


def test_volumes_are_sampled_as_mindspore_does():
    grid = Tensor(np.arange(24, dtype=np.float32).reshape(1, 2, 2, 2, 3) / 12 - 1)
    recorded = [0, 0, 1.9375, 4.0260415, 4.8541665, 3.7916667, 0.8333334, 0]
    assert_close(ops.grid_sample(sevens(1, 1, 2, 3, 2), grid), recorded)


def test_a_nan_within_does_not_show_where_the_grid_is_outside():
    plane = Tensor(np.full((1, 1, 2, 2), np.nan, np.float32))
    assert_close(ops.grid_sample(plane, Tensor(np.full((1, 1, 1, 2), 9, np.float32))), 0)


def test_gradients_pass_to_the_pixels_and_to_the_grid_as_in_mindspore():
    pixels, grid = ms.grad(ops.grid_sample, (0, 1))(PLANE, GRID)
    assert_close(pixels, [[0.315, 0, 0, 0], [0.385, 0.04, 0.36, 0], [0, 0.06, 1.395, 0.16]])
    assert_close(grid, [6.6, 6.3, 0.8, -5.85, 0, 0, 0, 0, -7.6, -5.4, 0, 0])


def test_grids_of_affine_maps_are_those_of_mindspore():
    centres = [-0.7833334, 0.0333333, -0.25, -0.3, 0.2833334, -0.6333333]
    centres += [-0.2833334, 0.8333334, 0.25, 0.5, 0.7833334, 0.1666667]
    assert_close(ops.affine_grid(THETA, (1, 3, 2, 3)), centres)
    corners = [-1.3, -0.2, -0.5, -0.7, 0.3, -1.2, -0.3, 1.4, 0.5, 0.9, 1.3, 0.4]
    assert_close(ops.affine_grid(THETA, (1, 3, 2, 3), True), corners)
    volume = [-0.3, 0.4, -0.2, 0.5, -0.1, 0.1, -0.3, 0.5, -0.1, 0.5, 0, 0.2]
    assert_close(ops.affine_grid(VOLUME_THETA, (1, 3, 2, 1, 2)), volume)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (ValueError, lambda: ops.grid_sample(PLANE, GRID, "bicubic")),
        (ValueError, lambda: ops.grid_sample(PLANE, GRID, padding_mode="x")),
        (TypeError, lambda: ops.grid_sample(PLANE, GRID, align_corners=1)),
        (TypeError, lambda: ops.grid_sample(PLANE, 1)),
        (ValueError, lambda: ops.grid_sample(PLANE, GRID[0])),
        (TypeError, lambda: ops.affine_grid(THETA, (1, 3, 2, 3), 1)),
        (ValueError, lambda: ops.affine_grid(THETA, (1, 3, 2))),
        (ValueError, lambda: ops.affine_grid(THETA, (2, 3, 2, 2))),
    ],
)
def test_a_wrong_argument_is_refused_by_name(kind, call):
    with pytest.raises(kind, match=r"^For '(grid_sample|affine_grid)', the "):
        call()
