"""MobileNetV2 (Sandler et al., 2018): inverted residuals, thin between blocks, wide and depthwise inside."""

from mindspore import nn, ops

BLOCKS = (  # expansion, channels, repeats, stride: the table of the paper
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def scaled(channels, width, unit=4):
    """``width`` times the channels, to a multiple of ``unit``, and at least one unit."""
    return max(unit, int(channels * width + unit / 2) // unit * unit)


class ConvBNReLU(nn.Cell):
    """relu6(bn(conv(x)))."""

    def __init__(self, in_channels, out_channels, kernel=3, stride=1, group=1):
        super().__init__()
        self.conv = nn.Conv2d(
            in_channels, out_channels, kernel, stride, pad_mode="pad", padding=(kernel - 1) // 2, group=group
        )
        self.bn = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU6()

    def construct(self, x):
        return self.relu(self.bn(self.conv(x)))


class InvertedResidual(nn.Cell):
    """Widen by a 1x1 convolution, filter depthwise, narrow linearly; with x added where the shapes are x's."""

    def __init__(self, in_channels, out_channels, stride, expansion):
        super().__init__()
        hidden = in_channels * expansion
        cells = [] if expansion == 1 else [ConvBNReLU(in_channels, hidden, kernel=1)]
        cells.append(ConvBNReLU(hidden, hidden, stride=stride, group=hidden))
        cells.append(nn.Conv2d(hidden, out_channels, kernel_size=1, stride=1, has_bias=False))
        cells.append(nn.BatchNorm2d(out_channels))
        self.body = nn.SequentialCell(cells)
        self.residual = stride == 1 and in_channels == out_channels

    def construct(self, x):
        if self.residual:
            return x + self.body(x)
        return self.body(x)


class MobileNetV2(nn.Cell):
    """The network of the paper with every width multiplied."""

    def __init__(self, num_classes=10, width=1.0, last=1280, stem_stride=2, dropout=0.2):
        super().__init__()
        channels = scaled(32, width)
        cells = [ConvBNReLU(3, channels, stride=stem_stride)]
        for expansion, wide, repeats, stride in BLOCKS:
            after = scaled(wide, width)
            for i in range(repeats):
                cells.append(InvertedResidual(channels, after, stride if i == 0 else 1, expansion))
                channels = after
        cells.append(ConvBNReLU(channels, last, kernel=1))
        self.features = nn.SequentialCell(cells)
        self.dropout = nn.Dropout(p=dropout)
        self.head = nn.Dense(last, num_classes)

    def construct(self, x):
        x = self.features(x)
        x = ops.mean(x, (2, 3))
        return self.head(self.dropout(x))
