"""Network: makes the new network from the trees; cells that no edit touches are shared with the original."""

import copy

from minispore.nn.cell import Cell
from minispore.nn.container import CellList, SequentialCell
from minispore.rewrite.holding import parts_of, refill


class Builder:
    """Makes the cells of a new network; each cell is made once, so it is the same under every name."""

    def __init__(self, forest, make):
        self.forest, self._make, self._made = forest, make, {}

    def network(self, tree):
        """A new object for the tree's network."""
        cell = tree.network
        new = self._made[cell] = copy.copy(cell)
        object.__setattr__(new, "__class__", self._make(tree))
        for name, called in tree.attributes.items():
            setattr(new, name, called)
        refill(new, self.cell)
        return new

    def cell(self, cell):
        """What stands for ``cell`` in the new network: its substitute, a changed copy, or itself."""
        if cell in self.forest.substitutes:
            return self.forest.substitutes[cell]
        if cell not in self._made:
            self._made[cell] = self._rebuilt(cell) if self._is_changed(cell, set()) else cell
        return self._made[cell]

    def _rebuilt(self, cell):
        tree = self.forest.trees.get(cell)
        if tree is not None and tree.edited:
            return self.network(tree)
        new = self._made[cell] = copy.copy(cell)
        refill(new, self.cell)
        return new

    def _is_changed(self, cell, seen):
        """Whether an edit or a substitute reaches the cell."""
        if cell in self.forest.substitutes:
            return True
        if cell in seen or not self._is_entered(cell):
            return False
        seen.add(cell)
        tree = self.forest.trees.get(cell)
        if tree is not None and tree.edited:
            return True
        return self._holds_changed(cell, seen)

    def _holds_changed(self, value, seen):
        """Whether an edit or a substitute reaches a cell in a cell, list or dict."""
        for part in parts_of(value):
            reaches = self._is_changed if isinstance(part, Cell) else self._holds_changed
            if reaches(part, seen):
                return True
        return False

    def _is_entered(self, cell):
        """Whether the cell's children may be replaced: it has a tree, or it only holds them."""
        return cell in self.forest.trees or type(cell) in (CellList, SequentialCell)
