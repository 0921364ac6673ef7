"""LeNet-5 on images of 32 x 32, as LeCun has it, with ReLU and max pooling."""

from workloads.training import labels, momentum_of_cells, momentum_of_torch, normal, step_of_cells, step_of_torch


def cells(ms, batch, level=None):
    nn = ms.nn

    class LeNet5(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True)
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
            self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)
            self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()

        def construct(self, x):
            x = self.pool(self.relu(self.conv1(x)))
            x = self.pool(self.relu(self.conv2(x)))
            x = self.flatten(x)
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    globals().update(LeNet5=LeNet5)  # MindSpore's O1 rewrites it, and looks in the module
    net = LeNet5()
    return step_of_cells(ms, net, momentum_of_cells(ms, net), normal(batch, 1, 32, 32), labels(batch), level)


def torch(torch, batch):
    nn = torch.nn

    class LeNet5(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5)
            self.conv2 = nn.Conv2d(6, 16, 5)
            self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)
            self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()

        def forward(self, x):
            x = self.pool(self.relu(self.conv1(x)))
            x = self.pool(self.relu(self.conv2(x)))
            x = self.flatten(x)
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net = LeNet5()
    return step_of_torch(torch, net, momentum_of_torch(torch, net), normal(batch, 1, 32, 32), labels(batch))
