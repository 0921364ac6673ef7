"""Counters: what users' cells keep in Python beside Parameters, which a run again must find and leave as it was."""

from minispore.core.tensor import Tensor

__all__ = []

_VALUES = {bool, int, float, str, type(None), tuple, Tensor}  # types of what nothing changes in place


def users_cells(cells):
    """Those of the cells whose class is a user's."""
    return [cell for cell in cells if type(cell).__module__.partition(".")[0] != "minispore"]


class Counters:
    """The values that cells hold as attributes, as they are now: a counter of steps, a Tensor of a running mean.

    Args:
        cells (list): The cells.
    """

    def __init__(self, cells):
        self._held = [(cell, {n: x for n, x in vars(cell).items() if type(x) in _VALUES}) for cell in cells]

    def restore(self):
        """Have the cells hold them again."""
        for cell, values in self._held:
            for name in [name for name, value in values.items() if vars(cell).get(name) is not value]:
                setattr(cell, name, values[name])
