"""ResNet-20 on images of 3 x 32 x 32: convolutions of 3 x 3 and BatchNorm."""

from workloads.training import labels, momentum_of_cells, momentum_of_torch, normal, step_of_cells, step_of_torch

BLOCKS = [(16, 16, 1)] * 3 + [(16, 32, 2)] + [(32, 32, 1)] * 2 + [(32, 64, 2)] + [(64, 64, 1)] * 2


def cells(ms, batch, level=None, pixels=32):
    nn = ms.nn

    def conv(channels, out_channels, kernel, stride):
        return nn.Conv2d(channels, out_channels, kernel, stride, pad_mode="pad", padding=kernel // 2)

    class Block(nn.Cell):
        def __init__(self, channels, out_channels, stride):
            super().__init__()
            self.conv1, self.bn1 = conv(channels, out_channels, 3, stride), nn.BatchNorm2d(out_channels)
            self.conv2, self.bn2 = conv(out_channels, out_channels, 3, 1), nn.BatchNorm2d(out_channels)
            self.relu = nn.ReLU()
            self.projected = stride != 1
            if self.projected:
                self.shortcut = nn.SequentialCell(conv(channels, out_channels, 1, stride), nn.BatchNorm2d(out_channels))

        def construct(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.bn2(self.conv2(y))
            return self.relu(y + (self.shortcut(x) if self.projected else x))

    class ResNet20(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv, self.bn, self.relu = conv(3, 16, 3, 1), nn.BatchNorm2d(16), nn.ReLU()
            self.blocks = nn.SequentialCell(*[Block(*sizes) for sizes in BLOCKS])
            self.mean, self.fc = ms.ops.ReduceMean(), nn.Dense(64, 10)

        def construct(self, x):
            x = self.blocks(self.relu(self.bn(self.conv(x))))
            return self.fc(self.mean(x, (2, 3)))

    globals().update(Block=Block, ResNet20=ResNet20)  # MindSpore's O1 rewrites them, and looks in the module
    net = ResNet20()
    return step_of_cells(ms, net, momentum_of_cells(ms, net), normal(batch, 3, pixels, pixels), labels(batch), level)


def torch(torch, batch, wrapped=lambda net: net, pixels=32):
    """The step of a network, which may be ``wrapped`` in another one."""
    nn = torch.nn

    def conv(channels, out_channels, kernel, stride):
        return nn.Conv2d(channels, out_channels, kernel, stride, padding=kernel // 2, bias=False)

    class Block(nn.Module):
        def __init__(self, channels, out_channels, stride):
            super().__init__()
            self.conv1, self.bn1 = conv(channels, out_channels, 3, stride), nn.BatchNorm2d(out_channels)
            self.conv2, self.bn2 = conv(out_channels, out_channels, 3, 1), nn.BatchNorm2d(out_channels)
            self.relu = nn.ReLU()
            self.projected = stride != 1
            if self.projected:
                self.shortcut = nn.Sequential(conv(channels, out_channels, 1, stride), nn.BatchNorm2d(out_channels))

        def forward(self, x):
            y = self.relu(self.bn1(self.conv1(x)))
            y = self.bn2(self.conv2(y))
            return self.relu(y + (self.shortcut(x) if self.projected else x))

    class ResNet20(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.bn, self.relu = conv(3, 16, 3, 1), nn.BatchNorm2d(16), nn.ReLU()
            self.blocks = nn.Sequential(*[Block(*sizes) for sizes in BLOCKS])
            self.fc = nn.Linear(64, 10)

        def forward(self, x):
            x = self.blocks(self.relu(self.bn(self.conv(x))))
            return self.fc(x.mean((2, 3)))

    net = wrapped(ResNet20())
    return step_of_torch(torch, net, momentum_of_torch(torch, net), normal(batch, 3, pixels, pixels), labels(batch))
