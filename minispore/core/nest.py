"""Nested structures: walk and rebuild tuples, named tuples, lists and dicts; everything else is a leaf.

A nest is a leaf, or a tuple, list or dict of nests. Leaves come in order: a dict's in the order of its keys' insertion.
Only this module knows what a nest is; which leaves are legal (Tensors, numbers) is up to the callers.
"""

import copy

from minispore.core.errors import value_error

__all__ = ["in_order_of", "is_nest", "leaves", "map_leaves", "parts_of", "replace_leaves", "select", "with_parts"]

_CONTAINERS = (tuple, list, dict)
_DEEPEST = 200  # containers inside one another, which Python's stack bears; one that holds itself is deeper


def is_nest(value):
    """True if ``value`` is a container with parts: a tuple, list or dict, subclasses included."""
    return isinstance(value, _CONTAINERS)


def parts_of(container):
    """The direct contents of a container: its elements, or a dict's values."""
    return container.values() if isinstance(container, dict) else container


def with_parts(container, parts):
    """A container of the type (and a dict's keys) of ``container`` that holds ``parts``.

    If the type restricts its elements, its ``plain_kind`` names the type that holds other ones instead.

    Examples:
        >>> with_parts({"a": 1, "b": 2}, [10, 20])
        {'a': 10, 'b': 20}
    """
    kind = getattr(type(container), "plain_kind", type(container))
    if kind is tuple or kind is list:
        return kind(parts)
    if isinstance(container, dict):
        if kind is dict:
            return dict(zip(container, parts, strict=True))
        other = copy.copy(container)  # an OrderedDict, a defaultdict: constructors differ
        for key, part in zip(list(container), parts, strict=True):
            other[key] = part
        return other
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


def _too_deep():
    expected = f"tuples, lists and dicts must stand at most {_DEEPEST} deep inside one another"
    return value_error("nest", expected, "a deeper one, or one that holds itself")


def leaves(nest, left=_DEEPEST):
    """The leaves of a nest, in order, as a list; ValueError where it is more than ``left`` deep.

    Examples:
        >>> leaves((1, [2, {"a": 3}]))
        [1, 2, 3]
    """
    if not isinstance(nest, _CONTAINERS):
        return [nest]
    if not left:
        raise _too_deep()
    return [leaf for part in parts_of(nest) for leaf in leaves(part, left - 1)]


def select(kind, nest, left=_DEEPEST):
    """The leaves that are instances of ``kind``, in order, as a list; ValueError where it is too deep."""
    if not isinstance(nest, _CONTAINERS):
        return [nest] if isinstance(nest, kind) else []
    if not left:
        raise _too_deep()
    return [leaf for part in parts_of(nest) for leaf in select(kind, part, left - 1)]


def map_leaves(function, nest, left=_DEEPEST):
    """A nest like ``nest`` that holds ``function(leaf)`` for each leaf; ValueError where it is more than ``left`` deep.

    Examples:
        >>> map_leaves(lambda x: x + 1, (1, [2, {"a": 3}]))
        (2, [3, {'a': 4}])
    """
    if not isinstance(nest, _CONTAINERS):
        return function(nest)
    if not left:
        raise _too_deep()
    return with_parts(nest, [map_leaves(function, part, left - 1) for part in parts_of(nest)])


def replace_leaves(kind, nest, found):
    """A nest like ``nest`` whose leaves of ``kind`` are replaced, in order, by the elements of ``found``."""
    found = iter(found)
    return map_leaves(lambda leaf: next(found) if isinstance(leaf, kind) else leaf, nest)


def in_order_of(model, nest):
    """``nest`` with the keys of its dicts in the order of the dicts at the same places of ``model``.

    Examples:
        >>> in_order_of([{"a": 1, "b": 2}], [{"b": 20, "a": 10}])
        [{'a': 10, 'b': 20}]
    """
    if not (is_nest(model) and is_nest(nest)) or len(model) != len(nest):
        return nest
    if isinstance(model, dict) and isinstance(nest, dict):
        return {key: in_order_of(model[key], nest[key]) for key in model} if model.keys() == nest.keys() else nest
    return with_parts(nest, [in_order_of(m, part) for m, part in zip(parts_of(model), parts_of(nest), strict=True)])
