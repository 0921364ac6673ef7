"""MindSpore's names for the state of a DynamicLossScaleManager, for reading."""

from minispore.amp.loss_scale.managers import _MOST_BAD_STEPS, DynamicLossScaleManager
from minispore.ops.added import add_to

__all__ = []


class _Spellings:
    """The attributes that every DynamicLossScaleManager gets."""

    bad_step_max = _MOST_BAD_STEPS

    @property
    def increase_ratio(self) -> float:
        """``scale_factor``."""
        return self.scale_factor

    @property
    def decrease_ratio(self) -> float:
        """``1 / scale_factor``."""
        return 1 / self.scale_factor

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


add_to(DynamicLossScaleManager, _Spellings)
