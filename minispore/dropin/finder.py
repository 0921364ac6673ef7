"""The finders by which Python imports the modules of :mod:`addresses`, and says what else MindSpore has there."""

import sys

from minispore.dropin.absent import instead_of, mindspore_has, sentence
from minispore.dropin.address_loader import AddressLoader, is_address
from minispore.dropin.addresses import PACKAGE

__all__ = []


class _Finder:
    """Finds the modules of the tables; each import of a script comes by here first."""

    _loader = AddressLoader()

    def find_spec(self, fullname, path=None, target=None):
        """The spec of a module of the tables; None for others."""
        package, _, address = fullname.partition(".")
        return self._loader.spec_of(fullname, address) if package == PACKAGE and is_address(address) else None


class _LastFinder:
    """Says of a module that no other finder has what MindSpore has there."""

    def find_spec(self, fullname, path=None, target=None):
        """Raise ModuleNotFoundError for a module that MindSpore has or that the table of remedies knows."""
        package, _, address = fullname.partition(".")
        if package != PACKAGE or not address or not (mindspore_has(address) or instead_of(address)):
            return None
        owner = f"The package '{fullname.rpartition('.')[0]}'"
        raise ModuleNotFoundError(sentence(owner, address, tuple), name=fullname)


def serve():
    """Have Python import the modules of :data:`MODULES`: before its own finder, to which a folder of stubs is one."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
        sys.meta_path.append(_LastFinder())
