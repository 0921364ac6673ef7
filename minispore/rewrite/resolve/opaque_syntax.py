"""Opaque syntax: the syntax that stays Python in a tree, so that no node represents a call inside it."""

import ast

from minispore.rewrite.resolve.names import COMPOUND, COMPREHENSIONS

__all__ = ["binds_what_it_has_read", "stays_python"]

_PYTHON = (
    *(ast.Lambda, *COMPREHENSIONS, ast.BoolOp, ast.NamedExpr, ast.FunctionDef, ast.ClassDef, ast.JoinedStr),
    *(ast.Set, ast.Starred, ast.Assert, ast.Raise, ast.Delete, ast.Match, ast.Yield, ast.YieldFrom, ast.Await),
    ast.withitem,
)


def stays_python(node):
    """True if no node of a tree represents a call in this one."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Dict)):
        return any(isinstance(part, (ast.Starred, ast.NamedExpr)) for part in ast.walk(node))
    chained = isinstance(node, ast.Compare) and len(node.ops) > 1
    part = isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name)
    return isinstance(node, _PYTHON) or chained or part or binds_what_it_has_read(node)


def binds_what_it_has_read(node):
    """True of a plain statement in which ``:=`` binds a name read before, as in ``y = x + (x := 2)``.

    Nodes would compute the right side first, and then read the new ``x``.
    """
    if not isinstance(node, ast.stmt) or isinstance(node, COMPOUND):
        return False
    named = [each.target for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
    if not named:
        return False
    read = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)]
    read += [node.target] if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) else []
    return any(one.id == other.id and _place(one) < _place(other) for one in read for other in named)


def _place(node):
    return node.lineno, node.col_offset
