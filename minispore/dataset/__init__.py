"""Datasets: sources, samplers, operations on samples, and the images that come with the package."""

from minispore import addresses as _addresses
from minispore.dataset import config
from minispore.dataset.engine import *
from minispore.dataset.engine import __all__ as _engine
from minispore.dataset.engine import samplers
from minispore.dataset.fashion_mnist import embedded_fashion_mnist, embedded_fashion_mnist_dir
from minispore.dataset.idx import read_idx

__all__ = ["config", "embedded_fashion_mnist", "embedded_fashion_mnist_dir", "read_idx", "samplers", *_engine]
_addresses.open_modules()
