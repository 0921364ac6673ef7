"""Three dense layers under Adam: matrix products and the optimizer."""

from workloads.plain import cross_entropy, dense_weights, linear, moved_by_adam, one_hot, relu, step_of_arrays
from workloads.training import labels, normal, step_of_cells, step_of_torch


def cells(ms, level=None, batch=128):
    nn = ms.nn

    class MLP(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc1, self.fc2, self.fc3 = nn.Dense(784, 512), nn.Dense(512, 512), nn.Dense(512, 10)
            self.relu = nn.ReLU()

        def construct(self, x):
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net = MLP()
    return step_of_cells(ms, net, nn.Adam(net.trainable_params(), 1e-3), normal(batch, 784), labels(batch), level)


def torch(torch, batch=128):
    nn = torch.nn

    class MLP(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1, self.fc2, self.fc3 = nn.Linear(784, 512), nn.Linear(512, 512), nn.Linear(512, 10)
            self.relu = nn.ReLU()

        def forward(self, x):
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net = MLP()
    return step_of_torch(torch, net, torch.optim.Adam(net.parameters(), 1e-3), normal(batch, 784), labels(batch))


def arrays(autograd):
    np = autograd.numpy
    x, chosen = normal(128, 784), one_hot(labels(128))

    def loss(parameters):
        (w1, b1), (w2, b2), (w3, b3) = (parameters[i : i + 2] for i in (0, 2, 4))
        h = relu(np, linear(np, relu(np, linear(np, x, w1, b1)), w2, b2))
        return cross_entropy(np, linear(np, h, w3, b3), chosen)

    weights = [*dense_weights(784, 512), *dense_weights(512, 512), *dense_weights(512, 10)]
    return step_of_arrays(autograd, loss, weights, moved_by_adam)
