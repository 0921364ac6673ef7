"""The text of one module's stub: what is written elsewhere by imports, what is made there by definitions."""

import ast
import functools
import importlib
import sys
import textwrap
import types

from stubs.places import (
    by_definition,
    has_inner,
    is_open,
    is_package,
    is_private,
    moved,
    needs_stub,
    offered,
    origin,
    places,
    public,
    sources_of,
    true_name,
)
from stubs.signatures import Names, class_lines, documented, made_line, written_line
from stubs.written import PACKAGE, written

HEAD = "# Made from the package when it is built (setup.py); kept out of git.\n"


def stubs():
    """Every stub: the module's name -> text."""
    return {place: stub(place) for place in places() if needs_stub(place)}


def stub(place):
    """The text of a module's stub."""
    if place in moved() and not is_open(moved()[place]):
        return HEAD + "\n".join(_handed_on(moved()[place])) + "\n"
    names, elsewhere, here = Names(place), {}, []
    stars, covered = _stars(place)
    for name, value in sorted({**_bound(place), **public(place)}.items()):
        home = _home(place, name, value)
        if name in covered:
            continue
        if home[0] == place and not isinstance(value, types.ModuleType):
            here += _definition(place, name, value, names)
        else:
            elsewhere.setdefault(home[0], []).append((home[1], name))
    lines = [*stars, *(line for source, found in sorted(elsewhere.items()) for line in _imports(source, found))]
    return HEAD + "\n".join([*lines, *names.lines(), *_for_checkers(place), *_listed(place), *here]) + "\n"


def _for_checkers(place):
    """What a module's text has for type checkers alone, under ``if TYPE_CHECKING``."""
    body = written(place).tree.body if written(place) else ()
    blocks = [node for node in body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return [ast.unparse(part) for block in blocks for part in block.body]


def _handed_on(place):
    """The imports of what a file offers that was not imported, lists no names or is private."""
    if is_private(place):
        return _imports(place, [(name, name) for name in sorted(offered(place))])
    return [f"from {place} import *"]


def _bound(place):
    """What else a module's text binds: other modules' annotations may name it."""
    text = written(place)
    if not text:
        return {}
    handed_on = [n for n, source in text.handed_on.items() if written(source) and n in written(source).bound]
    found = vars(sys.modules[place])
    return {n: found[n] for n in (*text.bound, *handed_on) if n[0] != "_" and n in found}


def _stars(place):
    """The imports of all names of a module, where a place has them all, and the names that these bring."""
    module, found, covered = sys.modules[place], [], set()
    for source in _starred_by(place):
        names = getattr(sys.modules[source], "__all__", ())
        is_all = all(public(place).get(n) is getattr(sys.modules[source], n) and n in dir(module) for n in names)
        if source != place and is_all and _lists_all(source, names):
            found.append(f"from {source} import *")
            covered |= {*names}
    return found, covered


def _starred_by(place):
    """The modules of which a place imports all names, perhaps."""
    if place not in sys.modules or true_name(place) != place:
        return [moved()[place] if place in moved() else true_name(place)]
    if written(place):
        return [*written(place).starred, *_adding(place)]
    sources = [source.partition(":")[0] for source in sources_of(place).split()]
    return [importlib.import_module(f"{PACKAGE}.{source}").__name__ for source in sources]


def _adding(place):
    """The module whose names a package gets from outside: the package has them all, and its text gives it none."""
    text, listed = written(place), {*getattr(sys.modules[place], "__all__", ())}
    told = {name for source in text.starred for name in getattr(sys.modules[source], "__all__", ())}
    added = listed - told - text.bound.keys() - text.imported.keys()
    offers = {name: {*getattr(sys.modules[name], "__all__", ())} for name in sys.modules if added and written(name)}
    possible = [(len(names), name) for name, names in offers.items() if name != place and added >= names > set()]
    return [name for _, name in sorted(possible)[-1:]]


@functools.cache
def _starred():
    """The modules of which another imports all names."""
    return {source for place in places() for source in _starred_by(place)}


def _lists_all(source, names):
    """True where a type checker knows a module's ``__all__``: by a stub, or because it is written out."""
    return needs_stub(source) or written(source).listed >= {*names}


def _listed(place):
    """The stub's ``__all__``, where another module imports all of it, which is not all that is public."""
    listed = getattr(sys.modules[place], "__all__", ())
    if place not in _starred() or all(name in listed or name[0] == "_" for name in public(place)):
        return []
    text = ", ".join(f'"{name}"' for name in sorted(listed))
    return ["__all__ = [", *(f"    {line}" for line in textwrap.wrap(text, 115)), "]"]


def _home(place, name, value):
    """``(module, name)`` to import a public name from: the place itself for what is made there, and for its modules."""
    if isinstance(value, types.ModuleType):
        return (place, name) if f"{place}.{name}" in sys.modules else tuple(value.__name__.rpartition(".")[::2])
    home = origin(place, name)
    return by_definition(value) or home if home == (place, name) else home


def _imports(source, found):
    """The import of names from a module; a type checker hands on only what keeps its name."""
    same = [name for its_name, name in found if its_name == name or _has(source, name, its_name)]
    others = [(its_name, name) for its_name, name in found if name not in same]
    parts = [f"{name}~as~{name}" for name in same] + [f"{its_name}~as~_{its_name}" for its_name, _ in others]
    lines = [f"from {source} import {', '.join(dict.fromkeys(parts))}"]  # "~": no line ends here
    if len(lines[0]) > 120:
        wrapped = textwrap.wrap(", ".join(dict.fromkeys(parts)), 115)
        lines = [f"from {source} import (", *(f"    {part}" for part in wrapped), ")"]
    return [line.replace("~", " ") for line in lines] + [f"{name} = _{its_name}" for its_name, name in others]


def _has(source, name, its_name):
    module = vars(sys.modules[source])
    return name in written(source).bound and module[name] is module[its_name]


def _definition(place, name, value, names):
    """The lines of a name that the module's own text binds, or that is made there."""
    node = written(place).bound.get(name) if written(place) else None
    if isinstance(node, ast.FunctionDef):
        return [written_line(name, node, place, names)]
    if isinstance(node, ast.ClassDef):
        return list(class_lines(node, place, names, value))
    if isinstance(node, ast.AnnAssign):
        return [f"{name}: {names.text(node.annotation, place)}"]
    if isinstance(value, types.UnionType):
        return [f"{name} = {names.text(node.value, place)}"]
    its_name = getattr(value, "__name__", name)
    if its_name != name and public(place).get(its_name) is value:
        return [f"{name} = {its_name}"]
    if isinstance(value, types.FunctionType):
        return documented(made_line(name, value, names), value)
    return [f"{name}: {_kind(value, names)}"]


def _kind(value, names):
    """The type of a value that is no function."""
    kind = type(value)
    if kind in (bool, int, float, str):
        return names.local(kind.__name__, "builtins")
    home = by_definition(kind)
    return names.local(home[1], home[0]) if home else names.local("Any", "typing")


def path_of(place):
    """The path of a module's stub below the package's folder."""
    inner = ["__init__"] if has_inner(place) or is_package(place) else []
    return "/".join([*place.split(".")[1:], *inner]) + ".pyi"
