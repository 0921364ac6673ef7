"""Convolution layers along one and three axes and transposed ones: arguments, Parameters, printed forms and errors.

Values and gradients are held to MindSpore's in ``tests/conformance/test_layers.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import amp, nn, ops
from minispore.nn.layer import conv

LAYERS = [nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.Conv1dTranspose, nn.Conv2dTranspose, nn.Conv3dTranspose]
AXES = {nn.Conv1d: 1, nn.Conv2d: 2, nn.Conv3d: 3, nn.Conv1dTranspose: 1, nn.Conv2dTranspose: 2, nn.Conv3dTranspose: 3}
FORWARD_OF = {nn.Conv1dTranspose: nn.Conv1d, nn.Conv2dTranspose: nn.Conv2d, nn.Conv3dTranspose: nn.Conv3d}


def ones(*shape, dtype=ms.float32):
    return ops.ones(shape, dtype)


def random(rng, *shape):
    return ms.Tensor(rng.standard_normal(shape))


# Parameters


def test_weights_have_mindspores_shapes_and_rows_are_planes_of_height_one():
    shapes = [layer(4, 6, 3, group=2, has_bias=True).weight.shape for layer in LAYERS]
    assert shapes[:3] == [(6, 2, 1, 3), (6, 2, 3, 3), (6, 2, 3, 3, 3)]
    assert shapes[3:] == [(4, 3, 1, 3), (4, 3, 3, 3), (4, 3, 3, 3, 3)]
    for layer in LAYERS:
        assert [(p.name, p.shape[0]) for p in layer(4, 6, 3, has_bias=True).get_parameters()][1] == ("bias", 6)


@pytest.mark.parametrize("layer", LAYERS)
def test_weight_and_bias_begin_uniform_within_one_over_the_root_of_axis_one_and_kernel(layer):
    made = layer(16, 256, 2, group=2, has_bias=True)
    taken = 128 if layer in FORWARD_OF else 8
    bound = 1 / np.sqrt(taken * 2 ** AXES[layer])
    for p in made.get_parameters():
        values = np.abs(p.asnumpy().astype(np.float64)) / bound
        assert values.max() <= 1 + 1e-6 and values.max() > 1 - 10 / p.size
        assert abs(values.mean() - 0.5) < 5 / np.sqrt(12 * p.size)


def test_a_convolution_of_rows_is_none_of_planes():
    """Else whoever lists Conv2d, for a black list or a weight's initial values, would mean Conv1d too."""
    assert not issubclass(nn.Conv1d, nn.Conv2d) and not issubclass(nn.Conv1dTranspose, nn.Conv2dTranspose)


def test_an_initial_weight_of_rows_has_three_axes():
    values = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    for layer in (nn.Conv1d, nn.Conv1dTranspose):
        np.testing.assert_array_equal(
            layer(2, 2, 3, weight_init=ms.Tensor(values)).weight.asnumpy(), values[:, :, None]
        )


def test_all_six_and_their_operations_are_white_listed_in_the_order_of_mindspores_amp():
    layers, operations = amp.get_white_list()[:10], amp.get_white_list()[10:]
    cells = [nn.Dense, nn.LSTMCell, nn.RNNCell, nn.GRUCell]
    assert layers == [*LAYERS, *cells]
    assert operations[:5] == [ops.Conv2D, ops.Conv3D, ops.Conv2DTranspose, ops.Conv3DTranspose, ops.Conv2DBackpropInput]
    assert operations[5:] == [ops.MatMul, ops.BatchMatMul, ops.PReLU, ops.ReLU, ops.Ger]


# What they compute


@st.composite
def geometries(draw):
    """(transposed layer, arguments, lengths): one that a convolution inverts, without output padding."""
    layer = draw(st.sampled_from(list(FORWARD_OF)))
    kernel, stride, dilation = (draw(st.integers(1, 3)) for _ in range(3))
    mode = draw(st.sampled_from(["same", "valid", "pad"]))
    padding = draw(st.integers(0, dilation * (kernel - 1) // 2)) if mode == "pad" else 0
    arguments = {"kernel_size": kernel, "stride": stride, "dilation": dilation, "pad_mode": mode, "padding": padding}
    return layer, arguments, [draw(st.integers(1, 4)) for _ in range(AXES[layer])]


@given(geometries(), st.integers(1, 2), st.integers(0, 99))
def test_a_transposed_layer_is_the_gradient_of_the_forward_one(case, group, seed):
    layer, arguments, lengths = case
    rng = np.random.default_rng(seed)
    back = layer(2, 4, group=group, **arguments)
    weight = random(rng, *back.weight.shape)
    back.weight = ms.Parameter(weight)
    x = random(rng, 2, 2, *lengths)
    out = back(x)
    forward = FORWARD_OF[layer](4, 2, group=group, **arguments)
    forward.weight = ms.Parameter(weight)
    y = random(rng, *out.shape)
    np.testing.assert_allclose(float((forward(y) * x).sum()), float((out * y).sum()), rtol=1e-9, atol=1e-9)


def test_output_padding_beyond_the_stride_adds_what_windows_reach_and_then_zeros():
    x, w = ones(1, 1, 1, 1, 2), ones(1, 1, 1, 1, 2)
    sizes = {"pad_mode": "pad", "dilation": (1, 1, 4), "output_padding": (0, 0, 3)}
    cases = ((0, 0, [1, 1, 0, 0, 1, 1, 0, 0, 0]), (0, 2, [1, 1, 0, 0, 1, 1, 0]), (1, 1, [1, 0, 0, 1, 1, 0, 0]))
    for before, after, expected in cases:  # PyTorch's conv_transpose3d
        out = ops.Conv3DTranspose(1, 1, (1, 1, 2), pad=(0, 0, 0, 0, before, after), **sizes)(x, w)
        np.testing.assert_array_equal(out.asnumpy().ravel(), expected)


def test_float16_accumulates_in_float32():
    for layer, axes in AXES.items():
        made = layer(512, 8, 1, weight_init="ones").to_float(ms.float16)
        out = made(ones(1, 512, *[3] * axes) * 8.01)
        assert out.dtype == ms.float16 and np.unique(out.asnumpy()) == [np.float16(512 * float(np.float16(8.01)))]


# Printed forms

REST = "group=1, has_bias=False, weight_init=None, bias_init=None"
FORMS = [
    ("kernel_size=(1, 3), stride=(1, 2), pad_mode=pad, padding=(0, 0, 1, 1), dilation=(1, 1)", "NCHW"),
    ("kernel_size=(3, 3), stride=(2, 2), pad_mode=pad, padding=1, dilation=(1, 1)", "NCHW"),
    ("kernel_size=(3, 3, 3), stride=(2, 2, 2), pad_mode=pad, padding=1, dilation=(1, 1, 1)", "NCDHW"),
]


@pytest.mark.parametrize("layer", LAYERS)
def test_the_printed_form_is_mindspores(layer):
    sizes, data_format = FORMS[AXES[layer] - 1]
    told = f"{layer.__name__}<input_channels=4, output_channels=6, {sizes}, {REST}, format={data_format}>"
    assert repr(layer(4, 6, 3, 2, "pad", 1)) == told


# Errors

WRONG_EVERYWHERE = [
    (TypeError, "the 'in_channels' must be an int", ("a", 2, 3), {}),
    (ValueError, "the 'out_channels' must be above 0", (1, 0, 3), {}),
    (ValueError, "the 'in_channels' must be divisible by 'group', 3, but got 4", (4, 6, 3), {"group": 3}),
    (TypeError, "the 'has_bias' must be a bool, but got 1", (4, 6, 3), {"has_bias": 1}),
    (TypeError, "the 'kernel_size' must be an int", (4, 6, 2.5), {}),
    (ValueError, "the 'kernel_size' must be above 0, but got 0", (4, 6, 0), {}),
    (ValueError, "the 'stride' must be above 0", (4, 6, 3), {"stride": 0}),
    (ValueError, "the 'dilation' must be above 0", (4, 6, 3), {"dilation": 0}),
    (ValueError, "the 'pad_mode' must be 'same', 'valid' or 'pad', but got 'foo'", (4, 6, 3), {"pad_mode": "foo"}),
    (ValueError, "the 'pad' must be 0 where 'pad_mode' is not 'pad'", (4, 6, 3), {"padding": 1}),
    (ValueError, "the 'padd?i?n?g?' must be .*at least 0", (4, 6, 3), {"pad_mode": "pad", "padding": -1}),
    (TypeError, "the 'padd?i?n?g?' must be an int", (4, 6, 3), {"pad_mode": "pad", "padding": 1.5}),
    (ValueError, "the 'weight_init' must have", (4, 6, 3), {"weight_init": ones(6, 4)}),
]


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize(("kind", "text", "args", "kwargs"), WRONG_EVERYWHERE)
def test_a_wrong_argument_is_refused_by_name(layer, kind, text, args, kwargs):
    with pytest.raises(kind, match=f"^For '{layer.__name__[:4]}.*{text}"):
        layer(*args, **kwargs)


WRONG_SIZES = [
    (TypeError, "For 'Conv1d', the 'kernel_size' must be an int", lambda: nn.Conv1d(4, 6, (1, 3))),
    (TypeError, "For 'Conv1d', the 'stride' must be an int", lambda: nn.Conv1d(4, 6, 3, (1, 2))),
    (TypeError, "For 'Conv1d', the 'padding' must be an int", lambda: nn.Conv1d(4, 6, 3, 1, "pad", (1, 2))),
    (TypeError, "For 'Conv1dTranspose', the 'kernel_size'", lambda: nn.Conv1dTranspose(4, 6, (3, 3))),
    (TypeError, "For 'Conv2d', the 'kernel_size' must be an int or two ints", lambda: nn.Conv2d(4, 6, (3, 3, 3))),
    (TypeError, "For 'Conv2dTranspose', the 'kernel_size'", lambda: nn.Conv2dTranspose(4, 6, (3, 3, 3))),
    (ValueError, "For 'Conv3d', the 'kernel_size' must be an int or three ints", lambda: nn.Conv3d(4, 6, (3, 3))),
    (ValueError, "the 'pad' must be an int or six ints", lambda: nn.Conv3d(4, 6, 3, 1, "pad", (1, 1, 1, 1))),
    (ValueError, "the 'pad' must be an int or four ints", lambda: nn.Conv2dTranspose(4, 6, 3, 1, "pad", (1, 1, 1))),
    (ValueError, "For 'Conv3D', the 'data_format' must be 'NCDHW'", lambda: nn.Conv3d(4, 6, 3, data_format="NDHWC")),
    (
        ValueError,
        "For 'Conv1d', the 'weight_init' must have 3",
        lambda: nn.Conv1d(4, 6, 3, weight_init=ones(6, 4, 1, 3)),
    ),
    (ValueError, "the 'output_padding' must be 0 where", lambda: nn.Conv2dTranspose(4, 6, 3, 2, output_padding=1)),
    (ValueError, "the 'output_padding' must be 0 where", lambda: nn.Conv3dTranspose(4, 6, 3, 2, output_padding=1)),
    (
        ValueError,
        r"must be below the larger of 'stride' and 'dilation', \(2, 2\), but got \(2, 2\)",
        lambda: nn.Conv2dTranspose(4, 6, 3, 2, "pad", output_padding=2),
    ),
    (ValueError, "at least 0", lambda: nn.Conv2dTranspose(4, 6, 3, pad_mode="pad", output_padding=-1)),
    (
        TypeError,
        "the 'output_padding' must be",
        lambda: nn.Conv3dTranspose(4, 6, 3, pad_mode="pad", output_padding=0.5),
    ),
    (ValueError, "For 'Conv3D', the 'mode' must be 1", lambda: ops.Conv3D(2, 2, mode=2)),
    (ValueError, "For 'Conv3D', the 'stride' must be an int or three ints", lambda: ops.Conv3D(2, 2, stride=(1, 1))),
    (
        ValueError,
        "For 'Conv3DTranspose', the 'out_channel' must be divisible",
        lambda: ops.Conv3DTranspose(2, 3, 2, group=2),
    ),
]


@pytest.mark.parametrize(("kind", "text", "call"), WRONG_SIZES)
def test_a_size_for_other_axes_is_refused_with_mindspores_exception(kind, text, call):
    with pytest.raises(kind, match=text):
        call()


@pytest.mark.parametrize("layer", LAYERS)
def test_an_input_that_does_not_fit_is_refused(layer):
    axes, made = [5] * AXES[layer], layer(4, 6, 3, pad_mode="valid")
    for x in (ones(1, 3, *axes), ones(1, 4, *axes, 5), ones(4, *axes)):
        with pytest.raises(ValueError, match=r"^For 'Conv"):
            made(x)
    for dtype in (ms.int32, ms.float16):
        with pytest.raises(TypeError, match=r"^For 'Conv"):
            made(ones(1, 4, *axes, dtype=dtype))
    if layer not in FORWARD_OF:
        with pytest.raises(ValueError, match="the kernel must fit into the padded input"):
            made(ones(1, 4, *axes[1:], 2))


class Standardized(conv._Conv):
    """A convolution of a user: the weight has mean 0 for each output channel."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        sizes = {"pad_mode": self.pad_mode, "pad": self.padding, "stride": self.stride, "dilation": self.dilation}
        self.conv2d = ops.Conv2D(self.out_channels, self.kernel_size, 1, group=self.group, **sizes)

    def construct(self, x):
        return self.conv2d(x, self.weight - self.weight.mean((1, 2, 3), keep_dims=True))


BASE_SIZES = (3, 3), (1, 1), "same", 0, (1, 1)


def test_a_users_convolution_has_the_sizes_and_parameters_of_the_base():
    net = Standardized(4, 6, *BASE_SIZES, 2, True, "normal", "zeros")
    assert net(ops.ones((1, 4, 5, 5))).shape == (1, 6, 5, 5)
    assert [(p.name, p.shape) for p in net.get_parameters()] == [("weight", (6, 2, 3, 3)), ("bias", (6,))]
    assert isinstance(nn.Conv2d(4, 6, 3), conv._Conv) and "kernel_size=(3, 3), stride=(1, 1), pad_mode=same" in str(net)
    assert conv._Conv(4, 6, *BASE_SIZES, 2, True, "normal", "zeros", transposed=True).weight.shape == (4, 3, 3, 3)


def test_the_base_of_convolutions_computes_nothing_and_takes_tuples():
    with pytest.raises(NotImplementedError, match="'construct' is not defined"):
        conv._Conv(4, 6, *BASE_SIZES, 1, False, "normal", "zeros")(ops.ones((1, 4, 5, 5)))
    with pytest.raises(TypeError, match=r"^For '_Conv', the 'kernel_size' must be a tuple of ints, but got 3\.$"):
        conv._Conv(4, 6, 3, *BASE_SIZES[1:], 1, False, "normal", "zeros")


def test_a_shape_of_other_axes_is_refused_in_the_layers_name():
    assert conv._check_input_3d((1, 2, 3), "Conv1d") is conv._check_input_5dims((1, 2, 3, 4, 5), "Conv3d") is None
    with pytest.raises(ValueError, match=r"^For 'Conv1d', the 'x' must have 3 axes, but got shape \(1, 2\)\.$"):
        conv._check_input_3d((1, 2), "Conv1d")
    with pytest.raises(ValueError, match="must have 5 axes"):
        conv._check_input_5dims((1, 2), "Conv3d")
