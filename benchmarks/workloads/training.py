"""One training step, and the data for it: what the networks of all workloads share."""

import numpy as np

random = np.random.RandomState(0)


def normal(*shape):
    return random.randn(*shape).astype(np.float32)


def labels(batch):
    return random.randint(0, 10, batch)


def step_of_cells(ms, net, optimizer, x, y):
    """The step that trains the Cell ``net`` on images ``x`` with labels ``y``, and reads its loss."""
    loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = ms.nn.TrainOneStepCell(ms.nn.WithLossCell(net, loss), optimizer).set_train()
    x, y = ms.Tensor(x), ms.Tensor(y.astype(np.int32))
    return lambda: step(x, y).asnumpy()


def step_of_torch(torch, net, optimizer, x, y):
    """The step that trains the Module ``net`` on images ``x`` with labels ``y``, and reads its loss."""
    x, y = torch.from_numpy(x), torch.from_numpy(y.astype(np.int64))

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def momentum_of_cells(ms, net):
    return ms.nn.Momentum(net.trainable_params(), 0.01, 0.9)


def momentum_of_torch(torch, net):
    return torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
