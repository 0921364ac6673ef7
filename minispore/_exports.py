"""What a package's ``__init__`` exports: the names that it has imported from its modules, listed once, as imports."""

import sys
from types import ModuleType

__all__ = []


def public(namespace):
    """The names in a package's ``globals()`` that are neither private nor modules, sorted: its ``__all__``."""
    return sorted(name for name, value in namespace.items() if name[0] != "_" and not isinstance(value, ModuleType))


def submodules(package):
    """The public modules of a package that have been imported, in the order of their import."""
    found = [(name.rpartition("."), module) for name, module in sys.modules.items()]
    return [module for (parent, _, last), module in found if parent == package and last[0] != "_"]
