"""Five folds: samplers choose the rows of each, a fresh network is trained on four parts and judged on the fifth."""

import numpy as np
from mindspore import Tensor, nn, value_and_grad
from mindspore.dataset import NumpySlicesDataset, SubsetSampler
from tiny import blobs, fill

points, labels = blobs(40, 4, 4)
points += np.random.RandomState(1).normal(0, 1.5, points.shape).astype(np.float32)
order = np.random.RandomState(2).permutation(40)
folds = np.array_split(order, 5)
loss_fn = nn.CrossEntropyLoss()


def rows(indices, batch):
    sampler = SubsetSampler([int(index) for index in indices])
    return NumpySlicesDataset((points, labels), ["x", "y"], sampler=sampler).batch(batch)


scores = []
for number, held in enumerate(folds):
    kept = np.concatenate([fold for other, fold in enumerate(folds) if other != number])
    net = fill(nn.Dense(4, 4), number)
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    grad_fn = value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)  # noqa: B023
    train, test = rows(kept, 8), rows(held, 8)
    for _ in range(3):
        for x, y in train.create_tuple_iterator():
            loss, grads = grad_fn(x, y)
            optimizer(grads)
    metric = nn.Accuracy()
    for x, y in test.create_tuple_iterator():
        metric.update(net(x), y)
    scores.append(metric.eval())
    print(f"fold {number}: rows {sorted(held.tolist())[:3]}, loss {float(loss):.5f}, accuracy {scores[-1]:.3f}")
print(f"mean {np.mean(scores):.4f}, spread {np.std(scores):.4f}", Tensor(scores).shape)
