"""Tree: the nodes of one cell's ``construct``, in order, in blocks; Forest: what the trees of one network share."""

import builtins
from bisect import bisect_left, bisect_right

from minispore.rewrite.resolve.expression_value import Origin, OwnScope, Scope
from minispore.rewrite.tree.namer import Namer

_END = float("inf")
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

    Names are read in order: a node reads the last definition before it, of its block or of one around. For each name a
    block keeps its nodes that define it and those that read it, by order_key, nodes with bodies that do so among them.
    ``attach`` and ``detach`` keep order, definitions and readers together; whether an edit is legal is decided before,
    in the room ``edit``.

    Args:
        tree (Tree): The tree that the nodes belong to.
        owner (TreeNode): The ControlFlow node whose body this is. Default: None, for the tree itself.
        index (int): Which of its bodies. Default: 0.
    """

    def __init__(self, tree, owner=None, index=0):
        self.tree, self.owner, self.index = tree, owner, index
        self._first = self._last = None
        self._defining, self._reading = {}, {}

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
        """The nodes as source lines."""
        return [line for node in self.nodes() for line in node.lines()] or ["pass"]

    def attach(self, node, successor=None):
        """Put a node before ``successor``, or at the end; its name must be free."""
        node.tree, node.home, node.block = self.tree, self.tree, self
        self._link(node, self._last if successor is None else successor.before, successor)
        self.tree.enter(node)
        for target in node.targets:
            self._define(target.value, node)
        self.note_reads(node, (), node.roots())

    def detach(self, node):
        """Take out a node, and what is in its bodies."""
        for block in node.blocks:
            for inside in reversed(block.nodes()):
                block.detach(inside)
        for name in node.roots():
            self._forget(name, node)
        for target in node.targets:
            self._undefine(target.value, node)
        self.tree.leave(node)
        before, after = node.before, node.after
        self._first, self._last = after if before is None else self._first, before if after is None else self._last
        if before is not None:
            before.after = after
        if after is not None:
            after.before = before
        node.tree = node.block = node.order_key = node.before = node.after = None

    # Who defines and who reads a name

    def defined_names(self):
        """The names that nodes of the block define."""
        return list(self._defining)

    def is_defined_in(self, name):
        """Whether a node of the block defines ``name``."""
        return name in self._defining

    def definitions(self, name, order_key=_END):
        """The nodes of the block before ``order_key`` that define ``name``, in order."""
        found = self._defining.get(name, ())
        return found[: bisect_left(found, order_key, key=_order_key)]

    def is_defined_behind(self, name, order_key):
        """Whether a node of the block behind ``order_key`` defines ``name``."""
        return name in self._defining and self._defining[name][-1].order_key > order_key

    def producer(self, name, order_key=_END):
        """The node that defines ``name`` as it is read at ``order_key``; None if none does.

        That is the last before the place, of this block or of those around; where a statement around assigns the name
        first, or in a body that may run before, it is the statement: which assignment came last is known only then.
        """
        block = self
        while True:
            found = block._defining.get(name, ())
            index = bisect_left(found, order_key, key=_order_key)
            if index:
                return found[index - 1]
            owner = block.owner
            if owner is None or owner.supplies(name):
                return owner
            block, order_key = owner.block, owner.order_key

    def readers(self, name, order_key=-1):
        """The nodes that read ``name`` behind ``order_key``, in bodies too, until a node of the block defines it."""
        reading, defining = self._reading.get(name, ()), self._defining.get(name, ())
        index = bisect_right(defining, order_key, key=_order_key)
        last = defining[index] if index < len(defining) else None
        found = []
        for node in reading[bisect_right(reading, order_key, key=_order_key) :]:
            if last is not None and node.order_key > last.order_key:
                break
            found += [node] if name in node.roots() else []
            if node.blocks and (node is not last or not node.supplies(name)):
                found += [inside for block in node.blocks for inside in block.readers(name)]
        return found

    def note_reads(self, node, before, after):
        """Know that a node that read the names ``before`` reads the names ``after``."""
        for name in set(before) - set(after):
            if not any(name in block._reading for block in node.blocks):
                self._forget(name, node)
        for name in set(after) - set(before):
            self._note(name, node)

    def rename(self, node, old, new):
        """Know a node that defines ``old`` as one that defines ``new``."""
        self._undefine(old, node)
        self._define(new, node)

    def _define(self, name, node):
        _enter(self._defining, name, node)
        if self.owner is not None and self.owner.block is not None:
            self.owner.block._define(name, self.owner)

    def _undefine(self, name, node):
        _leave(self._defining, name, node)
        owner = self.owner
        if owner is not None and not owner.defines(name):
            owner.block._undefine(name, owner)

    def _note(self, name, node):
        _enter(self._reading, name, node)
        if self.owner is not None:
            self.owner.block._note(name, self.owner)

    def _forget(self, name, node):
        _leave(self._reading, name, node)
        owner = self.owner
        if owner is None or name in owner.roots() or any(name in block._reading for block in owner.blocks):
            return
        owner.block._forget(name, owner)

    def _link(self, node, before, after):
        node.before, node.after = before, after
        low = before.order_key if before is not None else 0
        high = after.order_key if after is not None else low + 2 * _GAP
        if before is None:
            self._first = node
        else:
            before.after = node
        if after is None:
            self._last = node
        else:
            after.before = node
        node.order_key = (low + high) // 2
        if not low < node.order_key < high:
            self._rank_anew()

    def _rank_anew(self):
        for i, node in enumerate(self.nodes(), 1):
            node.order_key = i * _GAP


def _order_key(node):
    return node.order_key


def _enter(table, name, node):
    """Put a node into the list of a name, by its key of order, unless it is there."""
    nodes = table.setdefault(name, [])
    index = bisect_left(nodes, node.order_key, key=_order_key)
    if index == len(nodes) or nodes[index] is not node:
        nodes.insert(index, node)


def _leave(table, name, node):
    """Take a node out of the list of a name."""
    nodes = table[name]
    del nodes[bisect_left(nodes, node.order_key, key=_order_key)]
    if not nodes:
        del table[name]


class Tree(Block):
    """The nodes of one cell's computation: the only truth, from which the source is written.

    Names are those of the code, and are read in order, as Python does: what a name means is said by where it is read.

    Args:
        network (Cell): The cell.
        forest (Forest): What it shares with the trees of other cells.
        function (Function): Its ``construct``, whose globals and captured variables the new code sees. Default: None.
        self_name (str): What ``construct`` calls the cell. Default: "self".
        outside (Iterable[str]): Names in the code that mean something outside it. Default: none.
        own (Iterable[str]): Names that the code binds. Default: none.
        late (Iterable[str]): Names that lambdas and generators in the code read, whenever those run. Default: none.
    """

    def __init__(self, network, forest, function=None, self_name="self", outside=(), own=(), late=()):
        super().__init__(self)
        self.network, self.forest, self.function, self.self_name = network, forest, function, self_name
        self.scope = OwnScope(network, self_name)
        if function is not None:
            self.scope = Scope(function, network, self_name, Origin.OWN)
        self.decorators, self.path = (), ""
        self.edited, self.is_container = False, False
        self.is_self_positional = False  # "self, /" with nothing between
        self.attributes, self.globals = {}, {}  # what nodes that were put in call, by name
        self.outside = {}  # cells and primitives that the code calls by names from outside it
        self.mentioned, self.late = {self_name, "minispore", *outside}, set(late)
        self.values = Namer({*self.mentioned, *own})
        self.names = Namer()
        self._by_name = {}

    def __repr__(self):
        return f"<Tree of {type(self.network).__name__}>"

    def get(self, name):
        """The node called ``name``, or None."""
        return self._by_name.get(name)

    def knows_outside(self, name):
        """Whether ``name`` means something where the construct was written: captured, global or built in."""
        function = self.function
        known = name in self.globals or hasattr(builtins, name)
        return known or (function is not None and name in {*function.__globals__, *function.__code__.co_freevars})

    def bring(self, function):
        """The name by which new code of the tree calls a function of elsewhere: one name for each function."""
        known = [name for name, other in self.globals.items() if other is function]
        name = known[0] if known else self.values.unique(function.__name__)
        self.globals[name] = function
        return name

    def all_trees(self):
        """The trees of the network's cells, this one among them, as a list."""
        return list(self.forest.trees.values())

    def tree_of(self, cell):
        """The tree of one of the network's cells; None of one that is a leaf."""
        return self.forest.trees.get(cell)

    def get_origin_network(self):
        """The network that the tree was made from."""
        return self.network

    def enter(self, node):
        """Know a node by its name."""
        self._by_name[node.name] = node

    def leave(self, node):
        """Forget a node."""
        del self._by_name[node.name]
