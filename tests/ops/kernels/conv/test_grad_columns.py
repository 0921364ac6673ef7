"""The gradient of the input by columns equals the definition, whatever the pieces and whichever parts are added."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from ops.kernels.conv_reference import conv2d_grad_input_reference, convolutions
from support.strict_cupy import strict_cupy

from minispore.ops.kernels.conv import grad_columns
from minispore.ops.kernels.conv.geometry import geometry_of


def by_columns(xp, x, w, dy, arguments):
    stride, pads, dilation, group = arguments
    geometry = geometry_of(x.shape, w.shape, stride, pads, dilation)
    return grad_columns.grad_input(xp, xp.asarray(dy), xp.asarray(w), x.shape, pads, geometry, group)


@given(convolutions())
def test_any_gradient_equals_the_definition(case):
    x, w, dy, arguments = case
    expected = conv2d_grad_input_reference(dy, w, x.shape, *arguments)
    np.testing.assert_allclose(by_columns(np, *case), expected, rtol=1e-10, atol=1e-10)
    before = strict_cupy.synchronisations
    found = by_columns(strict_cupy, *case)
    assert strict_cupy.synchronisations == before
    np.testing.assert_allclose(found.get(), expected, rtol=1e-10, atol=1e-10)


def drawn(x_shape, w_shape, arguments):
    random = np.random.default_rng(1)
    x, w = random.standard_normal(x_shape), random.standard_normal(w_shape)
    stride, pads, dilation, _ = arguments
    out = geometry_of(x_shape, w_shape, stride, pads, dilation).out
    return x, w, random.standard_normal((x_shape[0], w_shape[0], *out)), arguments


@pytest.mark.parametrize("limit", [1, 4096])
def test_pieces_of_batches_and_bands_of_rows_change_nothing(limit, monkeypatch):
    monkeypatch.setattr(grad_columns, "_CACHED", limit)
    for size, kernel, stride in itertools.product([(9, 4), (4, 11)], [(3, 2), (2, 4)], [(1, 1), (3, 2)]):
        case = drawn((5, 4, *size), (6, 2, *kernel), (stride, (1, 0, 2, 1), (1, 1), 2))
        x, w, dy, arguments = case
        expected = conv2d_grad_input_reference(dy, w, x.shape, *arguments)
        np.testing.assert_allclose(by_columns(np, *case), expected, rtol=1e-10, atol=1e-10)


def test_a_weight_that_no_pixel_meets_does_not_matter():
    """Not even where it is infinite, which times the zeros of a padded dy would be nan."""
    x, w, dy, arguments = drawn((1, 1, 1, 1), (2, 1, 3, 3), ((1, 1), (1, 1, 1, 1), (1, 1), 1))
    w[:, :, 0, 0] = np.inf
    with np.errstate(all="ignore"):  # as the caller has it
        dx = by_columns(np, x, w, dy, arguments)
    np.testing.assert_allclose(dx, [[[[(w[:, 0, 1, 1] * dy[0, :, 0, 0]).sum()]]]])


def test_the_result_is_contiguous_and_inputs_are_untouched():
    x, w, dy, arguments = drawn((2, 3, 5, 8), (4, 3, 2, 7), ((1, 1), (1, 1, 2, 2), (1, 1), 1))
    before = w.copy(), dy.copy()
    dx = by_columns(np, x, w, dy, arguments)
    assert dx.flags.c_contiguous and dx.shape == x.shape
    np.testing.assert_array_equal(w, before[0])
    np.testing.assert_array_equal(dy, before[1])
