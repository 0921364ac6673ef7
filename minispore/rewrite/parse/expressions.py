"""Expressions: flattens an expression into nodes, one for each call and operation, in the order of evaluation."""

import ast
import math

from minispore.rewrite.parse.control_flow import ternary
from minispore.rewrite.resolve.reached_cells import cells_reached
from minispore.rewrite.tree.node import TreeNode
from minispore.rewrite.tree.node_forms import Expression, Python
from minispore.rewrite.tree.opaque_code import PythonCode
from minispore.rewrite.tree.scoped_value import NodeType, ScopedValue
from minispore.rewrite.tree.unique_names import identifier

_SYMBOLS = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"},
    **{ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>"},
    **{ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not "},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is"},
    **{ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"},
}


def constant(expression):
    """The expression's constant value, or None. A list is not constant: each evaluation makes a new one."""
    if not isinstance(expression, (ast.Constant, ast.UnaryOp, ast.Tuple)):
        return None
    try:
        value = ast.literal_eval(expression)
        legible = ast.literal_eval(repr(value)) == value  # infinity is not
    except (ValueError, TypeError):
        return None
    mutable = any(isinstance(n, (ast.List, ast.Dict, ast.Set)) for n in ast.walk(expression))
    zero = isinstance(value, float) and value == 0 and math.copysign(1, value) < 0
    return ScopedValue.create_variable_value(value) if legible and not mutable and not zero else None


class Expressions:
    """Turns expressions into nodes at the end of ``block``; ``names`` are those that have a value by now."""

    def __init__(self, tree, source, bound):
        self.tree, self.source, self.bound = tree, source, bound
        self.block, self.names, self.scope = tree, {}, tree.scope

    def value(self, expression):
        """The value of an expression: a constant, a name from outside, or the target of a node made for it."""
        found = constant(expression)
        if found is None and isinstance(expression, ast.Name):
            found = ScopedValue.create_naming_value(expression.id)
        return found or self.outside_path(expression) or self.define(expression).targets[0]

    def outside_path(self, expression):
        """A dotted name that starts outside the function, as a value; None for any other expression."""
        path = []
        while isinstance(expression, ast.Attribute):
            path.append(expression.attr)
            expression = expression.value
        if not path or not isinstance(expression, ast.Name) or expression.id in self.bound:
            return None
        return ScopedValue.create_naming_value(path[0], ".".join([expression.id, *path[:0:-1]]))

    def define(self, expression, names=None):
        """Make the node that computes an expression; it binds the code's ``names``, or a target of its own."""
        if isinstance(expression, ast.BinOp):
            return self._operation("binop", expression.op, "{} %s {}", [expression.left, expression.right], names)
        if isinstance(expression, ast.UnaryOp):
            return self._operation("unaryop", expression.op, "%s{}", [expression.operand], names)
        if isinstance(expression, ast.Compare) and len(expression.ops) == 1:
            parts = [expression.left, *expression.comparators]
            return self._operation("compare", expression.ops[0], "{} %s {}", parts, names)
        if isinstance(expression, ast.Attribute) and self.outside_path(expression) is None:
            return self._attribute(expression, names)
        if isinstance(expression, (ast.Tuple, ast.List, ast.Dict, ast.Subscript)):
            return self._collection(expression, names)
        if isinstance(expression, (ast.Name, ast.Attribute)) or constant(expression):
            kind = "constant_assign" if constant(expression) else "name_assign"
            return self.attach(self._computing(kind, "{}", [self.value(expression)]), kind, names)
        if isinstance(expression, ast.IfExp) and self._has_bodies(expression):
            return self._ternary(expression, names)
        return self.opaque_expression(expression, names)

    def _has_bodies(self, expression):
        """True if the branches of a ternary call something, and bind nothing."""
        inside = list(ast.walk(expression))
        return any(isinstance(n, ast.Call) for n in inside) and not any(isinstance(n, ast.NamedExpr) for n in inside)

    def _ternary(self, expression, names):
        test, held = self.header_value(expression.test)
        value, node = ternary(self, ast.IfExp(test, expression.body, expression.orelse), held)
        return node if names is None else self.attach(self._computing("name_assign", "{}", [value]), "", names)

    def header_value(self, expression):
        """The expression in a header that is evaluated once, and the values of names in it beside the code's own.

        What calls a cell or primitive is computed by nodes before the statement; anything else stays in the header.
        """
        inside = list(ast.walk(expression))
        calls = any(isinstance(n, ast.Call) and self.is_known(n.func) for n in inside)
        if not calls or any(isinstance(n, ast.NamedExpr) for n in inside):
            return expression, {}
        return ast.Name("_held", ast.Load()), {"_held": self.value(expression)}

    def _operation(self, family, operator, template, operands, names):
        word = type(operator).__name__.lower()
        values = [self.value(operand) for operand in operands]
        template %= _SYMBOLS[type(operator)]
        node = self._computing(f"{family}_{word}", template, values, NodeType.MathOps)
        return self.attach(node, f"{word}_var", names)

    def _attribute(self, expression, names):
        base, path = expression, []
        while isinstance(base, ast.Attribute):
            path.insert(0, base.attr)
            base = base.value
        own = isinstance(base, ast.Name) and base.id == self.tree.self_name
        if not own:
            base, path = expression.value, path[-1:]
        value = ScopedValue.create_naming_value(self.tree.self_name) if own else self.value(base)
        target = "_".join(["self" if own else value.text, *path])
        reaches = self.reached([expression]) if own else ()
        template = Expression("{}." + ".".join(path))
        node = TreeNode(NodeType.CallMethod, "attribute_assign", template, args=[value], reaches=reaches)
        return self.attach(node, target, names)

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

    def attach(self, node, target, names=None):
        """Put a node at the end of the block, under a name of its own, binding ``names`` or the target alone."""
        bound = [self.tree.values.unique(identifier(target))] if names is None else names
        self._put(node, ScopedValue.create_name_values(bound))
        if names is not None:
            self.names.update(zip(names, node.targets, strict=True))
        return node

    def _put(self, node, targets):
        node.name = self.tree.names.unique(node.name)
        node.targets = list(targets)
        self.block.attach(node)
        return node

    def reached(self, nodes):
        """The cells that code may call."""
        forest = self.tree.forest
        return cells_reached(nodes, self.tree.network, self.tree.self_name, forest.beyond, forest.sources)

    def opaque_expression(self, expression, names=None):
        """A Python node for an expression that stays as it is."""
        held = "_held" if names is None else names[0]
        targets = [ast.Name(name, ast.Store()) for name in (names or [held])]
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        statement = ast.Assign([target], expression)
        kind = type(expression).__name__
        return self.opaque([statement], kind, [] if names else [f"{kind.lower()}_var"])

    def opaque(self, statements, name, targets=(), extra=None):
        """A Python node for statements that stay as they are; ``extra`` are values of names beside the code's own."""
        known = {**self.names, **(extra or {})}
        code = PythonCode(statements, known)
        args = [known[n] for n in code.reads]
        node = TreeNode(NodeType.Python, name, Python(code), args=args, reaches=self.reached(statements))
        own = [self.tree.values.unique(target) for target in targets]
        self._put(node, ScopedValue.create_name_values([*own, *code.binds[len(own) :]]))
        self.names.update((n, ScopedValue.create_naming_value(n)) for n in code.binds[len(own) :])
        return node
