"""Normalization layers."""

import numpy as np
import pytest
from nn.layer.test_layer_laws import close, normalized, reals

import minispore as ms
from minispore import nn


@pytest.mark.parametrize("momentum", [0.9, 0.997, 1, 0])
def test_a_batch_norm_holds_the_weight_of_the_new_statistics_and_prints_that_of_the_old(momentum):
    norm = nn.BatchNorm2d(1, momentum=momentum)
    assert norm.momentum == 1.0 - momentum
    assert f"momentum={1.0 - (1.0 - momentum)}, " in repr(norm)
    assert (norm.format, norm.gamma_init, norm.moving_var_init) == ("NCHW", "ones", "ones")


def test_batch_norm_trains_gamma_and_beta_only_where_it_is_affine():
    assert [p.name for p in nn.BatchNorm2d(2).trainable_params()] == ["gamma", "beta"]
    assert nn.BatchNorm2d(2, affine=False).trainable_params() == []


def test_the_printed_form_of_layer_norm_has_the_sign_that_mindspores_lost():
    gamma = "Parameter (name=gamma, shape=(3,), dtype=Float32, requires_grad=True)"
    beta = gamma.replace("gamma", "beta")
    told = f"normalized_shape=(3,), begin_norm_axis=-1, begin_params_axis=-1, gamma={gamma}, beta={beta}"
    assert repr(nn.LayerNorm((3,))) == f"LayerNorm<{told}>"


def test_evaluation_leaves_the_moving_statistics_alone():
    layer = nn.BatchNorm2d(2)
    layer(ms.Tensor(np.random.default_rng(0).normal(size=(3, 2, 4, 4)).astype(np.float32)))
    assert layer.moving_mean.asnumpy().tolist() == [0, 0]
    assert layer.moving_variance.asnumpy().tolist() == [1, 1]


def test_the_moving_variance_takes_the_unbiased_variance():
    layer = nn.BatchNorm2d(1, momentum=0.0).set_train()
    layer(ms.Tensor(np.arange(4, dtype=np.float32).reshape(4, 1, 1, 1)))
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), [5 / 3], rtol=1e-6)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [1.5], rtol=1e-6)


def test_the_three_batch_norms_agree_on_one_batch():
    x = np.random.default_rng(1).normal(size=(4, 3, 2, 3, 2)).astype(np.float32)
    for_rank = {3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
    shapes_of_x = {3: (4, 3, 12), 4: (4, 3, 6, 2), 5: x.shape}
    found = [
        layer(3).set_train()(ms.Tensor(x.reshape(shapes_of_x[rank]))).asnumpy().reshape(x.shape)
        for rank, layer in for_rank.items()
    ]
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)
    np.testing.assert_allclose(found[2], found[0], atol=1e-6)


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
