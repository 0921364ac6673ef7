"""Layers beyond the first ones, and their faces: the laws that hold for any input.

Values and gradients are held to MindSpore's in ``tests/conformance/test_layers.py``, errors in
``test_layer_errors.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops

SEEDS = st.integers(0, 2**32 - 1)


def reals(*shape, seed=0, low=-1.0, high=1.0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def close(found, expected, tolerance=1e-5):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


# Activations


def test_log_sigmoid_keeps_its_digits_where_the_exponential_overflows():
    close(ops.logsigmoid(ms.Tensor([-100.0, 30.0])), [-100.0, -9.357623e-14], 1e-6)


def test_the_exact_and_the_tanh_form_of_gelu_differ():
    x = ms.Tensor([-4.0])
    assert float(ops.gelu(x)) == pytest.approx(-1.267e-4, rel=2e-3)
    assert float(ops.gelu(x, "tanh")) == pytest.approx(-7.0214e-5, rel=1e-3)


# Normalization


def normalized(x, axes, eps=1e-5):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def test_the_face_of_batch_norm_moves_the_running_statistics_that_are_parameters():
    x, one = ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 1.0])
    mean, variance = ms.Parameter(ms.Tensor([1.0, 2.0])), ms.Parameter(ms.Tensor([1.0, 2.0]))
    ops.batch_norm(x, mean, variance, one, one, training=True, momentum=0.3)
    close(mean, [1.3, 2.3])
    close(variance, [1.3, 2.0])  # with the unbiased variance, 2


def test_layer_norm_face_normalizes_the_last_axes():
    x, weight = reals(2, 3, 4), reals(3, 4, seed=1)
    expected = normalized(x, (1, 2))
    close(ops.layer_norm(ms.Tensor(x), (3, 4)), expected, 1e-4)
    close(ops.layer_norm(ms.Tensor(x), [3, 4], ms.Tensor(weight)), expected * weight, 1e-4)


# Tables


@given(SEEDS)
def test_an_embedding_gives_rows_and_gathers_their_gradients(seed):
    ids = np.random.default_rng(seed).integers(0, 5, (2, 3)).astype(np.int32)
    by_row, by_product = nn.Embedding(5, 4), nn.Embedding(5, 4, True)
    by_product.embedding_table.set_data(by_row.embedding_table.value())
    for layer in (by_row, by_product):
        close(layer(ms.Tensor(ids)), by_row.embedding_table.asnumpy()[ids])
        (g,) = ms.grad(lambda i, layer=layer: layer(i).sum(), None, layer.trainable_params())(ms.Tensor(ids))
        close(g, np.repeat(np.bincount(ids.ravel(), minlength=5)[:, None], 4, 1))


def test_the_padding_row_of_an_embedding_begins_as_zeros():
    table = nn.Embedding(4, 3, embedding_table="ones", padding_idx=2).embedding_table.asnumpy()
    np.testing.assert_array_equal(table, np.array([1, 1, 0, 1])[:, None] * np.ones((4, 3)))


def test_an_index_outside_the_depth_marks_nothing():
    close(nn.OneHot(0, 3, 2.0, -1.0)(ms.Tensor([0, 5])), [[2, -1], [-1, -1], [-1, -1]])


# Norms


@given(SEEDS, st.floats(0.1, 10.0))
def test_clipping_by_the_global_norm_scales_all_alike(seed, bound):
    a, b = reals(3, seed=seed), reals(2, 2, seed=seed + 1).astype(np.float16)
    norm = np.sqrt((a.astype(np.float64) ** 2).sum() + (b.astype(np.float64) ** 2).sum())
    clipped = ops.clip_by_global_norm([ms.Tensor(a), ms.Tensor(b)], bound)
    assert [y.dtype for y in clipped] == [ms.float32, ms.float16]
    for y, x in zip(clipped, (a, b), strict=True):
        close(y, x * min(1, bound / norm), 1e-3)


def test_clipping_by_value_keeps_the_dtype():
    assert ops.clip_by_value(ms.Tensor([1, 2, 3, 4]), 1.5, 3).asnumpy().tolist() == [1, 2, 3, 3]
    assert [y.asnumpy().tolist() for y in ops.clip_by_value((ms.Tensor([1]), ms.Tensor([9])), 2, 3)] == [[2], [3]]


# Padding and resizing


@given(SEEDS, st.integers(1, 3))
def test_pixel_unshuffle_takes_pixel_shuffle_back(seed, r):
    x = reals(2, 3 * r * r, 2, 4, seed=seed)
    shuffled = ops.pixel_shuffle(ms.Tensor(x), r)
    assert shuffled.shape == (2, 3, 2 * r, 4 * r)
    np.testing.assert_array_equal(ops.pixel_unshuffle(shuffled, r).asnumpy(), x)


MODES = {"reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap"}


@given(SEEDS, st.sampled_from(sorted(MODES)), st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_padding_is_numpys(seed, mode, pads):
    x = reals(2, 3, 4, seed=seed)
    pairs = [(0, 0), tuple(pads[2:]), tuple(pads[:2])]
    np.testing.assert_array_equal(ops.pad(ms.Tensor(x), pads, mode).asnumpy(), np.pad(x, pairs, MODES[mode]))
    found = ops.pad(ms.Tensor(x), ms.Tensor(pads), value=1.5).asnumpy()
    np.testing.assert_array_equal(found, np.pad(x, pairs, constant_values=1.5))


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_a_negative_length_cuts_before_the_other_end_is_padded(mode):
    x = ms.Tensor([[1.0, 2.0, 3.0, 4.0]])
    added = {"constant": 0, "reflect": 3, "replicate": 4, "circular": 2}[mode]
    assert ops.pad(x, (-1, 1), mode).asnumpy().tolist() == [[2, 3, 4, added]]


@given(SEEDS, st.sampled_from(["nearest", "nearest-exact", "bilinear", "bicubic", "area"]))
def test_resizing_to_the_same_size_changes_nothing(seed, mode):
    x = reals(1, 2, 3, 5, seed=seed)
    close(ops.interpolate(ms.Tensor(x), size=(3, 5), mode=mode), x)


def test_an_infinity_stays_where_it_is_when_planes_are_resized():
    x = np.zeros((1, 1, 1, 8), np.float32)
    x[..., 0] = np.inf
    assert np.isfinite(ops.interpolate(ms.Tensor(x), size=(1, 16), mode="bilinear").asnumpy()[..., 4:]).all()


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
def test_a_scale_that_gives_whole_lengths_is_that_size(mode):
    x = ms.Tensor(reals(1, 2, 4, 6))
    by_scale = nn.Upsample(scale_factor=1.5, mode=mode)(x).asnumpy()
    np.testing.assert_array_equal(by_scale, ops.interpolate(x, size=(6, 9), mode=mode).asnumpy())


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize(("scale", "length"), [(0.3, 1), (0.5, 2), (1.5, 7)])
def test_means_of_areas_take_any_scale_whose_lengths_are_rounded_down(axes, scale, length):
    x = ms.Tensor(reals(1, 2, *(5,) * axes))
    found = nn.Upsample(scale_factor=scale, mode="area")(x).asnumpy()
    np.testing.assert_array_equal(found, ops.interpolate(x, size=length, mode="area").asnumpy())
    assert found.shape == (1, 2, *(length,) * axes)
    with pytest.raises(ValueError, match=r"the 'scale_factor' must give lengths of at least 1 from \(5,.*got 0.1"):
        nn.Upsample(scale_factor=0.1, mode="area")(x)


def test_the_areas_of_volumes_are_their_windows():
    x = reals(1, 2, 4, 2, 6)
    expected = x.reshape(1, 2, 2, 2, 1, 2, 3, 2).mean((3, 5, 7))
    close(ops.interpolate(ms.Tensor(x), size=(2, 1, 3), mode="area"), expected)


# Windows


@given(SEEDS)
def test_convolution_faces_are_the_layers(seed):
    rng = np.random.default_rng(seed)
    for axes, face, layer in ((1, ops.conv1d, nn.Conv1d), (2, ops.conv2d, nn.Conv2d), (3, ops.conv3d, nn.Conv3d)):
        x = ms.Tensor(rng.uniform(-1, 1, (2, 4, *(6,) * axes)).astype(np.float32))
        mode, stride, padding = ("same", 2, 0) if rng.random() < 0.5 else ("pad", 1, 1)
        conv = layer(4, 6, 3, stride, mode, padding, group=2, has_bias=True)
        weight = conv.weight.value() if axes > 1 else conv.weight.value().squeeze(2)
        found = face(x, weight, conv.bias, stride, mode, padding, 1, 2)
        np.testing.assert_array_equal(found.asnumpy(), conv(x).asnumpy())


def windows(x, size, stride):
    """The windows of the last axes of x: (..., counts, elements of a window)."""
    axes = len(size)
    view = np.lib.stride_tricks.sliding_window_view(x, size, tuple(range(-axes, 0)))
    view = view[(..., *(slice(None, None, s) for s in stride), *(slice(None),) * axes)]
    return view.reshape(*view.shape[:-axes], -1)


def test_the_mean_of_a_float16_volume_is_rounded_once():
    x = reals(1, 1, 4, 4, 4).astype(np.float16)
    exact = windows(x.astype(np.float64), (2, 2, 2), (2, 2, 2)).mean(-1)
    np.testing.assert_array_equal(ops.avg_pool3d(ms.Tensor(x), 2, 2).asnumpy(), exact.astype(np.float16))


@given(SEEDS)
def test_adaptive_pooling_of_volumes_to_one_is_that_of_all(seed):
    x = reals(2, 3, 4, 3, 2, seed=seed)
    close(ops.adaptive_avg_pool3d(ms.Tensor(x), 1), x.mean((2, 3, 4), keepdims=True))
    out, indices = ops.adaptive_max_pool3d(ms.Tensor(x), 1, True)
    np.testing.assert_array_equal(out.asnumpy(), x.max((2, 3, 4), keepdims=True))
    np.testing.assert_array_equal(indices.asnumpy().ravel(), x.reshape(6, -1).argmax(1))


@given(SEEDS, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2), st.integers(0, 1))
def test_unfold_lays_out_what_a_convolution_multiplies(seed, kernel, stride, dilation, padding):
    x, w = ms.Tensor(reals(2, 3, 6, 5, seed=seed)), ms.Tensor(reals(4, 3, kernel, kernel, seed=seed + 1))
    columns = ops.unfold(x, kernel, dilation, padding, stride)
    out = ops.conv2d(x, w, None, stride, "pad", padding, dilation)
    by_columns = w.reshape(4, -1).asnumpy() @ columns.asnumpy()
    close(out, by_columns.reshape(out.shape))


# Second order
