"""An LSTMCell or a GRUCell unrolled over 50 steps: many small operations on a long tape."""

from workloads.plain import cross_entropy, dense_weights, linear, moved_by_momentum, one_hot, sigmoid, step_of_arrays
from workloads.plain import zeros as zero_array
from workloads.training import labels, momentum_of_cells, momentum_of_torch, normal, step_of_cells, step_of_torch

STEPS, BATCH, WIDTH = 50, 32, 128


def data():
    return normal(STEPS, BATCH, WIDTH), labels(BATCH)


def cells(ms, kind, level=None):
    nn = ms.nn

    class Unrolled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cell, self.fc = getattr(nn, kind)(WIDTH, WIDTH), nn.Dense(WIDTH, 10)
            self.zeros = ms.ops.zeros((BATCH, WIDTH), ms.float32)

    class UnrolledLSTM(Unrolled):
        def construct(self, x):
            h, c = self.zeros, self.zeros
            for t in range(STEPS):
                h, c = self.cell(x[t], (h, c))
            return self.fc(h)

    class UnrolledGRU(Unrolled):
        def construct(self, x):
            h = self.zeros
            for t in range(STEPS):
                h = self.cell(x[t], h)
            return self.fc(h)

    net = UnrolledLSTM() if kind == "LSTMCell" else UnrolledGRU()
    return step_of_cells(ms, net, momentum_of_cells(ms, net), *data(), level)


def torch(torch, kind):
    nn = torch.nn

    class Unrolled(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.fc = getattr(nn, kind)(WIDTH, WIDTH), nn.Linear(WIDTH, 10)
            self.zeros = torch.zeros(BATCH, WIDTH)

    class UnrolledLSTM(Unrolled):
        def forward(self, x):
            h, c = self.zeros, self.zeros
            for t in range(STEPS):
                h, c = self.cell(x[t], (h, c))
            return self.fc(h)

    class UnrolledGRU(Unrolled):
        def forward(self, x):
            h = self.zeros
            for t in range(STEPS):
                h = self.cell(x[t], h)
            return self.fc(h)

    net = UnrolledLSTM() if kind == "LSTMCell" else UnrolledGRU()
    return step_of_torch(torch, net, momentum_of_torch(torch, net), *data())


def arrays(autograd, kind):
    np = autograd.numpy
    x, y = data()
    chosen = one_hot(y)

    def loss(parameters):
        by_input, by_state, (fc, bias) = parameters[:2], parameters[2:4], parameters[4:]
        h, c = zero_array(BATCH, WIDTH), zero_array(BATCH, WIDTH)
        for t in range(STEPS):
            gates = linear(np, x[t], *by_input) + linear(np, h, *by_state)
            into, kept, new, out = (gates[:, i * WIDTH : (i + 1) * WIDTH] for i in range(4))
            c = sigmoid(np, kept) * c + sigmoid(np, into) * np.tanh(new)
            h = sigmoid(np, out) * np.tanh(c)
        return cross_entropy(np, linear(np, h, fc, bias), chosen)

    weights = [each for _ in range(2) for each in dense_weights(WIDTH, 4 * WIDTH)] + dense_weights(WIDTH, 10)
    return step_of_arrays(autograd, loss, weights, moved_by_momentum)
