"""Layers do what the ledger (docs/reference/quirks.md) says of them where MindSpore does otherwise."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops


@pytest.mark.parametrize("index", [5, -6])
def test_an_index_out_of_the_table_is_refused_by_name(index):
    with pytest.raises(ValueError, match=rf"For 'Embedding', .* \[-5, 5\), .* got {index}\."):
        nn.Embedding(5, 3)(Tensor([[0, index]]))


def test_an_index_out_of_the_table_is_a_row_of_zeros_as_a_product():
    assert nn.Embedding(5, 3, use_one_hot=True)(Tensor([5])).tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    "layer",
    [lambda kind: nn.BatchNorm2d(3, dtype=kind), lambda kind: nn.BatchNorm3d(3, dtype=kind),
     lambda kind: nn.SyncBatchNorm(3, dtype=kind), lambda kind: nn.LayerNorm((3,), dtype=kind)],
)  # fmt: skip
def test_a_normalizations_parameters_have_the_dtype_that_is_asked_for(layer):
    assert {p.dtype for p in layer(ms.float16).get_parameters()} == {ms.float16}
    assert {p.dtype for p in layer(None).get_parameters()} == {ms.float32}


@pytest.mark.parametrize(
    ("wrong", "error"),
    [({"eps": 0}, TypeError), ({"eps": "a"}, TypeError), ({"eps": -1.0}, ValueError), ({"eps": 0.0}, ValueError),
     ({"momentum": "a"}, TypeError), ({"momentum": 1.5}, ValueError), ({"affine": 1}, TypeError)],
)  # fmt: skip
@pytest.mark.parametrize("layer", [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm])
def test_a_batch_norm_refuses_wrong_numbers_when_it_is_made(layer, wrong, error):
    with pytest.raises(error, match=f"For '.*BatchNorm.*', the '{next(iter(wrong))}' must be"):
        layer(3, **wrong)


def test_arguments_of_sync_batch_norm_are_taken_by_place():
    layer = nn.SyncBatchNorm(3, 1e-3, 0.5, True, "ones", "zeros", "zeros", "ones", None, None)
    assert (layer.eps, layer.momentum, layer.use_batch_statistics) == (1e-3, 0.5, None)


def test_another_format_of_batch_norm_is_refused_rather_than_computed_along_the_wrong_axis():
    with pytest.raises(ValueError, match="For 'BatchNorm', the 'data_format' must be 'NCHW', but got 'NHWC'"):
        ops.BatchNorm(data_format="NHWC")


def test_layer_norm_refuses_an_epsilon_that_is_no_float():
    with pytest.raises(TypeError, match="For 'LayerNorm', the 'epsilon' must be a float"):
        nn.LayerNorm((3,), epsilon=1)


def test_gradients_of_a_half_lstm_are_those_of_the_wide_one():
    """MindSpore's on the CPU are off by up to 72."""
    lstm, rng = nn.LSTM(3, 4), np.random.default_rng(3)
    x = rng.standard_normal((5, 2, 3)).astype(np.float16)
    slope = ms.grad(lambda x: lstm(x)[0].sum())
    wide = slope(Tensor(x.astype(np.float32))).asnumpy()
    np.testing.assert_allclose(slope(Tensor(x)).asnumpy(), wide, atol=4e-3)


def test_a_gru_whose_operations_are_lowered_gives_the_dtype_of_x():
    y, h = nn.GRU(3, 4).to_float(ms.float16)(ops.ones((5, 2, 3)))
    assert y.dtype == h.dtype == ms.float32


def test_adaptive_pooling_of_volumes_takes_one_size_for_all_axes():
    assert nn.AdaptiveMaxPool3d(2)(ops.ones((1, 2, 4, 5, 6))).shape == (1, 2, 2, 2, 2)


def test_a_regularizer_of_what_is_no_tensor_is_refused_by_name():
    with pytest.raises(TypeError, match="For 'L1Regularizer', the 'weights' must be a Tensor, but got list"):
        nn.L1Regularizer(0.5)([1.0])
