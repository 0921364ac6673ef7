"""The fast convolutions equal the definition, over drawn shapes and at the shapes of LeNet and ResNet-20."""

import numpy as np
import pytest
from hypothesis import given
from ops.kernels.conv_reference import (
    conv2d_grad_input_reference,
    conv2d_grad_weight_reference,
    conv2d_reference,
    convolutions,
)
from support.strict_cupy import strict_cupy

from minispore.ops.kernels import workers
from minispore.ops.kernels.conv import grad_rows, im2col, overlaps, rows
from minispore.ops.kernels.conv.conv2d import conv2d, conv2d_grad_input, conv2d_grad_weight


def assert_all_three_equal_the_definition(x, w, dy, arguments, **tolerance):
    np.testing.assert_allclose(conv2d(np, x, w, *arguments), conv2d_reference(x, w, *arguments), **tolerance)
    np.testing.assert_allclose(
        conv2d_grad_input(np, dy, w, x.shape, *arguments),
        conv2d_grad_input_reference(dy, w, x.shape, *arguments),
        **tolerance,
    )
    np.testing.assert_allclose(
        conv2d_grad_weight(np, dy, x, w.shape, *arguments),
        conv2d_grad_weight_reference(dy, x, w.shape, *arguments),
        **tolerance,
    )


@given(convolutions())
def test_any_convolution_equals_the_definition(case):
    assert_all_three_equal_the_definition(*case, rtol=1e-10, atol=1e-10)


def algorithms_run(monkeypatch, xp, kernel, stride):
    """The algorithms that a convolution and its weights' gradient came to, in order; the other one is convolutions."""
    ran = []
    forms = {
        im2col: ("forward", "grad_weight"),
        rows: ("forward",),
        overlaps: ("forward",),
        grad_rows: ("grad_weight",),
    }
    for module, names in forms.items():
        for name in names:
            algorithm = getattr(module, name)
            told = f"{module.__name__.rpartition('.')[2]}.{name}"
            monkeypatch.setattr(module, name, lambda *a, f=algorithm, told=told: ran.append(told) or f(*a))
    x, w = xp.asarray(np.ones((2, 16, 32, 32))), xp.asarray(np.ones((16, 16, *kernel)))
    arguments = (stride, (0, 0, 0, 0), (1, 1), 1)
    conv2d_grad_weight(xp, conv2d(xp, x, w, *arguments), x, w.shape, *arguments)
    return ran


@pytest.mark.parametrize("kernel, stride", [((3, 3), (1, 1)), ((1, 3), (1, 1)), ((5, 5), (2, 2)), ((1, 1), (2, 2))])
def test_on_the_processor_rows_are_multiplied(monkeypatch, kernel, stride):
    found = algorithms_run(monkeypatch, np, kernel, stride)
    assert found in (["rows.forward", "grad_rows.grad_weight"], ["overlaps.forward", "grad_rows.grad_weight"])


def test_kernels_of_one_pixel_are_products_of_columns_which_are_the_image_itself(monkeypatch):
    found = algorithms_run(monkeypatch, np, (1, 1), (1, 1))
    assert found == ["im2col.forward", "im2col.grad_weight"]


@pytest.mark.parametrize(
    "x, w, stride, columns",
    [
        ((2, 3, 20, 40), (64, 3, 3, 1), (1, 2), True),  # many outputs of few inputs
        ((2, 48, 20, 40), (8, 48, 3, 3), (1, 1), False),
        ((8, 16, 32, 32), (16, 16, 3, 3), (1, 1), False),
    ],
)
def test_many_outputs_of_few_inputs_are_products_of_columns(x, w, stride, columns, monkeypatch):
    ran, forward = [], im2col.forward
    monkeypatch.setattr(im2col, "forward", lambda *a: ran.append(im2col) or forward(*a))
    conv2d(np, np.ones(x), np.ones(w), stride, (0, 0, 0, 0), (1, 1), 1)
    assert ran == [im2col] * columns


@pytest.mark.parametrize("kernel, stride", [((3, 3), (1, 1)), ((3, 3), (2, 2)), ((1, 1), (1, 1))])
def test_on_other_array_modules_columns_are_multiplied(monkeypatch, kernel, stride):
    found = algorithms_run(monkeypatch, strict_cupy, kernel, stride)
    assert found == ["im2col.forward", "im2col.grad_weight"]


@given(convolutions())
def test_another_array_module_computes_the_same(case):
    x, w, dy, arguments = case
    x_, w_, dy_ = map(strict_cupy.asarray, (x, w, dy))
    pairs = (
        (conv2d(strict_cupy, x_, w_, *arguments), conv2d(np, x, w, *arguments)),
        (
            conv2d_grad_input(strict_cupy, dy_, w_, x.shape, *arguments),
            conv2d_grad_input(np, dy, w, x.shape, *arguments),
        ),
        (
            conv2d_grad_weight(strict_cupy, dy_, x_, w.shape, *arguments),
            conv2d_grad_weight(np, dy, x, w.shape, *arguments),
        ),
    )
    for got, expected in pairs:
        np.testing.assert_allclose(got.get(), expected, rtol=1e-10, atol=1e-10)


WIDE = [  # x, w, stride, pads, dilation, group: the sizes at which batches are cut in pieces, and odd edges
    ((5, 16, 9, 20), (8, 16, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((3, 11, 16, 30), (4, 11, 2, 3), (1, 1), (0, 3, 5, 1), (3, 2), 1),
    ((2, 40, 15, 17), (5, 40, 1, 4), (1, 1), (2, 0, 0, 2), (1, 1), 1),
    ((2, 40, 17, 15), (5, 40, 4, 1), (1, 1), (2, 0, 0, 2), (1, 1), 1),
    ((3, 64, 8, 8), (16, 64, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((3, 64, 4, 8), (16, 64, 3, 2), (1, 1), (0, 2, 1, 0), (2, 1), 1),
    ((3, 24, 8, 9), (16, 24, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((3, 24, 8, 9), (16, 24, 1, 1), (2, 2), (1, 0, 0, 1), (1, 1), 1),
    ((3, 24, 16, 17), (16, 24, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 1),
    ((2, 32, 15, 15), (32, 1, 3, 3), (2, 1), (1, 1, 1, 1), (1, 1), 32),
    ((2, 32, 15, 15), (64, 1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 32),
    ((2, 32, 15, 15), (64, 16, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 2),
    ((40, 16, 32, 32), (8, 16, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((2, 3, 4, 4), (2, 3, 1, 1), (1, 1), (3, 3, 3, 3), (1, 1), 1),
    ((4, 2, 20, 9), (96, 1, 5, 3), (2, 1), (1, 2, 0, 1), (1, 2), 2),
]


@pytest.mark.parametrize("case", WIDE, ids=str)
def test_larger_convolutions_equal_the_definition(case):
    x_shape, w_shape, *arguments = case
    random = np.random.default_rng(1)
    x, w = random.standard_normal(x_shape), random.standard_normal(w_shape)
    dy = random.standard_normal(conv2d_reference(x, w, *arguments).shape)
    assert_all_three_equal_the_definition(x, w, dy, arguments, rtol=1e-10, atol=1e-10)


NETWORKS = [  # images, channels, size, made, kernel, stride, pad of LeNet's and ResNet-20's convolutions
    (32, 1, 32, 6, 5, 1, 0),
    (32, 6, 14, 16, 5, 1, 0),
    (8, 3, 32, 16, 3, 1, 1),
    (8, 16, 32, 16, 3, 1, 1),
    (8, 16, 32, 32, 3, 2, 1),
    (8, 16, 32, 32, 1, 2, 0),
    (8, 32, 16, 32, 3, 1, 1),
    (8, 64, 8, 64, 3, 1, 1),
]


@pytest.mark.parametrize("case", NETWORKS, ids=str)
def test_float32_stays_float32_and_as_near_to_float64_as_its_sums_allow(case):
    n, taken, size, made, kernel, stride, pad = case
    random = np.random.default_rng(2)
    x = random.standard_normal((n, taken, size, size)).astype(np.float32)
    w = random.standard_normal((made, taken, kernel, kernel)).astype(np.float32)
    arguments = ((stride, stride), (pad,) * 4, (1, 1), 1)
    y = conv2d(np, x, w, *arguments)
    dy = random.standard_normal(y.shape).astype(np.float32)
    dx, dw = conv2d_grad_input(np, dy, w, x.shape, *arguments), conv2d_grad_weight(np, dy, x, w.shape, *arguments)
    x, w, exact = x.astype(np.float64), w.astype(np.float64), dy.astype(np.float64)
    truths = (
        conv2d_reference(x, w, *arguments),
        conv2d_grad_input_reference(exact, w, x.shape, *arguments),
        conv2d_grad_weight_reference(exact, x, w.shape, *arguments),
    )
    for got, truth in zip((y, dx, dw), truths, strict=True):
        assert got.dtype == np.float32 and got.shape == truth.shape
        assert np.abs(got - truth).max() <= 2e-6 * np.abs(truth).max() + 1e-5


def test_pixels_that_no_window_touches_have_gradient_zero():
    dx = conv2d_grad_input(np, np.ones((1, 1, 2, 2)), np.ones((1, 1, 1, 1)), (1, 1, 4, 5), (3, 3), (0,) * 4, (1, 1), 1)
    expected = np.zeros((4, 5))
    expected[::3, ::3] = 1
    np.testing.assert_array_equal(dx[0, 0], expected)


def test_an_empty_batch_and_an_image_smaller_than_the_kernel_give_empty_results_and_zero_gradients():
    arguments = ((2, 2), (0,) * 4, (1, 1), 1)
    w = np.ones((2, 3, 3, 3))
    for shape, out in (((0, 3, 5, 5), (0, 2, 2, 2)), ((4, 3, 2, 9), (4, 2, 0, 4))):
        y = conv2d(np, np.ones(shape), w, *arguments)
        assert y.shape == out
        assert not conv2d_grad_input(np, y, w, shape, *arguments).any()
        assert not conv2d_grad_weight(np, y, np.ones(shape), w.shape, *arguments).any()


def test_infinities_and_nan_pass_without_a_crash():
    x, w = np.zeros((2, 16, 16, 16), np.float32), np.ones((4, 16, 3, 3), np.float32)
    x[0, 0, 3, 3], x[1, 0, 3, 3] = np.inf, np.nan
    y = conv2d(np, x, w, (1, 1), (1, 1, 1, 1), (1, 1), 1)
    assert np.isinf(y[0, :, 2:5, 2:5]).all() and np.isnan(y[1, :, 2:5, 2:5]).all()
    assert np.isfinite(y[:, :, 6:]).all()


def test_results_are_contiguous_and_inputs_untouched():
    random = np.random.default_rng(3)
    x, w = random.standard_normal((4, 16, 20, 20)), random.standard_normal((8, 16, 3, 3))
    before = x.copy(), w.copy()
    y = conv2d(np, x, w, (1, 1), (1,) * 4, (1, 1), 1)
    again = conv2d(np, -x, w, (1, 1), (1,) * 4, (1, 1), 1)
    np.testing.assert_allclose(again, -y)  # y was not overwritten by the second call
    assert y.flags.c_contiguous
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(w, before[1])


def test_the_workers_share_a_convolution_of_few_channels_and_many_pixels(monkeypatch):
    handed, plain = [], workers.share

    def share(work, pieces):
        pieces = list(pieces)
        if len(pieces) > 1 and not workers.at_work():
            handed.append(len(pieces))
        return plain(work, pieces)

    monkeypatch.setattr(workers, "share", share)
    monkeypatch.setattr(workers, "count", lambda: 2)
    x, w = (a.astype(np.float32) for a in map(np.ones, ((256, 1, 32, 32), (6, 1, 5, 5))))
    dy = conv2d(np, x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1)
    assert handed == [2] and (dy == 25).all()
    dw = conv2d_grad_weight(np, dy, x, w.shape, (1, 1), (0, 0, 0, 0), (1, 1), 1)
    assert len(handed) == 2 and (dw == 256 * 28 * 28 * 25).all()
    conv2d(np, x[:1], w, (1, 1), (0, 0, 0, 0), (1, 1), 1)
    assert len(handed) == 2, "one image is too little to hand over"
