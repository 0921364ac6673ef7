"""ResNet-18 (He et al., 2016): a 7x7 stem, four stages of two basic blocks, the mean of the map and a Dense."""

from mindspore import nn, ops


def conv_bn(in_channels, out_channels, kernel, stride):
    """A convolution that keeps the size at stride 1, and its BatchNorm."""
    conv = nn.Conv2d(in_channels, out_channels, kernel, stride=stride, pad_mode="pad", padding=kernel // 2)
    return nn.SequentialCell([conv, nn.BatchNorm2d(out_channels)])


class BasicBlock(nn.Cell):
    """relu(bn(conv(relu(bn(conv(x))))) + shortcut(x)), the shortcut a projection where size or width change."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.first = conv_bn(in_channels, out_channels, 3, stride)
        self.second = conv_bn(out_channels, out_channels, 3, 1)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or in_channels != out_channels:
            self.down = conv_bn(in_channels, out_channels, 1, stride)

    def construct(self, x):
        shortcut = x
        if self.down is not None:
            shortcut = self.down(x)
        out = self.relu(self.first(x))
        out = self.second(out)
        return self.relu(out + shortcut)


class ResNet18(nn.Cell):
    """The network of the paper, its first stage ``width`` channels wide."""

    def __init__(self, num_classes=10, width=64, in_channels=3):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, width, 7, stride=2, pad_mode="pad", padding=3)
        self.bn1 = nn.BatchNorm2d(width, eps=1e-5, momentum=0.9)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        stages = []
        for i in range(4):
            before, after = width * 2 ** max(i - 1, 0), width * 2**i
            stages.append(
                nn.SequentialCell([BasicBlock(before, after, 1 if i == 0 else 2), BasicBlock(after, after, 1)])
            )
        self.layer1, self.layer2, self.layer3, self.layer4 = stages
        self.mean = ops.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.end_point = nn.Dense(8 * width, num_classes)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        x = self.mean(x, (2, 3))
        return self.end_point(self.flatten(x))
