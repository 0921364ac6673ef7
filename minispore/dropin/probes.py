"""The running import statement as text, and the ``try`` around it that waits for its failure.

A program asks by such a statement what the installed MindSpore has, and has another way for the case that it fails.
Python tells of a running statement only its line; the rest is read in the file.
"""

import ast
import functools
import itertools
import linecache
import os
from importlib import _bootstrap
from typing import NamedTuple

__all__ = []

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_IMPORTLIB = os.path.dirname(os.path.abspath(linecache.__file__)) + os.sep + "importlib" + os.sep
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Statement(NamedTuple):
    """The nodes around a line, the outermost first, and the import statement there, or None."""

    around: list
    node: object

    def module(self):
        """The module that ``from module import names`` names; "" for another statement."""
        is_from = isinstance(self.node, ast.ImportFrom) and not self.node.level
        return self.node.module if is_from else ""


@functools.lru_cache(maxsize=8)
def _tree(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def statement_at(frame):
    """The :class:`Statement` that a frame is at; None if its text cannot be read."""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    tree = _tree("".join(lines)) if lines else None
    if tree is None:
        return None
    around, node = [], tree
    while node is not None:
        around.append(node)
        node = next((inner for inner in ast.iter_child_nodes(node) if _is_over(inner, frame.f_lineno)), None)
    found = [node for node in around if isinstance(node, (ast.Import, ast.ImportFrom))]
    return Statement(around, found[0] if found else None)


def _is_over(node, line):
    """True if a statement, a handler or a ``with`` is over a line."""
    return getattr(node, "lineno", line + 1) <= line <= (getattr(node, "end_lineno", None) or 0)


def is_guarded(frame, error):
    """True if an error that a frame's statement raises is caught there, and if its text cannot be read.

    Args:
        frame (frame): The frame.
        error (type): The error. AttributeError, which some probes wait for instead, counts as well.
    """
    statement = statement_at(frame)
    if statement is None:
        return True
    functions = [i for i, node in enumerate(statement.around) if isinstance(node, _FUNCTIONS)]
    inside = statement.around[functions[-1] :] if functions else statement.around
    return any(_catches(outer, inner, frame, error) for outer, inner in itertools.pairwise(inside))


def _catches(outer, inner, frame, error):
    """True if a ``try`` or a ``with suppress(...)`` around one of its parts catches an error of it."""
    if isinstance(outer, (ast.Try, getattr(ast, "TryStar", ast.Try))) and inner in outer.body:
        return any(_names(handler.type, frame, error) for handler in outer.handlers)
    if isinstance(outer, ast.With) and inner in outer.body:
        calls = [item.context_expr for item in outer.items if isinstance(item.context_expr, ast.Call)]
        suppressing = [call for call in calls if ast.unparse(call.func).rpartition(".")[2] == "suppress"]
        return any(_names(kind, frame, error) for call in suppressing for kind in call.args)
    return False


def _names(kind, frame, error):
    """True if the text of an ``except`` names the class of an error, or AttributeError; without text it does."""
    if kind is None:
        return True
    try:
        code = compile(ast.Expression(kind), "<except>", "eval")
        caught = eval(code, frame.f_globals, frame.f_locals)  # Python evaluates it, too, when the error comes
        return issubclass(error, caught) or issubclass(AttributeError, caught)
    except Exception:
        return True


def importing_frame(frame):
    """The first frame from ``frame`` outwards that is neither of Python's import nor of this package."""
    while frame is not None and (_is_of_import(frame) or frame.f_code.co_filename.startswith(_PACKAGE)):
        frame = frame.f_back
    return frame


def _is_of_import(frame):
    name = frame.f_code.co_filename
    return name == _bootstrap.__spec__.origin or name.startswith(("<frozen importlib", _IMPORTLIB))


def outer_imports(frame):
    """The frames of the import statements by which a module's own statements run, from the module of ``frame``."""
    while frame.f_code.co_name == "<module>" and frame.f_back is not None and _is_of_import(frame.f_back):
        frame = importing_frame(frame.f_back)
        if frame is None:
            return
        yield frame
