"""DenseNet-BC (Huang et al., 2017): every layer reads the concatenation of all that its block made before."""

from mindspore import nn, ops


class DenseLayer(nn.Cell):
    """concat(x, conv3x3(relu(bn(conv1x1(relu(bn(x))))))), ``growth`` channels more than x."""

    def __init__(self, in_channels, growth, bottleneck=4):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(in_channels)
        self.relu1 = nn.ReLU()
        self.conv1 = nn.Conv2d(in_channels, bottleneck * growth, kernel_size=1, stride=1)
        self.norm2 = nn.BatchNorm2d(bottleneck * growth)
        self.relu2 = nn.ReLU()
        self.conv2 = nn.Conv2d(bottleneck * growth, growth, kernel_size=3, stride=1, pad_mode="pad", padding=1)

    def construct(self, features):
        new = self.conv1(self.relu1(self.norm1(features)))
        new = self.conv2(self.relu2(self.norm2(new)))
        return ops.concat((features, new), axis=1)


class Transition(nn.Cell):
    """Half the channels by a 1x1 convolution, half the size by the mean of 2x2."""

    def __init__(self, in_channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(in_channels)
        self.relu = nn.ReLU()
        self.conv = nn.Conv2d(in_channels, in_channels // 2, kernel_size=1, stride=1)
        self.pool = nn.AvgPool2d(kernel_size=2, stride=2)

    def construct(self, x):
        return self.pool(self.conv(self.relu(self.norm(x))))


class DenseNet(nn.Cell):
    """The form of DenseNet-121, with given layers in its blocks; the defaults are the paper's."""

    def __init__(self, num_classes=10, growth=32, blocks=(6, 12, 24, 16)):
        super().__init__()
        channels = 2 * growth
        self.conv0 = nn.Conv2d(3, channels, kernel_size=7, stride=2, pad_mode="same")
        self.norm0 = nn.BatchNorm2d(channels)
        self.pool0 = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        self.features = nn.SequentialCell()
        for i, layers in enumerate(blocks):
            for _ in range(layers):
                self.features.append(DenseLayer(channels, growth))
                channels += growth
            if i + 1 < len(blocks):
                self.features.append(Transition(channels))
                channels //= 2
        self.norm5 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU()
        self.classifier = nn.Dense(channels, num_classes)

    def construct(self, x):
        x = self.pool0(self.relu(self.norm0(self.conv0(x))))
        x = self.relu(self.norm5(self.features(x)))
        return self.classifier(ops.ReduceMean()(x, (2, 3)))
