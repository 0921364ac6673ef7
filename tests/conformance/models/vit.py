"""A small Vision Transformer (Dosovitskiy et al., 2021): patches as tokens, pre-norm attention and MLP blocks."""

import mindspore as ms
from mindspore import nn, ops
from mindspore.common.initializer import Normal, initializer


class Attention(nn.Cell):
    """Multi-head self-attention: softmax(q @ k.T / sqrt(d)) @ v per head, then a projection."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.size = heads, dim // heads
        self.qkv = nn.Dense(dim, 3 * dim)
        self.attend = nn.Softmax(axis=-1)
        self.scores = ops.BatchMatMul(transpose_b=True)
        self.mix = ops.BatchMatMul()
        self.out = nn.Dense(dim, dim)

    def construct(self, x):
        batch, tokens, dim = x.shape
        qkv = self.qkv(x).reshape(batch, tokens, 3, self.heads, self.size)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        weights = self.attend(self.scores(q, k) * self.size**-0.5)
        mixed = self.mix(weights, v).transpose(0, 2, 1, 3)
        return self.out(mixed.reshape(batch, tokens, dim))


class Block(nn.Cell):
    """x + attention(norm(x)), then x + mlp(norm(x))."""

    def __init__(self, dim, heads, hidden, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm((dim,), epsilon=1e-6)
        self.attention = Attention(dim, heads)
        self.norm2 = nn.LayerNorm((dim,), epsilon=1e-6)
        self.mlp = nn.SequentialCell(
            nn.Dense(dim, hidden), nn.GELU(approximate=False), nn.Dropout(p=dropout), nn.Dense(hidden, dim)
        )

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Cell):
    """Patch embedding by a convolution, a class token, learned positions, blocks, and a Dense on the class token."""

    def __init__(self, num_classes=10, size=32, patch=8, dim=32, depth=2, heads=4, hidden=64, dropout=0.0):
        super().__init__()
        tokens = (size // patch) ** 2 + 1
        self.embed = nn.Conv2d(3, dim, patch, stride=patch, pad_mode="valid", has_bias=True)
        self.class_token = ms.Parameter(initializer(Normal(0.02), (1, 1, dim), ms.float32), name="class_token")
        self.position = ms.Parameter(initializer(Normal(0.02), (1, tokens, dim), ms.float32), name="position")
        self.blocks = nn.SequentialCell([Block(dim, heads, hidden, dropout) for _ in range(depth)])
        self.norm = nn.LayerNorm((dim,), epsilon=1e-6)
        self.head = nn.Dense(dim, num_classes)

    def construct(self, x):
        x = self.embed(x)
        batch, dim = x.shape[:2]
        x = x.reshape(batch, dim, -1).transpose(0, 2, 1)
        token = ops.broadcast_to(self.class_token, (batch, 1, dim))
        x = ops.concat((token, x), axis=1) + self.position
        x = self.norm(self.blocks(x))
        return self.head(x[:, 0])
