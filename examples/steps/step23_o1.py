"""Step 23: O1. The white list in float16, everything else as before: the opposite of O2, and an edit of the source.

1. A copy of each listed cell, marked float16, is called in its place. It shares the Parameters.
2. Behind it comes a cast to float32, under the name of its result. So all readers read the cast.
3. A cast whose readers are all marked float16 is in vain: each would cast back at once. It goes.

    python examples/steps/step23_o1.py
"""

import copy

from step07_dense import Dense, batch, squared_error
from step09_momentum import Momentum
from step10_convolution import Conv2d
from step12_float16 import Cast
from step16_dynamic_scale import DynamicStep
from step17_o3 import to_float
from step21_source_as_nodes import Network, Node, Tree
from step22_edits import erase, insert_after, make, readers, source

WHITE_LIST = (Dense, Conv2d)


def cast_listed_nodes(tree):
    for node in list(tree.nodes):
        if type(node.called) in WHITE_LIST:
            node.called = to_float(copy.copy(node.called), "float16")
            insert_after(tree, node, Node(node.target, f"outcast_{node.name}", [node.target], Cast("float32")))


def remove_cancelling_casts(tree):
    for node in list(tree.nodes):
        found = readers(tree, node) if isinstance(node.called, Cast) else []
        if found and all(getattr(reader.called, "mark", None) == "float16" for reader in found):
            erase(tree, node)


def o1(network):
    """A new network whose listed cells compute in float16; it keeps its tree for the receipt."""
    tree = Tree(network)
    cast_listed_nodes(tree)
    remove_cancelling_casts(tree)
    new = make(tree)
    new.tree = tree
    return new


def main():
    network, (x, y) = Network(), batch()
    converted = o1(network)
    print(source(converted.tree))
    print("float32", network(x).array[0], "\nO1     ", converted(x).array[0])
    step = DynamicStep(converted, squared_error, Momentum(network.parameters().values(), 0.05, 0.9), 2.0**10)
    print("losses", *(f"{loss:.4f}" for loss in [float(step(x, y)[0]) for _ in range(41)][::10]))


if __name__ == "__main__":
    main()
