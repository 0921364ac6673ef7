"""The room generate: writes the source of trees, once, and makes the network that runs it."""

import sys

from minispore.rewrite.generate.function import make_class
from minispore.rewrite.generate.network import Builder
from minispore.rewrite.generate.text import class_text

__all__ = ["make_network", "source_text"]


def source_text(tree):
    """The source of a tree's class, after those of the edited trees of cells that it calls."""
    inside = [t for t in tree.forest.trees.values() if t.edited and t is not tree]
    return "\n\n".join(["import minispore\n", *map(class_text, reversed(inside)), class_text(tree)])


def make_network(tree):
    """A new network that runs the tree; it shares Parameters and untouched cells with the original."""
    return Builder(tree.forest, lambda t: make_class(t, sys.modules["minispore"])).network(tree)
