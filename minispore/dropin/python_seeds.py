"""The random numbers of Python and of NumPy, which begin anew with ``set_seed``: scripts draw their data by them."""

import random

import numpy as np

from minispore.core.seeds import on_seed

__all__ = []


def begin_numbers(seed_value):
    """Start the numbers of Python and of NumPy anew, as MindSpore does."""
    random.seed(seed_value)
    np.random.seed(seed_value)


on_seed.append(begin_numbers)
