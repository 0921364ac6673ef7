"""Functional forms: which listed class ``ops.relu(x)``, ``ops.matmul(x, w)`` or ``x @ w`` stands for, and where.

They are found by what a name means outside the construct, so a user's own function called ``matmul`` is none.
"""

import ast
import copy
import inspect
from dataclasses import replace
from types import FunctionType, ModuleType

from minispore.amp.policy.self_casting import in_float16
from minispore.ops import functional
from minispore.ops.operations.linalg import matmul as linear
from minispore.ops.operations.nn import conv
from minispore.ops.primitive import Primitive

__all__ = ["CELL_MARKED", "classes_of", "is_form", "lower_code", "stands_for", "why_form_stays"]

CELL_MARKED = "to_float was called on its cell, or on one that it stands in"

# What the package's functions compute with that are not named like it. Sums with a product (addmm) go with the product.
FORMS = {
    "matmul": (linear.BatchMatMul,),
    **dict.fromkeys(("dense", "mm", "mv", "addmm", "addmv", "addr", "dot", "inner", "tensor_dot"), (linear.MatMul,)),
    **dict.fromkeys(("bmm", "addbmm", "baddbmm", "einsum"), (linear.BatchMatMul,)),
    **dict.fromkeys(("conv1d", "conv2d"), (conv.Conv2D,)),
}


def classes_of(name, white_list):
    """The listed primitives that a function of that name stands for: ``bias_add`` for BiasAdd, or as FORMS says."""
    like, more = name.replace("_", "").lower(), FORMS.get(name, ())
    primitives = [kind for kind in white_list if issubclass(kind, Primitive)]
    return [kind for kind in primitives if kind.__name__.lower() == like or kind in more]


def stands_for(value, white_list):
    """Whether a value is a function of the package, or a ready-made primitive of it, that stands for a listed class."""
    if isinstance(value, Primitive):
        return type(value) in white_list and any(value is face for face in vars(functional).values())
    if not isinstance(value, FunctionType) or value is not getattr(functional, value.__name__, None):
        return False
    return bool(classes_of(value.__name__, white_list))


class Meanings:
    """What dotted names mean in a function, as far as that can be told without running anything."""

    def __init__(self, function):
        code = function.__code__
        self._own = {*code.co_varnames, *code.co_cellvars}
        captured = zip(code.co_freevars, function.__closure__ or (), strict=True)
        self._captured, self._globals = dict(captured), function.__globals__

    def __call__(self, expression):
        """The object that an expression means; None if it cannot be told."""
        if isinstance(expression, ast.Attribute):
            holder = self(expression.value)
            return getattr(holder, expression.attr, None) if isinstance(holder, ModuleType) else None
        if not isinstance(expression, ast.Name) or expression.id in self._own:
            return None
        if expression.id in self._captured:
            return self._contents(expression.id)
        return self._globals.get(expression.id)

    def _contents(self, name):
        try:
            return self._captured[name].cell_contents
        except ValueError:  # not bound yet
            return None


class _Lowering(ast.NodeTransformer):
    """Writes ``run(f, x)`` for each form ``f(x)``, and ``run(matmul, x, w)`` for ``x @ w``."""

    def __init__(self, meanings, white_list, run, matmul):
        self.meanings, self.white_list = meanings, white_list
        self.run, self.matmul, self.used = run, matmul, set()

    def _through_run(self, node, *args, keywords=()):
        self.used.add(self.run)
        call = ast.Call(ast.Name(self.run, ast.Load()), list(args), list(keywords))
        return ast.copy_location(call, node)

    def visit_Call(self, node):
        """A call of a function."""
        self.generic_visit(node)
        if not stands_for(self.meanings(node.func), self.white_list):
            return node
        return self._through_run(node, node.func, *node.args, keywords=node.keywords)

    def visit_BinOp(self, node):
        """A matrix product."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult) or not stands_for(functional.matmul, self.white_list):
            return node
        self.used.add(self.matmul)
        return self._through_run(node, ast.Name(self.matmul, ast.Load()), node.left, node.right)

    def visit_AugAssign(self, node):
        """A matrix product that is assigned to its first factor: ``x @= w`` is ``x = x @ w``."""
        if not isinstance(node.op, ast.MatMult) or not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        product = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return self.visit(ast.copy_location(ast.Assign([node.target], product), node))


def is_form(tree, handler, white_list):
    """Whether a node of a tree calls a function that stands for a listed primitive, or is a matrix product."""
    if handler.kind.name == "MathOps":
        return handler.form.template == "{} @ {}" and stands_for(functional.matmul, white_list)
    if handler.kind.name != "CallFunction" or handler.receiver is not None or tree.function is None:
        return False
    return stands_for(Meanings(tree.function)(ast.parse(handler.form.callee, mode="eval").body), white_list)


def lower_code(tree, handler, white_list):
    """Let the functional forms in code that a node keeps as it is written be called through ``in_float16``."""
    for part, field in (("code", "statements"), ("header", "statement")):
        if hasattr(handler.form, part):
            _lower_part(tree, handler, part, field, white_list)


def _lower_part(tree, handler, part, field, white_list):
    owner = copy.copy(getattr(handler.form, part))
    code, single = copy.deepcopy(getattr(owner, field)), field == "statement"
    names = {_global_name(tree, value): value for value in (in_float16, functional.matmul)}
    lowering = _Lowering(Meanings(tree.function), white_list, *names)
    module = lowering.visit(ast.Module([code] if single else code, []))
    if lowering.used:
        setattr(owner, field, module.body[0] if single else module.body)
        handler.form = replace(handler.form, **{part: owner})
        tree.globals.update((name, names[name]) for name in lowering.used)
        tree.edited = True


def _global_name(tree, value):
    """The name by which new code of the tree may call a function."""
    known = [name for name, other in tree.globals.items() if other is value]
    return known[0] if known else tree.values.unique(value.__name__)


def why_form_stays(tree, cell, place):
    """Why a functional form stays in float32 although it is to be converted; "" if it does not.

    Args:
        tree (Tree): The tree of the network, after the white pass.
        cell (Cell): The cell whose code calls the form.
        place (str): Where, as ``file:line``.
    """
    inside = tree.forest.trees.get(cell)
    if inside is None:
        return "the source of its cell cannot be read"
    if cell._compute_dtype is not None:
        return CELL_MARKED
    file, line = place.rsplit(":", 1)
    code, length = inside.function.__code__, len(inspect.getsourcelines(inside.function)[0])
    own = file == code.co_filename and 0 <= int(line) - code.co_firstlineno < length
    return "" if own else "it is called as a function, in a method"
