"""TreeNode: one step of a network: what it reads (arguments), what it defines (targets), and who reads that (users)."""

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
        self.tree, self.rank, self.before, self.after = None, None, None, None
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
        return sorted(self._users, key=lambda node: node.rank)

    @property
    def instance(self):
        """The Cell or Primitive that the node calls: the substitute, where its network has one for it."""
        return self.called if self.tree is None else self.tree.forest.substitute(self.called)

    @property
    def sub_tree(self):
        """The tree of the cell that the node calls; None where that is a leaf."""
        known = self.tree is not None and self.kind in (NodeType.Tree, NodeType.CellContainer)
        return self.tree.forest.trees.get(self.called) if known else None

    @property
    def node_list(self):
        """The calls inside, where the node calls a tree or a container."""
        inside = self.sub_tree.nodes() if self.sub_tree is not None else []
        return [node for node in inside if node.kind not in (NodeType.Input, NodeType.Output)]

    def get_node_type(self):
        """The kind of node."""
        return self.kind

    def get_name(self):
        """The node's name."""
        return self.name

    def lines(self):
        """The node as source lines."""
        receiver = None if self._receiver is None else self._receiver.text
        kwargs = {name: value.text for name, value in self._kwargs.items()}
        return self.form.write([t.text for t in self.targets], receiver, [a.text for a in self._args], kwargs)

    def __repr__(self):
        return f"<{self.kind.name} {self.name}>"
