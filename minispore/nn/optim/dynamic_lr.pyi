"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['cosine_decay_lr', 'exponential_decay_lr', 'inverse_decay_lr', 'natural_exp_decay_lr', 'piecewise_constant_lr', 'polynomial_decay_lr', 'warmup_lr']

from minispore.nn import cosine_decay_lr as cosine_decay_lr
from minispore.nn import exponential_decay_lr as exponential_decay_lr
from minispore.nn import inverse_decay_lr as inverse_decay_lr
from minispore.nn import natural_exp_decay_lr as natural_exp_decay_lr
from minispore.nn import piecewise_constant_lr as piecewise_constant_lr
from minispore.nn import polynomial_decay_lr as polynomial_decay_lr
from minispore.nn import warmup_lr as warmup_lr
