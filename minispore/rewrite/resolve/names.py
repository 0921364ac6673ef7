"""Names: walks over Python syntax that separate the function's own names from those of lambdas and comprehensions."""

import ast
from itertools import repeat

LAZY = (ast.Lambda, ast.GeneratorExp)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def own_names(nodes):
    """The names in syntax that are the function's own, as ``ast.Name``, in order of appearance.

    Those that a lambda or comprehension binds are its own, and mean nothing outside it.
    """
    found, waiting = [], [(node, frozenset()) for node in reversed(nodes)]
    while waiting:
        node, hidden = waiting.pop()
        if isinstance(node, ast.Name):
            found += [] if node.id in hidden else [node]
        elif isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
            waiting += reversed(_parts_of_scope(node, hidden))
        else:
            waiting += zip(reversed([*ast.iter_child_nodes(node)]), repeat(hidden))
    return found


def _parts_of_scope(node, hidden):
    """The parts of a lambda or comprehension in the order of reading, each with the names that are not the function's.

    Defaults of parameters, and what the first loop of a comprehension runs over, are read outside.
    """
    inside = hidden | bound_inside(node)
    if isinstance(node, ast.Lambda):
        defaults = filter(None, (*node.args.defaults, *node.args.kw_defaults))
        return [*((default, hidden) for default in defaults), (node.body, inside)]
    loops = [part for loop in node.generators for part in (loop.iter, *loop.ifs)]
    ends = [getattr(node, field) for field in ("elt", "key", "value") if hasattr(node, field)]
    return [(loops[0], hidden), *((part, inside) for part in (*loops[1:], *ends))]


class Scoped(ast.NodeTransformer):
    """Replaces each name of the function in some syntax by ``on_name(node)``; names that inner scopes bind stay.

    Args:
        syntax (ast.AST): The syntax.
        on_name (Callable): From an ``ast.Name`` what stands in its place.
    """

    def __init__(self, syntax, on_name):
        self._own, self._on_name = set(own_names([syntax])), on_name

    def visit_Name(self, node):
        return self._on_name(node) if node in self._own else node


def names_in(nodes):
    """The function's own names in syntax: those read and those bound, each in order of appearance."""
    reads, binds = {}, {}
    for node in own_names(nodes):
        (reads if isinstance(node.ctx, ast.Load) else binds)[node.id] = True
    return tuple(reads), tuple(binds)


def bound_inside(node):
    """The names that a lambda, a comprehension or a function inside binds: in it they mean nothing from outside."""
    if isinstance(node, COMPREHENSIONS):
        return {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    given = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    return given if isinstance(node, ast.Lambda) else given | set(bound_in(node.body))


def bodies_of(statement):
    """The bodies of a compound statement, in the order of the text, as pairs (owner, field)."""
    handlers = [(handler, "body") for handler in getattr(statement, "handlers", ())]
    after = [(statement, field) for field in ("orelse", "finalbody") if getattr(statement, field, None)]
    return [(statement, "body"), *handlers, *after]


def bound_in(statements):
    """The function's own names that statements bind, in order; names of exceptions too."""
    caught = [n.name for s in statements for n in ast.walk(s) if isinstance(n, ast.ExceptHandler) and n.name]
    return tuple(dict.fromkeys([*names_in(statements)[1], *caught]))
