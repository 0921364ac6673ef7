"""``mint.nn``: layers under PyTorch's names and with its arguments.

Reading order: ``functional``, ``layers``.
"""

from minispore._exports import public as _public
from minispore.mint.nn import functional
from minispore.mint.nn.layers import *

__all__ = [*_public(globals()), "functional"]
