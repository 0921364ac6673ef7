"""Optimizers with ``param_groups``, which schedules of ``lr_scheduler`` and users change between steps.

Reading order: ``optimizer``, ``sgd``, ``adam``, ``lr_scheduler``.
"""

from minispore.core._exports import public as _public
from minispore.dropin.experimental.optim import lr_scheduler
from minispore.dropin.experimental.optim.adam import *
from minispore.dropin.experimental.optim.optimizer import *
from minispore.dropin.experimental.optim.sgd import *

__all__ = [*_public(globals()), "lr_scheduler"]
