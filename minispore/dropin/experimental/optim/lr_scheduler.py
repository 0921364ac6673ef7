"""Schedules that set the learning rates of an optimizer's groups, once for each ``step()``."""

import math

from minispore.core.checks import check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.experimental.optim.optimizer import Optimizer
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_real
from minispore.ops.object_checks import check_callable

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "PolynomialLR",
    "StepLR",
]


class LRScheduler:
    """Base of schedules: ``get_lr()`` gives each group's rate after ``last_epoch`` steps.

    Args:
        optimizer (Optimizer): An optimizer of ``experimental.optim``.
        last_epoch (int): The number of steps already made, less 1. Default: -1.

    Raises:
        TypeError: If an argument is of a wrong kind.
    """

    def __init__(self, optimizer, last_epoch=-1):
        name = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            expected = "the 'optimizer' must be an Optimizer of experimental.optim"
            raise type_error(name, expected, type(optimizer).__name__)
        self.optimizer, self.last_epoch = optimizer, check_int(name, "last_epoch", last_epoch, low=-1)
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def get_lr(self):
        """Each group's rate; every schedule defines it."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_lr' is not defined.")

    def get_last_lr(self):
        """The rates that the last step has set: a Tensor for each group."""
        return [group["lr"].value() for group in self.optimizer.param_groups]

    def step(self):
        """Count a step, and set the rates."""
        self.last_epoch += 1
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            F.assign(group["lr"], Tensor(float(rate), float32))


class _Factor(LRScheduler):
    """Base of schedules that multiply all groups' first rates by one factor."""

    def _factor(self, epoch):
        raise NotImplementedError

    def get_lr(self):
        """Each group's first rate times the factor."""
        return [rate * self._factor(self.last_epoch) for rate in self.base_lrs]


class StepLR(_Factor):
    """``lr = first * gamma ** (epoch // step_size)``."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = check_positive_int("StepLR", "step_size", step_size)
        self.gamma = check_real("StepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(_Factor):
    """``lr = first * gamma ** (how many milestones have been reached)``."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        if not isinstance(milestones, (list, tuple)):
            raise type_error("MultiStepLR", "the 'milestones' must be a list of ints", shown(milestones))
        self.milestones = [check_int("MultiStepLR", "milestones", m, low=0) for m in milestones]
        self.gamma = check_real("MultiStepLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma ** sum(m <= epoch for m in self.milestones)


class ExponentialLR(_Factor):
    """``lr = first * gamma ** epoch``."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = check_real("ExponentialLR", "gamma", gamma)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma**epoch


class ConstantLR(_Factor):
    """``lr = first * factor`` before epoch ``total_iters``, then ``first``."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        self.factor = check_real("ConstantLR", "factor", factor, 0, 1)
        self.total_iters = check_int("ConstantLR", "total_iters", total_iters, low=0)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.factor if epoch < self.total_iters else 1.0


class LinearLR(_Factor):
    """``lr = first * factor``, which goes from ``start_factor`` to ``end_factor`` in ``total_iters`` equal steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        self.start_factor = check_real("LinearLR", "start_factor", start_factor, 0, 1, above=True)
        self.end_factor = check_real("LinearLR", "end_factor", end_factor, 0, 1)
        self.total_iters = check_positive_int("LinearLR", "total_iters", total_iters)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        share = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * share


class PolynomialLR(_Factor):
    """``lr = first * (1 - epoch / total_iters) ** power``, and 0 from ``total_iters`` on."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = check_positive_int("PolynomialLR", "total_iters", total_iters)
        self.power = check_real("PolynomialLR", "power", power)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return (1 - min(epoch, self.total_iters) / self.total_iters) ** self.power


class LambdaLR(LRScheduler):
    """``lr = first * lr_lambda(epoch)``, with one function, or one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups = len(getattr(optimizer, "param_groups", ()))
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * groups
        for function in self.lr_lambdas:
            check_callable("LambdaLR", "lr_lambda", function)
        if len(self.lr_lambdas) != groups and groups:
            expected = f"the 'lr_lambda' must be {groups} functions, one for each group"
            raise value_error("LambdaLR", expected, len(self.lr_lambdas))
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Each group's first rate times its function."""
        return [rate * f(self.last_epoch) for rate, f in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class CosineAnnealingLR(LRScheduler):
    """``lr = eta_min + (first - eta_min) * (1 + cos(pi * epoch / T_max)) / 2`` (Loshchilov and Hutter, 2017)."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):  # noqa: N803 - MindSpore's name
        self.T_max = check_positive_int("CosineAnnealingLR", "T_max", T_max)
        self.eta_min = check_real("CosineAnnealingLR", "eta_min", eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """Each group's rate on its half cosine."""
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (rate - self.eta_min) * share for rate in self.base_lrs]
