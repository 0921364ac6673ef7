"""Compiled code: whether a function was compiled from the source that was found: a file may have changed since."""

import __future__

import ast
import copy
import functools
import linecache
from types import CodeType

from minispore.rewrite.gc_paused import parsed
from minispore.rewrite.resolve.name_mangling import class_around

__all__ = ["is_source_of"]

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_LISTS = (
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
)


def is_source_of(syntax, function):
    """True if the syntax of a function or lambda, with the lines of its file, is what that was compiled from."""
    code = function.__code__
    if any(name.startswith("@") for name in code.co_varnames):
        return True  # a tool, such as pytest with its asserts, has put names in that no source has
    names = _imported("".join(linecache.getlines(code.co_filename)))
    if _is_of(_module(syntax, function, names), code):
        return True
    # A notebook compiles each statement of a cell by itself: there a class does not know the cell's imports
    return bool(names) and _is_of(_module(syntax, function, ()), code)


def _is_of(module, code):
    """True if a function that the module defines has this code."""
    compiled = compile(module, code.co_filename, "exec", code.co_flags & _FUTURE, dont_inherit=True)
    return any(_is_same(found, code) for found in _codes_in(compiled) if found.co_name == code.co_name)


def _module(syntax, function, imported):
    """A module in which the function has its class and the variables that it captures around it."""
    code, owner = function.__code__, class_around(function.__qualname__)
    definition = ast.Expr(syntax) if isinstance(syntax, ast.Lambda) else _undecorated(syntax)
    body = [ast.ClassDef(owner, [], [], [definition], [])] if owner.isidentifier() else [definition]
    if owner.isidentifier() and owner not in code.co_freevars:
        body.insert(0, ast.Global([owner]))  # a method may name its class, which is no variable of a function then
    around = ast.arguments([], [ast.arg(n) for n in code.co_freevars if n != "__class__"], None, [], [], None, [])
    scope = ast.FunctionDef("_scope", around, body, [])
    for made in (scope, *body):
        if getattr(made, "type_params", None) is None:
            made.type_params = []  # since Python 3.12
    imports = [ast.Import([ast.alias(name)]) for name in sorted(imported)]
    return ast.fix_missing_locations(ast.Module([*imports, scope], []))


def _undecorated(syntax):
    made = copy.copy(syntax)
    made.decorator_list = []
    return made


@functools.lru_cache(maxsize=32)
def _imported(text):
    """The names that the imports of a module bind: methods of those are called by other code."""
    try:
        imports = [n for n in _outside_functions(parsed(text)) if isinstance(n, (ast.Import, ast.ImportFrom))]
    except (SyntaxError, ValueError):
        return frozenset()
    names = (alias.asname or alias.name.split(".")[0] for each in imports for alias in each.names)
    return frozenset(name for name in names if name != "*")


def _outside_functions(node):
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield each
            yield from _outside_functions(each)


def _codes_in(code):
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes_in(const)


def _is_same(one, other):
    """True if two codes do the same, whatever the lines at which they stand."""
    if one.co_code != other.co_code or any(getattr(one, name) != getattr(other, name) for name in _LISTS):
        return False
    pairs = list(zip(one.co_consts, other.co_consts, strict=False))
    return len(one.co_consts) == len(other.co_consts) and all(_is_same_constant(*pair) for pair in pairs)


def _is_same_constant(one, other):
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _is_same(one, other)
    if isinstance(one, str) and isinstance(other, str) and "<locals>." in one:  # the qualified name of a class inside
        return one.rpartition("<locals>.")[2] == other.rpartition("<locals>.")[2]
    return type(one) is type(other) and (repr(one) == repr(other) or one == other)
