"""Primitives from outside the package: the gradients that their rules return are checked."""

from typing import Any

from minispore.core.checked_gradients import checked_gradients

__all__ = []


class Guarded:
    """Base of Primitive: which rule is recorded. The package's own rules have tests, and run as they are."""

    ours = True  # whether it is of this package: a user's own may count its calls, or keep what it made

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let primitives from outside the package record a rule that is checked; the package's own have tests."""
        super().__init_subclass__(**kwargs)
        cls.ours = cls.__module__.partition(".")[0] == __name__.partition(".")[0]
        cls._rule = cls.bprop if cls.ours else Guarded._checked_bprop

    def _checked_bprop(self, *inputs_out_dout):
        return checked_gradients(self.name, self.bprop(*inputs_out_dout), inputs_out_dout[:-2])
