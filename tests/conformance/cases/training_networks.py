"""The networks of the training conformance, LeNet5, MLP, ResNet20 and LSTMNet, written once in the MindSpore API.

The recorder runs this file under MindSpore, the tests run it with ``mindspore`` resolved to minispore, so nothing here
may name either of them in any other way. The networks keep to the code forms that MindSpore 2.0.0's rewrite can parse
(one attribute per layer, straight lines), because its O1 silently leaves the rest in float32.
"""

from mindspore import nn, ops


class LeNet5(nn.Cell):
    """LeCun's LeNet-5 for 28x28 or 32x32 images: two convolutions with pooling, three dense layers."""

    def __init__(self, num_classes=10, size=28):
        super().__init__()
        side = ((size - 4) // 2 - 4) // 2
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.relu1 = nn.ReLU()
        self.pool1 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu2 = nn.ReLU()
        self.pool2 = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * side * side, 120)
        self.relu3 = nn.ReLU()
        self.fc2 = nn.Dense(120, 84)
        self.relu4 = nn.ReLU()
        self.fc3 = nn.Dense(84, num_classes)

    def construct(self, x):
        x = self.conv1(x)
        x = self.relu1(x)
        x = self.pool1(x)
        x = self.conv2(x)
        x = self.relu2(x)
        x = self.pool2(x)
        x = self.flatten(x)
        x = self.fc1(x)
        x = self.relu3(x)
        x = self.fc2(x)
        x = self.relu4(x)
        x = self.fc3(x)
        return x


class MLP(nn.Cell):
    """Three dense layers, 784-64-32-10, with ReLU between them."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(784, 64)
        self.relu1 = nn.ReLU()
        self.fc2 = nn.Dense(64, 32)
        self.relu2 = nn.ReLU()
        self.fc3 = nn.Dense(32, num_classes)

    def construct(self, x):
        x = self.flatten(x)
        x = self.fc1(x)
        x = self.relu1(x)
        x = self.fc2(x)
        x = self.relu2(x)
        x = self.fc3(x)
        return x


def conv3x3(in_channels, out_channels, stride):
    """A 3x3 convolution that keeps the image's size at stride 1."""
    return nn.Conv2d(in_channels, out_channels, 3, stride=stride, pad_mode="pad", padding=1, has_bias=False)


class Identity(nn.Cell):
    """The shortcut of a block that changes neither size nor width."""

    def construct(self, x):
        return x


class Projection(nn.Cell):
    """The shortcut of a block that changes size or width: a 1x1 convolution and a BatchNorm."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 1, stride=stride, pad_mode="valid", has_bias=False)
        self.bn = nn.BatchNorm2d(out_channels)

    def construct(self, x):
        x = self.conv(x)
        x = self.bn(x)
        return x


class BasicBlock(nn.Cell):
    """relu(bn(conv(relu(bn(conv(x))))) + shortcut(x))."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.conv1 = conv3x3(in_channels, out_channels, stride)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu1 = nn.ReLU()
        self.conv2 = conv3x3(out_channels, out_channels, 1)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.relu2 = nn.ReLU()
        same = stride == 1 and in_channels == out_channels
        self.shortcut = Identity() if same else Projection(in_channels, out_channels, stride)

    def construct(self, x):
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu1(out)
        out = self.conv2(out)
        out = self.bn2(out)
        short = self.shortcut(x)
        out = out + short
        out = self.relu2(out)
        return out


def stage(in_channels, out_channels, stride):
    """Three blocks, the first of which changes the size and the width."""
    blocks = [BasicBlock(in_channels, out_channels, stride)]
    blocks += [BasicBlock(out_channels, out_channels, 1) for _ in range(2)]
    return nn.SequentialCell(blocks)


class ResNet20(nn.Cell):
    """He et al.'s ResNet-20 in its CIFAR form: a stem, three stages of three blocks, a mean and a dense layer."""

    def __init__(self, num_classes=10, width=16, in_channels=1):
        super().__init__()
        self.conv1 = conv3x3(in_channels, width, 1)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.layer1 = stage(width, width, 1)
        self.layer2 = stage(width, 2 * width, 2)
        self.layer3 = stage(2 * width, 4 * width, 2)
        self.mean = ops.ReduceMean(keep_dims=False)
        self.fc = nn.Dense(4 * width, num_classes)

    def construct(self, x):
        x = self.conv1(x)
        x = self.bn1(x)
        x = self.relu(x)
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.mean(x, (2, 3))
        x = self.fc(x)
        return x


class LSTMNet(nn.Cell):
    """An LSTMCell unrolled over the rows of an image, and a dense layer on its last hidden state."""

    def __init__(self, num_classes=10, hidden=32, size=28):
        super().__init__()
        self.size = size
        self.hidden = hidden
        self.cell = nn.LSTMCell(size, hidden)
        self.fc = nn.Dense(hidden, num_classes)

    def construct(self, x):
        h = ops.zeros((x.shape[0], self.hidden), x.dtype)
        c = ops.zeros((x.shape[0], self.hidden), x.dtype)
        for row in range(self.size):
            h, c = self.cell(x[:, 0, row, :], (h, c))
        return self.fc(h)
