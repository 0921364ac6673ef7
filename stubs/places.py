"""The public modules of the package, and where each of their names is written."""

import ast
import functools
import importlib
import inspect
import sys
import types

from minispore.dropin import addresses
from minispore.dropin.absent import names_of_mindspore
from stubs.written import DEFINITIONS, PACKAGE, bound_by, written


def _full(address):
    return f"{PACKAGE}.{address}".rstrip(".")


@functools.cache
def places():
    """The names of all public modules: MindSpore's addresses, and the package's own modules that they bring."""
    known = [*addresses.MODULES, *addresses.NAMES, *addresses.LAZY]
    for address in known:
        importlib.import_module(_full(address))
    own = [name for name in sys.modules if name.partition(".")[0] == PACKAGE and written(name)]
    return sorted({*map(_full, known), *own})


def sources_of(place):
    """The sources of an address's names: of all, where no file is there, or of those that MindSpore has beside."""
    address = place.partition(".")[2]
    return addresses.MODULES.get(address) or addresses.NAMES.get(address, "")


def _from_elsewhere(place):
    """The names that an address finds elsewhere: all that its table writes, and those that MindSpore has there."""
    address, found = place.partition(".")[2], addresses.names_from(sources_of(place))
    named = {name for source in sources_of(place).split() for name in source.partition(":")[2].split(",")}
    wanted = found if written(place) is None else named | names_of_mindspore().get(address, set())
    return {name: getattr(module, name) for name, module in found.items() if name in wanted}


@functools.cache
def _asked():
    """The names that addresses ask of modules one by one: module -> names."""
    found = {}
    for text in (*addresses.MODULES.values(), *addresses.NAMES.values()):
        for source in text.split():
            module, _, names = source.partition(":")
            found.setdefault(_full(module), []).extend(names.split(",") if names else [])
    return found


@functools.cache
def public(place):
    """The public names of a module with what they stand for, submodules that are public included."""
    module = sys.modules[place]
    names = {*getattr(module, "__all__", ()), *_asked().get(place, ())}
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
    """Where a module has a name from, perhaps: the import that names it, imports of all names, addresses."""
    if module_name != place:  # the address of a whole module
        yield module_name, name
    if text and name in text.imported:
        yield text.imported[name]
    yield from ((source, name) for source in reversed(text.starred if text else ()))
    yield from ((module.__name__, name) for module in reversed(addresses.names_from(sources_of(place)).values()))


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


def has_inner(place):
    """True where other modules stand below a module."""
    return any(other.rpartition(".")[0] == place for other in places())


def is_package(place):
    """True for a folder with an ``__init__.py``; addresses below a file give it a path too."""
    return str(getattr(sys.modules[place], "__file__", "")).endswith("__init__.py")


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
