"""Counters: values that users' cells keep in Python, beside Parameters; a rerun must find and leave them unchanged."""

from minispore.core.tensor import Tensor

__all__ = []

_VALUES = {bool, int, float, str, type(None), tuple, Tensor}  # types of immutable values


def users_cells(cells):
    """The cells of a user's own classes."""
    return [cell for cell in cells if type(cell).__module__.partition(".")[0] != "minispore"]


class Counters:
    """The present values of cells' attributes, such as a counter of steps or a running mean.

    Args:
        cells (list): The cells.
    """

    def __init__(self, cells):
        self._held = [(cell, {n: x for n, x in vars(cell).items() if type(x) in _VALUES}) for cell in cells]

    def restore(self):
        """Give the cells their values back."""
        for cell, values in self._held:
            for name in [name for name, value in values.items() if vars(cell).get(name) is not value]:
                setattr(cell, name, values[name])
