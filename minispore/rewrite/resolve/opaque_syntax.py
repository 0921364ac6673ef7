"""Opaque syntax: the syntax that stays Python in a tree, so that no node represents a call inside it."""

import ast

from minispore.rewrite.resolve.names import COMPREHENSIONS

__all__ = ["stays_python"]

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
    return isinstance(node, _PYTHON) or chained or part
