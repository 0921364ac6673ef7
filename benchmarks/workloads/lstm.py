"""An LSTMCell unrolled over 50 steps: many small operations on a long tape."""

from workloads.training import labels, momentum_of_cells, momentum_of_torch, normal, step_of_cells, step_of_torch

STEPS, BATCH, WIDTH = 50, 32, 128


def cells(ms):
    nn = ms.nn

    class Unrolled(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cell, self.fc = nn.LSTMCell(WIDTH, WIDTH), nn.Dense(WIDTH, 10)
            self.zeros = ms.ops.zeros((BATCH, WIDTH), ms.float32)

        def construct(self, x):
            h, c = self.zeros, self.zeros
            for t in range(STEPS):
                h, c = self.cell(x[t], (h, c))
            return self.fc(h)

    net = Unrolled()
    return step_of_cells(ms, net, momentum_of_cells(ms, net), normal(STEPS, BATCH, WIDTH), labels(BATCH))


def torch(torch):
    nn = torch.nn

    class Unrolled(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.fc = nn.LSTMCell(WIDTH, WIDTH), nn.Linear(WIDTH, 10)
            self.zeros = torch.zeros(BATCH, WIDTH)

        def forward(self, x):
            h, c = self.zeros, self.zeros
            for t in range(STEPS):
                h, c = self.cell(x[t], (h, c))
            return self.fc(h)

    net = Unrolled()
    return step_of_torch(torch, net, momentum_of_torch(torch, net), normal(STEPS, BATCH, WIDTH), labels(BATCH))
