"""Optimizers."""

from minispore.nn.optim.adagrad_rmsprop import Adadelta, Adagrad, RMSProp
from minispore.nn.optim.adam import Adam
from minispore.nn.optim.adamw_lamb import AdamWeightDecay, Lamb
from minispore.nn.optim.lars import LARS
from minispore.nn.optim.optimizer import LearningRateSchedule, Optimizer
from minispore.nn.optim.sgd import SGD, Momentum

__all__ = [
    "LARS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamWeightDecay",
    "Lamb",
    "LearningRateSchedule",
    "Momentum",
    "Optimizer",
    "RMSProp",
]
