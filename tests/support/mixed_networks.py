"""Small networks that the tests of mixed precision share, written as a user writes them."""

import numpy as np

import minispore as ms
from minispore import nn
from minispore.tools.testing.strategies.networks import Block


class ConvNet(nn.Cell):
    """A convolution, BatchNorm, a Dense: one of each list, and neither."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(4 * 6 * 6, 3)

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        return self.fc(self.flatten(x))


class Nested(nn.Cell):
    """Blocks in a SequentialCell, one of them twice."""

    def __init__(self):
        super().__init__()
        block = Block(5)
        self.blocks = nn.SequentialCell(Block(5), block, block)
        self.head = nn.Dense(5, 2)

    def construct(self, x):
        return self.head(self.blocks(x))


def images(count=4, seed=0):
    """Images and class numbers for ConvNet."""
    rng = np.random.default_rng(seed)
    return ms.Tensor(rng.standard_normal((count, 1, 6, 6), np.float32)), ms.Tensor(rng.integers(0, 3, count, np.int32))
