"""The room show: prints a tree as a table that a person reads."""

_HEADS = ("node type", "name", "targets", "args", "kwargs", "users")


def table(tree):
    """The nodes as a table, one a line."""
    rows = [_HEADS, *(_row(node) for node in tree.nodes())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _row(node):
    kwargs = ", ".join(f"{name}={value}" for name, value in node.kwargs.items())
    users = ", ".join(user.name for user in node.users)
    return node.kind.name, node.name, _listed(node.targets), _listed(node.args), kwargs, users


def _listed(values):
    return ", ".join(map(str, values))
