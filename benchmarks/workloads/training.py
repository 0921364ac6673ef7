"""One training step, and the data for it: what the networks of all workloads share."""

import numpy as np

random = np.random.RandomState(0)


def normal(*shape):
    return random.randn(*shape).astype(np.float32)


def labels(batch):
    return random.randint(0, 10, batch)


def step_of_cells(ms, net, optimizer, x, y, level=None, loss=None):
    """The step that trains the Cell ``net`` on ``x`` with labels or values ``y``, and reads its loss.

    With a ``level`` it is that of mixed precision, with no loss scale: what the lower precision itself costs.
    """
    loss = loss or ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    if level is None:
        step = ms.nn.TrainOneStepCell(ms.nn.WithLossCell(net, loss), optimizer).set_train()
    else:
        step = ms.amp.build_train_network(net, optimizer, loss, level=level, loss_scale_manager=None).set_train()
    x, y = ms.Tensor(x), ms.Tensor(y.astype(np.int32) if y.dtype.kind == "i" else y)
    return lambda: step(x, y).asnumpy()


def step_of_torch(torch, net, optimizer, x, y, loss=None):
    """The step that trains the Module ``net`` on ``x`` with labels or values ``y``, and reads its loss."""
    loss = loss or torch.nn.functional.cross_entropy
    x, y = torch.from_numpy(x), torch.from_numpy(y.astype(np.int64) if y.dtype.kind == "i" else y)

    def step():
        optimizer.zero_grad(set_to_none=True)
        value = loss(net(x), y)
        value.backward()
        optimizer.step()
        return value.item()

    return step


def momentum_of_cells(ms, net):
    return ms.nn.Momentum(net.trainable_params(), 0.01, 0.9)


def momentum_of_torch(torch, net):
    return torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
