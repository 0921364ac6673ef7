"""A text classifier by a Transformer encoder (Vaswani et al., 2017): embedding, sinusoids, encoder layers, a Dense."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


def sinusoids(steps, dim):
    """sin(p / 10000^(2i/dim)) in the even columns and cos of the same in the odd ones, (steps, dim)."""
    angles = np.arange(steps)[:, None] / 10000 ** (np.arange(0, dim, 2) / dim)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(steps, dim).astype(np.float32)


class TransformerClassifier(nn.Cell):
    """Logits from the mean over the steps; token 0 is padding, which is neither attended to nor counted."""

    def __init__(self, num_classes=10, vocabulary=100, steps=12, dim=32, heads=4, hidden=64, layers=2, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim, embedding_table="normal")
        self.position = ms.Tensor(sinusoids(steps, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, hidden, dropout=dropout, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm((dim,)))
        self.fc = nn.Dense(dim, num_classes)

    def construct(self, tokens):
        padding = ops.equal(tokens, 0)
        x = self.embedding(tokens) + self.position
        x = self.encoder(x, src_key_padding_mask=padding)
        kept = ops.expand_dims(ops.cast(ops.logical_not(padding), ms.float32), -1)
        return self.fc((x * kept).sum(1) / kept.sum(1))
