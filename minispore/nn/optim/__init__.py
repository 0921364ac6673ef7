"""Optimizers."""

from minispore.nn.optim.adam import Adam
from minispore.nn.optim.momentum import SGD, Momentum
from minispore.nn.optim.optimizer import LearningRateSchedule, Optimizer

__all__ = ["SGD", "Adam", "LearningRateSchedule", "Momentum", "Optimizer"]
