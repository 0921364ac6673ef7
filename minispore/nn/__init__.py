"""Network building: Cell, containers, layers, losses, optimizers, and the cells that wrap a network for training."""

from minispore.core._exports import public as _public
from minispore.nn.cell import *
from minispore.nn.grad import *
from minispore.nn.graph_cell import *
from minispore.nn.layer import *
from minispore.nn.loss import *
from minispore.nn.metrics import *
from minispore.nn.micro_batches import *
from minispore.nn.optim import *
from minispore.nn.optim.dynamic_lr import *
from minispore.nn.optim.learning_rate_schedule import *
from minispore.nn.with_loss import *
from minispore.nn.wrap import *

__all__ = _public(globals())
