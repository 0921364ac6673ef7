"""Links: arguments to be read from a node whose name means another value at their place, until an edit changes that.

In ``x = self.a(x); x = self.b(x); x = self.c(x)``, ``c`` may be linked to ``a``: once ``b`` is erased, what ``c`` reads
as ``x`` is that of ``a``. Then the link ends. Code is written only where none is left.
"""

from minispore.core.errors import value_error

__all__ = ["check_settled", "settle"]


def settle(tree):
    """End the links to nodes that the names mean by now."""
    for node in list(tree.linked):
        for index, source in list(node.links.items()):
            if node.producer(node.args[index]) is source:
                node.link(index, None)


def check_settled(tree, operation):
    """Raise ValueError, with both nodes and the name, if a name means another value than the linked one."""
    for node in sorted(tree.linked, key=lambda each: each.place):
        index, source = min(node.links.items(), key=lambda link: link[0])
        value, found = node.args[index], node.producer(node.args[index])
        expected = f"'{value}' in '{node.name}' must be that of '{source.name}', to which it was linked"
        raise value_error(operation, expected, f"that of '{found.name}', which defines '{value}' in between")
