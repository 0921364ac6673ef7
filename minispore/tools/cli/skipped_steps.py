"""Says in a line why a training step was skipped: the first three of a level; later ones are counted."""

from minispore.tools.insight import explain_overflow

__all__ = ["SkippedSteps"]

_EXPLAINED = 3  # an explanation runs the step about ten times


class SkippedSteps:
    """Counts the skipped steps of a level; ``note`` gives the line for one of the first.

    Args:
        level (str): Its name.
        step (Cell): The training step.

    Attributes:
        reasons (dict): Why steps were skipped, by their numbers, of the first ones.
    """

    def __init__(self, level, step):
        self._level, self._step, self._count, self.reasons = level, step, 0, {}
        self._scaled = hasattr(step, "scale_sense")

    def scale(self):
        """The loss scale before a step; None for a step without a loss scale."""
        return self._step.scale_sense.array if self._scaled and self._count < _EXPLAINED else None

    def note(self, number, inputs, scale, result):
        """The reason why step ``number`` was skipped, given the loss scale before it; None if it was not skipped."""
        if not self._scaled or not bool(result[1]):
            return None
        self._count += 1
        if self._count > _EXPLAINED:
            return None
        why = self._why(inputs, float(scale.reshape(())))
        self.reasons[number] = f"Step {number}: {why}"
        more = " Later skipped steps are counted in the table." if self._count == _EXPLAINED else ""
        return f"{self._level} step {number} was skipped: {why}{more}"

    def _why(self, inputs, scale):
        """The reason; a network that cannot run again goes on training."""
        try:
            verdict = explain_overflow(self._step, *inputs, scale=scale)
        except Exception as error:
            return f"it cannot run again: {type(error).__name__}: {error}"
        return "it is finite when it runs again." if verdict is None else str(verdict)
