"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = []

from minispore import dtype as dtype
from minispore import initializer as initializer
from minispore import parameter as parameter
from minispore import tensor as tensor
