"""Embeddings by hand: one-hot products, Gather and its gradient, scatter updates, unsorted sums of segments."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

table = Parameter(Tensor(np.arange(12, dtype=np.float32).reshape(6, 2) / 10), name="table")
ids = Tensor([[1, 4], [4, 0]], ms.int32)
print(ops.gather(table, ids, 0))
print(ops.matmul(ops.one_hot(ids, 6, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32)), table)[0])
embedding = nn.Embedding(6, 2, use_one_hot=True, embedding_table=Tensor(table.asnumpy()))
print(embedding(ids)[1], embedding.embedding_table.name, embedding.vocab_size, embedding.embedding_size)


def loss_fn():
    return ops.square(ops.gather(table, ids, 0)).sum()


optimizer = nn.SGD([table], learning_rate=0.5)
loss, grads = ms.value_and_grad(loss_fn, None, optimizer.parameters)()
print(f"{float(loss):.5f}", grads[0])
optimizer(grads)
print(table.asnumpy().round(4).tolist())

weights = Parameter(Tensor(np.zeros((4, 2), np.float32)), name="weights")
ops.ScatterAdd()(weights, Tensor([0, 2, 0], ms.int32), Tensor(np.ones((3, 2), np.float32)))
print(weights.asnumpy().tolist())
ops.ScatterUpdate()(weights, Tensor([3], ms.int32), Tensor([[5.0, 6.0]]))
print(weights.asnumpy().tolist())
print(ops.tensor_scatter_add(Tensor([1.0, 2.0, 3.0]), Tensor([[0], [2], [0]], ms.int32), Tensor([1.0, 1.0, 2.0])))
print(ops.unsorted_segment_sum(Tensor([1.0, 2.0, 3.0, 4.0]), Tensor([0, 1, 0, 2], ms.int32), 3))
print(ops.scatter_nd(Tensor([[1], [3]], ms.int32), Tensor([7.0, 9.0]), (5,)))
print(ops.gather_nd(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[0, 1], [1, 0]], ms.int32)))
print(ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0, 0], [1, 0]], ms.int32)))
values, inverse = ops.unique(Tensor([3, 1, 3, 2], ms.int32))
print(values, inverse, ops.nonzero(Tensor([0, 5, 0, 7])).asnumpy().tolist())
adam = nn.Adam([weights], learning_rate=0.1)
loss, grads = ms.value_and_grad(lambda: (weights[Tensor([0, 3])] ** 2).sum(), None, [weights])()
adam(grads)
print(f"{float(loss):.4f}", weights.asnumpy().round(4).tolist())
