"""Dense, the linear layer."""

import numpy as np

import minispore as ms
from minispore import nn


def test_two_layers_in_a_row_differ():
    assert not np.array_equal(nn.Dense(3, 4).weight.asnumpy(), nn.Dense(3, 4).weight.asnumpy())


def test_dense_works_on_the_last_axis_of_any_number_of_axes():
    layer = nn.Dense(3, 2)
    x = np.random.default_rng(2).normal(size=(2, 4, 5, 3)).astype(np.float32)
    expected = x @ layer.weight.asnumpy().T + layer.bias.asnumpy()
    np.testing.assert_allclose(layer(ms.Tensor(x)).asnumpy(), expected, atol=1e-5)
