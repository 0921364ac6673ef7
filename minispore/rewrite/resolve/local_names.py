"""Local names: which a function binds, and whether it must stay whole because renaming would change it."""

import ast
from collections import Counter
from typing import NamedTuple

from minispore.rewrite.resolve.names import COMPREHENSIONS, LAZY, own_names

__all__ = ["FunctionNames", "names_of", "parameters"]

_WHOLE = (
    *(ast.Global, ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom, ast.Match),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Await),
)
_SEES_NAMES = {"locals", "eval", "exec", "vars", "dir"}


def parameters(syntax):
    """The parameters of a function, as (prefix, position, argument, default or None), in order."""
    a = syntax.args
    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    positions = ["first"] * len(a.posonlyargs) + ["either"] * len(a.args)
    found = list(zip([""] * len(plain), positions, plain, defaults, strict=True))
    if a.vararg:
        found.append(("*", "either", a.vararg, None))
    found += [("", "keyword", p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    return [*found, ("**", "either", a.kwarg, None)] if a.kwarg else found


class FunctionNames(NamedTuple):
    """The names in a function, by what they are to it.

    Attributes:
        own (set): Those that belong to it: its parameters, and what its statements bind.
        outside (set): Those that mean something outside it, or inside a lambda or a comprehension.
        late (set): Those in lambdas and generators, which are read when these run.
        fixed (bool): True if they may not be changed: nested functions, ``global``, ``locals()``, late binding, ...
    """

    own: set
    outside: set
    late: set
    fixed: bool


def names_of(syntax):
    """The FunctionNames of a function."""
    nodes = [node for statement in syntax.body for node in ast.walk(statement)]
    bound = Counter([parameter.arg for _, _, parameter, _ in parameters(syntax)])
    bound.update([name.id for name in own_names(syntax.body) if not isinstance(name.ctx, ast.Load)])
    own = {*bound, *[node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name]}
    mentioned = {n.id for n in nodes if isinstance(n, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    late = {n.id for made in nodes if isinstance(made, LAZY) for n in ast.walk(made) if isinstance(n, ast.Name)}
    first = [argument.arg for argument in (*syntax.args.posonlyargs, *syntax.args.args)][:1]
    again = any(bound[name] > 1 for name in (*first, *late))  # a function made in between sees the last value
    return FunctionNames(own, mentioned - own, late, again or _is_fixed(syntax, nodes))


def _is_fixed(syntax, nodes):
    """Whether a function must stay whole for what stands in it."""
    for node in nodes:
        if isinstance(node, _WHOLE) or (isinstance(node, ast.Name) and node.id in _SEES_NAMES):
            return True
        if isinstance(node, ast.NamedExpr) and any(isinstance(n, COMPREHENSIONS) for n in ast.walk(syntax)):
            return True  # where a comprehension's walrus binds is a matter of its own
    return False
