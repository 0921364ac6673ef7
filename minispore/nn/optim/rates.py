"""The learning rates that an optimizer shows: a Parameter, a schedule, or one of them for each Parameter of groups."""

from __future__ import annotations

from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer.container import CellList
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name

__all__ = ["LearningRateSchedule"]


class LearningRateSchedule(Cell):
    """Base of learning rate schedules: ``construct(global_step)`` returns the rate, a 0-d Tensor.

    Examples:
        >>> import minispore as ms
        >>> class Halved(ms.nn.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.1 * 0.5**global_step
        >>> print(Halved()(ms.Tensor(2)))
        0.025
    """


class _IteratorLearningRate(LearningRateSchedule):
    """The rate of each step from a row of rates, whose last one is repeated."""

    def __init__(self, learning_rate: Parameter) -> None:
        super().__init__(auto_prefix=False)
        self.learning_rate = learning_rate

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate, in the shape of ``global_step``."""
        return self.learning_rate[F.minimum(global_step, self.learning_rate.size - 1)]


class _ConvertToCell(LearningRateSchedule):
    """A constant rate as a schedule, beside groups whose rates change."""

    def __init__(self, learning_rate: Parameter) -> None:
        super().__init__(auto_prefix=False)
        self.learning_rate = learning_rate

    def construct(self, global_step: Tensor) -> Tensor:
        """The rate."""
        return self.learning_rate + 0.0


def held_rate(rate):
    """The form of a rate in ``get_lr_parameter``: the Parameter inside a cell of this file, or the rate itself."""
    return rate.learning_rate if isinstance(rate, (_IteratorLearningRate, _ConvertToCell)) else rate


def rate_of_steps(values, name):
    """The rate of a checked array: a Parameter of one number, or a cell of a row of them."""
    parameter = Parameter(values, name=name)
    return _IteratorLearningRate(parameter) if parameter.ndim else parameter


def rates_of_groups(rates):
    """One entry for each Parameter: a tuple of constant rates, or a CellList if one of them changes."""
    if all(isinstance(rate, Parameter) for rate in rates):
        return ParameterTuple(rates)
    cells = {id(rate): _ConvertToCell(rate) if isinstance(rate, Parameter) else rate for rate in rates}
    return CellList([cells[id(rate)] for rate in rates], auto_prefix=False)
