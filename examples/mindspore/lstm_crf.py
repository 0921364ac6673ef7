"""Sequence labelling: a bidirectional LSTM under a linear-chain conditional random field, trained and decoded."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from tiny import fill


def sequence_mask(seq_length, max_length, batch_first=False):
    range_vector = ops.arange(0, max_length)
    result = range_vector < seq_length.view(seq_length.shape + (1,))
    return result.astype(ms.int64) if batch_first else result.astype(ms.int64).swapaxes(0, 1)


def compute_score(emissions, tags, seq_ends, mask, trans, start_trans, end_trans):
    seq_length, batch_size = tags.shape
    mask = mask.astype(emissions.dtype)
    rows = ops.arange(batch_size)
    score = start_trans[tags[0]] + emissions[0, rows, tags[0]]
    for i in range(1, seq_length):
        score += trans[tags[i - 1], tags[i]] * mask[i]
        score += emissions[i, rows, tags[i]] * mask[i]
    last_tags = tags[seq_ends, rows]
    return score + end_trans[last_tags]


def compute_normalizer(emissions, mask, trans, start_trans, end_trans):
    score = start_trans + emissions[0]
    for i in range(1, emissions.shape[0]):
        broadcast_score = score.expand_dims(2)
        broadcast_emissions = emissions[i].expand_dims(1)
        next_score = ops.logsumexp(broadcast_score + trans + broadcast_emissions, 1)
        score = ops.where(mask[i].expand_dims(1).astype(ms.bool_), next_score, score)
    return ops.logsumexp(score + end_trans, 1)


def viterbi_decode(emissions, mask, trans, start_trans, end_trans):
    score, history = start_trans + emissions[0], ()
    for i in range(1, mask.shape[0]):
        next_score = score.expand_dims(2) + trans + emissions[i].expand_dims(1)
        indices = next_score.argmax(axis=1)
        history += (indices,)
        score = ops.where(mask[i].expand_dims(1).astype(ms.bool_), next_score.max(axis=1), score)
    return score + end_trans, history


def post_decode(score, history, seq_length):
    batch_size = seq_length.shape[0]
    seq_ends = seq_length - 1
    best_tags_list = []
    for idx in range(batch_size):
        best_last_tag = score[idx].argmax(axis=0)
        best_tags = [int(best_last_tag.asnumpy())]
        for hist in reversed(history[: int(seq_ends[idx].asnumpy())]):
            best_last_tag = hist[idx][best_tags[-1]]
            best_tags.append(int(best_last_tag.asnumpy()))
        best_tags.reverse()
        best_tags_list.append(best_tags)
    return best_tags_list


class CRF(nn.Cell):
    def __init__(self, num_tags):
        super().__init__()
        draw = np.random.RandomState(4)
        values = draw.uniform(-0.1, 0.1, (num_tags + 2, num_tags)).astype(np.float32)
        self.start_transitions = Parameter(Tensor(values[-1]), name="start_transitions")
        self.end_transitions = Parameter(Tensor(values[-2]), name="end_transitions")
        self.transitions = Parameter(Tensor(values[:num_tags]), name="transitions")

    def construct(self, emissions, tags=None, seq_length=None):
        emissions = emissions.swapaxes(0, 1)
        mask = sequence_mask(seq_length, emissions.shape[0])
        if tags is None:
            return viterbi_decode(emissions, mask, self.transitions, self.start_transitions, self.end_transitions)
        tags = tags.swapaxes(0, 1)
        numerator = compute_score(
            emissions, tags, seq_length - 1, mask, self.transitions, self.start_transitions, self.end_transitions
        )
        denominator = compute_normalizer(
            emissions, mask, self.transitions, self.start_transitions, self.end_transitions
        )
        return (denominator - numerator).sum() / mask.astype(emissions.dtype).sum()


class BiLSTMCRF(nn.Cell):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, num_tags, padding_idx=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=padding_idx)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim // 2, bidirectional=True, batch_first=True)
        self.hidden2tag = nn.Dense(hidden_dim, num_tags, "he_uniform")
        self.crf = CRF(num_tags)

    def construct(self, inputs, seq_length, tags=None):
        outputs, _ = self.lstm(self.embedding(inputs), seq_length=seq_length)
        return self.crf(self.hidden2tag(outputs), tags, seq_length)


model = fill(BiLSTMCRF(10, 6, 8, 3))
print([parameter.name for parameter in model.trainable_params() if "lstm" not in parameter.name])
data = Tensor([[1, 2, 3, 4, 5], [6, 7, 8, 0, 0]], ms.int32)
label = Tensor([[0, 1, 1, 2, 2], [0, 1, 2, 0, 0]], ms.int32)
seq_length = Tensor([5, 3], ms.int32)
optimizer = nn.SGD(model.trainable_params(), learning_rate=0.5, weight_decay=1e-4)
grad_fn = ms.value_and_grad(model, None, optimizer.parameters)
for step in range(5):
    loss, grads = grad_fn(data, seq_length, label)
    optimizer(grads)
    print(f"step {step}: {loss.asnumpy():.6f}")
score, history = model(data, seq_length)
print(np.round(score.asnumpy(), 4).tolist(), len(history))
print(post_decode(score, history, seq_length))
