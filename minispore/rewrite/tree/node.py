"""TreeNode: one step of a network: its arguments, its targets, and its users, the readers of the targets."""

from operator import attrgetter

from minispore.rewrite.tree.called_function import CalledFunction
from minispore.rewrite.tree.handler_methods import HandlerMethods
from minispore.rewrite.tree.inner_nodes import InnerNodes
from minispore.rewrite.tree.node_forms import Control, Python
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue

_text, _root, _value = map(attrgetter, ("text", "root", "value"))


class TreeNode(HandlerMethods, CalledFunction, InnerNodes):
    """One line of a tree. It reads a name from the last node before it that defines the name.

    Args:
        kind (NodeType): The kind of node.
        name (str): Its name, unique in its tree.
        form (Form): Its source form.
        targets (list[ScopedValue]): The names it defines; a ControlFlow node defines those of its bodies.
        args (list[ScopedValue]): The values it reads.
        kwargs (dict[str, ScopedValue]): The values it reads by keyword.
        receiver (ScopedValue): The object it calls, or whose method it calls. Default: None.
        instance (Cell or Primitive): The called object, if known. Default: None.
        reaches (tuple[Cell]): Cells that its Python code may call, besides ``instance``. Default: none.
    """

    def __init__(self, kind, name, form, targets=(), args=(), kwargs=None, receiver=None, instance=None, reaches=()):
        self.kind, self.name, self.form = kind, name, form
        self._targets = list(targets)
        self.called, self.reaches = instance, tuple(reaches)
        self.tree, self.block, self.order_key, self.before, self.after = None, None, None, None, None
        self.blocks = ()
        self.links = {}  # by the index of an argument: the node to read it from, where its name means another value
        self.home = None  # the tree that last held the node
        self.brought = False  # True if an edit made the node: the network must then get the object it calls
        self.inside = None  # the Forest of what a new node calls, until a tree's takes it over
        self.key = (
            None  # under which name the cell holds what the node calls, if it is a container or an edit brought it
        )
        self.makes = None  # the class of Cell or Primitive of which the node makes an object
        self._args, self._kwargs, self._receiver = tuple(args), dict(kwargs or {}), receiver

    @property
    def targets(self):
        """The names that the node defines, as a new list."""
        if not isinstance(self.form, Control):
            return list(self._targets)
        header = self.form.header
        inside = dict.fromkeys(name for block in self.blocks for name in block.defined_names())
        found = {*header.assigned, *inside}
        own = [name for name in header.owned if name in found]
        return ScopedValue.create_name_values([*own, *(name for name in inside if name not in header.owned)])

    @targets.setter
    def targets(self, targets):
        self._targets = list(targets)

    def rename_target(self, old, new):
        """Define ``new`` instead of ``old``, in the tree too."""
        self.block.rename(self, old.value, new.value)
        self._targets = [new if target == old else target for target in self._targets]

    def defines(self, name):
        """True if one of the targets is ``name``."""
        if not isinstance(self.form, Control):
            return name in map(_value, self._targets)
        header = self.form.header
        return name in header.assigned or any(b.is_defined_in(name) for b in self.blocks)

    @property
    def args(self):
        """The values that the node reads, as a tuple."""
        return self._args

    @property
    def kwargs(self):
        """The values that the node reads by keyword, as a new dict."""
        return dict(self._kwargs)

    @property
    def receiver(self):
        """The object whose method the node calls."""
        return self._receiver

    def reads(self):
        """Every value the node reads: receiver, arguments, keyword arguments."""
        receiver = () if self._receiver is None else (self._receiver,)
        return (*receiver, *self._args, *self._kwargs.values())

    def is_defined_elsewhere(self, target):
        """True if another node, in the block or before it, defines the target too."""
        others = self.block.definitions(target.value)
        return others != [self] or self.block.producer(target.value, self.order_key) is not None

    def supplies(self, name):
        """True if bodies read ``name`` from this node: its header assigns it, or a body may run after another."""
        header = self.form.header
        repeated = header.repeats and any(block.is_defined_in(name) for block in self.blocks)
        return name in header.assigned or repeated

    def reads_by_name(self):
        """The values that the node reads, without the arguments that are linked."""
        if not self.links:
            return self.reads()
        linked = {len(self.reads()) - len(self._args) - len(self._kwargs) + index for index in self.links}
        return tuple(value for place, value in enumerate(self.reads()) if place not in linked)

    def roots(self):
        """The names that the node itself reads by name, without its bodies, as a set."""
        return {*map(_root, self.reads_by_name())} - {None}

    def read(self, args=None, kwargs=None, receiver=None):
        """Read other values from now on: the only place that changes a node's reads."""
        before = self.roots()
        self._args = self._args if args is None else tuple(args)
        self._kwargs = self._kwargs if kwargs is None else dict(kwargs)
        self._receiver = self._receiver if receiver is None else receiver
        if self.block is not None:
            self.block.note_reads(self, before, self.roots())

    def read_instead(self, old, new):
        """Read ``new`` wherever the node reads ``old`` by name."""
        self.read(
            [value if i in self.links else value.instead(old, new) for i, value in enumerate(self._args)],
            {name: value.instead(old, new) for name, value in self._kwargs.items()},
            None if self._receiver is None else self._receiver.instead(old, new),
        )

    def link(self, index, source):
        """Read argument ``index`` from a node, though its name means another value here; None: by name again."""
        before = self.roots()
        others = {i: node for i, node in self.links.items() if i != index}
        self.links = others if source is None else {**others, index: source}
        self.tree.note_links(self)
        self.block.note_reads(self, before, self.roots())

    @property
    def linked_users(self):
        """The nodes that read this one by a link, each with the index of the argument."""
        linked = () if self.tree is None else self.tree.linked
        return [(user, index) for user in linked for index, source in user.links.items() if source is self]

    def source(self, index):
        """The node that argument ``index`` is read from, by a link or by name; None if no node defines it."""
        return self.links.get(index) or self.producer(self._args[index])

    def producer(self, value):
        """The node that defines ``value`` by name for this one; None for constants and names from outside."""
        return None if self.block is None or not value.is_name else self.block.producer(value.root, self.order_key)

    def values_and_producers(self):
        """Each value that the node reads, with the node that defines it; None for constants and names from outside."""
        receiver = () if self._receiver is None else (self._receiver,)
        args = [(value, self.source(index)) for index, value in enumerate(self._args)]
        before, behind = ([(each, self.producer(each)) for each in part] for part in (receiver, self._kwargs.values()))
        return [*before, *args, *behind]

    def producers_with_repeats(self):
        """The producer of each value read, for values defined by another node."""
        return [found for _, found in self.values_and_producers() if found is not None]

    @property
    def producers(self):
        """The producers of the values read, each once, in the order of reading."""
        return list(dict.fromkeys(self.producers_with_repeats()))

    @property
    def users(self):
        """The possible readers of this node's targets, in the order of the tree."""
        if self.block is None:
            return []
        found = {user for target in self.targets for user in self.readers(target.value)}
        found |= {user for user, _ in self.linked_users}
        return sorted(found, key=lambda node: node.place)

    def readers(self, name):
        """The nodes that read this node by ``name``: until the next definition, inside its bodies and after them."""
        bodies = self.blocks if self.blocks and self.supplies(name) else ()
        found = [user for block in bodies for user in block.readers(name)]
        return [*found, *self._readers_behind(name)]

    def _readers_behind(self, name):
        found, owner = self.block.readers(name, self.order_key), self.block.owner
        if owner is None or self.block.is_defined_behind(name, self.order_key):
            return found
        header = owner.form.header
        if header.repeats:
            found += [user for block in owner.blocks for user in block.readers(name)]
            found += [owner] if name in header.loads else []
        return [*found, *owner._readers_behind(name)]

    @property
    def place(self):
        """The position of the node, as a tuple: tuples compare as places in the text."""
        return (*self.block.place, self.order_key)

    def is_visible_at(self, place):
        """True if the node's targets may be read at a place: after it in its block, or inside itself."""
        own = self.place
        depth = len(own)
        if own[:-1] != place[: depth - 1]:
            return False
        return own[-1] < place[depth - 1] or (own[-1] == place[depth - 1] and len(place) > depth)

    def holds(self, other):
        """True if the other node is in one of this node's bodies."""
        own = self.place
        return len(other.place) > len(own) and other.place[: len(own)] == own

    @property
    def instance(self):
        """The called Cell or Primitive, or its substitute in the network."""
        return self.called if self.tree is None else self.tree.forest.substitute(self.called)

    @property
    def called_type(self):
        """The class of the called object, be it the network's or made by another node; NoneType for other nodes."""
        maker = None if self._receiver is None else self.producer(self._receiver)
        made = self.called is None and self.kind is NodeType.CallPrimitive and maker is not None
        return maker.makes if made else type(self.instance)

    @property
    def calls_matmul(self):
        """True if the node is a matrix product ``x @ w``."""
        return self.kind is NodeType.MathOps and self.form.template == "{} @ {}"

    def rewrite_code(self, transformer):
        """Let a transformer of syntax change the code that the node keeps as it is written.

        Args:
            transformer (ast.NodeTransformer): It must neither read nor bind other variables of the function. It brings
                what it calls by a name of its own with ``tree.bring``.
        """
        if isinstance(self.form, (Python, Control)):
            before, self.form = self.lines(), self.form.rewritten(transformer)
            self.tree.edited = self.tree.edited or self.lines() != before

    def lines(self):
        """The node as source lines."""
        receiver = None if self._receiver is None else self._receiver.text
        kwargs = dict(zip(self._kwargs, map(_text, self._kwargs.values()), strict=True))
        bodies = [[block.lines() for block in self.blocks]] if self.blocks else []
        return self.form.write([*map(_text, self.targets)], receiver, [*map(_text, self._args)], kwargs, *bodies)

    def __repr__(self):
        return f"<{self.kind.name} {self.name}>"
