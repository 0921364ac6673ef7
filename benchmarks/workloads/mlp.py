"""Three dense layers under Adam: matrix products and the optimizer."""

from workloads.training import labels, normal, step_of_cells, step_of_torch


def cells(ms):
    nn = ms.nn

    class MLP(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc1, self.fc2, self.fc3 = nn.Dense(784, 512), nn.Dense(512, 512), nn.Dense(512, 10)
            self.relu = nn.ReLU()

        def construct(self, x):
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net = MLP()
    return step_of_cells(ms, net, nn.Adam(net.trainable_params(), 1e-3), normal(128, 784), labels(128))


def torch(torch):
    nn = torch.nn

    class MLP(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1, self.fc2, self.fc3 = nn.Linear(784, 512), nn.Linear(512, 512), nn.Linear(512, 10)
            self.relu = nn.ReLU()

        def forward(self, x):
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net = MLP()
    return step_of_torch(torch, net, torch.optim.Adam(net.parameters(), 1e-3), normal(128, 784), labels(128))
