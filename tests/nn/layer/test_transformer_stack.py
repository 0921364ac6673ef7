"""Stacks of Transformer layers: encoder, decoder, and both as a Transformer."""

import numpy as np

from minispore import nn


def test_a_transformer_draws_every_matrix_from_xavier_uniform():
    net = nn.Transformer(16, 2, 1, 1, 32)
    for name, p in net.parameters_dict().items():
        if p.ndim == 2:
            bound = np.sqrt(6 / sum(p.shape))
            assert 0.85 * bound < np.abs(p.asnumpy()).max() <= bound, name
