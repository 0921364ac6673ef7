"""The exports of a package's ``__init__``: the names it imports from its modules, so that they are listed only once."""

import sys
from types import ModuleType

__all__ = []


def public(namespace):
    """The names in a package's ``globals()`` that are neither private nor modules, sorted: its ``__all__``."""
    return sorted([name for name, value in namespace.items() if name[0] != "_" and not isinstance(value, ModuleType)])


def submodules(package):
    """The public modules of a package that have been imported, in the order of their import."""
    found = [(name.rpartition("."), module) for name, module in sys.modules.items()]
    return [module for (parent, _, last), module in found if parent == package and last[0] != "_"]


def show(module, *packages):
    """Give packages the public names of a module that stands in a lower room, which they do not import themselves."""
    for package in packages:
        vars(package).update({name: getattr(module, name) for name in module.__all__})
        package.__all__ = sorted({*package.__all__, *module.__all__})
