"""Functions and layers by PyTorch's arguments compute what NumPy's formulas, ``ops`` and ``nn`` do."""

import numpy as np

from minispore import nn, ops
from minispore.dropin import mint


def test_convolutions_take_paddings_of_both_ends():
    ones = ops.ones((1, 4, 5, 6, 7))
    layer = mint.nn.Conv3d(4, 6, 3, stride=2, padding=(0, 1, 2), groups=2)
    assert layer(ones).shape == (1, 6, 2, 3, 5) and layer.bias.shape == (6,) and layer.weight.shape == (6, 2, 3, 3, 3)
    same = nn.Conv3d(4, 6, 3, 2, "pad", (0, 0, 1, 1, 2, 2), 1, 2, True, layer.weight, layer.bias)
    np.testing.assert_array_equal(layer(ones).asnumpy(), same(ones).asnumpy())
    assert mint.nn.Conv3d(4, 6, 3, padding="same", bias=False)(ones).shape == (1, 6, 5, 6, 7)
    assert mint.nn.Conv2d(4, 6, 3, padding=1)(ones[:, :, 0]).shape == (1, 6, 6, 7)
