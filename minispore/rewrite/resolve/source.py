"""Source: finds the function and the syntax of a cell's ``construct``."""

import ast
import inspect
import textwrap
from types import FunctionType
from typing import NamedTuple

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.compiled_code import is_source_of
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.name_mangling import with_private_names
from minispore.rewrite.resolve.outside import UNKNOWN, outside_value


class UnreadableError(TypeError):
    """The source of a construct cannot be had; the message says why."""


class Source(NamedTuple):
    """A construct: its function, its syntax, and its decorators as text."""

    function: FunctionType
    syntax: ast.FunctionDef
    decorators: tuple


def read_construct(cell):
    """The Source of the cell's construct; UnreadableError where there is none that could be written anew."""
    name = type(cell).__name__
    if "construct" in cell.__dict__:
        raise UnreadableError(_reason(name, "belong to the class, but it is set on the object itself"))
    if isinstance(inspect.getattr_static(type(cell), "construct"), (staticmethod, classmethod)):
        raise UnreadableError(_reason(name, "be a method, but it is a static or class method"))
    function = inner_function(type(cell).construct)
    syntax = read_function(function)
    if syntax is None:
        raise UnreadableError(_reason(name, "have source that can be read and is the function's, but it has none"))
    if not (syntax.args.posonlyargs or syntax.args.args):
        raise UnreadableError(_reason(name, "take the cell as its first argument, but it takes none"))
    source = Source(function, syntax, tuple(ast.unparse(d) for d in syntax.decorator_list))
    for decorator in syntax.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Name) and outside_value(function, node.id) is UNKNOWN:
                raise UnreadableError(_reason(name, f"have decorators of its module, but got '{node.id}'"))
    return source


def _reason(name, expected):
    return f"For 'SymbolTree.create', the construct of '{name}' must {expected}."


def read_function(function):
    """The syntax of a function, private names as its class spells them; None for a lambda, or without source."""
    if not isinstance(function, FunctionType):
        return None
    try:
        text = inspect.getsource(function.__code__)
        body = parsed("if True:\n" + text if text[0].isspace() else text).body
    except (OSError, TypeError, SyntaxError):
        return None
    found = body[0].body[0] if isinstance(body[0], ast.If) else body[0]
    same = isinstance(found, ast.FunctionDef) and found.name == function.__code__.co_name
    return with_private_names(found, function) if same and is_source_of(found, function) else None


def read_lambda(function):
    """The syntax of a lambda, as a function; None if there is no source, or none that shows which lambda it is."""
    if not isinstance(function, FunctionType):
        return None
    code = function.__code__
    try:
        module = parsed(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):
        return None
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    found = [n for n in ast.walk(module) if isinstance(n, ast.Lambda) and _plain_parameters(n.args) == names]
    if len(found) != 1 or code.co_name != "<lambda>" or not is_source_of(found[0], function):
        return None
    made = ast.FunctionDef("_lambda", found[0].args, [ast.Expr(found[0].body)], [], lineno=found[0].lineno)
    return with_private_names(made, function)


def _plain_parameters(arguments):
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
