"""GoogLeNet (Szegedy et al., 2015, with BatchNorm): inception modules of four branches, and auxiliary classifiers."""

from mindspore import nn, ops

MODULES = (  # 1x1; 3x3 reduce, 3x3; 5x5 reduce, 5x5; pool projection: the table of the paper, "pool" between stages
    (64, 96, 128, 16, 32, 32),
    (128, 128, 192, 32, 96, 64),
    "pool",
    (192, 96, 208, 16, 48, 64),
    (160, 112, 224, 24, 64, 64),
    (128, 128, 256, 24, 64, 64),
    (112, 144, 288, 32, 64, 64),
    (256, 160, 320, 32, 128, 128),
    "pool",
    (256, 160, 320, 32, 128, 128),
    (384, 192, 384, 48, 128, 128),
)
AUXILIARY = 4  # the place in MODULES of the module (4a) after which the first auxiliary classifier reads


class ConvBlock(nn.Cell):
    """relu(bn(conv(x)))."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode="same")
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def construct(self, x):
        return ops.relu(self.bn(self.conv(x)))


class Inception(nn.Cell):
    """The concatenation of a 1x1, a 3x3, a 5x5 and a pooling branch."""

    def __init__(self, in_channels, sizes):
        super().__init__()
        one, three_in, three, five_in, five, pool = sizes
        self.b1 = ConvBlock(in_channels, one, 1)
        self.b2 = nn.SequentialCell([ConvBlock(in_channels, three_in, 1), ConvBlock(three_in, three, 3)])
        self.b3 = nn.SequentialCell([ConvBlock(in_channels, five_in, 1), ConvBlock(five_in, five, 5)])
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=1, pad_mode="same")
        self.b4 = ConvBlock(in_channels, pool, 1)
        self.concat = ops.Concat(axis=1)
        self.channels = one + three + five + pool

    def construct(self, x):
        branch1 = self.b1(x)
        branch2 = self.b2(x)
        branch3 = self.b3(x)
        branch4 = self.b4(self.maxpool(x))
        return self.concat((branch1, branch2, branch3, branch4))


class Auxiliary(nn.Cell):
    """A classifier on an inner map: mean to 4x4, 1x1 convolution, two Denses."""

    def __init__(self, in_channels, num_classes, width, hidden):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d((4, 4))
        self.conv = ConvBlock(in_channels, width, 1)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * width, hidden, activation="relu")
        self.fc2 = nn.Dense(hidden, num_classes)

    def construct(self, x):
        return self.fc2(self.fc1(self.flatten(self.conv(self.pool(x)))))


class GoogLeNet(nn.Cell):
    """Logits, in training a pair with those of the auxiliary classifier; widths are the paper's over ``divisor``."""

    def __init__(self, num_classes=10, divisor=1, dropout=0.4, hidden=1024):
        super().__init__()
        width = 64 // divisor
        self.conv1 = ConvBlock(3, width, 7, stride=2)
        self.conv2 = ConvBlock(width, width, 1)
        self.conv3 = ConvBlock(width, 3 * width, 3)
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        channels, parts = 3 * width, ([], [])
        for i, sizes in enumerate(MODULES):
            if sizes == "pool":
                module = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
            else:
                module = Inception(channels, [size // divisor for size in sizes])
                channels = module.channels
            parts[i >= AUXILIARY].append(module)
            if i + 1 == AUXILIARY:
                self.auxiliary = Auxiliary(channels, num_classes, 128 // divisor, hidden)
        self.early, self.late = nn.SequentialCell(parts[0]), nn.SequentialCell(parts[1])
        self.dropout = nn.Dropout(p=dropout)
        self.fc = nn.Dense(channels, num_classes)

    def construct(self, x):
        x = self.pool(self.conv1(x))
        x = self.pool(self.conv3(self.conv2(x)))
        x = self.early(x)
        out = self.fc(self.dropout(self.late(x).mean((2, 3))))
        if self.training:
            return out, self.auxiliary(x)
        return out
