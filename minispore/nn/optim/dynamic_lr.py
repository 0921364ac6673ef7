"""Lists of learning rates, one for each step, for an optimizer's ``learning_rate``.

In the formulas ``epoch = step // step_per_epoch``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from minispore.core.checks import check_bool, check_positive_int
from minispore.core.errors import type_error, value_error
from minispore.nn.optim._checks import check_cosine, check_counts, check_decay, check_polynomial
from minispore.ops.number_checks import check_python_float

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def piecewise_constant_lr(
    milestone: Sequence[int] | tuple[int, ...], learning_rates: Sequence[float] | tuple[float, ...]
) -> list[float]:
    """``learning_rates[i]`` for the steps from ``milestone[i - 1]`` to ``milestone[i] - 1``.

    Args:
        milestone (Union[list[int], tuple[int]]): Steps, rising.
        learning_rates (Union[list[float], tuple[float]]): One rate for each milestone.

    Returns:
        list[float], of length ``milestone[-1]``.

    Raises:
        TypeError: If an argument is not a list or tuple, a milestone not an int or a rate not a float.
        ValueError: If the lengths differ or are 0, or milestones are not above 0 and rising.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.piecewise_constant_lr([2, 5], [0.1, 0.05])
        [0.1, 0.1, 0.05, 0.05, 0.05]
    """
    name = "piecewise_constant_lr"
    for argument, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, (list, tuple)):
            raise type_error(name, f"the '{argument}' must be a list or a tuple", type(value).__name__)
    if len(milestone) != len(learning_rates) or not milestone:
        got = f"{len(milestone)} and {len(learning_rates)}"
        raise value_error(name, "the 'milestone' and the 'learning_rates' must be of one length, not 0", got)
    rates = []
    for i, (stop, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        check_positive_int(name, f"milestone[{i}]", stop)
        check_python_float(name, f"learning_rates[{i}]", rate)
        if stop < len(rates):
            raise value_error(name, "the 'milestone' must be rising", list(milestone))
        rates += [rate] * (stop - len(rates))
    return rates


def _epochs(total_step, step_per_epoch):
    return [step // step_per_epoch for step in range(total_step)]


def exponential_decay_lr(
    learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int, is_stair=False
) -> list[float]:
    """``learning_rate * decay_rate ** (epoch / decay_epoch)``; with ``is_stair`` the quotient is rounded down.

    Args:
        learning_rate (float): Above 0.
        decay_rate (float): Above 0.
        total_step (int): The number of rates.
        step_per_epoch (int): Steps of an epoch.
        decay_epoch (int): Epochs of one decay.
        is_stair (bool): Default: False.

    Returns:
        list[float], of length ``total_step``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is not above 0.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.exponential_decay_lr(0.5, 0.5, 4, 2, 1)
        [0.5, 0.5, 0.25, 0.25]
    """
    counts = {"total_step": total_step, "step_per_epoch": step_per_epoch, "decay_epoch": decay_epoch}
    check_decay("exponential_decay_lr", learning_rate, decay_rate, is_stair, **counts)
    passed = [
        epoch // decay_epoch if is_stair else epoch / decay_epoch for epoch in _epochs(total_step, step_per_epoch)
    ]
    return [learning_rate * decay_rate**p for p in passed]


def natural_exp_decay_lr(
    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair: bool = False
) -> list[float]:
    """``learning_rate * exp(-decay_rate * epoch)``; ``is_stair`` rounds epoch down to a multiple of ``decay_epoch``.

    Arguments, result and errors as in :func:`exponential_decay_lr`.

    Examples:
        >>> import minispore as ms
        >>> [round(rate, 4) for rate in ms.nn.natural_exp_decay_lr(0.5, 1.0, 4, 2, 1)]
        [0.5, 0.5, 0.1839, 0.1839]
    """
    counts = {"total_step": total_step, "step_per_epoch": step_per_epoch, "decay_epoch": decay_epoch}
    check_decay("natural_exp_decay_lr", learning_rate, decay_rate, is_stair, **counts)
    stair = decay_epoch if is_stair else 1
    return [learning_rate * math.exp(-decay_rate * (e // stair * stair)) for e in _epochs(total_step, step_per_epoch)]


def inverse_decay_lr(
    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair: bool = False
) -> list[float]:
    """``learning_rate / (1 + decay_rate * epoch / decay_epoch)``; with ``is_stair`` the quotient is rounded down.

    Arguments, result and errors as in :func:`exponential_decay_lr`.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.inverse_decay_lr(0.5, 1.0, 4, 2, 1)
        [0.5, 0.5, 0.25, 0.25]
    """
    counts = {"total_step": total_step, "step_per_epoch": step_per_epoch, "decay_epoch": decay_epoch}
    check_decay("inverse_decay_lr", learning_rate, decay_rate, is_stair, **counts)
    passed = [
        epoch // decay_epoch if is_stair else epoch / decay_epoch for epoch in _epochs(total_step, step_per_epoch)
    ]
    return [learning_rate / (1 + decay_rate * p) for p in passed]


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """``min_lr + (max_lr - min_lr) * (1 + cos(pi * min(epoch, decay_epoch) / decay_epoch)) / 2``.

    Args:
        min_lr (float): At least 0.
        max_lr (float): Above ``min_lr``.
        total_step (int): The number of rates.
        step_per_epoch (int): Steps of an epoch.
        decay_epoch (int): The epoch from which the rate is ``min_lr``.

    Returns:
        list[float], of length ``total_step``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.cosine_decay_lr(0.0, 1.0, 4, 2, 1)
        [1.0, 1.0, 0.0, 0.0]
    """
    counts = {"total_step": total_step, "step_per_epoch": step_per_epoch, "decay_epoch": decay_epoch}
    check_cosine("cosine_decay_lr", min_lr, max_lr, **counts)
    passed = [min(epoch, decay_epoch) / decay_epoch for epoch in _epochs(total_step, step_per_epoch)]
    return [min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * p)) for p in passed]


def polynomial_decay_lr(
    learning_rate: float, end_learning_rate, total_step, step_per_epoch, decay_epoch, power, update_decay_epoch=False
) -> list[float]:
    """``end + (learning_rate - end) * (1 - min(epoch, decay_epoch) / decay_epoch) ** power``.

    Args:
        learning_rate (float): Above 0.
        end_learning_rate (float): ``end``, at least 0.
        total_step (int): The number of rates.
        step_per_epoch (int): Steps of an epoch.
        decay_epoch (int): The epoch from which the rate is ``end``.
        power (float): Above 0.
        update_decay_epoch (bool): If True, the decay is instead stretched to the next multiple of ``decay_epoch`` when
            epoch has passed one. Default: False.

    Returns:
        list[float], of length ``total_step``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.polynomial_decay_lr(1.0, 0.0, 4, 1, 2, 1.0)
        [1.0, 0.5, 0.0, 0.0]
    """
    counts = {"total_step": total_step, "step_per_epoch": step_per_epoch, "decay_epoch": decay_epoch}
    check_polynomial("polynomial_decay_lr", learning_rate, end_learning_rate, power, **counts)
    stretched = check_bool("polynomial_decay_lr", "update_decay_epoch", update_decay_epoch)
    rates = []
    for epoch in _epochs(total_step, step_per_epoch):
        last = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if stretched else decay_epoch
        rates.append(end_learning_rate + (learning_rate - end_learning_rate) * (1 - min(epoch, last) / last) ** power)
    return rates


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """``learning_rate * min(epoch, warmup_epoch) / warmup_epoch``.

    Args:
        learning_rate (float): At least 0.
        total_step (int): The number of rates.
        step_per_epoch (int): Steps of an epoch.
        warmup_epoch (int): The epoch from which the rate is ``learning_rate``.

    Returns:
        list[float], of length ``total_step``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.warmup_lr(1.0, 5, 1, 2)
        [0.0, 0.5, 1.0, 1.0, 1.0]
    """
    check_python_float("warmup_lr", "learning_rate", learning_rate, 0)
    check_counts("warmup_lr", total_step=total_step, step_per_epoch=step_per_epoch, warmup_epoch=warmup_epoch)
    return [learning_rate * min(epoch, warmup_epoch) / warmup_epoch for epoch in _epochs(total_step, step_per_epoch)]
