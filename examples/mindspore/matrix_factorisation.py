"""Ratings predicted by two embedding tables and biases, with an optimizer for sparse rows and one for all."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.dataset import NumpySlicesDataset
from tiny import fill

USERS, ITEMS = 8, 6


class MatrixFactorisation(nn.Cell):
    def __init__(self, factors):
        super().__init__()
        self.users = nn.Embedding(USERS, factors, embedding_table="normal")
        self.items = nn.Embedding(ITEMS, factors, embedding_table="normal")
        self.user_bias, self.item_bias = nn.Embedding(USERS, 1), nn.Embedding(ITEMS, 1)

    def construct(self, user, item):
        p, q = self.users(user), self.items(item)
        bias = ops.squeeze(self.user_bias(user) + self.item_bias(item), -1)
        return (p * q).sum(-1) + bias


draw = np.random.RandomState(0)
truth = draw.standard_normal((USERS, 2)) @ draw.standard_normal((2, ITEMS)) + 3
pairs = np.array([(u, i) for u in range(USERS) for i in range(ITEMS) if (u + i) % 5], np.int32)
ratings = truth[pairs[:, 0], pairs[:, 1]].astype(np.float32)
dataset = NumpySlicesDataset((pairs[:, 0], pairs[:, 1], ratings), ["user", "item", "rating"], shuffle=False)
dataset = dataset.batch(13)
print(len(pairs), dataset.get_dataset_size(), f"{ratings.mean():.5f}")

net = fill(MatrixFactorisation(3))
loss_fn = nn.MSELoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=0.05, weight_decay=1e-3)
grad_fn = ms.value_and_grad(lambda u, i, r: loss_fn(net(u, i), r), None, net.trainable_params())
for epoch in range(4):
    losses = []
    for row in dataset.create_dict_iterator(num_epochs=1):
        loss, grads = grad_fn(row["user"], row["item"], row["rating"])
        optimizer(grads)
        losses.append(float(loss))
    print(f"epoch {epoch}: {np.mean(losses):.5f}", [len(np.flatnonzero(np.any(grads[0].asnumpy(), 1)))])
rmse = nn.MSE()
rmse.clear()
rmse.update(net(Tensor(pairs[:, 0]), Tensor(pairs[:, 1])), Tensor(ratings))
print(f"{rmse.eval():.5f}")
table = net.items.embedding_table
print(ops.gather(table, Tensor([0, 2]), 0).shape, table.name, f"{float(ops.Gather()(table, Tensor([1]), 0).sum()):.5f}")
values, indices = ops.topk(net(Tensor([0] * ITEMS, ms.int32), Tensor(np.arange(ITEMS), ms.int32)), 3)
print([f"{value:.4f}" for value in values.asnumpy()], indices)
