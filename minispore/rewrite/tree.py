"""Tree: the nodes of one cell's ``construct``, in order, in blocks; Forest: what the trees of one network share."""

import builtins

from minispore.rewrite.namer import Namer

_GAP = 1 << 20  # room between the ranks of neighbours, so that many nodes fit between before all are ranked anew


class Forest:
    """What the trees of one network share: the tree of each cell, substitutes, and notes that passes leave."""

    def __init__(self):
        self.trees = {}
        self.unread = {}  # cells that stay leaves because their source cannot be had, and why
        self.beyond = {}  # cells and primitives that methods call by names from outside, and the methods
        self.substitutes = {}
        self.notes = []

    def substitute(self, cell):
        """What is called in the place of ``cell``: its substitute, or the cell itself."""
        return self.substitutes.get(cell, cell) if self.substitutes else cell


class Block:
    """Nodes in order: those of a tree, or of one body of a ControlFlow node in it.

    ``attach`` and ``detach`` keep order, definitions and users together; whether an edit is legal is decided before, in
    the room ``edit``.

    Args:
        tree (Tree): The tree that the nodes belong to.
        owner (TreeNode): The ControlFlow node whose body this is. Default: None, for the tree itself.
        index (int): Which of its bodies. Default: 0.
    """

    def __init__(self, tree, owner=None, index=0):
        self.tree, self.owner, self.index = tree, owner, index
        self._first = self._last = None

    def nodes(self):
        """The nodes in order, as a list; those in bodies of ControlFlow nodes are not among them."""
        found, node = [], self._first
        while node is not None:
            found.append(node)
            node = node.after
        return found

    def all_nodes(self):
        """The nodes in the order of the text, those in bodies of ControlFlow nodes too, as a list."""
        found = []
        for node in self.nodes():
            found.append(node)
            for block in node.blocks:
                found += block.all_nodes()
        return found

    @property
    def last(self):
        """The last node; None in an empty block."""
        return self._last

    @property
    def place(self):
        """Where the block stands: a tuple that the places of its nodes begin with."""
        return () if self.owner is None else (*self.owner.place, self.index)

    def lines(self):
        """The nodes as source lines; a value that is only made to be assigned is assigned where it is made."""
        found, node = [], self._first
        while node is not None:
            assigned = node.after is not None and node.after.only_assigns(node)
            found += node.lines(node.after.targets if assigned else node.targets)
            node = node.after.after if assigned else node.after
        return found or ["pass"]

    def attach(self, node, successor=None):
        """Put a node before ``successor``, or at the end; its name must be free, and its targets, or variables."""
        node.tree, node.home, node.block = self.tree, self.tree, self
        self._link(node, self._last if successor is None else successor.before, successor)
        self.tree.enter(node)
        node.count_as_user(+1)

    def detach(self, node):
        """Take out a node without users, and what is in its bodies."""
        for block in node.blocks:
            for inside in reversed(block.nodes()):
                block.detach(inside)
        node.count_as_user(-1)
        self.tree.leave(node)
        before, after = node.before, node.after
        self._first, self._last = after if before is None else self._first, before if after is None else self._last
        if before is not None:
            before.after = after
        if after is not None:
            after.before = before
        node.tree = node.block = node.rank = node.before = node.after = None

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


class Tree(Block):
    """The nodes of one cell's computation: the only truth, from which the source is written.

    Every target is defined once, so a name says which node made it. Only the variables of control flow are assigned
    more than once: the ControlFlow node that owns them defines them, and nodes in bodies assign them.

    Args:
        network (Cell): The cell.
        forest (Forest): What it shares with the trees of other cells.
        function (Function): Its ``construct``, whose globals and captured variables the new code sees. Default: None.
        self_name (str): What ``construct`` calls the cell. Default: "self".
        taken (Iterable[str]): Names in the code that are no targets. Default: none.
    """

    def __init__(self, network, forest, function=None, self_name="self", taken=()):
        super().__init__(self)
        self.network, self.forest, self.function, self.self_name = network, forest, function, self_name
        self.decorators, self.path = (), ""
        self.edited, self.is_self_positional = False, False  # the latter: "self, /" with nothing between
        self.attributes, self.globals = {}, {}  # what nodes that were put in call, by name
        self.outside = {}  # cells and primitives that the code calls by names from outside it
        self.values = Namer({self_name, "minispore", *taken})
        self.names = Namer()
        self._by_name, self._definitions = {}, {}

    def __repr__(self):
        return f"<Tree of {type(self.network).__name__}>"

    def get(self, name):
        """The node called ``name``, or None."""
        return self._by_name.get(name)

    def producer(self, value):
        """The node that defines ``value``; None for constants and names from outside."""
        return self._definitions.get(value.value) if value.is_name and not value.scope else None

    def knows_outside(self, name):
        """Whether ``name`` means something where the construct was written: captured, global or built in."""
        function = self.function
        known = name in self.globals or hasattr(builtins, name)
        return known or (function is not None and name in {*function.__globals__, *function.__code__.co_freevars})

    def get_origin_network(self):
        """The network that the tree was made from."""
        return self.network

    def enter(self, node):
        """Know a node by its name, and by the targets that no other node defines."""
        self._by_name[node.name] = node
        for target in node.targets:
            self._definitions.setdefault(target.value, node)

    def leave(self, node):
        """Forget a node."""
        del self._by_name[node.name]
        for target in node.targets:
            if self._definitions[target.value] is node:
                del self._definitions[target.value]
