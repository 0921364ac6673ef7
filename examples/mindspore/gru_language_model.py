"""A language model of characters: a GRU, perplexity, clipping, and sampling the likeliest text."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from tiny import fill

text = "hello world, hello words, hello lord, "
characters = sorted(set(text))
index = {character: i for i, character in enumerate(characters)}
print(len(text), characters)


class LanguageModel(nn.Cell):
    def __init__(self, size, hidden):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(size, hidden)
        self.dense = nn.Dense(hidden, size)
        self.one_hot = nn.OneHot(depth=size)

    def construct(self, tokens, state):
        outputs = []
        for step in range(tokens.shape[1]):
            state = self.cell(self.one_hot(tokens[:, step]), state)
            outputs.append(self.dense(state))
        return ops.stack(outputs, axis=1), state


size, hidden = len(characters), 10
net = fill(LanguageModel(size, hidden))
print([(p.name, p.shape) for p in net.trainable_params()])
ids = np.array([index[c] for c in text], np.int32)
inputs, targets = Tensor(ids[:36].reshape(3, 12)), Tensor(ids[1:37].reshape(3, 12))
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adagrad(net.trainable_params(), learning_rate=0.2)


def forward(x, y, state):
    logits, state = net(x, state)
    return loss_fn(logits.reshape((-1, size)), y.reshape((-1,))), state


grad_fn = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)
for epoch in range(8):
    (loss, state), grads = grad_fn(inputs, targets, ops.zeros((3, hidden), ms.float32))
    grads = [ops.clip_by_value(grad, Tensor(-0.1, ms.float32), Tensor(0.1, ms.float32)) for grad in grads]
    optimizer(tuple(grads))
    if epoch % 2 == 0:
        print(f"epoch {epoch}: perplexity {np.exp(float(loss)):.4f}, state {float(state.sum()):.5f}")

state, letters = ops.zeros((1, hidden), ms.float32), "h"
for _ in range(8):
    logits, state = net(Tensor([[index[letters[-1]]]], ms.int32), state)
    letters += characters[int(logits[0, 0].argmax())]
print(repr(letters))

gru = nn.GRU(3, 4, 1, has_bias=True, batch_first=True)
output, hx = gru(Tensor(np.ones([2, 5, 3]).astype(np.float32)), Tensor(np.zeros([1, 2, 4]).astype(np.float32)))
print(output.shape, hx.shape)
