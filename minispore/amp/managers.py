"""Loss-scale managers: what ``build_train_network`` and ``Model`` are given, and the loss scale's face on the host."""

from minispore.amp.loss_scale import LossScale
from minispore.amp.update_cells import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, check_scale_argument
from minispore.errors import runtime_error, type_error

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]

_MOST_BAD_STEPS = 1000


class LossScaleManager:
    """Base of managers: subclasses define the three methods."""

    def get_loss_scale(self):
        """The scale."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_loss_scale' is not defined.")

    def update_loss_scale(self, overflow):
        """Move the scale on after a step that overflowed, or did not."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'update_loss_scale' is not defined.")

    def get_update_cell(self):
        """The update cell of a training step, or None for a step that does not look for overflow."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_update_cell' is not defined.")


class FixedLossScaleManager(LossScaleManager):
    """A fixed loss scale.

    Args:
        loss_scale (float): The scale, at least 1. Without ``drop_overflow_update`` it must be the optimizer's
            ``loss_scale`` too, which then divides the gradients. Default: 128.
        drop_overflow_update (bool): Whether a step whose gradients overflow is skipped. Default: True.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the scale is below 1.
    """

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        self._loss_scale = check_scale_argument("FixedLossScaleManager", "loss_scale", loss_scale, 1)
        if not isinstance(drop_overflow_update, bool):
            got = repr(drop_overflow_update)
            raise type_error("FixedLossScaleManager", "the 'drop_overflow_update' must be a bool", got)
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self):
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether a step whose gradients overflow is skipped."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow):
        """Nothing: the scale is fixed."""

    def get_update_cell(self):
        """A new update cell; None where overflow is not looked for."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that follows the overflows: halved by each, doubled after a window without one.

    Args:
        init_loss_scale (float): The scale to begin with, above 1. Default: 2 ** 24.
        scale_factor (int): By how much it changes, above 0. Default: 2.
        scale_window (int): Good steps in a row before it grows, above 0. Default: 2000.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range.
    """

    def __init__(self, init_loss_scale=2**24, scale_factor=2, scale_window=2000):
        name = "DynamicLossScaleManager"
        check_scale_argument(name, "init_loss_scale", init_loss_scale, 1, strict=True)
        check_scale_argument(name, "scale_factor", scale_factor, 0, (int,), strict=True)
        check_scale_argument(name, "scale_window", scale_window, 0, (int,), strict=True)
        self._state = LossScale(float(init_loss_scale), scale_factor, scale_window)
        self._bad_steps = 0

    def get_loss_scale(self):
        """The scale."""
        return self._state.scale

    def get_drop_overflow_update(self):
        """True: a step whose gradients overflow is skipped."""
        return True

    def update_loss_scale(self, overflow):
        """Move the scale on after a step that overflowed, or did not.

        Raises:
            RuntimeError: After more than 1000 overflows in a row.
        """
        self._state = self._state.after(not overflow)
        self._bad_steps = self._bad_steps + 1 if overflow else 0
        if self._bad_steps > _MOST_BAD_STEPS:
            expected = f"there must be at most {_MOST_BAD_STEPS} overflows in a row: the network diverges"
            raise runtime_error("DynamicLossScaleManager", expected, f"{self._bad_steps} steps")

    def get_update_cell(self):
        """A new update cell."""
        return DynamicLossScaleUpdateCell(self._state.scale, self._state.factor, self._state.window)
