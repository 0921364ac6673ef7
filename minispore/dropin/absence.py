"""Absence at use: what MindSpore has and minispore has not can be imported from ``mindspore``, and raises when used.

So a library is not stopped by a name that it does not use. An import that a ``try`` waits for fails as before, since
the program has another way. So does ``hasattr``, and a name that no MindSpore from 2.0 to 2.7 has.
"""

import functools
import importlib.machinery
import json
import os
import sys
import types
import typing
import zlib

from minispore.dropin.absent import instead_of
from minispore.dropin.probes import importing_frame, is_guarded, outer_imports, statement_at

__all__ = []

_THEIRS = "mindspore"
# Written by tests/conformance/record/further_names.py
_NAMES = os.path.join(os.path.dirname(__file__), "further_names.json.gz")
_GZIP = zlib.MAX_WBITS | 16  # the header that zlib expects


@functools.cache
def _names():
    """The names of MindSpore by module, private ones included: those of 2.0.0, and what later ones have beside.

    Of 2.1 to 2.6, for which few machines have a wheel, these are the documented names and the paths of modules.
    """
    with open(_NAMES, "rb") as file:
        rows = json.loads(zlib.decompress(file.read(), _GZIP))
    return [{module: set(names) for module, names in rows[part].items()} for part in ("2.0.0", "later")]


def since(address):
    """The first MindSpore that has a name or module at an address: "2.0.0", "later", or None for none.

    Of a module that has "*" not all names are known; it is taken to have any.
    """
    module, _, name = address.rpartition(".")
    for version, names in zip(("2.0.0", "later"), _names(), strict=True):
        if address in names or {name, "*"} & names.get(module, set()):
            return version
    return None


def told(address):
    """One sentence on what is not here."""
    later = "" if since(address) == "2.0.0" else " after 2.0.0"
    instead = instead_of(address)
    further = f": {instead}" if instead else ""
    return f"minispore has no '{address}', which MindSpore{later} has as '{_THEIRS}.{address}'{further}."


class Absent:
    """The stand-in for a name that is not here: each use of it raises one sentence.

    It may stand in annotations, and nothing is an instance of it.
    """

    def __init__(self, address):
        self.__dict__.update(__name__=address.rpartition(".")[2], _address=address, __doc__=told(address))

    def _refuse(self, *args, **kwargs):
        raise NotImplementedError(told(self._address))

    __call__ = __mro_entries__ = __bool__ = __len__ = __iter__ = __contains__ = __getitem__ = __setitem__ = _refuse
    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = __neg__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __enter__ = _refuse
    __hash__ = object.__hash__

    def __eq__(self, other):
        """Raise the sentence, unless ``typing`` asks, which looks for its own forms in an annotation."""
        is_annotation = sys._getframe(1).f_globals.get("__name__") == "typing"
        return NotImplemented if is_annotation else self._refuse()

    def __getattr__(self, name):
        raise AttributeError(told(self._address))

    def __setattr__(self, name, value):
        raise AttributeError(told(self._address))

    def __instancecheck__(self, instance):
        return False

    def __subclasscheck__(self, subclass):
        return False

    def __or__(self, other):
        return typing.Union[self, other]  # noqa: UP007 - this is what ``|`` means here

    def __ror__(self, other):
        return typing.Union[other, self]  # noqa: UP007 - this is what ``|`` means here

    def __reduce__(self):
        return (Absent, (self._address,))

    def __repr__(self):
        return f"<{_THEIRS}.{self._address}, which minispore has not>"


class AbsentModule(types.ModuleType):
    """The stand-in for a module that is not here: its names can be imported, and raise when they are used."""

    __path__ = ()

    def __init__(self, name):
        super().__init__(name, told(name.partition(".")[2]))

    def __getattr__(self, name):
        address = self.__name__.partition(".")[2]
        if name == "__all__":
            return sorted({name for names in _names() for name in names.get(address, ()) if name[0] not in "_*"})
        if name.startswith("__") or not is_from_import(sys._getframe(1)):
            raise AttributeError(told(address))
        found = stand_in(sys._getframe(1), name)
        if found is None:
            raise ImportError(
                told(f"{address}.{name}") if since(f"{address}.{name}") else f"{told(address)} No '{name}'."
            )
        return found


def is_from_import(frame):
    """True if the frame is at ``from module import names``, with names or a star."""
    if frame.f_lasti < 0:
        return False
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] in _FROM or (code[at] == _INTRINSIC and code[at + 1] == _STAR)


_OPCODES = importlib.import_module("opcode").opmap
_FROM = {_OPCODES["IMPORT_FROM"], _OPCODES.get("IMPORT_STAR", -1)}
_INTRINSIC, _STAR = _OPCODES.get("CALL_INTRINSIC_1", -1), 2  # from 3.12 on


def stand_in(frame, name):
    """The result of ``from mindspore... import name`` at a frame; None if it must fail."""
    statement = statement_at(frame)
    module = statement.module() if statement else ""
    if module.partition(".")[0] != _THEIRS:
        return None
    address = f"{module}.{name}".partition(".")[2]
    if not may_stand(address, frame, ImportError):
        return None
    return absent_module(f"{_THEIRS}.{address}") if _is_module(address) else Absent(address)


def may_stand(address, frame, error):
    """True if an import of an address may go on at a frame: some MindSpore has it, and no ``try`` waits for a failure.

    An import statement around that of a library waits, too, for what only later MindSpores have: under 2.0.0 it fails.
    """
    version = since(address)
    if version is None or is_guarded(frame, error):
        return False
    return version == "2.0.0" or not any(is_guarded(outer, error) for outer in outer_imports(frame))


def _is_module(address):
    return any(address in names for names in _names())


def is_absent(name):
    """True if a module of this name stands in ``sys.modules`` for one that is not here."""
    return isinstance(sys.modules.get(name), AbsentModule)


def absent_module(name):
    """The module of a name, a new one at the first call."""
    if name not in sys.modules:
        sys.modules[name] = AbsentModule(name)
    return sys.modules[name]


class _Loader:
    """Makes the modules that are not here."""

    def create_module(self, spec):
        """A module without names of its own."""
        return AbsentModule(spec.name)

    def exec_module(self, module):
        """Do nothing: there is nothing to run."""


def spec_of(name):
    """The spec of a module of MindSpore that is not here; None if its import must fail."""
    frame, address = importing_frame(sys._getframe(1)), name.partition(".")[2]
    if frame is None or not _is_module(address) or not may_stand(address, frame, ModuleNotFoundError):
        return None
    return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)
