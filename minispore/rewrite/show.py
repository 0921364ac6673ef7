"""Shows a tree as text: a table, or all attributes of each node."""

from minispore.rewrite.edit import node_attributes
from minispore.rewrite.tree.scoped_value import NodeType

_HEADS = ("node type", "name", "targets", "args", "kwargs", "users")


def table(tree):
    """The nodes as a table, one per line; names in bodies of control flow are indented."""
    rows = [_HEADS, *(_row(node) for node in tree.all_nodes())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _row(node):
    kwargs = ", ".join(f"{name}={value}" for name, value in node.kwargs.items())
    users = ", ".join(user.name for user in node.users)
    indent = "  " * (len(node.place) // 2)  # a place has two numbers for each enclosing body
    return node.kind.name, indent + node.name, _listed(node.targets), _listed(node.args), kwargs, users


def _listed(values):
    return ", ".join(map(str, values))


def dump(tree):
    """The tree as numbered lines: each node's targets, callee and arguments, by number, and its attributes.

    A value made by a node is shown as the number of that node.
    """
    nodes = tree.all_nodes()
    numbers = {node: f"%{i}" for i, node in enumerate(nodes)}
    inputs = sum(node.kind is NodeType.Input for node in nodes)
    head = f"tree of {type(tree.network).__name__}, inputs: {inputs}, nodes: {len(nodes)}"
    return "\n".join([head, *(_dumped(node, numbers) for node in nodes)])


def _dumped(node, numbers):
    reads = [numbers.get(maker, value.text) for value, maker in node.values_and_producers()]
    called = "" if node.instance is None else f" {type(node.instance).__name__}"
    known = ", ".join(f"{key}: {value!r}" for key, value in node_attributes.of(node).items() if key != "cls")
    indent = "  " * (len(node.place) // 2 + 1)
    line = (
        f"{indent}{numbers[node]}({_listed(node.targets)}) = {node.kind.name} {node.name}{called}({', '.join(reads)})"
    )
    return f"{line} {{{known}}}" if known else line
