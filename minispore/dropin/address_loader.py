"""The modules of :mod:`addresses`: how each is found, and how it gets its names."""

import importlib
import importlib.machinery
import importlib.util
import sys

from minispore.dropin.addresses import MODULES, PACKAGE, PACKAGES, attribute_getter, names_from, place_of

__all__ = []


def is_address(address):
    """True if a module of this address is made or handed on by the tables."""
    return address in MODULES or place_of(address) != address


class AddressLoader:  # `importlib.abc` would bring tempfile, random and hashlib into the import of minispore
    """Makes the modules of :data:`MODULES`, and hands on those of :data:`ROOMS`."""

    def spec_of(self, fullname, address):
        """The spec of the module at an address; None if there is none."""
        found = _spec_at(address)
        if found is None:
            known = address in MODULES
            return importlib.machinery.ModuleSpec(fullname, self, is_package=address in PACKAGES) if known else None
        is_package = address in PACKAGES or found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=found.origin, is_package=is_package)

    def create_module(self, spec):
        """A new, empty module, as Python makes it."""
        return None

    def exec_module(self, module):
        """Give the module its names, or put the module that it is in its place."""
        address = module.__name__.partition(".")[2]
        sources = _whole(address)
        if sources is not None:
            found = sys.modules[module.__name__] = importlib.import_module(f"{PACKAGE}.{sources}")
            _keep_functions(module.__name__, found)
            return
        sources = MODULES[address]
        inner = {path.rpartition(".")[2] for path in MODULES if path.rpartition(".")[0] == address}
        found = {name: home for name, home in names_from(sources).items() if name not in inner}
        module.__doc__ = f"MindSpore's address of names that are in {sources.replace(' ', ', ')}."
        module.__all__ = sorted(name for name in found if name[0] != "_")
        module.__getattr__ = attribute_getter(module.__name__)
        for name, home in found.items():
            setattr(module, name, getattr(home, name))

    def get_code(self, fullname):
        """The code of a module, which ``python -m`` runs under the module's address."""
        found = _spec_at(fullname.partition(".")[2])
        return found and found.loader.get_code(found.name)


def _whole(address):
    """The place of the module that an address is; None for a module that is made of several."""
    sources = MODULES.get(address, address)
    return None if set(sources) & set(" :") else place_of(sources)


def _spec_at(address):
    """The spec of the module that an address is; None if there is none."""
    place = _whole(address)
    return None if place is None else importlib.util.find_spec(f"{PACKAGE}.{place}")


def _keep_functions(name, package):
    """Enter the modules of a package whose name in it is a function's: an import would put them in its place."""
    for inner, module in list(sys.modules.items()):
        outer, _, last = inner.rpartition(".")
        if outer == package.__name__ and vars(package).get(last) is not module:
            sys.modules[f"{name}.{last}"] = module
