"""Exercise 11.1: the casts of O1 in a list of nodes: each operation sees its type, and no cast idles."""

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("o1",)
WHITE = ("dense", "conv")
NETWORKS = (
    [("y", "relu", ("x",))],
    [("y", "dense", ("x",))],
    [("y", "dense", ("x",)), ("z", "relu", ("y",))],
    [("y", "dense", ("x",)), ("z", "dense", ("y",))],
    [("y", "relu", ("x",)), ("z", "dense", ("y",)), ("u", "add", ("z", "y"))],
    [("y", "dense", ("x",)), ("z", "dense", ("y",)), ("u", "add", ("z", "y"))],
    [("y", "dense", ("x",)), ("z", "conv", ("y", "y")), ("u", "dense", ("z",)), ("v", "relu", ("u",))],
    [("y", "dense", ("x",)), ("z", "dense", ("y",)), ("u", "conv", ("z", "y")), ("v", "add", ("u", "x"))],
    [
        ("a", "dense", ("x",)),
        ("b", "relu", ("a",)),
        ("c", "dense", ("b",)),
        ("d", "conv", ("c", "a")),
        ("e", "dense", ("d",)),
    ],
)


def cases():
    """Networks as nodes, the smallest first."""
    for nodes in NETWORKS:
        yield (nodes,)


def check(mine, nodes):
    """Raise :class:`Wrong` unless the network with casts is the same one, in the types of O1."""
    found = mine.o1([tuple(node) for node in nodes], WHITE)
    told = f"of {nodes}, listed {WHITE}: o1 gives {found}"
    try:
        types, meanings = _followed(found)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise Wrong(f"{told}, which is no list of nodes in order: {error!r}") from None
    if meanings[found[-1][0]] != _followed(nodes)[1][nodes[-1][0]]:
        raise Wrong(f"{told}, which computes something else")
    if types[found[-1][0]] != "float32":
        raise Wrong(f"{told}, whose output is {types[found[-1][0]]}")
    for target, operation, arguments in found:
        _see(told, operation, [types[name] for name in arguments], target)
    casts, needed = sum(node[1] == "to32" for node in found), _needed(nodes)
    if casts != needed:
        raise Wrong(f"{told}, which has {casts} casts to float32, and {needed} are needed")


def _see(told, operation, seen, target):
    """Raise unless an operation sees the type of its list."""
    wished = "float16" if operation in WHITE else "float32"
    if operation not in ("to16", "to32") and set(seen) != {wished}:
        raise Wrong(f"{told}, where {operation} of '{target}' sees {' and '.join(sorted(set(seen)))}, not {wished}")


def _followed(nodes):
    """The type of each value, and what it computes, casts left out."""
    types, meanings = {"x": "float32"}, {"x": "x"}
    for target, operation, arguments in nodes:
        inputs = [types[name] for name in arguments]
        types[target] = {"to16": "float16", "to32": "float32"}.get(operation, min(inputs))  # "float16" < "float32"
        said = f"{operation}({', '.join(meanings[name] for name in arguments)})"
        meanings[target] = meanings[arguments[0]] if operation in ("to16", "to32") else said
    return types, meanings


def _needed(nodes):
    """The number of listed values that another operation or the caller reads, in float32."""
    return sum(
        operation in WHITE
        and (target == nodes[-1][0] or any(target in names and op not in WHITE for _, op, names in nodes))
        for target, operation, _ in nodes
    )
