"""Network building: Cell, containers, layers, losses, optimizers, and the cells that wrap a network for training."""

from minispore._exports import public as _public
from minispore.nn.cell import *
from minispore.nn.layer import *
from minispore.nn.loss import *
from minispore.nn.metrics import *
from minispore.nn.optim import *
from minispore.nn.optim.dynamic_lr import *
from minispore.nn.optim.learning_rate_schedule import *
from minispore.nn.wrap import *
from minispore.slips import no_attribute as _no_attribute

__all__ = _public(globals())


def __getattr__(name):
    """Raise AttributeError with the remedy for a name of another framework, or a misspelt one."""
    raise _no_attribute(f"The module '{__name__}'", name, (__name__,), lambda: __all__)
