"""Network: makes the new network from the trees; cells that no edit touches are shared with the original."""

import copy

from minispore.rewrite.holding import called_inside, is_leaf, refill


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
            self._made[cell] = self._rebuilt(cell) if self._is_changed(cell) else cell
        return self._made[cell]

    def _rebuilt(self, cell):
        if self._is_edited(cell):
            return self.network(self.forest.trees[cell])
        new = self._made[cell] = copy.copy(cell)
        refill(new, self.cell)
        return new

    def _is_changed(self, cell):
        """Whether an edit or a substitute reaches the cell."""
        inside = [] if is_leaf(cell) else called_inside(cell)
        return any(part in self.forest.substitutes or self._is_edited(part) for part in (cell, *inside))

    def _is_edited(self, cell):
        tree = self.forest.trees.get(cell)
        return tree is not None and tree.edited
