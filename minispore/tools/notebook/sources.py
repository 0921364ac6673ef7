"""Sources: a network's tree of nodes, and the code that it stands for."""

from minispore.tools.notebook.markup import folded, heading, listing, table, whole

__all__ = []


def of_tree(tree):
    """The form of a SymbolTree: its nodes in their order, and its code."""
    nodes = list(tree.nodes())
    name = type(tree.get_origin_network()).__name__
    rows = [(node.get_name(), _kind(node), ", ".join(map(str, node.get_targets() or ()))) for node in nodes]
    code = folded("code", listing(tree.get_code()), is_open=True)
    return whole(heading(f"SymbolTree of {name}", f"{len(nodes)} nodes"), table(("node", "kind", "gives"), rows), code)


def _kind(node):
    """The kind of a node, with the class of the cell or primitive that it calls."""
    kind = getattr(node.get_node_type(), "name", node.get_node_type())
    callee = node.get_instance_type()
    return f"{kind}: {callee.__name__}" if isinstance(callee, type) and callee is not type(None) else str(kind)
