"""The module that ``import mindspore`` finds first in a process started by a script of ``minispore run``.

It makes the name give minispore, and leaves its own place to it.
"""

import importlib
import sys

from minispore.dropin import compat

__all__ = []

compat.install(force=True)
sys.modules[__name__] = importlib.import_module(__name__)
