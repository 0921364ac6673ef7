"""Class text: the source of a tree, as a subclass of the cell's own class."""

import textwrap

from minispore.rewrite.tree.scoped_value import NodeType
from minispore.rewrite.tree.unique_names import identifier

_INDENT = " " * 4
_NAMED = 12  # the number of inserted objects that the docstring names


def class_name(tree):
    """The name of the generated class."""
    return plain_class_name(type(tree.network)).removesuffix("Opt") + "Opt"


def plain_class_name(kind):
    """The name of a class as an identifier for source: the name itself may be any text."""
    return identifier(kind.__name__)


def class_text(tree):
    """The source of the generated class."""
    base = plain_class_name(type(tree.network))
    head = f'class {class_name(tree)}({base}):\n{_INDENT}"""{base}, with one call a line.{_put_in(tree)}"""\n\n'
    return head + textwrap.indent(construct_text(tree), _INDENT)


def _put_in(tree):
    """A sentence on the inserted objects, which no ``__init__`` makes; "" if there are none."""
    inside = [f"{name} ({plain_class_name(type(called))})" for name, called in tree.attributes.items()]
    if not inside:
        return ""
    more = f", and {len(inside) - _NAMED} more" if len(inside) > _NAMED else ""
    sentence = f"Edits put in, and SymbolTree.get_network sets: {', '.join(inside[:_NAMED])}{more}."
    return "\n\n" + textwrap.fill(sentence, 112, initial_indent=_INDENT, subsequent_indent=_INDENT) + f"\n{_INDENT}"


def construct_text(tree):
    """The source of ``construct``."""
    lines = [line for node in tree.nodes() for line in node.lines()]
    body = textwrap.indent("\n".join(lines or ["pass"]), _INDENT)
    decorators = "".join(f"@{decorator}\n" for decorator in tree.decorators)
    return f"{decorators}def construct({signature(tree)}):\n{body}\n"


def signature(tree):
    """The parameters of ``construct`` as text, with the separators ``/`` and ``*``."""
    inputs = [node for node in tree.nodes() if node.kind is NodeType.Input]
    parts = [tree.self_name, *(["/"] if tree.is_self_positional else [])]
    starred = False
    for i, node in enumerate(inputs):
        form, name = node.form, node.targets[0].text
        if form.position != "first" and i and inputs[i - 1].form.position == "first":
            parts.append("/")
        if form.position == "keyword" and not starred:
            parts.append("*")
        starred = starred or form.prefix == "*" or form.position == "keyword"
        parts.append(f"{form.prefix}{name}" + (f"={form.default}" if form.default else ""))
    if inputs and inputs[-1].form.position == "first":
        parts.append("/")
    return ", ".join(parts)
