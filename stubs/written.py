"""A module's file as a type checker sees it: its text, without running it."""

import ast
import functools
import inspect
from pathlib import Path

import minispore

PACKAGE = "minispore"
FOLDER = Path(minispore.__file__).parent
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def bound_by(body):
    """The names that a body's definitions and assignments bind."""
    found = {node.name for node in body if isinstance(node, DEFINITIONS)}
    targets = [t for node in body for t in getattr(node, "targets", [getattr(node, "target", None)]) if t is not None]
    return found | {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}


class Written:
    """The top level of a module's file.

    ``bound`` maps a name to the statement that binds it last, but for imports, which ``imported`` maps to
    ``(module, name)``; the name is None for a module. ``starred`` lists the modules of ``from module import *``.
    ``listed`` holds the names of an ``__all__`` that is written out. ``handed_on`` maps the
    name of ``from module import x as x`` to the module.
    """

    def __init__(self, text):
        self.bound, self.imported, self.starred, self.listed = {}, {}, [], frozenset()
        self.handed_on = {}
        self.tree = ast.parse(text)
        self._read(self.tree.body)

    def _read(self, body):
        for node in body:
            if isinstance(node, ast.ImportFrom):
                self._read_import(node)
            elif isinstance(node, ast.Import):
                self.imported |= {a.asname or a.name: (a.name, None) for a in node.names}
            elif isinstance(node, DEFINITIONS):
                self.bound[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                self._read_assignment(node)
            elif isinstance(node, (ast.If, ast.Try)):
                self._read(node.body)

    def _read_import(self, node):
        if node.names[0].name == "*":
            self.starred.append(node.module)
        else:
            self.imported |= {a.asname or a.name: (node.module, a.name) for a in node.names}
            self.handed_on |= {a.name: node.module for a in node.names if a.asname == a.name}

    def _read_assignment(self, node):
        names = bound_by([node])
        self.bound |= dict.fromkeys(names, node)
        if "__all__" in names and isinstance(node.value, ast.List):
            self.listed = frozenset(n.value for n in node.value.elts if isinstance(n, ast.Constant))

    @functools.cached_property
    def functions(self):
        """The functions and lambdas of the file, by the line that their code begins with."""
        found = {}
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
                found.setdefault(first, node)
        return found


@functools.cache
def files():
    """The files of the package that others import, by the names of their modules."""
    paths = [path for path in sorted(FOLDER.rglob("*.py")) if path.name != "__main__.py"]
    found = {path.relative_to(FOLDER.parent).with_suffix("").parts: path for path in paths}
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): path for parts, path in found.items()}


@functools.cache
def written(name):
    """The text of a module's file, which may not have been imported; None for a module without one, or of others."""
    return Written(files()[name].read_text(encoding="utf-8")) if name in files() else None


def node_of(function):
    """``(node, module)``: the definition of a function of Python, and the name of the module that it stands in."""
    function = inspect.unwrap(function)
    module = function.__globals__["__name__"]
    return written(module).functions[function.__code__.co_firstlineno], module
