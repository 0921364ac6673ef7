"""Builder: makes the new network from the trees; cells that no edit affects are shared with the original."""

import copy

from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import called_inside, is_leaf, refill
from minispore.rewrite.tree.tree import is_called_elsewhere


def _hold_in_order(tree, new):
    """Let a container hold the callees of its nodes, in their order, unless other code may call one by its place."""
    called = [node.key for node in tree.nodes() if isinstance(node.called, Cell)]
    if called != list(new._cells) and not any(is_called_elsewhere(tree, cell) for cell in tree.network._cells.values()):
        held = {key: new._cells[key] for key in called}
        new._cells.clear()
        new._cells.update(held)
    new._changed()


class Builder:
    """Makes the cells of a new network; each cell is made once, so it is the same under every name."""

    def __init__(self, tree, make):
        self.forest, self._make, self._made, self._asked = tree.forest, make, {}, set()
        self._paths = {cell: path for path, cell in tree.network.cells_and_names()}
        self._own = set(map(id, tree.network.get_parameters()))

    def network(self, tree):
        """A new object for the tree's network."""
        cell = tree.network
        new = self._made[cell] = copy.copy(cell)
        object.__setattr__(new, "__class__", self._make(tree, self._new_names(tree)))
        for name, called in tree.attributes.items():
            self._put_in(cell, new, name, called)
        if tree.is_container:
            _hold_in_order(tree, new)
        refill(new, self.cell)
        return new

    def _put_in(self, cell, new, name, called):
        """Let a new cell hold an object that an edit brings; its Parameters are named by its path below the network."""
        if not isinstance(called, Cell):
            setattr(new, name, called)
            return
        new._cells[name] = called
        path = f"{self._paths.get(cell, '')}.{name}".lstrip(".")
        self._paths.setdefault(called, path)
        for inside, parameter in called.parameters_and_names() if new._auto_prefix else ():
            if id(parameter) not in self._own:
                parameter.name = f"{path}.{inside}"

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
        """True if an edit or a substitute affects the cell, through its children or the names in its construct."""
        if cell in self._asked:
            return False  # already being computed: the cell refers to itself
        self._asked.add(cell)
        inside = called_inside(cell) if isinstance(cell, Cell) and not is_leaf(cell) else []
        known = [self.forest.trees[part] for part in (cell, *inside) if part in self.forest.trees]
        exchanged = not self.forest.substitutes.keys().isdisjoint((cell, *inside))
        changed = exchanged or any(tree.edited for tree in known)
        changed = changed or any(self._is_changed(called) for tree in known for called in tree.outside.values())
        self._asked.remove(cell)
        return changed
