"""Tree: the nodes of one cell's ``construct``, in order; Forest: what the trees of one network share."""

import builtins

from minispore.rewrite.namer import Namer

_GAP = 1 << 20  # room between the ranks of neighbours, so that many nodes fit between before all are ranked anew


class Forest:
    """What the trees of one network share: the tree of each cell, substitutes, and notes that passes leave."""

    def __init__(self):
        self.trees = {}
        self.unread = {}  # cells that stay leaves because their source cannot be had, and why
        self.substitutes = {}
        self.notes = []

    def substitute(self, cell):
        """What is called in the place of ``cell``: its substitute, or the cell itself."""
        return self.substitutes.get(cell, cell) if self.substitutes else cell


class Tree:
    """The nodes of one cell's computation: the only truth, from which the source is written.

    Every target is defined once, so a name says which node made it. ``attach`` and ``detach`` keep order, definitions
    and users together; whether an edit is legal is decided before, in the room ``edit``.

    Args:
        network (Cell): The cell.
        forest (Forest): What it shares with the trees of other cells.
        function (Function): Its ``construct``, whose globals and captured variables the new code sees. Default: None.
        self_name (str): What ``construct`` calls the cell. Default: "self".
        taken (Iterable[str]): Names in the code that are no targets. Default: none.
    """

    def __init__(self, network, forest, function=None, self_name="self", taken=()):
        self.network, self.forest, self.function, self.self_name = network, forest, function, self_name
        self.decorators, self.path = (), ""
        self.edited = False
        self.attributes, self.globals = {}, {}  # what nodes that were put in call, by name
        self.values = Namer({self_name, "minispore", *taken})
        self.names = Namer()
        self._by_name, self._definitions = {}, {}
        self._first = self._last = None

    def __repr__(self):
        return f"<Tree of {type(self.network).__name__}>"

    # Looking

    def nodes(self):
        """The nodes in order, as a list."""
        found, node = [], self._first
        while node is not None:
            found.append(node)
            node = node.after
        return found

    def get(self, name):
        """The node called ``name``, or None."""
        return self._by_name.get(name)

    def producer(self, value):
        """The node that defines ``value``; None for constants and names from outside."""
        return self._definitions.get(value.value) if value.is_name and not value.scope else None

    @property
    def last(self):
        """The last node; None in an empty tree."""
        return self._last

    def knows_outside(self, name):
        """Whether ``name`` means something where the construct was written: captured, global or built in."""
        function = self.function
        known = name in self.globals or hasattr(builtins, name)
        return known or (function is not None and name in {*function.__globals__, *function.__code__.co_freevars})

    def get_origin_network(self):
        """The network that the tree was made from."""
        return self.network

    # Changing

    def attach(self, node, successor=None):
        """Put a node before ``successor``, or at the end; its name and targets must be free."""
        node.tree = self
        self._link(node, self._last if successor is None else successor.before, successor)
        self._by_name[node.name] = node
        for target in node.targets:
            self._definitions[target.value] = node
        node.count_as_user(+1)

    def detach(self, node):
        """Take out a node without users."""
        node.count_as_user(-1)
        for target in node.targets:
            del self._definitions[target.value]
        del self._by_name[node.name]
        before, after = node.before, node.after
        self._first, self._last = after if before is None else self._first, before if after is None else self._last
        if before is not None:
            before.after = after
        if after is not None:
            after.before = before
        node.tree = node.rank = node.before = node.after = None

    def _link(self, node, before, after):
        node.before, node.after = before, after
        low = before.rank if before is not None else 0
        high = after.rank if after is not None else low + 2 * _GAP
        if before is None:
            self._first = node
        else:
            before.after = node
        if after is None:
            self._last = node
        else:
            after.before = node
        node.rank = (low + high) // 2
        if not low < node.rank < high:
            self._rank_anew()

    def _rank_anew(self):
        for i, node in enumerate(self.nodes(), 1):
            node.rank = i * _GAP
