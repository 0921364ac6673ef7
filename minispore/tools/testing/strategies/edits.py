"""Random edits of a SymbolTree: each is a kind and three numbers, legal or not, at any node.

An edit prints as ``("insert", 3, 1, 0)``; :func:`edit` makes it.
"""

from hypothesis import strategies as st

from minispore import ops
from minispore.rewrite import Node, ScopedValue
from minispore.tools.testing.strategies.constructs import Part
from minispore.tools.testing.users_code import made

__all__ = ["EDITS", "edit", "edits", "picture"]

EDITS = 20  # of each network
doubled = made("def doubled(x):\n    return x + x\n")["doubled"]


def edit(tree, kind, i, j, k):
    """One edit, legal or not, at any node, those in bodies and in the trees inside too."""
    nodes = list(tree.nodes(all_nodes=True))
    node = nodes[i % len(nodes)]
    own = node.get_symbol_tree()
    others = own.get_handler().all_nodes()
    if j % 4:  # nodes in scope here, so that most edits are legal
        place = node.get_handler().place
        others = [other for other in others if other.is_visible_at(place) and other.targets] or others
    other, third = Node(others[j % len(others)]), Node(others[k % len(others)])
    value = other.get_targets()[0] if other.get_targets() else ScopedValue.create_naming_value("missing")
    if k % 4 == 3:
        made = own.create_call_function(doubled, ["x"], value)
    else:
        made = Node.create_call_cell([ops.ReLU(), ops.Neg(), Part()][k % 4], ["xyw"[i % 3]], [value], name="made")
    if j % 8 == 7:
        value = ScopedValue.create_naming_value("later")
    if kind == "insert":
        own.insert(own.after(node) if k % 2 else own.before(node), made)
    elif kind == "set":
        node.set_arg(k % 3, value)
    elif kind == "link":
        node.set_arg_by_node(k % 3, other)
    elif kind == "erase":
        own.erase(node)
    elif kind == "replace":
        own.replace(node, [made])
    elif kind == "output":
        own.set_output(k % 2, other)
    else:
        own.redirect(value, third.get_targets()[0] if third.get_targets() else value)


_kinds = st.sampled_from(["insert", "insert", "set", "link", "link", "erase", "erase", "replace", "redirect", "output"])
edits = st.lists(st.tuples(_kinds, *[st.integers(0, 60)] * 3), min_size=EDITS, max_size=EDITS)


def picture(tree):
    """Everything that an edit may change."""
    trees = tree.get_handler().forest.trees.values()
    return [(n.name, n.place, n.lines(), [u.name for u in n.users]) for t in trees for n in t.all_nodes()]
