"""Functional forms: ``ops.relu(x)``, ``ops.matmul(x, w)`` or ``x @ w``, each in the place of a listed primitive.

A form is found by the object behind its name, not by the name. So a user's own function ``matmul`` is not a form.
"""

import ast
import inspect

from minispore.amp.policy.self_casting import in_narrow
from minispore.core.primitive import Primitive
from minispore.ops import functional
from minispore.ops.operations.linalg import matmul as linear
from minispore.ops.operations.nn import conv
from minispore.rewrite.resolve.expression_value import Origin
from minispore.rewrite.resolve.names import bound_inside
from minispore.rewrite.resolve.package_functions import is_package_function

__all__ = ["CELL_MARKED", "classes_of", "is_form", "lower_code", "stands_for", "why_form_stays"]

CELL_MARKED = "to_float was called on its cell, or on one that it stands in"

# Primitives of functions with another name. Sums with a product (addmm) go with the product.
FORMS = {
    "matmul": (linear.BatchMatMul,),
    **dict.fromkeys(("dense", "mm", "mv", "addmm", "addmv", "addr", "dot", "inner", "tensor_dot"), (linear.MatMul,)),
    **dict.fromkeys(("bmm", "addbmm", "baddbmm", "einsum"), (linear.BatchMatMul,)),
    **dict.fromkeys(("conv1d", "conv2d"), (conv.Conv2D,)),
}


def classes_of(name, white_list):
    """The listed primitives for a function's name: BiasAdd for ``bias_add``, or as FORMS says."""
    like, more = name.replace("_", "").lower(), FORMS.get(name, ())
    primitives = [kind for kind in white_list if issubclass(kind, Primitive)]
    return [kind for kind in primitives if kind.__name__.lower() == like or kind in more]


def stands_for(value, white_list):
    """True if a value is the package's function, or its ready-made primitive, for a listed class."""
    if not is_package_function(value):
        return False
    return type(value) in white_list if isinstance(value, Primitive) else bool(classes_of(value.__name__, white_list))


class _Lowering(ast.NodeTransformer):
    """Writes ``in_float16(f, x)`` for each form ``f(x)``, and ``in_float16(matmul, x, w)`` for ``x @ w``."""

    def __init__(self, tree, white_list, dtype):
        self.tree, self.white_list, self.in_narrow = tree, white_list, in_narrow[dtype]
        self.lowers_matmul = stands_for(functional.matmul, white_list)

    def _lowered(self, node, *args, keywords=()):
        call = ast.Call(self._brought(self.in_narrow), list(args), list(keywords))
        return ast.copy_location(call, node)

    def _brought(self, function):
        return ast.Name(self.tree.bring(function), ast.Load())

    def _visit_comprehension(self, node):
        """Visit a comprehension with its variables hidden, except in the source of the first loop."""
        first = node.generators[0]
        # Python evaluates the first source outside the comprehension: there a hidden name has its outer meaning.
        source, first.iter = self.visit(first.iter), ast.Constant(None)
        with self.tree.scope.hiding(bound_inside(node)):
            self.generic_visit(node)
        first.iter = source
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815 - of ast

    def visit_Lambda(self, node):
        """Visit a lambda with its parameters hidden: they mean nothing outside."""
        node.args = self.visit(node.args)
        with self.tree.scope.hiding(bound_inside(node)):
            node.body = self.visit(node.body)
        return node

    def visit_FunctionDef(self, node):
        """Visit a function with the names that it binds hidden: they mean nothing outside."""
        node.args = self.visit(node.args)
        with self.tree.scope.hiding(bound_inside(node)):
            node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Call(self, node):
        """Lower the call of a functional form."""
        self.generic_visit(node)
        called, origin = self.tree.scope(node.func)
        # The cell's own primitives are substituted by their self-casting copies already.
        substituted = isinstance(called, Primitive) and origin is Origin.OWN
        if substituted or not stands_for(called, self.white_list):
            return node
        return self._lowered(node, node.func, *node.args, keywords=node.keywords)

    def visit_BinOp(self, node):
        """Lower a matrix product."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult) or not self.lowers_matmul:
            return node
        return self._lowered(node, self._brought(functional.matmul), node.left, node.right)

    def visit_AugAssign(self, node):
        """Lower a matrix product that is assigned to its first factor: ``x @= w`` is ``x = x @ w``."""
        if not isinstance(node.op, ast.MatMult) or not isinstance(node.target, ast.Name) or not self.lowers_matmul:
            return self.generic_visit(node)
        product = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return self.visit(ast.copy_location(ast.Assign([node.target], product), node))


def is_form(node, white_list):
    """True if a node calls a function for a listed primitive, or is a matrix product and a product is listed."""
    return stands_for(functional.matmul if node.calls_matmul else node.called_function, white_list)


def lower_code(node, white_list, dtype):
    """Call the functional forms in a node's unparsed code through ``in_float16``."""
    node.rewrite_code(_Lowering(node.tree, white_list, dtype))


def why_form_stays(tree, cell, place):
    """The reason why a functional form stays in float32; "" if it is converted.

    Args:
        tree (Tree): The tree of the network, after the white pass.
        cell (Cell): The cell whose code calls the form.
        place (str): Where, as ``file:line``.
    """
    inside = tree.tree_of(cell)
    if inside is None:
        return "the source of its cell cannot be read"
    if cell._compute_dtype is not None:
        return CELL_MARKED
    file, line = place.rsplit(":", 1)
    code, length = inside.function.__code__, len(inspect.getsourcelines(inside.function)[0])
    own = file == code.co_filename and 0 <= int(line) - code.co_firstlineno < length
    return "" if own else "it is called as a function, in a method"
