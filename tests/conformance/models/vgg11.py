"""VGG-11 (Simonyan and Zisserman, 2015, configuration A): eight 3x3 convolutions, five poolings, three Denses."""

from mindspore import nn

LAYERS = (1, "pool", 2, "pool", 4, 4, "pool", 8, 8, "pool", 8, 8, "pool")  # channels in units of the first width


def features(width, in_channels):
    """The convolutional part, as one SequentialCell."""
    cells = []
    for layer in LAYERS:
        if layer == "pool":
            cells.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        cells.append(nn.Conv2d(in_channels, layer * width, 3, pad_mode="pad", padding=1, has_bias=True))
        cells.append(nn.ReLU())
        in_channels = layer * width
    return nn.SequentialCell(cells)


class VGG11(nn.Cell):
    """Features of 1/32 of the image's size, and a classifier with Dropout between its Denses."""

    def __init__(self, num_classes=10, width=64, hidden=4096, size=224, dropout=0.5, in_channels=3):
        super().__init__()
        self.features = features(width, in_channels)
        self.flatten = nn.Flatten()
        self.classifier = nn.SequentialCell(
            nn.Dense(8 * width * (size // 32) ** 2, hidden, activation="relu"),
            nn.Dropout(p=dropout),
            nn.Dense(hidden, hidden, activation="relu"),
            nn.Dropout(p=dropout),
            nn.Dense(hidden, num_classes),
        )

    def construct(self, x):
        return self.classifier(self.flatten(self.features(x)))
