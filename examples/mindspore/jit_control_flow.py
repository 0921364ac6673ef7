"""Graph mode: @ms.jit, construct under GRAPH_MODE, and if, while, for in what is compiled."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from tiny import blobs, fill


@ms.jit
def mul_sum(x, y):
    return (x * y).sum()


print(mul_sum(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])), mul_sum(Tensor([1.0]), Tensor([2.0])))


@ms.jit
def branches(x):
    if x.sum() > 0:
        y = x * 2
    elif x.sum() < -10:
        y = x - 1
    else:
        y = -x
    return y


print(branches(Tensor([1.0, 2.0])), branches(Tensor([-1.0, -2.0])), branches(Tensor([-8.0, -9.0])))


@ms.jit
def halving(x):
    count = Tensor(0, ms.int32)
    while x > 1:
        x = x / 2
        count += 1
    return x, count


print(halving(Tensor(20.0)), halving(Tensor(0.5)))


class Net(nn.Cell):
    def __init__(self, layers):
        super().__init__()
        self.cells_list = nn.CellList([nn.Dense(4, 4) for _ in range(layers)])
        self.head = nn.Dense(4, 3)
        self.scale = Parameter(Tensor(2.0, ms.float32), name="scale")
        self.flag = True

    def construct(self, x):
        for index, cell in enumerate(self.cells_list):
            x = ops.tanh(cell(x))
            if index == 0 and self.flag:
                x = x * self.scale
        outputs = []
        for i in range(3):
            outputs.append(x[:, i])
        return self.head(x), ops.stack(outputs, 1).sum()


points, labels = blobs(8, 4, 3)
x, y = Tensor(points), Tensor(labels)
loss_fn = nn.CrossEntropyLoss()
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
    ms.set_context(mode=mode)
    net = fill(Net(2))
    trained = nn.SequentialCell([net.cells_list[0], net.head])
    optimizer = nn.Momentum(trained.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(trained, loss_fn), optimizer)
    logits, total = net(x)
    losses = [f"{step(x, y).asnumpy():.6f}" for _ in range(3)]
    print(mode == ms.get_context("mode"), f"{float(total):.6f}", losses)
ms.set_context(mode=ms.PYNATIVE_MODE)

net = fill(Net(2))
optimizer = nn.SGD(net.trainable_params(), 0.1)


def forward(x, y):
    return loss_fn(net(x)[0], y)


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)


@ms.jit
def train_step(x, y):
    loss, grads = grad_fn(x, y)
    optimizer(grads)
    return loss


print([f"{train_step(x, y).asnumpy():.6f}" for _ in range(3)])
print(np.round(net.scale.asnumpy(), 5).tolist() > 0)
