"""Table: a Cell's Parameters or child cells by name, whose changes are counted."""

from collections import OrderedDict

from minispore.core.context import changes
from minispore.core.layers import refuse
from minispore.core.running import running

__all__ = []
CHANGES = "of a cell changes while it runs"  # how the reason ends for which a run is not replayed


class Table(OrderedDict):
    """A cell's Parameters or child cells by name; a recorded step depends on them."""

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        note_change(name)

    def __delitem__(self, name):
        super().__delitem__(name)
        note_change(name)

    def pop(self, name, *default):
        """Remove an entry, and return it."""
        if name in self:
            note_change(name)
        return super().pop(name, *default)


def note_change(name):
    """Invalidate recorded steps: their path may depend on a cell's contents."""
    changes.count += 1
    if running.refuse:
        refuse(f"the attribute '{name}' {CHANGES}")
