"""The public paths, names and signatures of a minispore, as data that can be compared with another's.

    PYTHONPATH=CHECKOUT python tests/support/public_names.py --write tests/public_names.json.gz
    python tests/support/public_names.py tests/public_names.json.gz    # print what this minispore has of them

Public is what stands in an ``__all__``, in the Python of README or docs, or at an address of MindSpore's. The data are
``modules`` (path -> name -> number of the object), ``objects`` and ``signatures``, a word for each parameter. Of an
object they say what it is, how it is called, whether it has a docstring, and of a class its public members and bases.
"""

import argparse
import ast
import enum
import gzip
import importlib
import inspect
import json
import pkgutil
import re
import sys
import types
import warnings
from functools import partial
from pathlib import Path

import minispore
from minispore.dropin import addresses

PACKAGE = "minispore"
ROOT = Path(minispore.__file__).resolve().parent
_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "/",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "!",
    inspect.Parameter.VAR_KEYWORD: "**",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "",
}


def imported(path):
    """A module by its path; None where there is none."""
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


def named(module, path, name):
    """What ``from path import name`` gives, in a list; an empty one where there is nothing."""
    if hasattr(module, name):
        return [getattr(module, name)]
    return [inner for inner in [imported(f"{path}.{name}")] if inner is not None]


def found_modules():
    """Every module of the package that can be imported, and every address of MindSpore's, by its path."""
    inside = [each.name for each in pkgutil.walk_packages([str(ROOT)], f"{PACKAGE}.")]
    outside = [
        f"{PACKAGE}.{address}".rstrip(".") for address in {*addresses.MODULES, *addresses.NAMES, *addresses.LAZY}
    ]
    paths = sorted({PACKAGE, *inside, *outside} - {f"{PACKAGE}.__main__"})
    return {path: module for path in paths if (module := imported(path)) is not None}


def names_of(path, module):
    """The public names of a module: of its ``__all__``, and those that MindSpore has there."""
    names = set(getattr(module, "__all__", ()))
    address = path.partition(".")[2]
    if address in addresses.NAMES:
        names |= set(addresses.names_from(addresses.NAMES[address]))
    return names


def names_of_pages():
    """The names that the Python of README and the pages uses: path of a module -> names."""
    pages = [ROOT.parent / "README.md", *sorted((ROOT.parent / "docs").rglob("*.md")), *sorted(ROOT.rglob("README.md"))]
    found = {}
    for page in pages:
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
            for path, name in _used(block):
                found.setdefault(path, set()).add(name)
    return found


def _used(block):
    """The pairs (path of a module, name) of a block of Python, by what it imports and the attributes it takes."""
    try:
        nodes = list(ast.walk(ast.parse(block)))
    except SyntaxError:  # the block shows a session or leaves parts out
        return
    known = {"ms": PACKAGE, **{room: f"{PACKAGE}.{room}" for room in ("nn", "ops", "amp", "insight")}}
    for node in nodes:
        if isinstance(node, ast.Import):
            known |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name.startswith(PACKAGE)}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE:
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            yield from ((node.module, alias.name) for alias in node.names)
    for node in nodes:
        path, _, name = (_dotted(node, known) or "").rpartition(".")
        if path and imported(path):
            yield path, name


def _dotted(node, known):
    """The whole path of ``a.b.c`` where ``a`` is known; None for other nodes."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        outer = _dotted(node.value, known)
        return outer and f"{outer}.{node.attr}"
    return None


def public_names():
    """Path of a module -> its public names, as a sorted list."""
    found = {path: names_of(path, module) for path, module in found_modules().items()}
    for path, names in names_of_pages().items():
        found.setdefault(path, set()).update(names)
    return {path: sorted(names) for path, names in sorted(found.items()) if names}


class Table:
    """Gives each object a number, and describes each once all have theirs."""

    def __init__(self):
        self.numbers, self.things, self.asked, self.signatures = {}, [], [], {}

    def number_of(self, thing, members=None):
        """The number of an object, whose ``members`` will be described: those that it has of its own, unless given."""
        if id(thing) not in self.numbers:
            self.numbers[id(thing)] = len(self.things)
            self.things.append(thing)
            self.asked.append(set())
        number = self.numbers[id(thing)]
        self.asked[number] = None if members is None else self.asked[number] | set(members)
        return number

    def described(self):
        """What each object is."""
        both = zip(self.things, self.asked, strict=True)
        return [self._description(thing, members) | {"documented": documented(thing)} for thing, members in both]

    def _description(self, thing, members):
        if isinstance(thing, type):
            bases = [kind for kind in thing.__mro__[1:] if id(kind) in self.numbers]
            names = _own_members(thing, bases) if members is None else filter(partial(hasattr, thing), members)
            found = {name: self._signature(getattr(thing, name)) for name in names}
            bases = [self.numbers[id(kind)] for kind in bases]
            return {"kind": "class", "call": self._signature(thing), "members": found, "bases": bases}
        if isinstance(thing, types.ModuleType):
            return {"kind": "module"}
        return {"kind": "callable" if callable(thing) else "value", "call": self._signature(thing)}

    def _signature(self, thing):
        """The number of an object's signature; None where it has none, or Python's own."""
        if not callable(thing) or (isinstance(thing, type) and not _is_made_by_the_package(thing)):
            return None
        try:
            parameters = inspect.signature(thing).parameters.values()
        except (TypeError, ValueError):
            return None
        return self.signatures.setdefault(" ".join(map(_word, parameters)), len(self.signatures))


def documented(thing):
    """Whether an object has a docstring, which a class may not leave to its base; values need none."""
    return bool(vars(thing).get("__doc__") if isinstance(thing, type) else thing.__doc__ or not callable(thing))


def _word(parameter):
    """A parameter in a word: ``x``, ``x=`` with a default, ``/x`` by position, ``!x`` by name, ``*x``, ``**x``."""
    return _KINDS[parameter.kind] + parameter.name + "=" * (parameter.default is not parameter.empty)


def _is_made_by_the_package(kind):
    """Whether the package says how a class is called, and neither a builtin class nor ``enum``."""
    homes = {_home(kind, name) for name in ("__init__", "__new__")}
    return not issubclass(kind, enum.Enum) and any(home.__module__.startswith(PACKAGE) for home in homes)


def _home(kind, name):
    """The class, of those that a class derives from, that has an attribute; the metaclass's are the class's own."""
    return next((each for each in kind.__mro__ if name in vars(each)), kind)


def _own_members(kind, bases):
    """The public members of a class that it has neither from one of ``bases`` nor from outside of the package."""
    for name in dir(kind):
        own = inspect.getattr_static(kind, name)
        inherited = any(inspect.getattr_static(base, name, None) is own for base in bases)
        ours = _home(kind, name).__module__.startswith(PACKAGE)
        if name[0] != "_" and ours and not inherited and hasattr(kind, name):
            yield name


def of_names(names, members=None):
    """The data of this minispore for paths and names; what it lacks is left out.

    ``members`` names those of the classes to look for: path -> name -> names.
    """
    table, modules = Table(), {}
    for path in names:
        module = imported(path)
        if module is not None:
            there = {name: thing for name in names[path] for thing in named(module, path, name)}
            asked = members[path] if members else {}
            modules[path] = {name: table.number_of(thing, asked.get(name)) for name, thing in there.items()}
    return {"modules": modules, "objects": table.described(), "signatures": list(table.signatures)}


def as_recorded(data):
    """The data of this minispore for all that recorded data have."""

    def members(number):
        return list(data["objects"][number].get("members", ()))

    paths = data["modules"].items()
    asked = {path: {name: members(number) for name, number in names.items()} for path, names in paths}
    return of_names(data["modules"], asked)


def read(file):
    """The data that a file keeps."""
    return json.loads(gzip.decompress(Path(file).read_bytes()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--write", action="store_true", help="write the file: all that is public now")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # an old name may warn
    if options.write:
        data = json.dumps(of_names(public_names()), separators=(",", ":"), sort_keys=True)
        options.file.write_bytes(gzip.compress(data.encode(), 9, mtime=0))
    else:
        json.dump(as_recorded(read(options.file)), sys.stdout)


if __name__ == "__main__":
    main()
