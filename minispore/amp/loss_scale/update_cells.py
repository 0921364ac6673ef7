"""Update cells: the loss scale as cells that a training step calls, with the state in Parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.amp.loss_scale.rule import check_factor_and_window, check_scale, overflow_flag
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.operations.loss_scale import AdvanceLossScale

__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell"]


class DynamicLossScaleUpdateCell(Cell):
    """A dynamic loss scale: ``cell(scale, overflow)`` updates the Parameter ``scale``, and returns ``overflow``.

    Args:
        loss_scale_value (float): The initial scale, above 0.
        scale_factor (float): The factor of each change, at least 1.
        scale_window (int): Good steps in a row before it grows, above 0.

    Inputs:
        - **loss_scale** (Parameter) - The scale, of shape () or (1,).
        - **overflow** (Tensor or bool) - True if the gradients overflowed.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> cell, scale = ms.nn.DynamicLossScaleUpdateCell(8, 2, 2), ms.Parameter(8.0, name="scale")
        >>> [(cell(scale, overflow), float(scale))[1] for overflow in (False, False, True)]
        [8.0, 16.0, 8.0]
    """

    def __init__(self, loss_scale_value: float, scale_factor: float, scale_window: int) -> None:
        super().__init__()
        name = "DynamicLossScaleUpdateCell"
        self.loss_scale_value = check_scale(name, "loss_scale_value", loss_scale_value, low=0, above=True)
        self._factor, self.scale_window = check_factor_and_window(name, scale_factor, scale_window)
        self.cur_iter = Parameter(np.asarray(0, np.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(np.asarray(0, np.int32), name="last_overflow_iterator_step")

    def __setstate__(self, state):
        """Restore a pickled state; a pickle of 0.1.0 has the factor under its public name."""
        names = {"scale_factor": "_factor"}
        self.__dict__.update({names.get(name, name): value for name, value in state.items()})

    def extend_repr(self) -> str:
        """The arguments, for the printed form."""
        return f"loss_scale_value={self.loss_scale_value:g}, factor={self._factor:g}, window={self.scale_window}"

    def get_loss_scale(self) -> float:
        """The initial scale."""
        return self.loss_scale_value

    @property
    def scale_factor(self) -> Any:
        """The factor of each change, a Tensor of float32; a number or a Tensor of one may be assigned."""
        return Tensor(self._factor, float32)

    @scale_factor.setter
    def scale_factor(self, value) -> None:
        """Change by another factor from now on."""
        value = value.item() if isinstance(value, Tensor) and value.size == 1 else value
        self._factor, _ = check_factor_and_window(type(self).__name__, value, self.scale_window)

    def construct(self, loss_scale: Parameter, overflow) -> Any:
        """Update the scale and the counters by one operation: the host does not read the overflow."""
        name = "DynamicLossScaleUpdateCell"
        if not isinstance(loss_scale, Tensor) or loss_scale.size != 1:
            raise type_error(name, "the 'loss_scale' must be a Tensor of one element", shown(loss_scale))
        overflowed = overflow_flag(name, "overflow", overflow)
        self._rule()(loss_scale, self.cur_iter, self.last_overflow_iter, overflowed)
        return overflow

    def _rule(self):
        """The operation for the current factor and window."""
        # One object for each pair: a step that graph mode has recorded keeps its operation.
        rules, key = self.__dict__.setdefault("_rules", {}), (self._factor, self.scale_window)
        if key not in rules:
            rules[key] = AdvanceLossScale(*key)
        return rules[key]


class FixedLossScaleUpdateCell(Cell):
    """A fixed loss scale; steps that overflow are skipped: ``cell(scale, overflow)`` returns ``overflow``.

    Args:
        loss_scale_value (float): The scale, above 0.

    Raises:
        TypeError: If ``loss_scale_value`` is not a number.
        ValueError: If ``loss_scale_value`` is not above 0, or too large for float32.

    Examples:
        >>> import minispore as ms
        >>> cell, scale = ms.nn.FixedLossScaleUpdateCell(8), ms.Parameter(8.0, name="scale")
        >>> print(cell.get_loss_scale(), cell(scale, True), float(scale))
        8 True 8.0
    """

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        name = "FixedLossScaleUpdateCell"
        self.loss_scale_value = check_scale(name, "loss_scale_value", loss_scale_value, low=0, above=True)

    def get_loss_scale(self) -> float:
        """The scale."""
        return self.loss_scale_value

    def construct(self, _, overflow) -> Any:
        """Hand the overflow on."""
        overflow_flag("FixedLossScaleUpdateCell", "overflow", overflow)
        return overflow
