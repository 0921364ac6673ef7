"""Attention and Transformers keep their laws: what masks hide has no influence, and copies are their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops


def normal(*shape, dtype=np.float32, seed=0):
    return ms.Tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attended(cell, x, mask=0.0):
    """The formula, in float64, for one sample: weights of every head, and the output."""
    w, b = cell.in_proj_weight.asnumpy().astype(float), cell.in_proj_bias.asnumpy()
    length, heads, width = len(x), cell.num_heads, cell.head_dim
    q, k, v = (
        (x @ part.T + c).reshape(length, heads, width).swapaxes(0, 1)
        for part, c in zip(np.split(w, 3), np.split(b, 3), strict=True)
    )
    weights = softmax(q @ k.swapaxes(1, 2) / np.sqrt(width) + mask)
    joined = (weights @ v).swapaxes(0, 1).reshape(length, -1)
    return weights, joined @ cell.out_proj.weight.asnumpy().T + cell.out_proj.bias.asnumpy()


@given(length=st.integers(1, 5), samples=st.integers(1, 3), heads=st.sampled_from([1, 2, 4]), first=st.booleans())
def test_attention_is_its_formula_for_each_sample(length, samples, heads, first):
    cell = nn.MultiheadAttention(8, heads, batch_first=first)
    x, mask = normal(samples, length, 8), normal(length, length, seed=1)
    given_x = x if first else x.transpose(1, 0, 2)
    out, weights = cell(given_x, given_x, given_x, attn_mask=mask, average_attn_weights=False)
    out = out if first else out.transpose(1, 0, 2)
    for n in range(samples):
        expected, y = attended(cell, x.asnumpy()[n], mask.asnumpy())
        np.testing.assert_allclose(weights.asnumpy()[n], expected, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(out.asnumpy()[n], y, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize("mask", [None, "bool", "float"])
def test_a_key_that_is_padding_has_no_influence_whatever_the_other_mask(floats, mask):
    """MindSpore 2.0.0 adds 1 to the scores of padding where the other mask is of floats."""
    cell, x = nn.MultiheadAttention(8, 2), np.random.default_rng(0).standard_normal((4, 2, 8)).astype(np.float32)
    padding = np.array([[0, 0, 0, 1], [0, 1, 0, 0]], bool)
    given_padding = ms.Tensor(np.where(padding, -np.inf, 0).astype(np.float32) if floats else padding)
    other = {None: None, "bool": ms.Tensor(np.eye(4) > 0), "float": normal(4, 4, seed=2)}[mask]
    out, weights = cell(normal(4, 2, 8, seed=3), ms.Tensor(x), ms.Tensor(x), given_padding, attn_mask=other)
    assert (weights.asnumpy()[0, :, 3] == 0).all() and (weights.asnumpy()[1, :, 1] == 0).all()
    x[3, 0], x[1, 1] = 100, -100
    same = cell(normal(4, 2, 8, seed=3), ms.Tensor(x), ms.Tensor(x), given_padding, attn_mask=other)[0]
    np.testing.assert_allclose(same.asnumpy(), out.asnumpy(), rtol=1e-5, atol=1e-6)


def test_a_query_whose_keys_are_all_left_out_gets_nan():
    cell, x = nn.MultiheadAttention(8, 2), normal(3, 1, 8)
    weights = cell(x, x, x, attn_mask=ms.Tensor(np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.uint8)))[1].asnumpy()
    assert np.isnan(weights[0, 1]).all() and np.isfinite(weights[0, [0, 2]]).all()


@pytest.mark.parametrize("same", ["query", "key", "none"])
def test_inputs_that_are_one_tensor_are_projected_as_several_equal_ones(same):
    cell, x = nn.MultiheadAttention(8, 2), normal(3, 2, 8)
    key = x if same == "query" else x.copy()
    value = key if same in ("query", "key") else x.copy()
    expected = cell(x.copy(), x.copy(), x.copy())
    for a, b in zip(cell(x, key, value), expected, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)


def test_without_need_weights_there_is_a_tuple_of_one():
    x = normal(3, 2, 8)
    assert [y.shape for y in nn.MultiheadAttention(8, 2)(x, x, x, need_weights=False)] == [(3, 2, 8)]


@pytest.mark.usefixtures("restored")
def test_dropout_zeroes_weights_in_training_only():
    ms.set_seed(1)
    cell, x = nn.MultiheadAttention(8, 2, dropout=0.5), normal(20, 2, 8)
    assert (cell(x, x, x, average_attn_weights=False)[1].asnumpy() > 0).all()
    dropped = cell.set_train()(x, x, x, average_attn_weights=False)[1].asnumpy()
    assert 0.3 < (dropped == 0).mean() < 0.7


def test_parameters_have_mindspores_names_shapes_order_and_beginning():
    shapes = {p.name: p.shape for p in nn.MultiheadAttention(8, 2, add_bias_kv=True).get_parameters()}
    assert list(shapes.items()) == [
        ("in_proj_weight", (24, 8)),
        ("in_proj_bias", (24,)),
        ("bias_k", (1, 1, 8)),
        ("bias_v", (1, 1, 8)),
        ("out_proj.weight", (8, 8)),
        ("out_proj.bias", (8,)),
    ]
    apart = nn.MultiheadAttention(8, 2, kdim=6, vdim=4, has_bias=False)
    assert [(p.name, p.shape) for p in apart.get_parameters()] == [
        ("q_proj_weight", (8, 8)),
        ("k_proj_weight", (8, 6)),
        ("v_proj_weight", (8, 4)),
        ("out_proj.weight", (8, 8)),
    ]
    big = nn.MultiheadAttention(64, 2)
    bounds = {n: np.abs(p.asnumpy()).max() for n, p in big.parameters_dict().items()}
    assert bounds["in_proj_bias"] == 0 and 0.1 < bounds["out_proj.weight"] <= 0.125
    assert 0.14 < bounds["in_proj_weight"] <= np.sqrt(6 / 256)


def names(cell):
    return [p.name for p in cell.get_parameters()]


def test_layers_name_their_parameters_as_mindspore_does():
    attention = ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"]
    linear = [f"{n}.{p}" for n in ("linear1", "linear2") for p in ("weight", "bias")]
    norms = [f"norm{i}.{p}" for i in (1, 2, 3) for p in ("gamma", "beta")]
    encoder = [f"self_attn.{n}" for n in attention] + linear + norms[:4]
    decoder = [f"{a}.{n}" for a in ("self_attn", "multihead_attn") for n in attention] + linear + norms
    assert names(nn.TransformerEncoderLayer(8, 2, 16)) == encoder
    assert names(nn.TransformerDecoderLayer(8, 2, 16)) == decoder
    whole = nn.Transformer(8, 2, 1, 1, 16)
    parts = [("encoder", [f"layers.0.{n}" for n in encoder]), ("decoder", [f"layers.0.{n}" for n in decoder])]
    assert names(whole) == [f"{part}.{n}" for part, inner in parts for n in [*inner, "norm.gamma", "norm.beta"]]
    assert list(nn.TransformerEncoderLayer(8, 2, 16).name_cells()) == [
        "self_attn", "linear1", "dropout", "linear2", "norm1", "norm2", "dropout1", "dropout2",
    ]  # fmt: skip


def test_a_stack_holds_copies_that_begin_alike_and_are_their_own():
    layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0)
    stack = nn.TransformerEncoder(layer, 2)
    first, second = (c.self_attn.in_proj_weight for c in stack.layers)
    np.testing.assert_array_equal(first.asnumpy(), second.asnumpy())
    first.set_data(ops.zeros((24, 8)))
    assert layer.self_attn.in_proj_weight.asnumpy().any() and second.asnumpy().any()
    assert names(layer)[0] == "self_attn.in_proj_weight" and names(stack)[0] == "layers.0.self_attn.in_proj_weight"


@pytest.mark.parametrize("activation", ["gelu", ops.gelu, nn.GELU(False), nn.ReLU(), ops.relu])
def test_activations_are_taken_by_name_as_functions_and_as_layers(activation):
    layer, x = nn.TransformerEncoderLayer(8, 2, 16, 0.0, activation=activation), normal(3, 2, 8)
    relu = getattr(activation, "__name__", "") == "relu" or isinstance(activation, nn.ReLU) or activation is ops.relu
    other = nn.TransformerEncoderLayer(8, 2, 16, 0.0, activation="relu" if relu else "gelu")
    for p, q in zip(other.get_parameters(), layer.get_parameters(), strict=True):
        p.set_data(q)
    np.testing.assert_allclose(layer(x).asnumpy(), other(x).asnumpy(), rtol=1e-5, atol=1e-6)


def test_half_inputs_of_a_float32_layer_are_widened():
    x = normal(3, 2, 8, dtype=np.float16)
    assert nn.MultiheadAttention(8, 2)(x, x, x)[0].dtype == ms.float32


Q, KV, INTS = normal(5, 2, 8), normal(6, 2, 8), ops.ones((5, 2, 8), ms.int32)
CELL, LAYER, NET = nn.MultiheadAttention(8, 2), nn.TransformerEncoderLayer(8, 2, 16), nn.Transformer(8, 2, 1, 1, 16)


def ones(*shape, dtype=ms.bool_):
    return ops.ones(shape, dtype)


@pytest.mark.parametrize(
    ("error", "sentence", "call"),
    [
        (
            ValueError,
            "'embed_dim' must be divisible by the 'num_heads', 3, but got 8",
            lambda: nn.MultiheadAttention(8, 3),
        ),
        (ValueError, "'num_heads' must be above 0, but got 0", lambda: nn.MultiheadAttention(8, 0)),
        (TypeError, "'num_heads' must be an int, but got 2.0", lambda: nn.MultiheadAttention(8, 2.0)),
        (ValueError, r"'dropout' must be in \[0, 1\), but got 1.0", lambda: nn.MultiheadAttention(8, 2, 1.0)),
        (TypeError, "'has_bias' must be a bool", lambda: nn.MultiheadAttention(8, 2, has_bias=1)),
        (TypeError, "'query' must be a Tensor of floats, but got Int32", lambda: CELL(INTS, INTS, INTS)),
        (TypeError, "'key' must be a Tensor, but got NoneType", lambda: CELL(Q, None, KV)),
        (ValueError, "'query' must have 2 or 3 axes", lambda: CELL(normal(8), KV, KV)),
        (ValueError, "'key' must have 3 axes as the 'query'", lambda: CELL(Q, KV[:, 0], KV[:, 0])),
        (ValueError, "last axis of 'query' must have the length 8, but got 7", lambda: CELL(normal(5, 2, 7), KV, KV)),
        (ValueError, "shapes of 'key' and 'value' must be equal", lambda: CELL(Q, normal(7, 2, 8), KV)),
        (ValueError, "as many samples", lambda: CELL(Q, normal(6, 3, 8), normal(6, 3, 8))),
        (ValueError, r"'key_padding_mask' must have the shape \(2, 6\)", lambda: CELL(Q, KV, KV, ones(2, 5))),
        (
            ValueError,
            "'key_padding_mask' must be a Tensor of Bool",
            lambda: CELL(Q, KV, KV, ones(2, 6, dtype=ms.int32)),
        ),
        (ValueError, r"shape \(5, 6\) or \(4, 5, 6\), but got \(5, 5\)", lambda: CELL(Q, KV, KV, attn_mask=ones(5, 5))),
        (
            ValueError,
            "'attn_mask' must be a Tensor of Bool",
            lambda: CELL(Q, KV, KV, attn_mask=ones(5, 6, dtype=ms.int32)),
        ),
        (ValueError, "'attn_mask' must be a Tensor", lambda: CELL(Q, KV, KV, attn_mask=np.zeros((5, 6)))),
        (TypeError, "'attn_mask' must be no wider", lambda: CELL(Q, KV, KV, attn_mask=normal(5, 6, dtype=np.float64))),
        (
            ValueError,
            "'activation' must be 'relu', 'gelu'",
            lambda: nn.TransformerEncoderLayer(8, 2, activation="tanh"),
        ),
        (ValueError, "'activation' must be", lambda: nn.TransformerDecoderLayer(8, 2, activation=ops.tanh)),
        (ValueError, "'dim_feedforward' must be above 0", lambda: nn.TransformerEncoderLayer(8, 2, 0)),
        (
            TypeError,
            "'layer_norm_eps' must be a float, but got 1",
            lambda: nn.TransformerEncoderLayer(8, 2, layer_norm_eps=1),
        ),
        (TypeError, "'src' must be a Tensor of floats", lambda: LAYER(INTS)),
        (ValueError, "'attn_mask' must have the shape", lambda: LAYER(Q, ones(4, 4))),
        (TypeError, "'encoder_layer' must be a Cell, but got int", lambda: nn.TransformerEncoder(3, 1)),
        (TypeError, "'num_layers' must be an int, but got 1.0", lambda: nn.TransformerEncoder(LAYER, 1.0)),
        (TypeError, "'norm' must be a Cell", lambda: nn.TransformerDecoder(LAYER, 1, 3)),
        (ValueError, "must have the length 'd_model', 8", lambda: NET(Q, normal(4, 2, 7))),
        (ValueError, "as many samples", lambda: NET(Q, normal(4, 3, 8))),
        (ValueError, "as many axes", lambda: NET(Q, normal(4, 8))),
        (TypeError, "'custom_encoder' must be a Cell, but got int", lambda: nn.Transformer(8, 2, custom_encoder=3)),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(error, sentence, call):
    with pytest.raises(error, match=f"For '[A-Z]\\w+', .*{sentence}"):
        call()
