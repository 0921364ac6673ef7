"""Names in a file: that each stands for one thing, which graph it is of, and what graphs a function reads from."""

__all__ = []


def check_names(graphs, primitives):
    """The graph of each computed value, by the value's name; a name means one thing in the whole file.

    A constant belongs to no graph: MindSpore writes equal ones once, for all graphs.

    Raises:
        ValueError: If a name means several things or none; the message continues "the file must".
    """
    homes = {}
    shared = {graph.name for graph in graphs}.union(primitives, *[graph.parameters for graph in graphs])
    constants = [node.output for graph in graphs for node in graph.nodes if node.operation is None]
    shared.update(constants)
    if len({graph.name for graph in graphs}) != len(graphs):
        raise ValueError("hold functions of different names, but got a name twice")
    if len(set(constants)) != len(constants):
        raise ValueError("hold constants of different names, but got a name twice")
    for graph in graphs:
        computed = [node.output for node in graph.nodes if node.operation is not None]
        for name in [*[x.name for x in graph.inputs], *computed]:
            if name in homes or name in shared:
                raise ValueError(f"hold values of different names, but got '{name:.40}' twice")
            homes[name] = graph.name
    for graph in graphs:
        _check_order(graph, homes, shared)
    return homes


def _check_order(graph, homes, shared):
    """Check that what a node reads of its own graph stands before it, and that the graph has one output."""
    seen = {x.name for x in graph.inputs}
    for node in graph.nodes:
        for name in _read(node):
            if name not in shared and homes.get(name, graph.name) == graph.name and name not in seen:
                raise ValueError(f"hold what its nodes read, but got no '{name:.40}'")
        seen.add(node.output)
    names = [x.name for x in graph.outputs]
    if len(names) != 1 or (names[0] not in homes and names[0] not in shared):
        raise ValueError(f"hold one output of each graph, but got {len(names)} in '{graph.name:.40}'")


def _read(node):
    return (*node.inputs, *(() if node.operation is None else (node.operation,)))


def outer_graphs(graphs, homes):
    """The graphs around each graph whose values it, or a function that it names, reads: sets of names, by name."""
    named = {graph.name: {name for node in graph.nodes for name in _read(node)} for graph in graphs}
    for graph in graphs:
        named[graph.name].update(x.name for x in graph.outputs)
    outer = {g: {homes[name] for name in names if name in homes} - {g} for g, names in named.items()}
    while True:
        wider = {g: outer[g].union(*[outer[f] for f in named[g] & outer.keys()]) - {g} for g in outer}
        if wider == outer:
            return outer
        outer = wider
