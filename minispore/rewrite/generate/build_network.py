"""Builder: makes the new network from the trees; cells that no edit affects are shared with the original."""

import copy

from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import called_inside, is_leaf, refill


class Builder:
    """Makes the cells of a new network; each cell is made once, so it is the same under every name."""

    def __init__(self, forest, make):
        self.forest, self._make, self._made, self._asked = forest, make, {}, set()

    def network(self, tree):
        """A new object for the tree's network."""
        cell = tree.network
        new = self._made[cell] = copy.copy(cell)
        object.__setattr__(new, "__class__", self._make(tree, self._new_names(tree)))
        for name, called in tree.attributes.items():
            setattr(new, name, called)
        refill(new, self.cell)
        return new

    def cell(self, cell):
        """The counterpart of ``cell`` in the new network: its substitute, a changed copy, or itself."""
        if cell in self.forest.substitutes:
            return self.forest.substitutes[cell]
        if cell not in self._made:
            self._made[cell] = self._rebuilt(cell) if self._is_changed(cell) else cell
        return self._made[cell]

    def _new_names(self, tree):
        """The names from outside the construct that have another value in the new network, with that value."""
        made = {name: self.cell(called) for name, called in tree.outside.items() if isinstance(called, Cell)}
        return {name: new for name, new in made.items() if new is not tree.outside[name]}

    def _rebuilt(self, cell):
        tree = self.forest.trees.get(cell)
        if tree is not None and (tree.edited or any(map(self._is_changed, tree.outside.values()))):
            return self.network(tree)
        new = self._made[cell] = copy.copy(cell)
        refill(new, self.cell)
        return new

    def _is_changed(self, cell):
        """Whether an edit or a substitute affects the cell, through its children or the names in its construct."""
        if cell in self._asked:
            return False  # already being computed: the cell refers to itself
        self._asked.add(cell)
        inside = called_inside(cell) if isinstance(cell, Cell) and not is_leaf(cell) else []
        known = [self.forest.trees[part] for part in (cell, *inside) if part in self.forest.trees]
        changed = any(part in self.forest.substitutes for part in (cell, *inside)) or any(tree.edited for tree in known)
        changed = changed or any(self._is_changed(called) for tree in known for called in tree.outside.values())
        self._asked.remove(cell)
        return changed
