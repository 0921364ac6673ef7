"""Layers and losses: arguments, Parameters, initial values, printed forms, and their errors.

Values and gradients are held to MindSpore's in ``tests/conformance/test_layers.py``.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.core import seeds


def ones(*shape, dtype=ms.float32):
    return ops.ones(shape, dtype)


def names(cell):
    return [p.name for p in cell.get_parameters()]


def shapes(cell):
    return {path: p.shape for path, p in cell.parameters_and_names()}


# Parameters

BN = ["mean", "variance", "gamma", "beta"]
RNN = ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: nn.Dense(2, 3), ["weight", "bias"]),
        (lambda: nn.Dense(2, 3, has_bias=False), ["weight"]),
        (lambda: nn.Conv2d(2, 3, 1), ["weight"]),
        (lambda: nn.Conv2d(2, 3, 1, has_bias=True), ["weight", "bias"]),
        (lambda: nn.BatchNorm1d(2), BN),
        (lambda: nn.BatchNorm2d(2), BN),
        (lambda: nn.BatchNorm3d(2), ["bn2d.moving_mean", "bn2d.moving_variance", "bn2d.gamma", "bn2d.beta"]),
        (lambda: nn.LayerNorm((2,)), ["gamma", "beta"]),
        (lambda: nn.LSTMCell(2, 3), RNN),
        (lambda: nn.GRUCell(2, 3), RNN),
        (lambda: nn.RNNCell(2, 3, has_bias=False), RNN[:2]),
        (lambda: nn.PReLU(), ["a"]),
        (lambda: nn.Dropout(), []),
    ],
)
def test_a_layer_that_stands_alone_has_mindspores_parameter_names(make, expected):
    assert names(make()) == expected


def test_shapes_of_parameters_follow_the_arguments():
    assert shapes(nn.Dense(2, 3)) == {"weight": (3, 2), "bias": (3,)}
    assert shapes(nn.Conv2d(4, 6, (3, 5), group=2, has_bias=True)) == {"weight": (6, 2, 3, 5), "bias": (6,)}
    assert shapes(nn.LSTMCell(2, 3)) == {"weight_ih": (12, 2), "weight_hh": (12, 3), "bias_ih": (12,), "bias_hh": (12,)}
    assert shapes(nn.GRUCell(2, 3))["weight_ih"] == (9, 2)
    assert shapes(nn.RNNCell(2, 3))["weight_hh"] == (3, 3)
    assert shapes(nn.LayerNorm([2, 3])) == {"gamma": (2, 3), "beta": (2, 3)}
    assert shapes(nn.PReLU(3)) == {"w": (3,)}


# Initial values

FILLED_EVENLY = [
    ("Dense", lambda: nn.Dense(256, 400), 1 / 16),
    ("Conv2d", lambda: nn.Conv2d(16, 64, 3, has_bias=True), 1 / 12),
    ("Conv2d in groups", lambda: nn.Conv2d(16, 64, 3, group=4, has_bias=True), 1 / 6),
    ("LSTMCell", lambda: nn.LSTMCell(64, 100), 0.1),
    ("GRUCell", lambda: nn.GRUCell(64, 100), 0.1),
    ("RNNCell", lambda: nn.RNNCell(64, 100), 0.1),
]


@pytest.mark.parametrize(("make", "bound"), [row[1:] for row in FILLED_EVENLY], ids=[row[0] for row in FILLED_EVENLY])
def test_weights_and_biases_begin_uniform_within_one_over_root_fan_in(make, bound):
    for p in make().get_parameters():
        values, count = p.asnumpy().astype(np.float64) / bound, p.size
        assert np.abs(values).max() <= 1 + 1e-6, p.name
        assert np.abs(values).max() > 1 - 10 / count, p.name
        assert abs(values.mean()) < 5 / np.sqrt(3 * count), p.name
        assert abs(np.abs(values).mean() - 0.5) < 5 / np.sqrt(12 * count), p.name


def test_normalization_begins_as_the_identity_with_statistics_zero_and_one():
    values = lambda layer: {p.name: set(p.asnumpy().tolist()) for p in layer.get_parameters()}  # noqa: E731
    assert values(nn.BatchNorm2d(3)) == {"mean": {0.0}, "variance": {1.0}, "gamma": {1.0}, "beta": {0.0}}
    assert values(nn.LayerNorm((3,))) == {"gamma": {1.0}, "beta": {0.0}}
    assert nn.PReLU(2).w.asnumpy().tolist() == [0.25, 0.25]


def build_some():
    layers = [nn.Dense(3, 4), nn.Conv2d(2, 3, 3), nn.LSTMCell(2, 3), nn.BatchNorm2d(2)]
    return [p.asnumpy() for layer in layers for p in layer.get_parameters()]


def test_a_given_seed_gives_the_same_network(restored):
    ms.set_seed(7)
    first = build_some()
    ms.set_seed(7)
    second = build_some()
    ms.set_seed(8)
    third = build_some()
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0], third[0])


def test_initial_values_may_be_named_numbers_or_tensors():
    weight = ms.Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    layer = nn.Dense(2, 3, weight_init=weight, bias_init=0.5)
    np.testing.assert_array_equal(layer.weight.asnumpy(), weight.asnumpy())
    np.testing.assert_array_equal(layer.bias.asnumpy(), np.full(3, 0.5))
    assert nn.Conv2d(1, 1, 2, weight_init="ones").weight.asnumpy().tolist() == [[[[1, 1], [1, 1]]]]


# Printed forms

BN_REPR = (
    "num_features=4, eps=1e-05, momentum=0.9, "
    "gamma=Parameter (name={0}gamma, shape=(4,), dtype=Float32, requires_grad=True), "
    "beta=Parameter (name={0}beta, shape=(4,), dtype=Float32, requires_grad=True), "
    "moving_mean=Parameter (name={1}mean, shape=(4,), dtype=Float32, requires_grad=False), "
    "moving_variance=Parameter (name={1}variance, shape=(4,), dtype=Float32, requires_grad=False)"
)
PRINTED = [
    (lambda: nn.Dense(2, 3), "Dense<input_channels=2, output_channels=3, has_bias=True>"),
    (lambda: nn.Dense(2, 3, has_bias=False), "Dense<input_channels=2, output_channels=3>"),
    (
        lambda: nn.Conv2d(1, 6, 5, 2, "pad", 1, has_bias=True, weight_init="normal", bias_init="zeros"),
        "Conv2d<input_channels=1, output_channels=6, kernel_size=(5, 5), stride=(2, 2), pad_mode=pad, padding=1, "
        "dilation=(1, 1), group=1, has_bias=True, weight_init=normal, bias_init=zeros, format=NCHW>",
    ),
    (lambda: nn.MaxPool2d(2, 2), "MaxPool2d<kernel_size=2, stride=2, pad_mode=VALID>"),
    (lambda: nn.AvgPool2d(3, 1, "same"), "AvgPool2d<kernel_size=3, stride=1, pad_mode=SAME>"),
    (lambda: nn.BatchNorm1d(4), f"BatchNorm1d<{BN_REPR.format('', '')}>"),
    (lambda: nn.BatchNorm2d(4), f"BatchNorm2d<{BN_REPR.format('', '')}>"),
    (
        lambda: nn.BatchNorm3d(4),
        f"BatchNorm3d<\n  (bn2d): BatchNorm2d<{BN_REPR.format('bn2d.', 'bn2d.moving_')}>\n  >",
    ),
    (lambda: nn.Dropout(p=0.3), "Dropout<p=0.3>"),
    (lambda: nn.Dropout(0.3), "Dropout<keep_prob=0.3>"),
    (lambda: nn.Flatten(), "Flatten<>"),
    (lambda: nn.Roll(1, 0), "Roll<>"),
    (lambda: nn.ReLU(), "ReLU<>"),
    (lambda: nn.ReLU6(), "ReLU6<>"),
    (lambda: nn.Sigmoid(), "Sigmoid<>"),
    (lambda: nn.Tanh(), "Tanh<>"),
    (lambda: nn.GELU(), "GELU<>"),
    (lambda: nn.Softmax(), "Softmax<>"),
    (lambda: nn.LogSoftmax(), "LogSoftmax<>"),
    (lambda: nn.PReLU(), "PReLU<>"),
    (lambda: nn.Identity(), "Identity<>"),
    (lambda: nn.LSTMCell(1, 2), "LSTMCell<>"),
    (lambda: nn.GRUCell(1, 2), "GRUCell<>"),
    (lambda: nn.RNNCell(1, 2), "RNNCell<>"),
    (lambda: nn.MSELoss(), "MSELoss<>"),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(), "SoftmaxCrossEntropyWithLogits<>"),
]


@pytest.mark.parametrize(("make", "text"), PRINTED, ids=[text.split("<")[0] for _, text in PRINTED])
def test_the_printed_form_of_a_layer_is_mindspores(make, text):
    assert repr(make()) == text


# Errors of arguments

WRONG_ARGUMENTS = [
    (TypeError, r"For 'Dense', the 'in_channels' must be an int, but got 1\.5\.", lambda: nn.Dense(1.5, 2)),
    (TypeError, r"For 'Dense', the 'out_channels' must be an int, but got True\.", lambda: nn.Dense(1, True)),
    (ValueError, r"For 'Dense', the 'in_channels' must be above 0, but got 0\.", lambda: nn.Dense(0, 2)),
    (TypeError, r"For 'Dense', the 'has_bias' must be a bool, but got 1\.", lambda: nn.Dense(1, 2, has_bias=1)),
    (TypeError, "For 'Dense', the 'activation' must be", lambda: nn.Dense(1, 2, activation=3)),
    (KeyError, "must be one of .*'relu'.*, but got 'foo'", lambda: nn.Dense(1, 2, activation="foo")),
    (
        ValueError,
        r"For 'Dense', the 'weight_init' must have the shape \(4, 3\), but got \(3, 4\)\.",
        lambda: nn.Dense(3, 4, weight_init=ones(3, 4)),
    ),
    (ValueError, r"For 'Dense', the 'bias_init' must have the shape \(4,\)", lambda: nn.Dense(3, 4, bias_init=ones(3))),
    (TypeError, "For 'Roll', the 'shift'", lambda: nn.Roll(1.0, 0)),
    (ValueError, "For 'Roll', the 'shift' and 'axis' must be of one length", lambda: nn.Roll([1, 2], [0])),
    (TypeError, "For 'Conv2d', the 'in_channels' must be an int", lambda: nn.Conv2d("a", 2, 3)),
    (ValueError, "For 'Conv2d', the 'out_channels' must be above 0", lambda: nn.Conv2d(1, 0, 3)),
    (ValueError, "the 'in_channels' must be divisible by 'group', 2, but got 3", lambda: nn.Conv2d(3, 4, 3, group=2)),
    (ValueError, "the 'out_channels' must be divisible by 'group', 3", lambda: nn.Conv2d(3, 4, 3, group=3)),
    (TypeError, "For 'Conv2d', the 'kernel_size' must be", lambda: nn.Conv2d(1, 2, 2.5)),
    (ValueError, "For 'Conv2.', the '(pad_mode|padding|pad)'", lambda: nn.Conv2d(1, 2, 3, pad_mode="foo")),
    (ValueError, "For 'Conv2.', the 'pad", lambda: nn.Conv2d(1, 2, 3, padding=1)),
    (ValueError, "For 'Conv2d', the 'stride'", lambda: nn.Conv2d(1, 2, 3, stride=0)),
    (ValueError, "For 'Conv2d', the 'weight_init' must", lambda: nn.Conv2d(1, 2, 3, weight_init=ones(2, 1, 5, 5))),
    (ValueError, "For 'MaxPool2d', the 'pad_mode' must be", lambda: nn.MaxPool2d(2, pad_mode="x")),
    (ValueError, "For 'MaxPool', the 'kernel_size'", lambda: nn.MaxPool2d(0)),
    (ValueError, "For 'MaxPool', the 'strides'", lambda: nn.MaxPool2d(2, 0)),
    (TypeError, "For 'MaxPool', the 'kernel_size'", lambda: nn.MaxPool2d(2.5)),
    (TypeError, "For 'AvgPool', the 'kernel_size'", lambda: nn.AvgPool2d("a")),
    (ValueError, r"For 'BatchNorm2d', the 'num_features' must be above 0, but got 0\.", lambda: nn.BatchNorm2d(0)),
    (TypeError, "For 'BatchNorm1d', the 'num_features' must be an int", lambda: nn.BatchNorm1d(2.0)),
    (ValueError, r"the 'momentum' must be in \[0, 1\], but got 2\.", lambda: nn.BatchNorm2d(2, momentum=2)),
    (TypeError, "the 'affine' must be a bool, but got 1", lambda: nn.BatchNorm2d(2, affine=1)),
    (TypeError, "the 'use_batch_statistics' must be a bool", lambda: nn.BatchNorm2d(2, use_batch_statistics=1)),
    (ValueError, "For 'BatchNorm2d', the 'data_format' must be", lambda: nn.BatchNorm2d(2, data_format="X")),
    (ValueError, "For 'BatchNorm3d', the 'data_format' must be", lambda: nn.BatchNorm3d(2, data_format="NCHW")),
    (
        ValueError,
        "For 'SyncBatchNorm', the 'process_groups' must be None",
        lambda: nn.SyncBatchNorm(2, process_groups=[]),
    ),
    (
        TypeError,
        "For 'LayerNorm', the 'normalized_shape' must be a tuple or a list, but got int",
        lambda: nn.LayerNorm(3),
    ),
    (ValueError, r"For 'Dropout', the 'p' must be in \[0, 1\), but got 1\.5\.", lambda: nn.Dropout(p=1.5)),
    (ValueError, r"For 'Dropout', the 'p' must be in \[0, 1\), but got 1\.", lambda: nn.Dropout(p=1)),
    (ValueError, r"For 'Dropout', the 'keep_prob' must be in \(0, 1\], but got 1\.5\.", lambda: nn.Dropout(1.5)),
    (TypeError, "For 'Dropout', the 'p' must be a float, but got 'a'", lambda: nn.Dropout(p="a")),
    (TypeError, r"For 'PReLU', the 'channel' must be an int, but got 1\.0\.", lambda: nn.PReLU(1.0)),
    (ValueError, r"For 'PReLU', the 'channel' must be above 0, but got 0\.", lambda: nn.PReLU(0)),
    (TypeError, "For 'PReLU', the 'w' must be a float, a list or a Tensor, but got 'a'", lambda: nn.PReLU(2, "a")),
    (ValueError, r"For 'PReLU', the 'w' must have the shape \(2,\), but got \(3,\)\.", lambda: nn.PReLU(2, [1, 2, 3])),
    (ValueError, r"For 'LSTMCell', the 'hidden_size' must be above 0, but got 0\.", lambda: nn.LSTMCell(1, 0)),
    (TypeError, "For 'GRUCell', the 'input_size' must be an int", lambda: nn.GRUCell(1.0, 2)),
    (TypeError, "For 'LSTMCell', the 'has_bias' must be a bool, but got 1", lambda: nn.LSTMCell(1, 2, 1)),
    (
        ValueError,
        "For 'RNNCell', the 'nonlinearity' must be 'tanh' or 'relu'",
        lambda: nn.RNNCell(1, 2, nonlinearity="x"),
    ),
    (
        ValueError,
        "For 'MSELoss', the 'reduction' must be 'mean', 'sum' or 'none', but got 'avg'",
        lambda: nn.MSELoss("avg"),
    ),
    (ValueError, "For 'L1Loss', the 'reduction' must be", lambda: nn.L1Loss(3)),
    (TypeError, "the 'sparse' must be a bool, but got 1", lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=1)),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG_ARGUMENTS, ids=[row[1][:50] for row in WRONG_ARGUMENTS])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()


# Errors of inputs

F16 = ms.float16
WRONG_INPUTS = [
    (ValueError, r"For 'Dense', the last axis .* 'in_channels', 3, .*\(2, 5\)", lambda: nn.Dense(3, 4)(ones(2, 5))),
    (ValueError, r"For 'Dense', the last axis .* 'in_channels', 3, .*\(\)", lambda: nn.Dense(3, 4)(ms.Tensor(1.0))),
    (TypeError, "For 'Dense', the 'x' must be a Tensor, but got list", lambda: nn.Dense(3, 4)([1.0, 2.0, 3.0])),
    (
        TypeError,
        r"For 'Dense', the 'x' must have the weight's dtype, Float32, but got Float16",
        lambda: nn.Dense(3, 4)(ones(2, 3, dtype=F16)),
    ),
    (ValueError, "For 'Conv2d', axis 1 of 'x' .* 'in_channels', 3", lambda: nn.Conv2d(3, 4, 3)(ones(1, 2, 5, 5))),
    (
        TypeError,
        "For 'Conv2d', the 'x' must have the weight's dtype, Float32, but got Float16",
        lambda: nn.Conv2d(1, 1, 1)(ones(1, 1, 5, 5, dtype=F16)),
    ),
    (ValueError, "For 'Conv2d', .*4 axes", lambda: nn.Conv2d(3, 4, 3)(ones(3, 5, 5))),
    (ValueError, "For 'Conv1d', axis 1 of 'x' .* 'in_channels', 3", lambda: nn.Conv1d(3, 4, 3)(ones(1, 2, 5))),
    (ValueError, "For 'Conv3d', axis 1 of 'x' .* 'in_channels', 3", lambda: nn.Conv3d(3, 4, 3)(ones(1, 2, 5, 5, 5))),
    (
        ValueError,
        "For 'Conv2dTranspose', axis 1 of 'x' .* 'in_channels', 3",
        lambda: nn.Conv2dTranspose(3, 4, 3)(ones(1, 2, 5, 5)),
    ),
    (ValueError, "For 'Conv2D', the kernel must fit", lambda: nn.Conv2d(1, 1, 5, pad_mode="valid")(ones(1, 1, 3, 3))),
    (ValueError, "For 'MaxPool2d', the 'x' must have 3 or 4 axes, but got shape", lambda: nn.MaxPool2d(2)(ones(2, 3))),
    (ValueError, "For 'MaxPool', the kernel must fit into the padded input", lambda: nn.MaxPool2d(5)(ones(1, 1, 3, 3))),
    (ValueError, "For 'BatchNorm2d', the 'x' must have 4 axes, but got shape", lambda: nn.BatchNorm2d(3)(ones(2, 3))),
    (ValueError, "For 'BatchNorm1d', the 'x' must have 2 or 3 axes", lambda: nn.BatchNorm1d(2)(ones(1, 2, 3, 3))),
    (ValueError, "For 'BatchNorm3d', the 'x' must have 5 axes", lambda: nn.BatchNorm3d(2)(ones(1, 2, 3, 3))),
    (
        ValueError,
        r"For 'BatchNorm2d', axis 1 of 'x' must have the length of 'num_features', 3",
        lambda: nn.BatchNorm2d(3)(ones(1, 4, 2, 2)),
    ),
    (ValueError, "For 'LayerNorm', .*'normalized_shape', .*got shape", lambda: nn.LayerNorm((4,))(ones(2, 3))),
    (TypeError, "construct.* missing 1 required positional argument: 'hx'", lambda: nn.LSTMCell(3, 4)(ones(2, 3))),
    (
        TypeError,
        r"the 'hx' must be a tuple \(h, c\), but got Tensor",
        lambda: nn.LSTMCell(3, 4)(ones(2, 3), ones(2, 4)),
    ),
    (
        ValueError,
        r"For 'LSTMCell', the 'x' must have the shape \(N, 3\), but got \(2, 5\)\.",
        lambda: nn.LSTMCell(3, 4)(ones(2, 5), (ones(2, 4), ones(2, 4))),
    ),
    (ValueError, r"the 'hx' must have the shape \(2, 4\)", lambda: nn.GRUCell(3, 4)(ones(2, 3), ones(2, 5))),
    (
        TypeError,
        "For 'GRUCell', the 'hx' must be a Tensor, but got tuple",
        lambda: nn.GRUCell(3, 4)(ones(2, 3), (ones(2, 4),)),
    ),
    (TypeError, "For 'MatMul', the type", lambda: nn.RNNCell(3, 4)(ones(2, 3, dtype=F16), ones(2, 4))),
    (ValueError, r"For 'MSELoss', .*\(2, 3\) and \(4, 3\)", lambda: nn.MSELoss()(ones(2, 3), ones(4, 3))),
    (
        TypeError,
        "the 'labels' must be class numbers, of int32 or int64, but got Float32",
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(ones(2, 3), ones(2)),
    ),
    (
        ValueError,
        r"the 'labels' must have the shape \(2,\), .* but got Int64 of shape \(3,\)",
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(ones(2, 3), ms.Tensor([0, 1, 2])),
    ),
    (
        ValueError,
        r"the 'labels' must have the shape \(2, 3\)",
        lambda: nn.SoftmaxCrossEntropyWithLogits()(ones(2, 3), ones(3, 3)),
    ),
]


@pytest.mark.parametrize(("kind", "message", "run"), WRONG_INPUTS, ids=[row[1][:50] for row in WRONG_INPUTS])
def test_an_input_that_does_not_fit_is_refused_by_name(kind, message, run):
    with pytest.raises(kind, match=message):
        run()


# Behaviour that vectors do not show


def test_rolled_elements_and_gradients_are_numpys():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    layer = nn.Roll([1, -2], (0, 1))
    np.testing.assert_array_equal(layer(ms.Tensor(x)).asnumpy(), np.roll(x, (1, -2), (0, 1)))
    found = ms.grad(lambda t: (layer(t) * ms.Tensor(x)).sum())(ms.Tensor(x))
    np.testing.assert_array_equal(found.asnumpy(), np.roll(x, (-1, 2), (0, 1)))
    with pytest.raises(ValueError, match="For 'Roll', the 'axis'"):
        nn.Roll(1, 2)(ms.Tensor(x))


@given(p=st.floats(0.05, 0.95), seed=st.integers(0, 1000))
def test_dropout_zeroes_with_probability_p_and_scales_the_rest(p, seed):
    ms.set_seed(seed)
    try:
        out = nn.Dropout(p=p).set_train()(ones(4000)).asnumpy()
    finally:
        seeds.seed.value = None
    assert set(np.unique(out)) <= {np.float32(0), np.float32(1 / (1 - p))}
    assert abs((out == 0).mean() - p) < 6 * np.sqrt(p * (1 - p) / 4000)


def test_dropout_hands_its_input_on_outside_training_and_at_probability_zero():
    x = ones(5)
    assert nn.Dropout(p=0.5)(x) is x
    assert nn.Dropout(p=0).set_train()(x) is x
    assert nn.Dropout(1.0).set_train()(x) is x


def test_the_gradient_of_dropout_is_zero_where_the_output_is():
    layer, x = nn.Dropout(p=0.5).set_train(), ones(50)
    out, gradient = ms.value_and_grad(layer)(x)
    np.testing.assert_array_equal(gradient.asnumpy(), out.asnumpy())


def test_dropout_draws_anew_in_each_call_and_repeats_with_the_seed(restored):
    layer, x = nn.Dropout(p=0.5).set_train(), ones(100)
    ms.set_seed(3)
    first, second = layer(x).asnumpy(), layer(x).asnumpy()
    ms.set_seed(3)
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(layer(x).asnumpy(), first)


def test_an_activation_may_be_a_name_a_cell_or_a_primitive():
    x, identity = ms.Tensor([[-1.0, 2.0]]), ms.Tensor(np.eye(2, dtype=np.float32))
    for activation in ("relu", nn.ReLU(), ops.ReLU()):
        assert nn.Dense(2, 2, identity, "zeros", activation=activation)(x).asnumpy().tolist() == [[0, 2]]


def test_losses_stay_finite_for_large_logits():
    logits = ms.Tensor([[1000.0, 0.0], [0.0, -1000.0]])
    found = nn.SoftmaxCrossEntropyWithLogits(sparse=True)(logits, ms.Tensor([1, 0])).asnumpy()
    np.testing.assert_allclose(found, [1000, 0])


def test_get_loss_weights_and_reduces():
    loss = nn.LossBase("sum")
    assert loss.get_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 100.0])).asnumpy() == 210


@pytest.mark.parametrize("kind", ["Dense", "Conv2d"])
def test_a_float16_layer_sums_in_float32_and_rounds_once(kind):
    layer, rng = nn.Dense(3, 4) if kind == "Dense" else nn.Conv2d(3, 4, 3, has_bias=True), np.random.default_rng(5)
    shape = (5, 3) if kind == "Dense" else (2, 3, 6, 6)
    x = rng.normal(size=shape).astype(np.float16)
    for p in layer.get_parameters():
        p.set_data(ms.Tensor(p.asnumpy().astype(np.float16).astype(np.float32)))
    layer.bias.set_data(ms.Tensor(np.zeros(4, np.float32)))
    wide = layer(ms.Tensor(x.astype(np.float32))).asnumpy()
    narrow = layer.to_float(ms.float16)(ms.Tensor(x)).asnumpy()
    assert narrow.dtype == np.float16
    np.testing.assert_array_equal(narrow, wide.astype(np.float16))
