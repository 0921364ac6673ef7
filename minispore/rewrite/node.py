"""TreeNode: one step of a network: what it reads (arguments), what it defines (targets), and who reads that (users)."""

from minispore.rewrite.forms import Control, Python, Store
from minispore.rewrite.values import NodeType


class TreeNode:
    """One line of a tree. ``read`` is the only writer of arguments, and so of the users on the other side.

    Args:
        kind (NodeType): What the node stands for.
        name (str): Its name, unique in its tree.
        form (Form): How it is written.
        targets (list[ScopedValue]): The names it defines.
        args (list[ScopedValue]): What it reads.
        kwargs (dict[str, ScopedValue]): What it reads by keyword.
        receiver (ScopedValue): The object whose method it calls, or that it calls itself. Default: None.
        instance (Cell or Primitive): What it calls, where that is known. Default: None.
        reaches (tuple[Cell]): Cells that its Python code may call, beside ``instance``. Default: none.
    """

    def __init__(self, kind, name, form, targets=(), args=(), kwargs=None, receiver=None, instance=None, reaches=()):
        self.kind, self.name, self.form = kind, name, form
        self.targets = list(targets)
        self.called, self.reaches = instance, tuple(reaches)
        self.tree, self.block, self.rank, self.before, self.after = None, None, None, None, None
        self.blocks = ()
        self.home = None  # the tree that the node stood in last
        self.brought = False  # whether an edit made the node, so that the network must be given what it calls
        self.makes = None  # the class of Cell or Primitive that the node makes an object of
        self._users = {}
        self._args, self._kwargs, self._receiver = tuple(args), dict(kwargs or {}), receiver

    @property
    def args(self):
        """What the node reads, as a tuple of values."""
        return self._args

    @property
    def kwargs(self):
        """What the node reads by keyword, as a new dict."""
        return dict(self._kwargs)

    @property
    def receiver(self):
        """The object whose method the node calls."""
        return self._receiver

    def reads(self):
        """Every value the node reads: receiver, arguments, keyword arguments."""
        receiver = () if self._receiver is None else (self._receiver,)
        return (*receiver, *self._args, *self._kwargs.values())

    def read(self, args=None, kwargs=None, receiver=None):
        """Read other values from now on: the one place that changes arguments and users."""
        self.count_as_user(-1)
        self._args = self._args if args is None else tuple(args)
        self._kwargs = self._kwargs if kwargs is None else dict(kwargs)
        self._receiver = self._receiver if receiver is None else receiver
        self.count_as_user(+1)

    def read_instead(self, old, new):
        """Read ``new`` wherever the node reads ``old``."""
        self.read(
            [new if value == old else value for value in self._args],
            {name: new if value == old else value for name, value in self._kwargs.items()},
            new if self._receiver == old else self._receiver,
        )

    def count_as_user(self, step):
        """Enter the node in its producers' users, or, with -1, take it out."""
        for producer in self.producers_with_repeats():
            users = producer._users
            users[self] = users.get(self, 0) + step
            if not users[self]:
                del users[self]

    def producers_with_repeats(self):
        """For each value read that another node defines, that node."""
        if self.tree is None:
            return []
        return [found for found in map(self.tree.producer, self.reads()) if found is not None]

    @property
    def producers(self):
        """The nodes whose targets this one reads, each once, in the order of reading."""
        return list(dict.fromkeys(self.producers_with_repeats()))

    @property
    def users(self):
        """The nodes that read this one's targets, in the order of the tree."""
        found = set(self._users)
        for variable in self.assigned:
            found.update(user for user in self.tree.producer(variable)._users if variable in user.reads())
        return sorted(found, key=lambda node: node.place)

    @property
    def assigned(self):
        """The targets that are variables of a ControlFlow node around."""
        return [] if self.tree is None else [t for t in self.targets if self.tree.producer(t) is not self]

    @property
    def place(self):
        """Where the node stands, as a tuple: places are ordered as the text is."""
        return (*self.block.place, self.rank)

    def is_visible_at(self, place):
        """Whether what the node defines may be read at a place: behind it in its block, or inside itself."""
        own = self.place
        depth = len(own)
        if own[:-1] != place[: depth - 1]:
            return False
        return own[-1] < place[depth - 1] or (own[-1] == place[depth - 1] and len(place) > depth)

    def holds(self, other):
        """Whether the other node stands in one of the bodies of this one."""
        own = self.place
        return len(other.place) > len(own) and other.place[: len(own)] == own

    def only_assigns(self, other):
        """Whether the node only assigns to variables what ``other`` makes for nobody else."""
        if not isinstance(self.form, Store) or isinstance(other.form, (Python, Control)):
            return False
        return list(self.args) == other.targets and other.users == [self]

    @property
    def instance(self):
        """The Cell or Primitive that the node calls: the substitute, where its network has one for it."""
        return self.called if self.tree is None else self.tree.forest.substitute(self.called)

    @property
    def called_type(self):
        """The class of what is called, be it the network's own or made by another node; NoneType for other nodes."""
        maker = None if self.tree is None or self._receiver is None else self.tree.producer(self._receiver)
        made = self.called is None and self.kind is NodeType.CallPrimitive and maker is not None
        return maker.makes if made else type(self.instance)

    @property
    def sub_tree(self):
        """The tree of the cell that the node calls; None where that is a leaf."""
        known = self.tree is not None and self.kind in (NodeType.Tree, NodeType.CellContainer)
        return self.tree.forest.trees.get(self.called) if known else None

    @property
    def node_list(self):
        """The nodes inside: those of its bodies, or the calls in the tree or the container that the node calls."""
        if self.blocks:
            return [node for block in self.blocks for node in block.nodes()]
        inside = self.sub_tree.nodes() if self.sub_tree is not None else []
        return [node for node in inside if node.kind not in (NodeType.Input, NodeType.Output)]

    def get_node_type(self):
        """The kind of node."""
        return self.kind

    def get_name(self):
        """The node's name."""
        return self.name

    def lines(self, targets=None):
        """The node as source lines, its value bound to other ``targets`` where those are given."""
        receiver = None if self._receiver is None else self._receiver.text
        kwargs = {name: value.text for name, value in self._kwargs.items()}
        names = [target.text for target in (self.targets if targets is None else targets)]
        bodies = [[block.lines() for block in self.blocks]] if self.blocks else []
        return self.form.write(names, receiver, [a.text for a in self._args], kwargs, *bodies)

    def __repr__(self):
        return f"<{self.kind.name} {self.name}>"
