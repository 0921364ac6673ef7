"""What ``import mindspore`` first finds in a process that a script started by ``minispore run`` has started.

It makes the name give minispore, and leaves its own place to it.
"""

import importlib
import sys

from minispore import compat

__all__ = []

compat.install(force=True)
sys.modules[__name__] = importlib.import_module(__name__)
