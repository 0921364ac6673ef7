"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.serialization import *
from minispore.context import get_context as get_context, set_context as set_context
from minispore.tensor import Tensor as Tensor
from minispore.parameter import Parameter as Parameter
