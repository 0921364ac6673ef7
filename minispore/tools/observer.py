"""Observer: a layer that follows the running cells and sees every operation with its arrays.

While one is put on, graph mode runs operation by operation. A subclass overrides ``note``, ``within_cell`` and
``within_operation``.
"""

from minispore.core.observation import Noting
from minispore.nn.error_location import name_in

__all__ = []


class Observer(Noting):
    """Base of observers: it follows the running cells, and notes nothing."""

    def __init__(self):
        self.cells = []  # the running cells with their paths, the outermost first: (cell, "Net.backbone.fc")

    def within_cell(self, call, cell, args):
        """The result of ``call()``, a cell's call; ``self.cells`` holds the cell."""
        return call()

    def within_operation(self, call, primitive, args):
        """The result of ``call()``, an operation's call as it was written."""
        return call()

    def around_cell(self, call, cell, args, kwargs):
        """Follow a cell."""
        self.cells.append((cell, self.path_of(cell)))
        try:
            return self.within_cell(lambda: call(cell, args, kwargs), cell, args)
        finally:
            self.cells.pop()

    def around_operation(self, call, primitive, args):
        """See the call of an operation."""
        return self.within_operation(lambda: call(primitive, args), primitive, args)

    def path_of(self, cell):
        """The path of a cell among the running ones: ``Net.backbone.fc``."""
        if not self.cells:
            return cell.cls_name
        holder, path = self.cells[-1]
        return path if holder is cell else f"{path}{name_in(holder, cell)}"
