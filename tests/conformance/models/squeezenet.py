"""SqueezeNet 1.1 (Iandola et al., 2016): fire modules squeeze the channels, then expand them by 1x1 and 3x3."""

from mindspore import nn, ops


class Fire(nn.Cell):
    """s = relu(squeeze(x)); out = concat(relu(expand1x1(s)), relu(expand3x3(s)))."""

    def __init__(self, in_channels, squeeze, expand):
        super().__init__()
        self.squeeze = nn.Conv2d(in_channels, squeeze, 1, has_bias=True)
        self.squeeze_activation = nn.ReLU()
        self.expand1x1 = nn.Conv2d(squeeze, expand, 1, has_bias=True)
        self.expand1x1_activation = nn.ReLU()
        self.expand3x3 = nn.Conv2d(squeeze, expand, 3, pad_mode="same", has_bias=True)
        self.expand3x3_activation = nn.ReLU()
        self.join = ops.Concat(axis=1)

    def construct(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        left = self.expand1x1_activation(self.expand1x1(x))
        right = self.expand3x3_activation(self.expand3x3(x))
        return self.join((left, right))


def pool():
    """3x3 pooling of stride 2 whose last window may reach beyond the end."""
    return nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")


class SqueezeNet(nn.Cell):
    """Version 1.1, with ``unit`` channels (16 in the paper) squeezed first, and a convolution as its classifier."""

    def __init__(self, num_classes=10, unit=16, dropout=0.5):
        super().__init__()
        u = unit
        self.features = nn.SequentialCell(
            nn.Conv2d(3, 4 * u, 3, stride=2, pad_mode="valid", has_bias=True),
            nn.ReLU(),
            pool(),
            Fire(4 * u, u, 4 * u),
            Fire(8 * u, u, 4 * u),
            pool(),
            Fire(8 * u, 2 * u, 8 * u),
            Fire(16 * u, 2 * u, 8 * u),
            pool(),
            Fire(16 * u, 3 * u, 12 * u),
            Fire(24 * u, 3 * u, 12 * u),
            Fire(24 * u, 4 * u, 16 * u),
            Fire(32 * u, 4 * u, 16 * u),
        )
        self.dropout = nn.Dropout(p=dropout)
        self.final = nn.Conv2d(32 * u, num_classes, 1, has_bias=True)
        self.mean = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.dropout(self.features(x))
        x = ops.relu(self.final(x))
        return self.flatten(self.mean(x))
