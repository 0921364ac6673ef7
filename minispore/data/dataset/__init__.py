"""Datasets: sources, samplers, operations on samples, and the images that come with the package."""

from minispore.data.dataset import config
from minispore.data.dataset.engine import *
from minispore.data.dataset.engine import __all__ as _engine
from minispore.data.dataset.engine import samplers
from minispore.data.dataset.fashion_mnist import embedded_fashion_mnist, embedded_fashion_mnist_dir
from minispore.data.dataset.idx import read_idx
from minispore.dropin import addresses as _addresses
from minispore.dropin import dataset_spellings as _dataset_spellings  # noqa: F401 - it attaches itself

__all__ = ["config", "embedded_fashion_mnist", "embedded_fashion_mnist_dir", "read_idx", "samplers", *_engine]
_addresses.open_modules()
