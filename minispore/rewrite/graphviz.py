"""Graphviz: draws a tree as text for Graphviz's ``dot``, coloured by type or by dtype."""

from minispore.core.checks import check_choice
from minispore.core.dtype import bfloat16, float16, float32
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.ops.casting import Cast
from minispore.rewrite.tree.scoped_value import NodeType

_PLAIN = "white"
_BY_TYPE = {
    NodeType.Input: "lightgrey",
    NodeType.Output: "lightgrey",
    NodeType.CallCell: "lightblue",
    NodeType.CallPrimitive: "palegreen",
    NodeType.CallFunction: "khaki",
    NodeType.CallMethod: "wheat",
    NodeType.MathOps: "lightsalmon",
    NodeType.Tree: "plum",
    NodeType.CellContainer: "thistle",
    NodeType.ControlFlow: "lightcyan",
}
_BY_DTYPE = {float16: "lightsalmon", bfloat16: "gold", float32: "lightblue"}
_NARROW = (float16, bfloat16)
_COLORINGS = ("type", "dtype")


def graphviz(tree, color_by):
    """The tree with its inner trees, each in its own frame; ValueError if ``color_by`` is unknown."""
    check_choice("to_graphviz", "color_by", color_by, _COLORINGS)
    return _Drawing(color_by).text(tree)


class _Drawing:
    """One picture: the number of each node, and the trees still to be drawn."""

    def __init__(self, color_by):
        self._color_by, self._numbers, self._frames, self._waiting = color_by, {}, 0, []

    def text(self, tree):
        """The whole text."""
        name = type(tree.network).__name__
        lines = [f"digraph {_quoted(name)} {{", '  node [shape=box, style="rounded,filled", fontname="Helvetica"];']
        self._waiting = [tree]
        for each in self._waiting:  # it grows during the loop
            lines += ["  " + line for line in self._frame(type(each.network).__name__, each)]
        lines += ["  " + line for each in self._waiting for node in each.all_nodes() for line in self._edges(node)]
        return "\n".join([*lines, "}"]) + "\n"

    def _frame(self, label, block):
        """A frame around the nodes of a tree or of a body."""
        number, self._frames = self._frames, self._frames + 1
        lines = [f"subgraph cluster_{number} {{", f"  label={_quoted(label)};"]
        for node in block.nodes():
            lines.append("  " + self._node(node))
            for i, body in enumerate(node.blocks):
                lines += ["  " + line for line in self._frame(f"{node.name}, body {i}", body)]
        return [*lines, "}"]

    def _node(self, node):
        self._numbers[node] = f"n{len(self._numbers)}"
        if node.sub_tree is not None and node.sub_tree not in self._waiting:
            self._waiting.append(node.sub_tree)
        kind = node.kind.name if node.instance is None else type(node.instance).__name__
        dtype = dtype_of(node)
        label = f"{node.name}\n{kind}" + (f"\n{dtype}" if self._color_by == "dtype" and dtype is not None else "")
        colors, key = (_BY_DTYPE, dtype) if self._color_by == "dtype" else (_BY_TYPE, node.kind)
        return f'{self._numbers[node]} [label={_quoted(label)}, fillcolor="{colors.get(key, _PLAIN)}"];'

    def _edges(self, node):
        """Edges from the producer of each value to the node; dashed ones from a call to the tree that it calls."""
        own = self._numbers[node]
        for value, maker in dict.fromkeys(node.values_and_producers()):
            if maker is not None:
                yield f"{self._numbers[maker]} -> {own} [label={_quoted(value.text)}];"
        inside = node.sub_tree.nodes() if node.sub_tree is not None else []
        if inside:
            yield f"{own} -> {self._numbers[inside[0]]} [style=dashed];"


def dtype_of(node):
    """The dtype that a node is marked to compute in: a cell's mark, a cast's dtype, or a narrow one after casts to it.

    None if nothing marks it: then it computes in the dtype of its inputs.
    """
    called = node.instance
    if isinstance(called, Cell) and called._compute_dtype is not None:
        return next((dtype for dtype in _BY_DTYPE if dtype.np == called._compute_dtype), None)
    if isinstance(called, Cast):
        asked = {value.text.split(".")[-1] for value in node.args[1:]}
        return next((dtype for dtype in _BY_DTYPE if dtype.name.lower() in asked), None)
    if not isinstance(called, Primitive) or not node.producers:
        return None
    casts = {dtype_of(maker) if isinstance(maker.instance, Cast) else None for maker in node.producers}
    return next((dtype for dtype in _NARROW if casts == {dtype}), None)


def _quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
