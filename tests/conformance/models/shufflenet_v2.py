"""ShuffleNetV2 (Ma et al., 2018): half of the channels pass by, the other half is filtered, then they are shuffled."""

from mindspore import nn, ops


def shuffle(x, groups=2):
    """Interleave the channels of ``groups`` equal parts."""
    n, c, h, w = x.shape
    x = x.reshape(n, groups, c // groups, h, w)
    return x.transpose(0, 2, 1, 3, 4).reshape(n, c, h, w)


def pointwise(in_channels, out_channels):
    """relu(bn(conv(x))) with a 1x1 convolution, as a list of cells."""
    return [nn.Conv2d(in_channels, out_channels, 1, has_bias=False), nn.BatchNorm2d(out_channels), nn.ReLU()]


def depthwise(channels, stride):
    """bn(conv(x)) with a depthwise 3x3 convolution, as a list of cells."""
    conv = nn.Conv2d(channels, channels, 3, stride, pad_mode="pad", padding=1, group=channels, has_bias=False)
    return [conv, nn.BatchNorm2d(channels)]


class Unit(nn.Cell):
    """The basic unit (stride 1) splits its channels; the unit of stride 2 filters x in both branches."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.stride, half = stride, out_channels // 2
        self.half = half
        inner = half if stride == 1 else in_channels
        self.main = nn.SequentialCell([*pointwise(inner, half), *depthwise(half, stride), *pointwise(half, half)])
        if stride == 2:
            self.side = nn.SequentialCell([*depthwise(in_channels, 2), *pointwise(in_channels, half)])

    def construct(self, x):
        if self.stride == 1:
            kept, changed = x[:, : self.half], x[:, self.half :]
            return shuffle(ops.concat((kept, self.main(changed)), 1))
        return shuffle(ops.concat((self.side(x), self.main(x)), 1))


class ShuffleNetV2(nn.Cell):
    """A stem, three stages whose first unit halves the size, a 1x1 convolution, the mean of the map and a Dense."""

    def __init__(self, num_classes=10, repeats=(4, 8, 4), channels=(24, 116, 232, 464, 1024)):
        super().__init__()
        stem = nn.Conv2d(3, channels[0], 3, stride=2, pad_mode="pad", padding=1, has_bias=False)
        self.stem = nn.SequentialCell([stem, nn.BatchNorm2d(channels[0]), nn.ReLU()])
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        stages = []
        for before, after, repeat in zip(channels, channels[1:], repeats):  # noqa: B905 - channels has one more
            units = [Unit(before, after, 2), *(Unit(after, after, 1) for _ in range(repeat - 1))]
            stages.append(nn.SequentialCell(units))
        self.stages = nn.CellList(stages)
        self.last = nn.SequentialCell(pointwise(channels[-2], channels[-1]))
        self.fc = nn.Dense(channels[-1], num_classes)

    def construct(self, x):
        x = self.pool(self.stem(x))
        for stage in self.stages:
            x = stage(x)
        x = self.last(x).mean((2, 3))
        return self.fc(x)
