"""Optimizers."""

from minispore.nn.optim.adam import Adam
from minispore.nn.optim.adaptive import Adadelta, Adagrad, RMSProp
from minispore.nn.optim.decoupled import AdamWeightDecay, Lamb
from minispore.nn.optim.lars import LARS
from minispore.nn.optim.momentum import SGD, Momentum
from minispore.nn.optim.optimizer import LearningRateSchedule, Optimizer

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
