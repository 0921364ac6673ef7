"""Attributes of a node: those of the object it calls, and those that the user has set."""

from weakref import WeakKeyDictionary

from minispore.core.errors import type_error
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.rewrite.resolve.cell_contents import is_leaf

_noted = WeakKeyDictionary()


def of(node):
    """The attributes of a node, as one dict for the node's life."""
    if node not in _noted:
        _noted[node] = _known(node.instance)
    return _noted[node]


def checked(key):
    """The name of an attribute; TypeError if it is not a str."""
    if not isinstance(key, str):
        raise type_error("Node", "the 'key' of an attribute must be a str", type(key).__name__)
    return key


def _known(called):
    """The public attributes of a framework cell, parameters and child cells included, or of a primitive."""
    if not (isinstance(called, Primitive) or (isinstance(called, Cell) and is_leaf(called))):
        return {}
    inside = {**called._params, **called._cells} if isinstance(called, Cell) else {}
    found = {**vars(called), **inside}
    return {**{name: value for name, value in found.items() if not name.startswith("_")}, "cls": type(called)}
