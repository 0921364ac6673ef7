"""Exercise 11.1: o1, cast by cast."""


def o1(nodes, white):
    """The nodes of a network with the casts of O1.

    Args:
        nodes (list): Triples of a target, an operation and a tuple of arguments.
        white (Collection[str]): The listed operations.
    """
    return without_cancelling(with_casts(nodes, white))


def with_casts(nodes, white):
    """Casts to float16 before each listed operation, and to float32 behind it."""
    out = []
    for target, operation, arguments in nodes:
        if operation not in white:
            out.append((target, operation, arguments))
            continue
        out += [(f"{name}_for_{target}", "to16", (name,)) for name in dict.fromkeys(arguments)]
        out.append((f"{target}_16", operation, tuple(f"{name}_for_{target}" for name in arguments)))
        out.append((target, "to32", (f"{target}_16",)))
    return out


def without_cancelling(nodes):
    """The nodes without casts to float32 that only casts to float16 read."""
    output = nodes[-1][0]
    for target, operation, arguments in list(nodes):
        readers = [node for node in nodes if target in node[2]]
        if operation == "to32" and target != output and all(node[1] == "to16" for node in readers):
            gone = {target, *(node[0] for node in readers)}
            nodes = [node for node in nodes if node[0] not in gone]
            nodes = [(t, op, tuple(arguments[0] if a in gone else a for a in names)) for t, op, names in nodes]
    return nodes
