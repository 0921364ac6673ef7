"""``mint.nn``: layers under PyTorch's names and with its arguments.

Reading order: ``functional``, ``layers``.
"""

from minispore.core._exports import public as _public
from minispore.dropin.mint.nn import functional
from minispore.dropin.mint.nn.layers import *

__all__ = [*_public(globals()), "functional"]
