"""LeNet-5 (LeCun et al., 1998): two convolutions with tanh and subsampling, a third over the whole map, two Denses."""

from mindspore import nn


class LeNet5(nn.Cell):
    """The network of the paper on 32x32 images, with plain average pooling for its trained subsampling."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True)
        self.pool1 = nn.AvgPool2d(kernel_size=2, stride=2)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True)
        self.pool2 = nn.AvgPool2d(kernel_size=2, stride=2)
        self.conv3 = nn.Conv2d(16, 120, 5, pad_mode="valid", has_bias=True)
        self.tanh = nn.Tanh()
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(120, 84)
        self.fc2 = nn.Dense(84, num_classes)

    def construct(self, x):
        x = self.pool1(self.tanh(self.conv1(x)))
        x = self.pool2(self.tanh(self.conv2(x)))
        x = self.tanh(self.conv3(x))
        x = self.tanh(self.fc1(self.flatten(x)))
        return self.fc2(x)
