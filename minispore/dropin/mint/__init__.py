"""``ms.mint``, which MindSpore has from 2.3 on: functions and layers under PyTorch's names and with its arguments.

What ``ops`` has with the same arguments is the same function here. Reading order: ``functions``, ``linalg``, ``nn``.
"""

from minispore.dropin.mint import linalg, nn
from minispore.dropin.mint.functions import *
from minispore.dropin.mint.functions import __all__ as _functions

__all__ = [*_functions, "linalg", "nn"]
