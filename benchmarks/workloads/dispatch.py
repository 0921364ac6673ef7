"""The cost of an operation itself: a chain of 1,000 of them on 4 elements, forward and backward."""

import numpy as np


def cells(ms):
    x, c, d = (ms.Tensor(np.full(4, value, np.float32)) for value in (1.0, 1.0001, 1e-4))

    def chain(y):
        for _ in range(500):
            y = y * c
            y = y + d
        return y.sum()

    gradient = ms.grad(chain)
    return lambda: gradient(x).asnumpy()


def torch(torch):
    x, c, d = (torch.from_numpy(np.full(4, value, np.float32)) for value in (1.0, 1.0001, 1e-4))
    x.requires_grad_()

    def step():
        x.grad = None
        y = x
        for _ in range(500):
            y = y * c
            y = y + d
        y.sum().backward()
        return x.grad.numpy()

    return step


def arrays(autograd):
    x, c, d = (np.full(4, value, np.float32) for value in (1.0, 1.0001, 1e-4))

    def chain(y):
        for _ in range(500):
            y = y * c
            y = y + d
        return autograd.numpy.sum(y)

    gradient = autograd.grad(chain)
    return lambda: gradient(x)
