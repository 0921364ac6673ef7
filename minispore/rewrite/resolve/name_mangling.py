"""Name mangling: ``self.__x`` in a class ``Net`` means ``self._Net__x``, and must say so in any other class."""

import ast
import re

_FIELDS = ("id", "attr", "arg", "name", "asname", "rest")
_PRIVATE = re.compile(r"^__(?=.*(?<!__)$)")  # begins with two underscores, and does not end with two


def with_private_names(syntax, function):
    """The syntax of a function, in which each private name is spelled as Python reads it in the function's class."""
    owner = class_around(function.__qualname__).lstrip("_")
    for node in _outside_classes(syntax) if owner.isidentifier() else ():
        for field in () if isinstance(node, (ast.alias, ast.keyword)) else _FIELDS:
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, _PRIVATE.sub(f"_{owner}__", getattr(node, field)))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [_PRIVATE.sub(f"_{owner}__", name) for name in node.names]
    return syntax


def _outside_classes(syntax):
    """The nodes of some syntax, without those in classes, which spell their own names."""
    found, waiting = [], [syntax]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.ClassDef):
            found.append(node)
            waiting.extend(ast.iter_child_nodes(node))
    return found


def class_around(qualified):
    """The name of the innermost class around a function, by its qualified name; "" if there is none."""
    path = qualified.split(".")[:-1]
    while path and path[-1] == "<locals>":
        path = path[:-2]  # the function that it is local to
    return path[-1] if path else ""
