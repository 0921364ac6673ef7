"""Step 22: edits, and a network again. A node goes in or out; the rest is what it was.

A name means its last definition before the reader, as in Python. So ``readers`` looks forward from a node until another
one defines its name again. From the edited nodes a new ``construct`` is written and compiled. The new network is a
shallow copy: it shares every Parameter with the old one, which computes as before.

    python examples/steps/step22_edits.py
"""

import copy

from step01_tensor import Tensor
from step07_dense import ReLU
from step21_source_as_nodes import Network, Node, Tree


def readers(tree, node):
    """The nodes that read what ``node`` defines."""
    found = []
    for later in tree.nodes[tree.nodes.index(node) + 1 :]:
        if node.target in later.args:
            found.append(later)
        if later.target == node.target:
            return found
    return found


def insert_after(tree, node, new):
    tree.nodes.insert(tree.nodes.index(node) + 1, new)


def erase(tree, node):
    """Take out a node that defines the name that it reads: its readers then read the definition before."""
    if node.args != [node.target]:
        raise ValueError(f"'{node}' defines a name that its readers need")
    tree.nodes.remove(node)


def source(tree):
    """The text of ``construct``: one line for each node."""
    lines = [f"def construct(self, {', '.join(tree.inputs)}):", *map(str, tree.nodes), f"return {tree.output}"]
    return "\n    ".join(lines)


def make(tree):
    """A network that runs the tree."""
    names = {}
    exec(source(tree), names)
    kind = type(tree.network)
    new = copy.copy(tree.network)
    new.__class__ = type(f"{kind.__name__}Opt", (kind,), {"construct": names["construct"]})
    vars(new).update({node.name: node.called for node in tree.nodes})
    return new


def main():
    network, x = Network(), Tensor([[1.0, 2.0, 3.0, 4.0]])
    tree = Tree(network)
    insert_after(tree, tree.nodes[-1], Node("last", "clip", ["last"], ReLU()))
    print(source(tree))
    new = make(tree)
    print("before", network(x), "\nafter ", new(x))
    print("one weight for both:", new.first.weight is network.first.weight)


if __name__ == "__main__":
    main()
