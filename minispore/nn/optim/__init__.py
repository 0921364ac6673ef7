"""Optimizers."""

from minispore.core._exports import public as _public
from minispore.nn.optim.ada_factor import *
from minispore.nn.optim.adagrad_rmsprop import *
from minispore.nn.optim.adam import *
from minispore.nn.optim.adamw_lamb import *
from minispore.nn.optim.ftrl_and_others import *
from minispore.nn.optim.lars import *
from minispore.nn.optim.optimizer import *
from minispore.nn.optim.sgd import *

__all__ = _public(globals())
