"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.ops.transforms import *
from minispore.ops.derivatives import *
from minispore.nn.custom_vjp import *
