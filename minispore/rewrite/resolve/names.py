"""Names: walks over Python syntax that separate the function's own names from those of lambdas and comprehensions."""

import ast

LAZY = (ast.Lambda, ast.GeneratorExp)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, *([ast.TryStar] if hasattr(ast, "TryStar") else []))
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scoped(ast.NodeTransformer):
    """Replaces each name of the function by ``on_name(node)``; names that inner scopes bind stay.

    Args:
        on_name (Callable): From an ``ast.Name`` what stands in its place.
    """

    def __init__(self, on_name):
        self._on_name, self._hidden = on_name, []

    def visit_Name(self, node):
        return node if any(node.id in names for names in self._hidden) else self._on_name(node)

    def visit_Lambda(self, node):
        arguments = node.args
        arguments.defaults = [self.visit(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.visit(default) for default in arguments.kw_defaults]
        with_names = [a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)]
        node.body = self._inside(with_names, node.body)
        return node

    def _visit_comprehension(self, node):
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        bound = [n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
        for i, generator in enumerate(node.generators):
            if i:
                generator.iter = self._inside(bound, generator.iter)
            generator.ifs = [self._inside(bound, test) for test in generator.ifs]
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self._inside(bound, getattr(node, field)))
        return node

    def visit(self, node):
        """Visit a node; comprehensions of all four kinds alike."""
        return self._visit_comprehension(node) if isinstance(node, COMPREHENSIONS) else super().visit(node)

    def _inside(self, names, node):
        self._hidden.append(set(names))
        try:
            return self.visit(node)
        finally:
            self._hidden.pop()


def names_in(nodes):
    """The function's own names in syntax: those read and those bound, each in order of appearance."""
    reads, binds = {}, {}

    def note(node):
        (reads if isinstance(node.ctx, ast.Load) else binds)[node.id] = True
        return node

    for node in nodes:
        Scoped(note).visit(node)
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
