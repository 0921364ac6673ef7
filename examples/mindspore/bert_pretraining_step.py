"""A step of BERT-like pre-training: masked words and next sentences, with gradient clipping and warm-up."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.nn.learning_rate_schedule import LearningRateSchedule, PolynomialDecayLR, WarmUpLR
from tiny import fill

VOCAB, HIDDEN, HEADS, LENGTH = 24, 12, 2, 8


class SelfAttention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = nn.Dense(HIDDEN, HIDDEN), nn.Dense(HIDDEN, HIDDEN), nn.Dense(HIDDEN, HIDDEN)
        self.dense = nn.Dense(HIDDEN, HIDDEN)
        self.layernorm = nn.LayerNorm([HIDDEN], epsilon=1e-12)
        self.softmax = nn.Softmax()

    def heads(self, x):
        return x.view(x.shape[:-1] + (HEADS, HIDDEN // HEADS)).transpose(0, 2, 1, 3)

    def construct(self, x, mask):
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / ops.sqrt(Tensor(HIDDEN // HEADS, ms.float32))
        context = ops.matmul(self.softmax(scores + mask), v)
        context = context.transpose(0, 2, 1, 3).view(x.shape)
        return self.layernorm(self.dense(context) + x)


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = SelfAttention()
        self.intermediate = nn.Dense(HIDDEN, 24, activation="gelu")
        self.output = nn.Dense(24, HIDDEN)
        self.norm = nn.LayerNorm((HIDDEN,))

    def construct(self, x, mask):
        x = self.attention(x, mask)
        return self.norm(self.output(self.intermediate(x)) + x)


class Bert(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCAB, HIDDEN, embedding_table=TruncatedNormal(0.02))
        self.positions = nn.Embedding(LENGTH, HIDDEN)
        self.kinds = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm((HIDDEN,))
        self.layers = nn.CellList([Layer() for _ in range(2)])
        self.pooler = nn.Dense(HIDDEN, HIDDEN, activation="tanh")
        self.mlm_bias = Parameter(initializer("zeros", VOCAB), "mlm_bias")
        self.nsp = nn.Dense(HIDDEN, 2)

    def construct(self, ids, kinds, attention_mask):
        positions = ops.broadcast_to(ops.arange(ids.shape[1]).expand_dims(0), ids.shape)
        x = self.norm(self.words(ids) + self.positions(positions) + self.kinds(kinds))
        mask = (1.0 - attention_mask.expand_dims(1).expand_dims(2)) * -10000.0
        for layer in self.layers:
            x = layer(x, mask)
        words = ops.matmul(x, self.words.embedding_table.T) + self.mlm_bias
        return words, self.nsp(self.pooler(x[:, 0]))


class BertLearningRate(LearningRateSchedule):
    def __init__(self, learning_rate, end_learning_rate, warmup_steps, decay_steps, power):
        super().__init__()
        self.warmup_lr = WarmUpLR(learning_rate, warmup_steps)
        self.decay_lr = PolynomialDecayLR(learning_rate, end_learning_rate, decay_steps, power)
        self.warmup_steps = Tensor(np.array([warmup_steps]).astype(np.float32))
        self.greater, self.cast = ops.Greater(), ops.Cast()

    def construct(self, global_step):
        is_warmup = self.cast(self.greater(self.warmup_steps, global_step), ms.float32)
        return (1.0 - is_warmup) * self.decay_lr(global_step) + is_warmup * self.warmup_lr(global_step)


model = fill(Bert())
print(len(model.trainable_params()), [p.name for p in model.trainable_params()][:7])
no_decay = ("gamma", "beta", "bias")
decay = list(filter(lambda p: not p.name.endswith(no_decay), model.trainable_params()))
other = list(filter(lambda p: p.name.endswith(no_decay), model.trainable_params()))
params = [{"params": decay, "weight_decay": 0.01}, {"params": other}, {"order_params": model.trainable_params()}]
optimizer = nn.AdamWeightDecay(params, BertLearningRate(1e-2, 0.0, 2, 10, 1.0), eps=1e-8)
print(len(decay), len(other))

draw = np.random.RandomState(1)
ids = Tensor(draw.randint(3, VOCAB, (4, LENGTH)), ms.int32)
kinds = Tensor(np.repeat([[0] * 4 + [1] * 4], 4, 0), ms.int32)
attention_mask = Tensor(np.array([[1] * n + [0] * (LENGTH - n) for n in (8, 7, 6, 8)]), ms.float32)
targets = np.where(draw.uniform(size=(4, LENGTH)) < 0.3, ids.asnumpy(), -100)
targets, next_sentence = Tensor(targets, ms.int32), Tensor([0, 1, 1, 0], ms.int32)
masked = ops.select(targets >= 0, ops.full_like(ids, 2), ids)
print(masked[0], targets[0])


def forward(ids, kinds, mask, targets, next_sentence):
    words, relation = model(ids, kinds, mask)
    mlm = ops.cross_entropy(words.view(-1, VOCAB), targets.view(-1), ignore_index=-100)
    nsp = ops.cross_entropy(relation, next_sentence)
    return mlm + nsp, mlm, nsp


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
for step in range(4):
    (loss, mlm, nsp), grads = grad_fn(masked, kinds, attention_mask, targets, next_sentence)
    grads = ops.clip_by_global_norm(grads, 1.0)
    norm = ops.sqrt(sum(ops.square(grad).sum() for grad in grads))
    optimizer(grads)
    print(f"step {step}: {float(loss):.5f} = {float(mlm):.5f} + {float(nsp):.5f}, norm {float(norm):.4f}")
