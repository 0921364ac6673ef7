"""Warns of a loss scale that stays the same while step after step is skipped: nothing is learned."""

from minispore.amp.policy.levels import AS_IT_IS

__all__ = ["StandingScale"]

_PATIENCE = 10  # skipped steps in a row at one scale


class StandingScale:
    """Counts skipped steps in a row with the same scale; ``note`` says once what to do about them."""

    def __init__(self, level):
        self._level, self._scale, self._count, self._said = level, None, 0, False

    def note(self, result):
        """Count the result of a training step; returns the warning, or None."""
        if not isinstance(result, tuple) or not bool(result[1]):
            self._count = 0
            return None
        scale = float(result[2])
        self._count = self._count + 1 if scale == self._scale else 1
        self._scale = scale
        if self._count < _PATIENCE or self._said:
            return None
        self._said = True
        remedy = (
            f"try a lower --lr, or --level {AS_IT_IS.name}" if scale <= 1 else "try a lower --loss-scale, or dynamic"
        )
        return (
            f"WARNING: {self._level} learns nothing: {_PATIENCE} steps in a row were skipped, as their gradients were "
            f"not finite, and the loss scale stands at {scale:g}; {remedy}."
        )
