"""What tests of training share: a small data set and network."""

import numpy as np
import pytest

from minispore import dataset, nn


@pytest.fixture
def data():
    """A function that gives a data set of rows (data, label): ``data(samples=12, batch=4)``."""

    def make(samples=12, batch=4):
        draw = np.random.RandomState(0)
        x, y = draw.randn(samples, 3).astype(np.float32), draw.randn(samples, 1).astype(np.float32)
        return dataset.NumpySlicesDataset({"data": x, "label": y}, shuffle=False).batch(batch)

    return make


class Net(nn.Cell):
    """Two dense layers with a norm between them."""

    def __init__(self):
        super().__init__()
        self.fc1, self.bn, self.relu, self.fc2 = nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dense(4, 1)

    def construct(self, x):
        """The prediction."""
        return self.fc2(self.relu(self.bn(self.fc1(x))))


@pytest.fixture
def net():
    """The class of the network."""
    return Net
