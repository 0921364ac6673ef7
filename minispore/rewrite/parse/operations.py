"""Operations: nodes of operators, collections and indices, whose text has a place for each value."""

import ast

from minispore.rewrite.parse.constants import constant
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Expression
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue

_SYMBOLS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"},
    **{ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not "},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is"},
    **{ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"},
}


class Operations:
    """Base of Expressions: makes nodes such as ``a + b``, ``-a``, ``a < b``, ``(a, b)``, ``{a: b}`` and ``a[b]``."""

    def _operation(self, family, operator, template, operands, names):
        word = type(operator).__name__.lower()
        values = [self.value(operand) for operand in operands]
        template %= _SYMBOLS[type(operator)]
        node = self._computing(f"{family}_{word}", template, values, NodeType.MathOps)
        return self.attach(node, f"{word}_var", names)

    def _collection(self, expression, names):
        spread = isinstance(expression, ast.Dict) and None in expression.keys
        if spread or any(isinstance(n, (ast.Starred, ast.NamedExpr)) for n in ast.walk(expression)):
            return self.opaque_expression(expression, names)
        values = []
        template = self._template(expression, values)
        kind = type(expression).__name__.lower()
        return self.attach(self._computing(kind, template, values), f"{kind}_var", names)

    def _template(self, expression, values):
        """The text of a collection or index with a place for each value, which is put into ``values``."""
        if isinstance(expression, ast.Subscript):
            return f"{self._place(expression.value, values)}[{self._index(expression.slice, values)}]"
        if isinstance(expression, ast.Dict):
            pairs = zip(expression.keys, expression.values, strict=True)
            items = [f"{self._place(key, values)}: {self._place(value, values)}" for key, value in pairs]
            return "{{" + ", ".join(items) + "}}"
        parts = [self._place(element, values) for element in expression.elts]
        if isinstance(expression, ast.List):
            return f"[{', '.join(parts)}]"
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def _place(self, expression, values):
        values.append(self.value(expression))
        return "{}"

    def _index(self, index, values):
        if isinstance(index, ast.Slice):
            parts = [index.lower, index.upper] + ([index.step] if index.step else [])
            return ":".join("" if part is None else self._place(part, values) for part in parts)
        if isinstance(index, ast.Tuple) and index.elts and not constant(index):
            return ", ".join(self._index(part, values) for part in index.elts) + ("," if len(index.elts) == 1 else "")
        return self._place(index, values)

    def _computing(self, name, template, values, kind=NodeType.CallMethod):
        """A node that computes an expression: ``template`` with the values at its places."""
        own = ScopedValue.create_naming_value(self.tree.self_name)
        reaches = self.reached([ast.Name(self.tree.self_name, ast.Load())]) if own in values else ()
        return TreeNode(kind, name, Expression(template), args=values, reaches=reaches)
