"""Loss-scale managers: the loss scale on the host, as ``build_train_network`` and ``Model`` take it."""

from __future__ import annotations

import numpy as np

from minispore.amp.loss_scale.rule import State, advance, check_factor_and_window, check_overflow, check_scale, store
from minispore.amp.loss_scale.update_cells import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell
from minispore.core.checks import check_bool
from minispore.core.dtype import float32
from minispore.core.errors import runtime_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.object_text import of_arguments, of_attributes

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]

_MOST_BAD_STEPS = 1000


class LossScaleManager:
    """Base of managers: subclasses define the three methods.

    Examples:
        >>> import minispore as ms
        >>> class Four(ms.amp.LossScaleManager):
        ...     def get_loss_scale(self):
        ...         return 4.0
        ...
        ...     def update_loss_scale(self, overflow):
        ...         pass
        ...
        ...     def get_update_cell(self):
        ...         return ms.nn.FixedLossScaleUpdateCell(4.0)
        >>> print(Four().get_loss_scale(), Four().get_update_cell().get_loss_scale())
        4.0 4.0
    """

    __repr__ = of_arguments

    def get_loss_scale(self) -> float:
        """The scale."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_loss_scale' is not defined.")

    def update_loss_scale(self, overflow: bool | Tensor) -> None:
        """Update the scale after a step, given whether it overflowed."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'update_loss_scale' is not defined.")

    def get_update_cell(self) -> Cell | None:
        """The update cell of a training step, or None for a step that does not check for overflow."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_update_cell' is not defined.")


class FixedLossScaleManager(LossScaleManager):
    """A fixed loss scale.

    Args:
        loss_scale (float): The scale, at least 1. Without ``drop_overflow_update`` it must be the optimizer's
            ``loss_scale`` too, which then divides the gradients. Default: 128.
        drop_overflow_update (bool): If True, a step whose gradients overflow is skipped. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the scale is below 1, or too large for float32.

    Examples:
        >>> import minispore as ms
        >>> manager = ms.amp.FixedLossScaleManager(1024.0, drop_overflow_update=False)
        >>> print(manager.get_loss_scale(), manager.get_update_cell())
        1024.0 None
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True) -> None:
        name = "FixedLossScaleManager"
        self._loss_scale = check_scale(name, "loss_scale", loss_scale)
        self._drop_overflow_update = check_bool(name, "drop_overflow_update", drop_overflow_update)

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """True if a step whose gradients overflow is skipped."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool | Tensor) -> None:
        """Nothing: the scale is fixed."""

    def get_update_cell(self) -> Cell | None:
        """A new update cell; None if overflow is not checked."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(State, LossScaleManager):
    """A loss scale that adapts to overflows: halved by each, doubled after a window without one.

    Args:
        init_loss_scale (float): The initial scale, at least 1. Default: 2 ** 24.
        scale_factor (float): The factor of each change, at least 1. Default: 2.
        scale_window (int): Good steps in a row before it grows, above 0. Default: 2000.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.

    Examples:
        >>> import minispore as ms
        >>> manager = ms.amp.DynamicLossScaleManager(16, 2, scale_window=2)
        >>> for overflow in (True, False, False, False):
        ...     manager.update_loss_scale(overflow)
        ...     print(manager.get_loss_scale(), end=" ")
        8.0 8.0 16 16
    """

    __repr__ = of_attributes("loss_scale", "scale_factor", "scale_window")

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: float = 2, scale_window: int = 2000) -> None:
        name = "DynamicLossScaleManager"
        init_loss_scale = check_scale(name, "init_loss_scale", init_loss_scale)
        self._factor, self._window = check_factor_and_window(name, scale_factor, scale_window)
        self._given = init_loss_scale
        self._scale = Parameter(Tensor(init_loss_scale, float32), name="loss_scale")
        self._steps, self._last, self._bad_steps = (
            Parameter(np.asarray(0, np.int32), name=part) for part in ("cur_iter", "last_overflow_iter", "bad_step")
        )

    # MindSpore's names of the state, for reading

    @property
    def loss_scale(self) -> float:
        """The scale, a float."""
        return float(self._scale.item())

    @property
    def scale_factor(self) -> float:
        """The factor by which the scale grows and shrinks."""
        return self._factor

    increase_ratio = scale_factor

    @property
    def decrease_ratio(self) -> float:
        """``1 / scale_factor``."""
        return 1 / self._factor

    @property
    def scale_window(self) -> int:
        """The number of steps without overflow after which the scale grows."""
        return self._window

    @property
    def cur_iter(self) -> int:
        """The number of the coming step; the first is 1."""
        return int(self._steps.item()) + 1

    @property
    def last_overflow_iter(self) -> int:
        """The number of the last step at which the scale changed; 0 if none did."""
        return int(self._last.item())

    @property
    def bad_step(self) -> int:
        """The number of overflowed steps since the last that did not overflow."""
        return int(self._bad_steps.item())

    bad_step_max = _MOST_BAD_STEPS

    def get_loss_scale(self) -> float:
        """The scale: the given int or float until it changes, then a float."""
        scale = float(self._scale.item())
        return self._given if scale == self._given else scale

    def get_drop_overflow_update(self) -> bool:
        """True: a step whose gradients overflow is skipped."""
        return True

    def update_loss_scale(self, overflow: bool | Tensor) -> None:
        """Update the scale after a step, given whether it overflowed.

        Raises:
            TypeError: If ``overflow`` is neither a bool nor a Tensor.
            RuntimeError: After more than 1000 overflows in a row.
        """
        overflow = check_overflow("update_loss_scale", "overflow", overflow)
        advance(self._scale, self._steps, self._last, self._factor, self._window, finite=not overflow)
        store(self._bad_steps, int(self._bad_steps.item()) + 1 if overflow else 0)
        if int(self._bad_steps.item()) > _MOST_BAD_STEPS:
            expected = f"there must be at most {_MOST_BAD_STEPS} overflows in a row: the network diverges"
            raise runtime_error("DynamicLossScaleManager", expected, f"{int(self._bad_steps.item())} steps")

    def get_update_cell(self) -> DynamicLossScaleUpdateCell:
        """A new update cell."""
        return DynamicLossScaleUpdateCell(self.get_loss_scale(), self._factor, self._window)
