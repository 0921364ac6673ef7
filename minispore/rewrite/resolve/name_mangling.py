"""Name mangling: ``self.__x`` in a class ``Net`` means ``self._Net__x``, and must say so in any other class."""

import ast

_FIELDS = ("id", "attr", "arg", "name", "asname", "rest")


def with_private_names(syntax, function):
    """The syntax of a function with each private name spelled as Python reads it in the function's class."""
    owner = class_around(function.__qualname__).lstrip("_")
    return _Private(owner).visit(syntax) if owner.isidentifier() else syntax


def class_around(qualified):
    """The name of the innermost class around a function, by its qualified name; "" if there is none."""
    path = qualified.split(".")[:-1]
    while path and path[-1] == "<locals>":
        path = path[:-2]  # the function that it is local to
    return path[-1] if path else ""


class _Private(ast.NodeTransformer):
    """Spells private names for a class."""

    def __init__(self, owner):
        self.owner = owner

    def generic_visit(self, node):
        """Spell the names of any node."""
        for field in _FIELDS:
            if isinstance(getattr(node, field, None), str) and not isinstance(node, (ast.alias, ast.keyword)):
                setattr(node, field, self._spelled(getattr(node, field)))
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = list(map(self._spelled, node.names))
        return super().generic_visit(node)

    def visit_ClassDef(self, node):
        """A class inside spells its own."""
        return node

    def _spelled(self, name):
        return f"_{self.owner}{name}" if name.startswith("__") and not name.endswith("__") else name
