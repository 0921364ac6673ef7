"""The networks that can be trained, in a user's style: for images of shape (N, C, H, W) and ten classes."""

import math

from minispore import nn, ops
from minispore.core.errors import value_error

__all__ = ["MLP", "NETWORKS", "LSTMNet", "LeNet5", "ResNet20"]

_SHAPE = (1, 28, 28)  # channels, height and width of the images of the package


class LeNet5(nn.Cell):
    """LeCun's LeNet-5 (1998) with ReLU and max pooling: two convolutions, then three dense layers.

    Args:
        num_classes (int): Default: 10.
        shape (tuple[int]): Channels, height and width of the images. Default: (1, 28, 28).
    """

    def __init__(self, num_classes=10, shape=_SHAPE):
        super().__init__()
        channels, *sides = shape
        height, width = ((side // 2 - 4) // 2 for side in sides)  # after two poolings and a convolution
        if min(height, width) < 1:
            raise value_error("lenet5", "the images must have at least 12 pixels on a side", sides)
        self.conv1 = nn.Conv2d(channels, 6, 5, pad_mode="same", has_bias=True)
        self.relu1 = nn.ReLU()
        self.pool1 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.relu2 = nn.ReLU()
        self.pool2 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * height * width, 120)
        self.relu3 = nn.ReLU()
        self.fc2 = nn.Dense(120, 84)
        self.relu4 = nn.ReLU()
        self.fc3 = nn.Dense(84, num_classes)

    def construct(self, x):
        x = self.pool1(self.relu1(self.conv1(x)))
        x = self.pool2(self.relu2(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu3(self.fc1(x))
        x = self.relu4(self.fc2(x))
        return self.fc3(x)


class MLP(nn.Cell):
    """Three dense layers, 784-256-128-10, with ReLU between them.

    Args:
        num_classes (int): Default: 10.
        shape (tuple[int]): Channels, height and width of the images. Default: (1, 28, 28), of 784 numbers.
    """

    def __init__(self, num_classes=10, shape=_SHAPE):
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(math.prod(shape), 256)
        self.relu1 = nn.ReLU()
        self.fc2 = nn.Dense(256, 128)
        self.relu2 = nn.ReLU()
        self.fc3 = nn.Dense(128, num_classes)

    def construct(self, x):
        x = self.flatten(x)
        x = self.relu1(self.fc1(x))
        x = self.relu2(self.fc2(x))
        return self.fc3(x)


class ResidualBlock(nn.Cell):
    """``relu(bn(conv(relu(bn(conv(x))))) + shortcut(x))``; the shortcut is x itself if the shapes agree."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride=stride)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu1 = nn.ReLU()
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.relu2 = nn.ReLU()
        if stride == 1 and in_channels == out_channels:
            self.shortcut = nn.Identity()
        else:
            projection = nn.Conv2d(in_channels, out_channels, 1, stride=stride)
            self.shortcut = nn.SequentialCell(projection, nn.BatchNorm2d(out_channels))

    def construct(self, x):
        out = self.relu1(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out = out + self.shortcut(x)
        return self.relu2(out)


class ResNet20(nn.Cell):
    """He et al.'s ResNet-20 (2015): a convolution, three stages of three blocks, a mean, a dense layer.

    Args:
        num_classes (int): Default: 10.
        width (int): Channels of the first stage; each further stage doubles them. Default: 16.
        shape (tuple[int]): Channels, height and width of the images. Default: (1, 28, 28).
    """

    def __init__(self, num_classes=10, width=16, shape=_SHAPE):
        super().__init__()
        self.conv = nn.Conv2d(shape[0], width, 3)
        self.bn = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.stage1 = self._stage(width, width, 1)
        self.stage2 = self._stage(width, 2 * width, 2)
        self.stage3 = self._stage(2 * width, 4 * width, 2)
        self.mean = ops.ReduceMean()
        self.fc = nn.Dense(4 * width, num_classes)

    @staticmethod
    def _stage(in_channels, out_channels, stride):
        first = ResidualBlock(in_channels, out_channels, stride)
        return nn.SequentialCell(first, *(ResidualBlock(out_channels, out_channels, 1) for _ in range(2)))

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        x = self.stage1(x)
        x = self.stage2(x)
        x = self.stage3(x)
        x = self.mean(x, (2, 3))
        return self.fc(x)


class LSTMNet(nn.Cell):
    """An LSTMCell that reads the image row by row, followed by a dense layer on its last hidden state.

    A row has all channels, one behind the other.

    Args:
        num_classes (int): Default: 10.
        hidden (int): Length of the hidden state. Default: 64.
        shape (tuple[int]): Channels, height and width of the images. Default: (1, 28, 28).
    """

    def __init__(self, num_classes=10, hidden=64, shape=_SHAPE):
        super().__init__()
        channels, self.rows, width = shape
        self.hidden, self.length = hidden, channels * width
        self.cell = nn.LSTMCell(self.length, hidden)
        self.fc = nn.Dense(hidden, num_classes)

    def construct(self, x):
        h = ops.zeros((x.shape[0], self.hidden), x.dtype)
        c = ops.zeros((x.shape[0], self.hidden), x.dtype)
        for row in range(self.rows):
            h, c = self.cell(x[:, :, row].reshape((-1, self.length)), (h, c))
        return self.fc(h)


NETWORKS = {"lenet5": LeNet5, "mlp": MLP, "resnet20": ResNet20, "lstm": LSTMNet}
