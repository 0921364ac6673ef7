"""Layers beyond the first ones, and their faces: the laws that hold for any input.

Values and gradients are held to MindSpore's in ``tests/conformance/test_layers.py``, errors in
``test_layer_errors.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.differentiated import assert_differentiated

import minispore as ms
from minispore import nn, ops
from minispore.nn.layer import activation

SEEDS = st.integers(0, 2**32 - 1)


def reals(*shape, seed=0, low=-1.0, high=1.0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def close(found, expected, tolerance=1e-5):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


# Activations


@pytest.mark.parametrize("name", sorted(activation._activation.keys() - {"threshold"}))
def test_every_named_activation_maps_planes_to_planes(name):
    layer = nn.get_activation(name)
    assert layer(ms.Tensor(reals(2, 4, 4, 3))).shape == (2, 4, 4, 3)


def test_no_name_is_no_activation():
    assert nn.get_activation(None) is None


def test_nan_passes_through_every_activation():
    """MindSpore's CPU turns it into numbers in some of them, which hides an overflow."""
    for name in activation._activation.keys() - {"threshold", "prelu"}:
        assert np.isnan(nn.get_activation(name)(ms.Tensor(np.full((1, 1, 1), np.nan, np.float32))).asnumpy()).all()


def test_log_sigmoid_keeps_its_digits_where_the_exponential_overflows():
    close(ops.logsigmoid(ms.Tensor([-100.0, 30.0])), [-100.0, -9.357623e-14], 1e-6)


def test_the_exact_and_the_tanh_form_of_gelu_differ():
    x = ms.Tensor([-4.0])
    assert float(ops.gelu(x)) == pytest.approx(-1.267e-4, rel=2e-3)
    assert float(ops.gelu(x, "tanh")) == pytest.approx(-7.0214e-5, rel=1e-3)


@given(SEEDS)
def test_rrelu_scales_what_is_below_0_by_slopes_from_its_range(seed):
    x = reals(4, 50, seed=seed)
    out = nn.RReLU(0.25, 0.5)(ms.Tensor(x)).asnumpy()
    local_grads = out / x
    assert (local_grads[x > 0] == 1).all()
    assert ((local_grads[x < 0] > 0.2499) & (local_grads[x < 0] < 0.5001)).all()


# Normalization


def normalized(x, axes, eps=1e-5):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


@given(SEEDS, st.sampled_from([1, 2, 3, 6]))
def test_group_norm_normalizes_each_group_of_each_sample(seed, groups):
    x, gamma, beta = reals(3, 6, 2, 4, seed=seed), reals(6, seed=seed + 1), reals(6, seed=seed + 2)
    layer = nn.GroupNorm(groups, 6, gamma_init=ms.Tensor(gamma), beta_init=ms.Tensor(beta))
    expected = normalized(x.reshape(3, groups, -1).astype(np.float64), 2).reshape(x.shape)
    close(layer(ms.Tensor(x)), expected * gamma[:, None, None] + beta[:, None, None], 1e-4)


@pytest.mark.parametrize(("layer", "rest"), [(nn.InstanceNorm1d, (5,)), (nn.InstanceNorm2d, (4, 2))])
@pytest.mark.parametrize("train", [True, False])
def test_instance_norm_normalizes_each_channel_of_each_sample(layer, rest, train):
    x = reals(2, 3, *rest)
    norm = layer(3).set_train(train)
    close(norm(ms.Tensor(x)), normalized(x, tuple(range(2, x.ndim))), 1e-4)
    assert [p.name for p in norm.get_parameters()] == ["mean", "variance", "gamma", "beta"]
    assert [p.name for p in layer(3, affine=False).trainable_params()] == []


def test_instance_norm_of_volumes_is_that_of_their_planes_laid_side_by_side():
    x = reals(2, 3, 2, 4, 5)
    close(
        nn.InstanceNorm3d(3)(ms.Tensor(x)),
        nn.InstanceNorm2d(3)(ms.Tensor(x.reshape(2, 3, 8, 5))).asnumpy().reshape(x.shape),
    )


def test_group_norm_takes_its_statistics_in_float32_for_float16():
    """A float16 sum of their squares would be infinite."""
    x = reals(1, 2, 40, 40, low=50, high=60).astype(np.float16)
    out = nn.GroupNorm(1, 2)(ms.Tensor(x))
    assert out.dtype == ms.float32
    close(out, normalized(x.astype(np.float64), (1, 2, 3)), 1e-3)


def test_layer_norm_takes_its_statistics_in_float32_for_float16():
    """The float16 square of 300 is infinite."""
    out = nn.LayerNorm((4,))(ms.Tensor([[300.0, 1.0, -2.0, 3.0]], ms.float16))
    assert out.dtype == ms.float16
    close(out, [[1.7319, -0.5747, -0.5979, -0.5593]], 1e-3)


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("by_batch", [None, True, False])
def test_batch_norm_takes_the_statistics_that_mode_and_argument_name(train, by_batch):
    x = reals(6, 2, 3)
    layer = nn.BatchNorm1d(2, use_batch_statistics=by_batch).set_train(train)
    layer.moving_mean.set_data(ms.Tensor([0.5, -0.5]))
    out = layer(ms.Tensor(x))
    batch = train if by_batch is None else by_batch
    moving = (x - np.array([0.5, -0.5])[:, None]) / np.sqrt(1 + 1e-5)
    close(out, normalized(x, (0, 2)) if batch else moving, 1e-4)
    assert (layer.moving_mean.asnumpy()[0] != 0.5) == batch


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
def test_clipping_by_norm_bounds_the_norm_and_keeps_the_direction(seed, bound):
    x = reals(3, 4, seed=seed)
    norm = np.linalg.norm(x)
    close(nn.ClipByNorm()(ms.Tensor(x), ms.Tensor(bound)), x * min(1, bound / norm))
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    close(nn.ClipByNorm(1)(ms.Tensor(x), ms.Tensor(bound)), x * np.minimum(1, bound / norms))


def test_clipping_zeros_by_norm_leaves_them_and_their_gradient():
    x = ms.Tensor(np.zeros((2, 2), np.float32))
    close(nn.ClipByNorm()(x, ms.Tensor(1.0)), 0)
    close(ms.grad(lambda x: nn.ClipByNorm()(x, ms.Tensor(1.0)).sum())(x), 1)


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


@pytest.mark.parametrize(
    ("layer", "shape"), [(nn.Dropout1d, (8, 9, 4)), (nn.Dropout2d, (8, 9, 2, 2)), (nn.Dropout3d, (8, 9, 1, 2, 2))]
)
def test_channel_dropout_drops_or_scales_whole_channels_in_training(layer, shape):
    dropout, x = layer(p=0.75), ms.Tensor(np.ones(shape, np.float32))
    assert dropout(x) is x
    found = dropout.set_train()(x).asnumpy().reshape(72, 4)
    assert (found == found[:, :1]).all()
    assert set(found[:, 0]) == {0.0, 4.0}
    close(layer(p=1.0).set_train()(x), 0)


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


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: nn.GroupNorm(2, 4)(x), (2, 4, 2, 3)),
        (lambda x: ops.layer_norm(x, (4,)), (3, 4)),
        (lambda x: ops.avg_pool3d(x * x, 2), (1, 1, 3, 3, 3)),
        (lambda x: ops.max_pool3d(x * x, 2), (1, 1, 3, 3, 3)),
        (lambda x: ops.interpolate(x * x, size=(3, 5), mode="bilinear"), (1, 2, 4, 2)),
        (lambda x: ops.pad(x * x, (1, 2), "reflect"), (2, 4)),
        (lambda x: ops.clip_by_norm(x, ms.Tensor(0.5, ms.float64)), (3, 2)),
        (lambda x: ops.glu(x), (3, 4)),
        (lambda x: ops.softplus(x, 2, 1.5), (9,)),
        (lambda x: ops.unfold(x * x, 2), (1, 1, 3, 3)),
    ],
)
def test_the_gradient_of_the_gradient_is_the_difference_quotient(function, shape):
    rng = np.random.default_rng(3)
    x, way = rng.uniform(0.2, 1.0, shape), ms.Tensor(rng.standard_normal(shape))

    def slope(x):
        first = ms.grad(lambda x: (function(x) * function(x)).sum())(x)
        return (first * way).sum()

    assert_differentiated(slope, x)
