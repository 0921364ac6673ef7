"""The white pass: O1 as an edit of the tree: listed cells and primitives run in float16, everything else as before.

In place of float16 it may be bfloat16: the ``dtype`` of the functions below.

    for each node whose class is listed:
        cell       its shallow copy, marked float16, is called instead; every float16 target is cast to float32
        primitive  its floating arguments are cast to float16, its float16 targets to float32
    for each listed cell and primitive that Python code may call, where no cast can follow:
        its copy that casts by itself, float32 in and float32 out, is called instead, wherever it is called
    with functional=True, for each functional form of a listed primitive:
        in a node  cast as the primitive is; in Python code it is called through a function that casts
    for each cast to float32 that only casts to float16 and marked cells read:
        both go

Source: ``_auto_white_list``, ``_insert_cast_operator_white_list`` and ``_remove_duplicated_cast`` of MindSpore r2.1.
"""

import copy
from typing import NamedTuple

from minispore.amp.policy.black_pass import lower_all
from minispore.amp.policy.functional_forms import is_form, lower_code
from minispore.amp.policy.self_casting import CastFloats, self_casting_cell, self_casting_primitive
from minispore.core.dtype import bfloat16, float16
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.ops.casting import Cast
from minispore.rewrite import Node, NodeType, ScopedValue, SymbolTree
from minispore.rewrite.call_sites import unread
from minispore.rewrite.resolve.cell_contents import called_inside, is_leaf, refill

__all__ = ["Missed", "cast_listed_nodes", "remove_cancelling_casts", "white_pass", "white_tree"]

MARKED = "to_float was called on it, or on a cell that it stands in"
_TO_FLOAT32 = ScopedValue.create_naming_value("mindspore.float32")
_TO_NARROW = {kind: ScopedValue.create_naming_value(f"mindspore.{kind.np.name}") for kind in (float16, bfloat16)}


class Missed(NamedTuple):
    """A listed class that was called and not converted: its path, the class, and the reason."""

    path: str
    type: type
    reason: str


def white_pass(network, white_list):
    """A new network in which the cells and primitives of the listed classes run in float16; Parameters are shared.

    Args:
        network (Cell): The network; it goes on computing as before.
        white_list (list[type]): Classes of cells and primitives; subclasses do not count.

    Returns:
        Cell.

    Raises:
        TypeError: If the source of the network's ``construct`` cannot be had.
    """
    return white_tree(network, white_list).get_network()


def white_tree(network, white_list, functional=False):
    """The tree after the white pass; its ``notes`` are the :class:`Missed` calls."""
    return white_tree_and_source(network, white_list, functional)[0]


def white_tree_and_source(network, white_list, functional=False, dtype=float16):
    """The tree after the white pass, and the source that the tree wrote before it: the network is parsed once."""
    listed = type(network) in white_list and network._compute_dtype is None
    tree = SymbolTree.create_as_one_call(_marked_copy(network, dtype)) if listed else SymbolTree.create(network)
    before = text_of(tree)
    if listed:  # its own construct, marked, is the one node
        _cast_targets(tree, tree.get_handler().get("construct"))
    else:
        cast_listed_nodes(tree, white_list, functional, dtype)
        remove_cancelling_casts(tree)
    return tree, before


def text_of(tree):
    """The source of a tree, for a receipt; a comment with the reason if a user's object cannot be written."""
    try:
        return tree.get_code()
    except Exception as error:
        return f"# {unread(error)}\n"


def _marked_copy(cell, dtype):
    """A copy of the cell, and of its descendants, marked; marks of the user's own on descendants stay."""
    return lower_all(copied(cell), dtype, Cell.to_float)


def copied(cell):
    """A copy of the cell and of its descendants, with marks and tables of their own; Parameters are shared."""
    copies = {old: copy.copy(old) for _, old in cell.cells_and_names()}
    for new in copies.values():
        refill(new, lambda child: copies.get(child, child))
    return copies[cell]


def self_casting(called, dtype=float16):
    """A copy of a cell or primitive that computes in float16 and returns float32, whoever calls it."""
    if isinstance(called, Cell):
        return self_casting_cell(_marked_copy(called, dtype))
    return self_casting_primitive(called, dtype)


# Casts in


def cast_listed_nodes(tree, white_list, functional=False, dtype=float16):
    """Let each listed cell and primitive of the tree run in float16, in the trees inside it too.

    If a listed class is not converted, a :class:`Missed` in the tree's ``notes`` gives the reason. It is a function,
    the user marked it, or no tree enters the cell around it.

    Args:
        tree (SymbolTree): The tree.
        white_list (list[type]): Classes of cells and primitives; subclasses do not count.
        functional (bool): If True, functional forms of listed primitives run in float16 too. Default: False.
        dtype (mindspore.dtype): float16, or bfloat16 in its place. Default: float16.
    """
    _Caster(tree, white_list, functional, dtype).run()


class _Caster:
    """One run of the pass: the objects that Python code may call, and the copy of each cell."""

    def __init__(self, tree, white_list, functional, dtype):
        self.tree, self.white_list, self.functional, self.notes = tree, white_list, functional, tree.notes
        self.dtype = dtype
        forest = tree.get_handler().forest
        self.trees = tree.get_handler().all_trees()
        self.paths = {cell: path for path, cell in tree.get_origin_network().cells_and_names()}
        nodes = [node for inside in self.trees for node in inside.all_nodes()]
        in_python = [called for cell in forest.unread for called in called_inside(cell)]
        in_python += [called for node in nodes for called in node.reaches]
        by_nodes = {node.called for node in nodes}
        held = called_inside(tree.get_origin_network())  # an object without a node may be called by code out of sight
        self.in_python = dict.fromkeys([*in_python, *(called for called in held if called not in by_nodes)])
        self.copies = set()

    def run(self):
        """Convert the objects that Python code may call, and the listed nodes of every tree."""
        for called in self.in_python:
            if type(called) in self.white_list and self._is_convertible(called):
                self.tree.substitute(called, self_casting(called, self.dtype))
        # Trees inside the network are visited too, but not those of listed cells: a listed cell is marked as a whole.
        for inside in self.trees:
            tree = SymbolTree(inside)
            if tree == self.tree or type(inside.network) not in self.white_list:
                for node in inside.all_nodes():
                    self._visit(tree, node)
        for inside in self.trees:
            SymbolTree(inside).substitute_outside()
        for called, method in self.tree.get_handler().forest.beyond.items():
            if type(called) in self.white_list:
                self.notes.append(Missed(method, type(called), "a method calls it by a name from outside the network"))

    def _is_convertible(self, called):
        return not isinstance(called, Cast) and (isinstance(called, Primitive) or called._compute_dtype is None)

    def _visit(self, tree, node):
        if self.functional and node.tree.network._compute_dtype is None and self._lower_form(tree, node):
            return
        if node.called_type in self.white_list or type(node.called) in self.white_list:
            self._visit_listed(tree, node)
        else:
            self._note_inside(node)

    def _lower_form(self, tree, node):
        """Let the functional forms in a node run in float16; returns whether the node is one itself."""
        if is_form(node, self.white_list):
            _cast_arguments(tree, node, self.dtype)
            _cast_targets(tree, node)
            return True
        lower_code(node, self.white_list, self.dtype)
        return False

    def _visit_listed(self, tree, node):
        called = node.called
        if node.kind is NodeType.CallFunction:
            self._note(node, called, "it is called as a function")
        elif node.tree.network._compute_dtype is not None or (
            isinstance(called, Cell) and called._compute_dtype is not None
        ):
            self._note(node, called, MARKED)
        elif called not in self.in_python and isinstance(called, Cell):
            self._convert_cell(tree, node, called)
        elif called not in self.in_python and not issubclass(node.called_type, Cast):
            _cast_arguments(tree, node, self.dtype)
            _cast_targets(tree, node)

    def _convert_cell(self, tree, node, cell):
        if cell not in self.copies:  # a cell with two call sites gets one copy, so it stays one cell
            self.copies.add(cell)
            tree.substitute(cell, _marked_copy(cell, self.dtype))
        _cast_targets(tree, node)

    def _note_inside(self, node):
        """Note the listed cells in an unlisted leaf, and those that Python code may call and the user marked."""
        if node.kind is NodeType.CallCell and is_leaf(node.instance):
            for _, cell in node.instance.cells_and_names():
                self._note(node, cell, f"'{node.name}' is not entered")
        for called in node.reaches:
            if not self._is_convertible(called):
                self._note(node, called, MARKED)

    def _note(self, node, called, reason):
        """Note a listed cell or primitive that stays as it is, by its path, or else by the node's."""
        if type(called) not in self.white_list:
            return
        inside = self.paths.get(node.tree.network, "")
        path = f"{inside}.{node.name}" if inside else node.name
        missed = Missed(self.paths.get(called, path), type(called), reason)
        if missed not in self.notes:
            self.notes.append(missed)


def _cast_arguments(tree, node, dtype):
    """Put a cast to the narrow float before each argument that is a name, unless the primitive may write to it."""
    writes = getattr(node.called_type, "writes", ())
    kept = [*[arg for index, arg in enumerate(node.args) if index in writes], *(node.kwargs.values() if writes else ())]
    for index, arg in enumerate(dict.fromkeys([*node.args, *node.kwargs.values()])):
        if not arg.is_name or arg in kept:
            continue
        target = ScopedValue.create_naming_value(tree.unique_name(arg.value))
        name = f"incast_{node.name}{index}"
        cast = Node.create_call_cell(CastFloats(), targets=[target], args=[arg, _TO_NARROW[dtype]], name=name)
        tree.insert(tree.before(node), cast)
        node.read_instead(arg, target)


def _cast_targets(tree, node):
    """Put a cast to float32 after each target, under the target's name: so all readers read the cast."""
    position = tree.after(node)
    for target in node.targets:
        name = f"outcast_{node.name}"
        cast = Node.create_call_cell(CastFloats(), targets=[target], args=[target, _TO_FLOAT32], name=name)
        tree.insert(position, cast)


# Casts out


def remove_cancelling_casts(tree):
    """Remove each cast to float32 that only casts to float16 and cells marked float16 read, and those casts.

    Only the casts of :func:`cast_listed_nodes` go: their inputs are known to be float16, so nothing is rounded anew.

    Args:
        tree (SymbolTree): The tree; the trees inside it are treated too.
    """
    for inside in tree.get_handler().all_trees():
        for node in inside.all_nodes():
            users = node.users if _is_cast(node, _TO_FLOAT32) else []
            # After an `if` a name may hold one of two values: its reader then has no one producer, and the cast stays.
            if users and all(node in user.producers and _takes_narrow(user) for user in users):
                _remove(SymbolTree(inside), node, users)


def _is_cast(node, *dtypes):
    return isinstance(node.called, CastFloats) and node.args[1] in dtypes


def _takes_narrow(user):
    called = user.instance
    marked = isinstance(called, Cell) and called._user_dtype in _TO_NARROW
    return marked or _is_cast(user, *_TO_NARROW.values())


def _remove(tree, node, users):
    """Remove a cast to float32 and the casts to float16 behind it: their readers read its input."""
    for user in users:
        if _is_cast(user, *_TO_NARROW.values()):
            tree.redirect(user.targets[0], node.args[0])
            tree.erase(user)
    tree.erase(node)
