"""Sentiment of short sentences: embedding table with frozen rows, bidirectional LSTM, binary cross entropy."""

import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import HeUniform, Uniform

text = "<unk> <pad> the film was a great bad boring lovely story plot dull fun"
words = text.split()
vocab = {word: index for index, word in enumerate(words)}
sentences = [
    ("the film was great fun", 1),
    ("a lovely story", 1),
    ("a dull plot", 0),
    ("the story was bad and boring", 0),
    ("great plot lovely film", 1),
    ("the film was dull", 0),
]


def tokens(sentence, length=6):
    ids = [vocab.get(word, vocab["<unk>"]) for word in sentence.split()][:length]
    return ids + [vocab["<pad>"]] * (length - len(ids))


class RNN(nn.Cell):
    def __init__(self, embeddings, hidden_dim, output_dim, n_layers, bidirectional, pad_idx):
        super().__init__()
        vocab_size, embedding_dim = embeddings.shape
        self.embedding = nn.Embedding(
            vocab_size, embedding_dim, embedding_table=Tensor(embeddings), padding_idx=pad_idx
        )
        self.rnn = nn.LSTM(
            embedding_dim, hidden_dim, num_layers=n_layers, bidirectional=bidirectional, batch_first=True
        )
        weight_init = HeUniform(math.sqrt(5))
        bias_init = Uniform(1 / math.sqrt(hidden_dim * 2))
        self.fc = nn.Dense(hidden_dim * 2, output_dim, weight_init=weight_init, bias_init=bias_init)

    def construct(self, inputs):
        embedded = self.embedding(inputs)
        _, (hidden, _) = self.rnn(embedded)
        hidden = ops.concat((hidden[-2, :, :], hidden[-1, :, :]), axis=1)
        return self.fc(hidden)


draw = np.random.RandomState(7)
embeddings = draw.standard_normal((len(words), 8)).astype(np.float32)
model = RNN(embeddings, 6, 1, 2, True, vocab["<pad>"])
rest = [p for p in model.trainable_params() if not p.name.startswith("embedding")]
print(sorted((p.shape for p in rest), key=str))
for parameter in sorted(rest, key=lambda p: (p.name, p.shape)):
    draw_one = np.random.RandomState(parameter.size)
    parameter.set_data(Tensor((draw_one.standard_normal(parameter.shape) * 0.3).astype(np.float32)))
inputs = Tensor([tokens(sentence) for sentence, _ in sentences], ms.int32)
labels = Tensor([[label] for _, label in sentences], ms.float32)
print(inputs[0], labels.shape)
loss_fn = nn.BCEWithLogitsLoss(reduction="mean")
optimizer = nn.Adam(model.trainable_params(), learning_rate=0.02)


def forward_fn(data, label):
    return loss_fn(model(data), label)


def binary_accuracy(preds, y):
    rounded_preds = np.around(ops.sigmoid(preds).asnumpy())
    return (rounded_preds == y.asnumpy()).astype(np.float32).mean()


grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters)
model.set_train()
for step in range(4):
    loss, grads = grad_fn(inputs, labels)
    optimizer(grads)
    print(f"step {step}: loss {loss.asnumpy():.6f}, accuracy {binary_accuracy(model(inputs), labels):.3f}")
print(f"{model.embedding.embedding_table.asnumpy()[1].sum():.6f}")


def predict_sentiment(sentence):
    logits = model(Tensor([tokens(sentence)], ms.int32))
    return {1: "Positive", 0: "Negative"}[int(np.round(ops.sigmoid(logits).asnumpy()).item())]


print(predict_sentiment("a great film"), predict_sentiment("the plot was dull"))
