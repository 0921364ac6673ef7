"""Loops by hand: a network with its loss and optimizer in one function, steps of one's own cell, rates set between."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.dataset import NumpySlicesDataset
from tiny import blobs, fill

points, labels = blobs(48, 6, 4)
data = NumpySlicesDataset((points, labels), ["points", "labels"], shuffle=False).batch(16)


def network():
    return fill(nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 4)))


net, loss_fn = network(), nn.CrossEntropyLoss()
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.5)


def forward_fn(data, label):
    logits = net(data)
    return loss_fn(logits, label), logits


grad_fn = ops.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)


def train_step(data, label):
    (loss, logits), grads = grad_fn(data, label)
    loss = ops.depend(loss, optimizer(grads))
    return loss, logits


def train_loop(epoch):
    net.set_train()
    size = data.get_dataset_size()
    for batch, (x, y) in enumerate(data.create_tuple_iterator()):
        loss, logits = train_step(x, y)
        if batch % 2 == 0:
            print(f"epoch {epoch} loss: {loss.asnumpy():>7f}  [{batch:>3d}/{size:>3d}]", logits.shape)


def test_loop():
    net.set_train(False)
    total, test_loss, correct = 0, 0, 0
    for x, y in data.create_tuple_iterator():
        pred = net(x)
        total += len(x)
        test_loss += loss_fn(pred, y).asnumpy()
        correct += (pred.argmax(1) == y).asnumpy().sum()
    print(f"Test: \n Accuracy: {100 * correct / total:>0.1f}%, Avg loss: {test_loss / 3:>8f} \n")


for epoch in range(2):
    train_loop(epoch)
    test_loop()
    ops.assign(optimizer.learning_rate, Tensor(0.1 / (epoch + 1), ms.float32))
print(optimizer.learning_rate.value(), optimizer.get_lr())


class MyWithLossCell(nn.Cell):
    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self.backbone = backbone
        self.loss_fn = loss_fn

    def construct(self, data, label):
        return self.loss_fn(self.backbone(data), label)

    def backbone_network(self):
        return self.backbone


class MyTrainStep(nn.TrainOneStepCell):
    def __init__(self, network, optimizer):
        super().__init__(network, optimizer)
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, data, label):
        weights = self.weights
        loss = self.network(data, label)
        grads = self.grad(self.network, weights)(data, label)
        return loss, self.optimizer(grads)


class Weighted(nn.LossBase):
    def __init__(self, weights):
        super().__init__("mean")
        self.abs = ops.Abs()
        self.weights = Tensor(weights, ms.float32)

    def construct(self, base, target):
        return self.get_loss(self.abs(base - ops.one_hot(target, 4, Tensor(1.0), Tensor(0.0))), self.weights)


net = network()
step = MyTrainStep(MyWithLossCell(net, Weighted([1, 2, 3, 4])), nn.Adam(net.trainable_params(), 0.05))
step.set_train()
for epoch in range(3):
    losses = [step(x, y)[0] for x, y in data]
    print(f"{epoch}: {float(ops.stack(losses).mean()):.6f}", step.training, net.training)
print([p.name for p in step.optimizer.parameters][:4], len(step.optimizer.get_lr_parameter(step.weights[0]).shape))
print(np.round(net(Tensor(points[:2])).asnumpy(), 3).tolist())
