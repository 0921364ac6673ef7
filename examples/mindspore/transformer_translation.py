"""A Transformer that learns to turn number words around: MultiheadAttention's layers, masks, greedy decoding."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import XavierUniform, initializer
from tiny import fill

PAD, BOS, EOS, VOCAB, DIM = 0, 1, 2, 10, 12


class PositionalEncoding(nn.Cell):
    def __init__(self, d_model, max_len=16):
        super().__init__()
        pe = np.zeros((max_len, d_model), np.float32)
        position = np.arange(max_len)[:, None]
        angle = np.power(10000.0, np.arange(0, d_model, 2) / d_model)
        pe[:, 0::2], pe[:, 1::2] = np.sin(position / angle), np.cos(position / angle)
        self.pe = Tensor(pe)

    def construct(self, x):
        return x + self.pe[: x.shape[1]]


class ScaledDotProductAttention(nn.Cell):
    def construct(self, q, k, v, mask):
        scores = ops.matmul(q, k.swapaxes(2, 3)) / (q.shape[-1] ** 0.5)
        attention = ops.softmax(scores.masked_fill(mask, -1e9), -1)
        return ops.matmul(attention, v), attention


class MultiHeadAttention(nn.Cell):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_k = n_heads, d_model // n_heads
        self.W_Q, self.W_K, self.W_V = (nn.Dense(d_model, d_model) for _ in range(3))
        self.W_O = nn.Dense(d_model, d_model)
        self.attention = ScaledDotProductAttention()

    def construct(self, query, key, value, mask):
        batch = query.shape[0]
        q, k, v = (
            w(x).view(batch, -1, self.n_heads, self.d_k).transpose((0, 2, 1, 3))
            for w, x in ((self.W_Q, query), (self.W_K, key), (self.W_V, value))
        )
        context, attention = self.attention(q, k, v, mask.expand_dims(1))
        context = context.transpose((0, 2, 1, 3)).view((batch, -1, self.n_heads * self.d_k))
        return self.W_O(context), attention


class Block(nn.Cell):
    def __init__(self, cross):
        super().__init__()
        self.self_attention = MultiHeadAttention(DIM, 2)
        self.norm1, self.norm2 = nn.LayerNorm((DIM,)), nn.LayerNorm((DIM,))
        self.cross_attention = MultiHeadAttention(DIM, 2) if cross else None
        self.norm3 = nn.LayerNorm((DIM,)) if cross else None
        self.feed = nn.SequentialCell([nn.Dense(DIM, 24), nn.ReLU(), nn.Dense(24, DIM)])

    def construct(self, x, mask, memory=None, memory_mask=None):
        x = self.norm1(x + self.self_attention(x, x, x, mask)[0])
        if self.cross_attention is not None:
            x = self.norm3(x + self.cross_attention(x, memory, memory, memory_mask)[0])
        return self.norm2(x + self.feed(x))


def pad_mask(query, keys):
    mask = ops.equal(keys, PAD).expand_dims(1)
    return ops.broadcast_to(mask, (query.shape[0], query.shape[1], keys.shape[1]))


def future_mask(x):
    ones = ops.ones((x.shape[0], x.shape[1], x.shape[1]), ms.float32)
    return (1 - ops.tril(ones)).astype(ms.bool_)


class Transformer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCAB, DIM), nn.Embedding(VOCAB, DIM)
        self.position = PositionalEncoding(DIM)
        self.encoder = nn.CellList([Block(False)])
        self.decoder = nn.CellList([Block(True)])
        self.projection = nn.Dense(DIM, VOCAB, has_bias=False)
        for _, p in self.parameters_and_names():
            if p.ndim > 1:
                p.set_data(initializer(XavierUniform(), p.shape, p.dtype))

    def construct(self, source, target):
        memory = self.position(self.source(source))
        for layer in self.encoder:
            memory = layer(memory, pad_mask(source, source))
        x = self.position(self.target(target))
        mask = ops.logical_or(pad_mask(target, target), future_mask(target))
        for layer in self.decoder:
            x = layer(x, mask, memory, pad_mask(target, source))
        return self.projection(x)


draw = np.random.RandomState(2)
source, target = np.zeros((12, 6), np.int32), np.zeros((12, 6), np.int32)
for row in range(12):
    words = draw.randint(3, VOCAB, draw.randint(2, 5))
    source[row, : len(words) + 1] = [*words, EOS]
    target[row, : len(words) + 2] = [BOS, *words[::-1], EOS]
source, target = Tensor(source), Tensor(target)
print(source[:2], target[:2])

model = fill(Transformer())
loss_fn = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = nn.Adam(model.trainable_params(), learning_rate=0.01)


def forward(source, target):
    logits = model(source, target[:, :-1])
    return loss_fn(logits.view(-1, VOCAB), target[:, 1:].view(-1).astype(ms.int32))


grad_fn = ops.value_and_grad(forward, None, optimizer.parameters)
for step in range(6):
    loss, grads = grad_fn(source, target)
    optimizer(grads)
    print(f"step {step}: {loss.asnumpy():.5f}")

model.set_train(False)
words = ops.full((1, 1), BOS, dtype=ms.int32)
for _ in range(4):
    logits = model(source[:1], words)
    print(f"{logits[0, -1].max().asnumpy():.4f}")
    words = ops.concat((words, logits[:, -1].argmax(-1).reshape(1, 1).astype(ms.int32)), axis=1)
print(words)
