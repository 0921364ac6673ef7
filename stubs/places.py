"""The public modules of the package, and where each of their names is written."""

import ast
import functools
import importlib
import inspect
import sys
import types

from minispore.dropin import addresses
from minispore.dropin.absent import names_of_mindspore
from stubs.written import DEFINITIONS, PACKAGE, bound_by, files, written


def _full(address):
    return f"{PACKAGE}.{address}".rstrip(".")


@functools.cache
def known():
    """The addresses of the tables and of their modules, by full name, once imported."""
    names = [*map(_full, (*addresses.MODULES, *addresses.NAMES, *addresses.LAZY))]
    for name in names:
        importlib.import_module(name)
    return names


@functools.cache
def places():
    """The names of all public modules: addresses, and the package's own modules that they bring."""
    named = {*known(), *moved()}
    return sorted(named | {name for name in sys.modules if written(name)})


@functools.cache
def moved():
    """Addresses of modules that stand in a room, with the modules: ``{"minispore.tensor": "minispore.core.tensor"}``.

    A module that lists no names, as its ``__all__`` is empty, is not among them.
    """
    known()
    found = {_full(addresses._address_of(place)): place for place in files()}
    found = {name: place for name, place in found.items() if name != place and _hands_on(place)}
    for name in [name for name, place in found.items() if place in sys.modules]:
        importlib.import_module(name)
    return found


def _hands_on(place):
    return is_open(place) or bool(offered(place)) or "__all__" not in written(place).bound


def is_open(place):
    """True for a module that was imported and has public names, which then say all of it."""
    return place in sys.modules and bool(public(place)) and not is_private(place)


def is_private(place):
    """True for the file of a private module: MindSpore's scripts import from some."""
    return place.rpartition(".")[2][0] == "_"


def offered(place):
    """The names that others may import from a file that was not imported, lists none or is private."""
    text = written(place)
    if is_private(place):
        return {name for name, node in text.bound.items() if name[0] != "_" or isinstance(node, DEFINITIONS)}
    return text.listed or {name for name in text.bound if name[0] != "_" and "__all__" not in text.bound}


def true_name(place):
    """The name of the module that is found at a place: another one for the address of a whole module."""
    return sys.modules[place].__name__


def sources_of(place):
    """The sources of an address's names: of all, where no file is there, or of those that MindSpore has beside."""
    address = place.partition(".")[2]
    return addresses.MODULES.get(address) or addresses.NAMES.get(address, "")


@functools.cache
def _found_by_address(place):
    return addresses.names_from(sources_of(place))


def _from_elsewhere(place):
    """The names that an address finds elsewhere: all that its table writes, and those that MindSpore has there."""
    address, found = place.partition(".")[2], _found_by_address(place)
    if address not in addresses.MODULES:
        named = {name for source in sources_of(place).split() for name in source.partition(":")[2].split(",")}
        wanted = named | names_of_mindspore().get(address, set())
        found = {name: module for name, module in found.items() if name in wanted}
    return {name: getattr(module, name) for name, module in found.items()}


@functools.cache
def _asked():
    """The names that addresses ask of modules one by one: module -> names."""
    found = {}
    for text in (*addresses.MODULES.values(), *addresses.NAMES.values()):
        for source in text.split():
            module, _, names = source.partition(":")
            place = importlib.import_module(_full(module)).__name__
            found.setdefault(place, []).extend(names.split(",") if names else [])
    return found


@functools.cache
def public(place):
    """The public names of a module with what they stand for, submodules that are public included."""
    module = sys.modules[place]
    names = {*getattr(module, "__all__", ()), *_asked().get(true_name(place), ())}
    found = _from_elsewhere(place) | {name: getattr(module, name) for name in names}
    for other in (*addresses.MODULES, *addresses.NAMES, *addresses.LAZY):
        parent, _, last = _full(other).rpartition(".")
        if parent == place and last[0] != "_" and isinstance(getattr(module, last, None), types.ModuleType):
            found.setdefault(last, getattr(module, last))
    return dict(sorted(found.items()))


@functools.cache
def origin(place, name, passed=frozenset()):
    """``(module, name)`` of the file that binds a public name other than by an import; None if ``passed`` gives it."""
    module, text = sys.modules[place], written(place)
    value = getattr(module, name)
    if (text and name in text.bound) or isinstance(value, types.ModuleType):
        return place, name
    possible = _sources(place, module.__name__, text, name)
    sources = [pair for pair in possible if getattr(sys.modules.get(pair[0]), pair[1] or "", None) is value]
    for source, its_name in sources:
        found = origin(source, its_name, passed | {place}) if source not in passed | {place} else None
        if found is not None:
            return found
    return by_definition(value) or (None if sources and passed else (place, name))


def _sources(place, module_name, text, name):
    """Where a module may have a name from: the import that names it, imports of all names, addresses.

    The address of a whole module has the others from that module.
    """
    if text and name in text.imported:
        yield text.imported[name]
    yield from ((source, name) for source in reversed(text.starred if text else ()))
    if name in _found_by_address(place):
        yield _found_by_address(place)[name].__name__, name
    if module_name != place:
        yield module_name, name


def by_definition(value):
    """The place of a class or function that a table names again, found by what it says of itself."""
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    text = written(module) if isinstance(module, str) else None
    return (module, name) if text and name in text.bound and getattr(sys.modules[module], name) is value else None


def is_made(module, name):
    """True for a function or class that a call makes at import, and for a class that gets members at import."""
    value, node = getattr(sys.modules[module], name), written(module).bound.get(name)
    if isinstance(node, DEFINITIONS):
        return isinstance(value, type) and bool(added_to(value) or added_bases(value))
    if isinstance(node, ast.AnnAssign):
        return False
    parts = getattr(getattr(node, "value", None), "elts", [getattr(node, "value", None)])
    is_alias = all(isinstance(part, (ast.Name, ast.Attribute)) for part in parts)
    return isinstance(value, (type, types.FunctionType)) and not is_alias


def added_to(cls):
    """The methods and properties that a class has from outside its text: name -> member."""
    body = bound_by(written(cls.__module__).bound[cls.__name__].body)
    return {name: member for name, member in sorted(vars(cls).items()) if name not in body and _is_added(name, member)}


def _is_added(name, member):
    function = getattr(member, "fget", None) or getattr(member, "__func__", member)
    if not isinstance(function, types.FunctionType) or (name[0] == "_" and not name.endswith("__")):
        return False
    function = inspect.unwrap(function)
    is_generated = function.__code__.co_filename.startswith("<")  # of a dataclass
    return not is_generated and written(function.__globals__["__name__"]) is not None


def added_bases(cls):
    """The bases of a class that its text does not name."""
    return cls.__bases__[len(written(cls.__module__).bound[cls.__name__].bases) or 1 :]


@functools.cache
def _outer():
    return {place.rpartition(".")[0] for place in places()}


def has_inner(place):
    """True where other modules stand below a module."""
    return place in _outer()


def is_package(place):
    """True for a folder with an ``__init__.py``; addresses below a file give it a path too."""
    return place in files() and files()[place].name == "__init__.py"


def needs_stub(place):
    """True where a type checker does not find all public names in the module's file, or there is no file.

    A file with addresses below it has a folder of stubs, which hides the file.
    """
    text = written(place)
    if text is None or (has_inner(place) and not is_package(place)):
        return True
    return any(not _is_seen(place, text, name, value) for name, value in public(place).items())


def _is_seen(place, text, name, value):
    defines = any(isinstance(node, DEFINITIONS) for node in text.tree.body)
    if isinstance(value, types.ModuleType) or (name[0] == "_" and (defines or name in text.imported)):
        return True
    home = origin(place, name)
    if home[0] == place:
        return name in text.bound and not is_made(*home)
    sources = [sys.modules[source] for source in text.starred]
    is_starred = any(name in getattr(source, "__all__", ()) for source in sources)
    return name in text.listed and (name in text.imported or is_starred)
