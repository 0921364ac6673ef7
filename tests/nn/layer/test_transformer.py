"""The layers of a Transformer: attention and a feed-forward part, each with a residual and a normalization."""

import numpy as np
from nn.layer.test_attention import normal

import minispore as ms
from minispore import nn


def test_to_float_lowers_the_operations():
    layer, x = nn.TransformerEncoderLayer(8, 2, 16, 0.0), normal(3, 2, 8)
    full, lowered = layer(x).asnumpy(), layer.to_float(ms.float16)(x)
    assert lowered.dtype == ms.float16
    np.testing.assert_allclose(lowered.asnumpy(), full, atol=1e-2)
