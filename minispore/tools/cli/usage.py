"""``minispore check``: the names of MindSpore in a code's syntax, and those that are missing here."""

import ast
import importlib
import json
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from minispore.dropin.absent import instead_of, names_of_mindspore
from minispore.dropin.refused import Refusal

__all__ = []

_ROOT = "mindspore"
_UNREADABLE = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)  # the last two: too deeply nested
_ASSIGNED_COMMAND = re.compile(r"[\w, ]+=\s*[!%]")  # a notebook's own ``files = !ls``
_FOLDERS_LEFT_OUT = {"__pycache__", "node_modules", "site-packages"}


@dataclass
class Name:
    """A name of MindSpore in code, and its positions."""

    address: str
    missing: bool
    refusal: str = ""  # the reason why it can only be imported, if so
    places: list = field(default_factory=list)


@dataclass
class Found:
    """The names found, the number of files read, and the files that are no Python, with the reason."""

    files: int
    names: list
    unread: list


def used_in(path):
    """The parts of MindSpore that a script, a notebook or the files of a folder use.

    Args:
        path (str): The file or folder.

    Raises:
        FileNotFoundError: If there is no such file or folder.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder '{path}'")
    names, unread, files = {}, [], _files(path)
    for file in files:
        try:
            with warnings.catch_warnings():  # Python's own about the file, such as an unknown escape
                warnings.simplefilter("ignore", SyntaxWarning)
                warnings.simplefilter("ignore", DeprecationWarning)
                uses = [use for place, tree in _trees(file) for use in _uses(tree, place)]
        except _UNREADABLE as error:
            unread.append((_shown(file), ": ".join([type(error).__name__, *str(error).splitlines()[:1]])))
            continue
        for address, place in uses:
            names.setdefault(address, Name(address, not is_here(address), refusal_of(address))).places.append(place)
    return Found(len(files), sorted(names.values(), key=lambda name: (-len(name.places), name.address)), unread)


def _files(path):
    if path.is_file():
        return [path]
    found = [file for file in path.rglob("*") if file.suffix in (".py", ".ipynb") and file.is_file()]
    inner = [(file, file.relative_to(path).parts[:-1]) for file in sorted(found)]
    return [file for file, parts in inner if not any(p[0] == "." or p in _FOLDERS_LEFT_OUT for p in parts)]


def _shown(file):
    """A path in printable characters."""
    return str(file).encode("utf-8", "backslashreplace").decode()


def _trees(file):
    """The syntax trees of a file with a function from a line's number to a place; of a notebook, one for each cell."""
    if file.suffix != ".ipynb":
        yield (lambda line: f"{_shown(file)}:{line}"), ast.parse(file.read_bytes())
        return
    code = _cells_of_code(json.loads(file.read_text(encoding="utf-8")))
    lines = [(number, line) for number, cell in enumerate(code, 1) for line in _lines_of(cell)]
    starts = [at for at, (number, _) in enumerate(lines) if at == 0 or lines[at - 1][0] != number]

    def place(line):
        number = lines[line - 1][0]
        return f"{_shown(file)}:cell {number}:{line - starts[number - lines[0][0]]}"

    yield place, ast.parse("\n".join(line for _, line in lines))


def _cells_of_code(notebook):
    """The sources of a notebook's cells of code; ValueError for JSON that is no notebook of version 4."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ValueError("a notebook must have a list of cells")
    sources = [cell.get("source", "") for cell in cells if cell.get("cell_type") == "code"]
    if not all(isinstance(source, str) or _is_lines(source) for source in sources):
        raise ValueError("the source of a cell must be text")
    return sources


def _is_lines(source):
    return isinstance(source, list) and all(isinstance(line, str) for line in source)


def _lines_of(source):
    """The lines of a notebook's cell; those that are the notebook's own commands are left empty, or ``pass``."""
    text = "".join(source)
    lines = [] if text.lstrip().startswith("%%") else text.splitlines()
    return [_as_python(line) for line in lines] or [""]


def _as_python(line):
    words = line.lstrip()
    is_command = words[:1] in ("!", "%", "?") or words.rstrip().endswith("?") or _ASSIGNED_COMMAND.match(words)
    return f"{line[: len(line) - len(words)]}pass" if is_command else line


def _uses(tree, place):
    """The addresses that a syntax tree uses with their places, such as ``("nn.Dense", "net.py:3")``."""
    reader = _Reader(place)
    reader.visit(tree)
    return reader.uses


class _Reader(ast.NodeVisitor):
    """Reader of names: it follows imported names to their attributes."""

    def __init__(self, place):
        self.place, self.uses, self.bound, self.stars = place, [], {}, []
        self.optional = False  # True if the code goes on without the import

    def visit_Try(self, node):
        before, self.optional = self.optional, self.optional or any(map(_catches_imports, node.handlers))
        for statement in node.body:
            self.visit(statement)
        self.optional = before
        for statement in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(statement)

    def visit_FunctionDef(self, node):
        before = dict(self.bound)
        for decorator in getattr(node, "decorator_list", ()):
            self.visit(decorator)
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        arguments = {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)}
        self.visit(node.args)
        self.bound = {name: path for name, path in self.bound.items() if name not in stored | arguments}
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self.bound = before

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef  # noqa: N815 - the names are those of ast

    def visit_Import(self, node):
        for alias in node.names:
            if _is_mindspore(alias.name):
                self.bound[alias.asname or _ROOT] = alias.name if alias.asname else _ROOT
                self._use(alias.name, node)

    def visit_ImportFrom(self, node):
        if node.level or not _is_mindspore(node.module or ""):
            return
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(node.module)
                self._use(node.module, node)
                self.bound |= {name: f"{node.module}.{name}" for name in _names_at(node.module)}
                continue
            self.bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            self._use(f"{node.module}.{alias.name}", node)

    def visit_Attribute(self, node):
        names, inner = [node.attr], node.value
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in self.bound:
            self._use(".".join([self.bound[inner.id], *reversed(names)]), node)
        else:
            self.visit(inner)

    def visit_Name(self, node):
        if self.bound.get(node.id, "").rpartition(".")[0] in self.stars and isinstance(node.ctx, ast.Load):
            self._use(self.bound[node.id], node)

    def _use(self, path, node):
        address = _of_a_module(path.partition(".")[2])
        if address and not (self.optional and isinstance(node, (ast.Import, ast.ImportFrom))):
            self.uses.append((address, self.place(node.lineno)))


def _catches_imports(handler):
    words = ast.unparse(handler.type) if handler.type else "Exception"
    return any(name in words for name in ("ImportError", "ModuleNotFoundError", "Exception"))


def _is_mindspore(path):
    return path.partition(".")[0] == _ROOT


def _names_at(path):
    """The names that a star import of MindSpore's module gives."""
    address = path.partition(".")[2]
    here = getattr(_module(address), "__all__", ())
    return {*names_of_mindspore().get(address, ()), *here}


def _of_a_module(address):
    """An address cut behind the first name that is no module: attributes of classes and values are not followed."""
    parts = address.split(".") if address else []
    for i in range(1, len(parts) + 1):
        inner = ".".join(parts[:i])
        if inner not in names_of_mindspore() and _module(inner) is None:
            return inner
    return address


def _module(address):
    """Minispore's module of MindSpore's address; None if it is missing."""
    try:
        return importlib.import_module(f"minispore.{address}".rstrip("."))
    except ImportError:
        return None


def is_here(address):
    """True if minispore has the object that MindSpore has at an address."""
    package, _, name = address.rpartition(".")
    return _module(address) is not None or hasattr(_module(package), name)


def refusal_of(address):
    """The reason why a name that is here can only be imported; "" for a name that can be used."""
    package, _, name = address.rpartition(".")
    found = getattr(_module(package), name, None)
    return found.reason if isinstance(found, Refusal) else ""


def as_text(found):
    """The findings as lines: the missing names first, each with its places and a substitute."""
    missing = [name for name in found.names if name.missing]
    uses = sum(len(name.places) for name in found.names)
    lines = [
        f"{found.files} files use {len(found.names)} names of mindspore in {uses} places; {len(missing)} are missing"
    ]
    for name in missing:
        instead = instead_of(name.address)
        lines.append(f"{len(name.places):6} mindspore.{name.address}{f' ({instead})' if instead else ''}")
        lines += [f"       {place}" for place in name.places]
    for name in found.names:
        if name.refusal:
            lines.append(f"{len(name.places):6} mindspore.{name.address} is here, but refuses ({name.refusal})")
            lines += [f"       {place}" for place in name.places]
    lines += [f"cannot be read: {file}: {reason}" for file, reason in found.unread]
    return "\n".join(lines)


def as_json(found):
    """The findings as JSON."""
    names = {
        name.address: {"missing": name.missing, "uses": len(name.places), "places": name.places}
        | ({"refuses": name.refusal} if name.refusal else {})
        for name in found.names
    }
    return json.dumps({"files": found.files, "names": names, "unread": dict(found.unread)}, indent=1)
