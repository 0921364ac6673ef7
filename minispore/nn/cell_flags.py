"""Flags of a Cell: named values that are attributes too; three of them mark its compute dtype."""

from __future__ import annotations

from typing import Any, Self

from minispore.core.dtype import bfloat16, float16, float32
from minispore.core.errors import shown, type_error
from minispore.nn.cell_table import note_change

__all__ = []

_MARKS = {"fp16": float16, "bf16": bfloat16, "fp32": float32}  # the flags that set a cell's compute dtype


class Flags:
    """Base of Cell: its flags."""

    def _add_checked_flags(self, flags):
        """Set the flags of the constructor. TypeError if they are not a dict of names to values."""
        if not isinstance(flags, dict) or not all(isinstance(key, str) for key in flags):
            raise type_error(type(self).__name__, "the 'flags' must be a dict of names to values", shown(flags))
        self.add_flags(**flags)

    def add_flags(self, **flags: Any) -> Self:
        """Set flags, which are attributes too; returns the cell.

        A true ``fp16``, ``bf16`` or ``fp32`` sets the compute dtype as :meth:`to_float` does, but for this cell alone.
        A later mark replaces it.
        """
        self._flags.update(flags)
        note_change("flags")
        for name, value in flags.items():
            object.__setattr__(self, name, value)
            if value and name in _MARKS:
                self._user_dtype = _MARKS[name]
                self._compute_dtype = self._user_dtype.np
        return self

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set flags in the whole tree; returns the cell."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags that have been set, as a dict."""
        return self._flags
