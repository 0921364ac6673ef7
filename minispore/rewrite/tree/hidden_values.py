"""Hidden values: what a statement would read by a name that it has given another value by then.

``y += t`` begins with the value that ``y`` had before. Once edits let that be ``x``, the code is ``y = x`` and then
``y += t``. If edits let ``t`` be the earlier ``y``, too, no name for that is left.
"""

from minispore.core.errors import value_error
from minispore.rewrite.tree.node_forms import Control, Python

__all__ = ["check_none_hidden", "hidden_value"]


def check_none_hidden(tree, operation):
    """Raise ValueError, with the node and the name, if a node would read a name after it has set that anew."""
    for node in tree.all_nodes():
        hidden = hidden_value(node)
        if hidden is not None:
            expected = f"what '{node.name}' reads must not be a name that it sets before it reads that"
            raise value_error(operation, expected, f"'{hidden}'")


def hidden_value(node):
    """The text of an argument that a node would read after it has set that name anew; None if there is none."""
    if not isinstance(node.form, (Control, Python)):
        return None
    return node.form.hidden([each.text for each in node.targets], [each.text for each in node.args])
