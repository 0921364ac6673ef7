"""Tree: the nodes of one cell's ``construct``, in order, in blocks; Forest: state shared by the trees of a network."""

import builtins
from bisect import bisect_left, bisect_right
from operator import attrgetter

from minispore.rewrite.resolve.expression_value import Origin, OwnScope, Scope
from minispore.rewrite.resolve.source import Sources
from minispore.rewrite.tree.unique_names import Namer

_END = float("inf")
_order_key = attrgetter("order_key")
_GAP = 1 << 20  # gap between neighbouring order keys: room for many insertions before the keys are assigned anew


class Forest:
    """State shared by the trees of one network: the tree of each cell, substitutes, and notes of passes."""

    def __init__(self):
        self.trees = {}
        self.sources = Sources()  # what was read of the functions
        self.unread = {}  # cells that stay leaves since their source is not available, and why
        self.beyond = {}  # cells and primitives that methods call by names from outside, and the methods
        self.substitutes = {}
        self.notes = []

    def take_over(self, other):
        """Hold the trees of another forest, too, which must be of other cells."""
        self.trees.update(other.trees)
        for tree in other.trees.values():
            tree.forest = self
        self.unread.update(other.unread)
        self.beyond.update(other.beyond)

    def substitute(self, cell):
        """The substitute of ``cell``, or the cell itself."""
        return self.substitutes.get(cell, cell) if self.substitutes else cell


class Block:
    """Nodes in order: those of a tree, or of one body of a ControlFlow node in it.

    Names are read in order: a node reads the last definition before it, in its block or an enclosing one. For each name
    a block keeps its defining and its reading nodes by order_key, including nodes whose bodies define or read it.
    ``attach`` and ``detach`` keep order, definitions and readers consistent; ``edit`` decides beforehand whether an
    edit is legal.

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
        """The nodes in order, as a list, without those in bodies of ControlFlow nodes."""
        found, node = [], self._first
        while node is not None:
            found.append(node)
            node = node.after
        return found

    def all_nodes(self):
        """The nodes in the order of the text, including those in bodies of ControlFlow nodes, as a list."""
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
        """The position of the block: a tuple that is the prefix of its nodes' places."""
        return () if self.owner is None else (*self.owner.place, self.index)

    def lines(self):
        """The nodes as source lines."""
        return [line for node in self.nodes() for line in node.lines()] or ["pass"]

    def attach(self, node, successor=None):
        """Insert a node before ``successor``, or at the end; its name must be free."""
        node.tree, node.home, node.block = self.tree, self.tree, self
        self._link(node, self._last if successor is None else successor.before, successor)
        self.tree.enter(node)
        for target in node.targets:
            self._define(target.value, node)
        self.note_reads(node, (), node.roots())

    def detach(self, node):
        """Remove a node with its bodies."""
        for block in node.blocks:
            for inside in reversed(block.nodes()):
                block.detach(inside)
        for name in node.roots():
            self._forget(name, node)
        for target in node.targets:
            self._undefine(target.value, node)
        self.tree.leave(node)
        node.links = {}
        before, after = node.before, node.after
        self._first, self._last = after if before is None else self._first, before if after is None else self._last
        if before is not None:
            before.after = after
        if after is not None:
            after.before = before
        node.tree = node.block = node.order_key = node.before = node.after = None

    # Definitions and readers of a name

    def defined_names(self):
        """The names that nodes of the block define."""
        return list(self._defining)

    def is_defined_in(self, name):
        """True if a node of the block defines ``name``."""
        return name in self._defining

    def definitions(self, name, order_key=_END):
        """The nodes of the block before ``order_key`` that define ``name``, in order."""
        found = self._defining.get(name, ())
        return found[: bisect_left(found, order_key, key=_order_key)]

    def is_defined_behind(self, name, order_key):
        """True if a node of the block after ``order_key`` defines ``name``."""
        return name in self._defining and self._defining[name][-1].order_key > order_key

    def producer(self, name, order_key=_END):
        """The node that defines ``name`` as read at ``order_key``; None if none does.

        It is the last one before the place, in this block or an enclosing one. If an enclosing statement assigns the
        name first, or in a body that may run before, it is that statement: only a run shows which assignment was last.
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
        """The nodes that read ``name`` after ``order_key``, in bodies too, until a node of the block defines it."""
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
        """Update the readers: the node reads the names ``after`` instead of ``before``."""
        for name in set(before) - set(after):
            if not any(name in block._reading for block in node.blocks):
                self._forget(name, node)
        for name in set(after) - set(before):
            self._note(name, node)

    def rename(self, node, old, new):
        """Update the definitions: the node defines ``new`` instead of ``old``."""
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


def _enter(table, name, node):
    """Insert a node into a name's list, by its order key, unless it is in it."""
    nodes = table.setdefault(name, [])
    index = bisect_left(nodes, node.order_key, key=_order_key)
    if index == len(nodes) or nodes[index] is not node:
        nodes.insert(index, node)


def _leave(table, name, node):
    """Remove a node from a name's list."""
    nodes = table[name]
    del nodes[bisect_left(nodes, node.order_key, key=_order_key)]
    if not nodes:
        del table[name]


class Tree(Block):
    """The nodes of one cell's computation: the only representation, from which the source is written.

    Names are those of the code and are read in order, as in Python: the place of reading decides what a name means.

    Args:
        network (Cell): The cell.
        forest (Forest): State shared with the trees of other cells.
        function (Function): Its ``construct``, whose globals and captured variables the new code uses. Default: None.
        self_name (str): The name of ``construct``'s first parameter. Default: "self".
        outside (Iterable[str]): Names in the code that are bound outside it. Default: none.
        own (Iterable[str]): Names that the code binds. Default: none.
        late (Iterable[str]): Names read by lambdas and generators in the code, whenever those run. Default: none.
    """

    def __init__(self, network, forest, function=None, self_name="self", outside=(), own=(), late=()):
        super().__init__(self)
        self.network, self.forest, self.function, self.self_name = network, forest, function, self_name
        self.scope = OwnScope(network, self_name)
        if function is not None:
            self.scope = Scope(function, network, self_name, Origin.OWN)
        self.decorators, self.path = (), ""
        self.edited, self.is_container = False, False
        self.is_self_positional = False  # "self, /" with no other parameter between
        self.attributes, self.globals = {}, {}  # objects called by inserted nodes, by name
        self.outside = {}  # cells and primitives that the code calls by names from outside it
        self.mentioned, self.late = {self_name, "minispore", *outside}, set(late)
        self.values = Namer({*self.mentioned, *own})
        self.names = Namer()
        self._by_name = {}
        self.linked = {}  # the nodes that have links

    def __repr__(self):
        return f"<Tree of {type(self.network).__name__}>"

    def get(self, name):
        """The node called ``name``, or None."""
        return self._by_name.get(name)

    def knows_outside(self, name):
        """True if ``name`` is bound where the construct was written: captured, global or builtin."""
        function = self.function
        known = name in self.globals or name in vars(builtins)
        return known or (function is not None and name in {*function.__globals__, *function.__code__.co_freevars})

    @property
    def code_names(self):
        """The local variables of the code, as a set."""
        code = None if self.function is None else self.function.__code__
        return set() if code is None else {*code.co_varnames, *code.co_cellvars}

    def bring(self, function):
        """The name by which new code of the tree calls an outside function: one name for each function."""
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
        """Register a node under its name."""
        self._by_name[node.name] = node

    def leave(self, node):
        """Unregister a node."""
        del self._by_name[node.name]
        self.linked.pop(node, None)

    def note_links(self, node):
        """Register a node that has links, and unregister one that has none any more."""
        self.linked.pop(node, None)
        self.linked.update({node: True} if node.links else {})


def is_called_elsewhere(tree, cell):
    """True if code of other trees than this one calls a cell, or may call it."""
    others = [each for each in tree.all_trees() if each is not tree]
    nodes = [node for each in others for node in each.all_nodes()]
    return any(cell is node.called or cell in node.reaches for node in nodes) or any(
        cell in each.outside.values() for each in others
    )
