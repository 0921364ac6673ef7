"""Generating: writes the source of trees, once, and makes the network that runs it.

Reading order: ``class_text``, ``recipe``, ``compile_class``, ``build_network``, ``pickling``, ``module_file``, and this
file, which calls them.
"""

from minispore.rewrite.gc_paused import uncollected
from minispore.rewrite.generate.build_network import Builder
from minispore.rewrite.generate.class_text import class_name, class_text
from minispore.rewrite.generate.module_file import module_text
from minispore.rewrite.generate.pickling import class_of
from minispore.rewrite.generate.recipe import Recipe
from minispore.rewrite.tree.hidden_values import check_none_hidden
from minispore.rewrite.tree.links import check_settled
from minispore.rewrite.tree.undefined_names import check_all_defined

__all__ = ["make_network", "source_text"]


@uncollected
def source_text(tree):
    """The source of a tree's class, after the classes of the edited trees it calls, as an importable module."""
    inside = [t for t in tree.forest.trees.values() if t.edited and t is not tree]
    _check_edited(tree, "get_code")
    return module_text([_recipe(t) for t in (*reversed(inside), tree)])


@uncollected
def make_network(tree):
    """A new network that runs the tree; it shares Parameters and untouched cells with the original."""
    _check_edited(tree, "get_network")
    return Builder(tree, lambda t, names: class_of(_recipe(t, names))).network(tree)


def _check_edited(tree, operation):
    """Raise if edits left a name undefined, or with another meaning than was asked for: until now more might come."""
    for each in tree.forest.trees.values():
        if each.edited:
            check_all_defined(each, operation)
            check_settled(each, operation)
            check_none_hidden(each, operation)


def _recipe(tree, names=()):
    known = {**tree.globals, **dict(names)}
    return Recipe(type(tree.network), class_name(tree), class_text(tree), tree.function, tree.decorators, known)
