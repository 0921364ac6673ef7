"""Bindings: the names that a comprehension, a lambda, a function, a class, an import, ``:=`` or a typed ``=`` binds."""

import ast
from contextlib import contextmanager

from minispore.rewrite.resolve.expression_value import is_users
from minispore.rewrite.resolve.names import bound_inside

__all__ = ["Bindings"]


class Bindings(ast.NodeVisitor):
    """Base of LocalNames: visits what binds names in another way than ``=``.

    Inside a comprehension, a lambda or a function its own names hide those of the code around it.
    """

    @contextmanager
    def _bound_anew(self, names):
        """Forget the possible values of these names inside the block."""
        before = {name: self.bound.pop(name) for name in names if name in self.bound}
        known = self.known & names
        self.known -= names
        yield
        self.bound = {**{name: each for name, each in self.bound.items() if name not in names}, **before}
        self.known = self.known - names | known

    def _visit_comprehension(self, node):
        """Visit the loops before the element, in the order in which they run."""
        first, names = node.generators[0], bound_inside(node)
        with self._bound_anew(names):
            self._bind_each(first.target, first.iter)
            with self.scope.hiding(names):
                for generator in node.generators:
                    if generator is not first:
                        self._bind_each(generator.target, generator.iter)
                    for test in generator.ifs:
                        self.visit(test)
                for field in ("key", "value", "elt"):
                    if hasattr(node, field):
                        self.visit(getattr(node, field))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815 - of ast

    def visit_Lambda(self, node):
        """Bind the parameters that have defaults, and visit the body."""
        arguments = node.args
        by_position = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(by_position), reversed(arguments.defaults), strict=False)][::-1]
        names = bound_inside(node)
        with self._bound_anew(names):
            for parameter, default in (*pairs, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
                self._bind_each(ast.Name(parameter.arg, ast.Store()), default)
            with self.scope.hiding(names):
                self.visit(node.body)

    def visit_FunctionDef(self, node):
        """Visit a function or class that the code makes: its name calls nothing else."""
        self.known.add(node.name)
        for each in (*node.decorator_list, node.args):
            self.visit(each)
        names = bound_inside(node)
        with self._bound_anew(names), self.scope.hiding(names):
            for statement in node.body:
                self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast looks methods up by these names

    def visit_ClassDef(self, node):
        """Visit a class that the code makes."""
        self.known.add(node.name)
        self.generic_visit(node)

    def visit_Import(self, node):
        """Note the names of modules and functions that call no cell: those of Python and NumPy."""
        module = getattr(node, "module", None)
        for name in node.names:
            source = (module or name.name).partition(".")[0]
            if not is_users(source) and source != "minispore":
                self.known.add((name.asname or name.name).partition(".")[0])

    visit_ImportFrom = visit_Import  # noqa: N815 - as above

    def visit_NamedExpr(self, node):
        """Bind the name of an assignment within an expression."""
        self._bind_each(node.target, node.value)

    def visit_AnnAssign(self, node):
        """Bind the name of an assignment with a type."""
        self._bind_each(node.target, node.value)
