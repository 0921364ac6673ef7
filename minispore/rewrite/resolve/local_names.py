"""Local names: which a construct binds, and which constructs must stay whole because renaming would change them."""

import ast
from collections import Counter

from minispore.rewrite.resolve.names import COMPREHENSIONS, LAZY, Scoped, bound_in, names_in

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


def bound_names(syntax):
    """The names that belong to the function: its parameters, and what its statements bind."""
    return {p.arg for _, _, p, _ in parameters(syntax)} | set(bound_in(syntax.body))


def outside_names(syntax):
    """The names in the function that mean something outside it, or inside a lambda or a comprehension."""
    nodes = [n for statement in syntax.body for n in ast.walk(statement)]
    mentioned = {n.id for n in nodes if isinstance(n, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return mentioned - bound_names(syntax)


def must_stay_whole(syntax, self_name):
    """Whether names may not be changed: nested functions, ``global``, ``del``, ``locals()``, late binding, ..."""
    for node in (n for s in syntax.body for n in ast.walk(s)):
        if isinstance(node, _WHOLE):
            return True
        if isinstance(node, ast.Name) and node.id in _SEES_NAMES:
            return True
        if isinstance(node, ast.NamedExpr) and any(isinstance(n, COMPREHENSIONS) for n in ast.walk(syntax)):
            return True  # where a comprehension's walrus binds is a matter of its own
    return self_name in names_in(syntax.body)[1] or bool(_bound_often(syntax) & bound_late(syntax))


def _bound_often(syntax):
    """Names bound more than once, of which a function made in between sees the last value."""
    counts = Counter(p.arg for _, _, p, _ in parameters(syntax))

    def count(node):
        counts[node.id] += not isinstance(node.ctx, ast.Load)
        return node

    for statement in syntax.body:
        Scoped(count).visit(statement)
    return {name for name, times in counts.items() if times > 1}


def bound_late(syntax):
    """The names in lambdas and generators, which are read when those run."""
    lazy = [n for s in syntax.body for n in ast.walk(s) if isinstance(n, LAZY)]
    return {n.id for made in lazy for n in ast.walk(made) if isinstance(n, ast.Name)}
