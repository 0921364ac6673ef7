"""Paths of keys into a nest: to an object in it, and as Python writes them."""

from minispore.core.nest import is_nest

__all__ = ["keys_to", "written"]


def keys_to(leaf, nest, depth=8):
    """The path of keys to the object ``leaf`` (by identity) in a nest, the outermost first; None if it is not in it.

    The search stops at ``depth``, since a list may hold itself.

    Examples:
        >>> keys_to(True, {"a": [False, True]})
        ['a', 1]
    """
    if nest is leaf:
        return []
    if not depth or not is_nest(nest):
        return None
    for key, part in nest.items() if isinstance(nest, dict) else enumerate(nest):
        found = keys_to(leaf, part, depth - 1)
        if found is not None:
            return [key, *found]
    return None


def written(keys):
    """A path of keys as Python writes it.

    Examples:
        >>> written(["a", 1])
        "['a'][1]"
    """
    return "".join(f"[{key!r}]" for key in keys)
