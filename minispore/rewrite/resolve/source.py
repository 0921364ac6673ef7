"""Source: finds the function and the syntax of a cell's ``construct``."""

import ast
import inspect
import textwrap
from functools import cached_property
from types import FunctionType
from typing import NamedTuple

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.compiled_code import is_source_of
from minispore.rewrite.resolve.decorated import inner_function
from minispore.rewrite.resolve.local_names import FunctionNames, names_of
from minispore.rewrite.resolve.name_mangling import with_private_names
from minispore.rewrite.resolve.outside import UNKNOWN, outside_value


class UnreadableError(TypeError):
    """The source of a construct cannot be had; the message says why."""


class Source(NamedTuple):
    """A construct: its function, its syntax, its names, and its decorators as text."""

    function: FunctionType
    syntax: ast.FunctionDef
    names: FunctionNames
    decorators: tuple


def read_construct(cell, sources):
    """The Source of the cell's construct; UnreadableError where there is none that could be written anew."""
    name = type(cell).__name__
    if "construct" in cell.__dict__:
        raise UnreadableError(_reason(name, "belong to the class, but it is set on the object itself"))
    if isinstance(inspect.getattr_static(type(cell), "construct"), (staticmethod, classmethod)):
        raise UnreadableError(_reason(name, "be a method, but it is a static or class method"))
    function = inner_function(type(cell).construct)
    code = sources(function)
    if code is None or is_lambda(function):
        raise UnreadableError(_reason(name, "have source that can be read and is the function's, but it has none"))
    syntax = code.syntax
    if not (syntax.args.posonlyargs or syntax.args.args):
        raise UnreadableError(_reason(name, "take the cell as its first argument, but it takes none"))
    source = Source(function, syntax, code.names, tuple([ast.unparse(each) for each in syntax.decorator_list]))
    for decorator in syntax.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Name) and outside_value(function, node.id) is UNKNOWN:
                raise UnreadableError(_reason(name, f"have decorators of its module, but got '{node.id}'"))
    return source


def _reason(name, expected):
    return f"For 'SymbolTree.create', the construct of '{name}' must {expected}."


class Code:
    """One analysis of a function: its syntax, with the lines of its file, and its names."""

    def __init__(self, syntax):
        self.syntax = syntax

    @cached_property
    def names(self):
        """The FunctionNames."""
        return names_of(self.syntax)


class Sources:
    """The Code of functions, each read once: for one analysis, since a file may change before the next."""

    def __init__(self):
        self._read = {}

    def __call__(self, function):
        """The Code of a function, private names as its class spells them; None where no source shows it."""
        if not isinstance(function, FunctionType):
            return None
        if function not in self._read:
            syntax = _syntax_of(function)
            self._read[function] = None if syntax is None else Code(with_private_names(syntax, function))
        return self._read[function]


def _syntax_of(function):
    """The syntax of a function, a lambda's as that of a function; None if no source shows what it was compiled from."""
    code = function.__code__
    try:
        text = inspect.getsource(_shown(function))
        found = _lambda(code, text) if is_lambda(function) else _definition(code, text)
    except (OSError, TypeError, SyntaxError):
        return None
    if found is None or not is_source_of(_at_line(found, code.co_firstlineno), function):
        return None
    if not isinstance(found, ast.Lambda):
        return found
    return ast.FunctionDef("_lambda", found.args, [ast.Expr(found.body)], [], lineno=found.lineno)


def _shown(function):
    """The object whose source Python is asked for: a function, since for its code Python searches all modules.

    For a function that wraps another it is the code, since Python would show the other.
    """
    return function.__code__ if "__wrapped__" in function.__dict__ else function


def is_lambda(function):
    """True if a function was written as a lambda."""
    return function.__code__.co_name == "<lambda>"


def _definition(code, text):
    """The definition of a function; None if its source does not begin with one of its name."""
    first = parsed("if True:\n" + text if text[0].isspace() else text).body[0]
    found = first.body[0] if isinstance(first, ast.If) else first
    return found if isinstance(found, ast.FunctionDef) and found.name == code.co_name else None


def _lambda(code, text):
    """A lambda; None if its source does not show which it is."""
    module = parsed(textwrap.dedent(text))
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    found = [n for n in ast.walk(module) if isinstance(n, ast.Lambda) and _plain_parameters(n.args) == names]
    return found[0] if len(found) == 1 else None


def _plain_parameters(arguments):
    return [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _at_line(definition, line):
    """Move a definition to the line at which its code begins: since Python 3.13 a class inside keeps its own line."""
    decorators = getattr(definition, "decorator_list", [])
    return ast.increment_lineno(definition, line - min(node.lineno for node in (definition, *decorators)))
