"""Learning rate schedules: Cells that compute the rate from the number of earlier steps, in float32.

``schedule(global_step)`` takes an integer Tensor or an int, and returns the rate in its shape.
"""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.tensor import Tensor
from minispore.nn.optim._checks import check_cosine, check_counts, check_decay, check_polynomial
from minispore.nn.optim.optimizer import LearningRateSchedule
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_no_complex, check_python_float

__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]


def _as_float(step):
    check_no_complex("a learning rate schedule", "global_step", step)
    return step.astype(float32) if isinstance(step, Tensor) else Tensor(step, float32)


class _Decay(LearningRateSchedule):
    """Base of decays by a rate every ``decay_steps`` steps."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair: bool = False) -> None:
        super().__init__()
        check_decay(type(self).__name__, learning_rate, decay_rate, is_stair, decay_steps=decay_steps)
        self.learning_rate, self.decay_rate = learning_rate, decay_rate
        self.decay_steps, self.is_stair = decay_steps, is_stair

    def passed(self, global_step) -> Any:
        """The number of periods of ``decay_steps`` steps so far, rounded down with ``is_stair``."""
        passed = _as_float(global_step) / self.decay_steps
        return F.floor(passed) if self.is_stair else passed


class ExponentialDecayLR(_Decay):
    """``learning_rate * decay_rate ** (step / decay_steps)``; with ``is_stair`` the quotient is rounded down.

    Args:
        learning_rate (float): Above 0.
        decay_rate (float): Above 0.
        decay_steps (int): Above 0.
        is_stair (bool): Default: False.

    Inputs:
        - **global_step** (Tensor) - The number of earlier steps.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is not above 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ExponentialDecayLR(0.5, 0.25, 2)(ms.Tensor(1)))
        0.25
    """

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate."""
        return self.learning_rate * self.decay_rate ** self.passed(global_step)


class NaturalExpDecayLR(_Decay):
    """``learning_rate * exp(-decay_rate * step)``; ``is_stair`` rounds step down to a multiple of ``decay_steps``.

    Arguments, inputs and errors as in :class:`ExponentialDecayLR`.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.NaturalExpDecayLR(0.5, 0.25, 2, is_stair=True)(ms.Tensor(1)))
        0.5
    """

    def construct(self, global_step) -> Tensor:
        """The rate."""
        step = self.passed(global_step) * self.decay_steps if self.is_stair else _as_float(global_step)
        return self.learning_rate * F.exp(step * -self.decay_rate)


class InverseDecayLR(_Decay):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``; with ``is_stair`` the quotient is rounded down.

    Arguments, inputs and errors as in :class:`ExponentialDecayLR`.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.InverseDecayLR(0.5, 1.0, 2)(ms.Tensor(2)))
        0.25
    """

    def construct(self, global_step) -> Tensor:
        """The rate."""
        return self.learning_rate / (1 + self.decay_rate * self.passed(global_step))


class CosineDecayLR(LearningRateSchedule):
    """``min_lr + (max_lr - min_lr) * (1 + cos(pi * min(step, decay_steps) / decay_steps)) / 2``.

    Dtypes: floats, ints and bools; the answer is float32; TypeError for complex.

    Args:
        min_lr (float): At least 0.
        max_lr (float): Above ``min_lr``.
        decay_steps (int): The step from which the rate is ``min_lr``.

    Inputs:
        - **global_step** (Tensor) - The number of earlier steps.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.CosineDecayLR(0.0, 1.0, 4)(ms.Tensor(4)))
        0.0
    """

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        check_cosine("CosineDecayLR", min_lr, max_lr, decay_steps=decay_steps)
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate."""
        passed = F.minimum(_as_float(global_step), self.decay_steps) / self.decay_steps
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1 + F.cos(passed * math.pi))


class PolynomialDecayLR(LearningRateSchedule):
    """``end + (learning_rate - end) * (1 - min(step, decay_steps) / decay_steps) ** power``.

    Args:
        learning_rate (float): Above 0.
        end_learning_rate (float): ``end``, at least 0.
        decay_steps (int): The step from which the rate is ``end``.
        power (float): Above 0.
        update_decay_steps (bool): If True, the decay is instead stretched to the next multiple of ``decay_steps`` when
            step has passed one. Default: False.

    Inputs:
        - **global_step** (Tensor) - The number of earlier steps.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.PolynomialDecayLR(1.0, 0.0, 4, 2.0)(ms.Tensor(2)))
        0.25
    """

    def __init__(
        self, learning_rate: float, end_learning_rate: float, decay_steps: int, power, update_decay_steps=False
    ) -> None:
        super().__init__()
        check_polynomial("PolynomialDecayLR", learning_rate, end_learning_rate, power, decay_steps=decay_steps)
        self.update_decay_steps = check_bool("PolynomialDecayLR", "update_decay_steps", update_decay_steps)
        self.learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power = decay_steps, power

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate."""
        step, last = _as_float(global_step), self.decay_steps
        if self.update_decay_steps:
            last = F.maximum(F.ceil(step / last), 1) * last
        left = 1 - F.minimum(step, last) / last
        return self.end_learning_rate + (self.learning_rate - self.end_learning_rate) * left**self.power


class WarmUpLR(LearningRateSchedule):
    """``learning_rate * min(step, warmup_steps) / warmup_steps``.

    Dtypes: floats, ints and bools; the answer is float32; TypeError for complex.

    Args:
        learning_rate (float): At least 0.
        warmup_steps (int): The step from which the rate is ``learning_rate``.

    Inputs:
        - **global_step** (Tensor) - The number of earlier steps.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.WarmUpLR(1.0, 4)(ms.Tensor(1)))
        0.25
    """

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        check_python_float("WarmUpLR", "learning_rate", learning_rate, 0)
        check_counts("WarmUpLR", warmup_steps=warmup_steps)
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate."""
        return self.learning_rate * (F.minimum(_as_float(global_step), self.warmup_steps) / self.warmup_steps)
