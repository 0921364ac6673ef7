"""``import minispore.compat`` makes ``import mindspore`` give minispore, unless a real MindSpore is installed.

It goes first in a script; every ``import mindspore.x.y`` and ``from mindspore... import`` after it gives minispore's
own modules, so that nothing exists twice. Only the package itself and its module ``version`` are modules of their own
with the same names, since their ``__version__`` is that of the MindSpore that is followed: scripts compare it.
``minispore run SCRIPT`` does the same for a script that is left as it is.

Examples:
    >>> import minispore.compat
    >>> minispore.compat.install()
    True
    >>> from mindspore import nn
    >>> nn is minispore.nn
    True
    >>> import mindspore
    >>> mindspore.__version__
    '2.0.0'
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys

from minispore.core.version import MINDSPORE
from minispore.dropin import absence, addresses
from minispore.dropin.later import tensor

__all__ = ["install", "is_installed", "uninstall"]

_THEIRS, _OURS = "mindspore", __name__.partition(".")[0]
_FOLDER = sys.modules[_OURS].__path__[0]  # a folder in it that is on the path has a mindspore.py that asks for this
_OWN = {  # the modules that are not minispore's themselves -> what differs; its own ``tensor`` is a module
    _THEIRS: {"__version__": MINDSPORE, "tensor": tensor},
    f"{_THEIRS}.version": {"__version__": MINDSPORE},
}


class _Finder:
    """Finds minispore's module of the same address for each of MindSpore's."""

    def find_spec(self, fullname, path=None, target=None):
        """The spec of a module of MindSpore that minispore has; ImportError for another."""
        package, _, address = fullname.partition(".")
        if package != _THEIRS:
            return None
        if absence.is_absent(fullname.rpartition(".")[0]):
            return absence.spec_of(fullname)
        if address and not _is_here(f"{_OURS}.{address}"):
            return absence.spec_of(fullname) or _refused(f"{_OURS}.{address}")
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """A new module, which minispore's own replaces, or lends its names to, at once."""
        return None

    def exec_module(self, module):
        """Put minispore's module in the place of the new one, or its names into it and MindSpore's ``__version__``."""
        name = module.__name__
        ours = importlib.import_module(_OURS + name[len(_THEIRS) :])
        if name in _OWN:
            kept = {name: value for name, value in vars(module).items() if value is not None}
            vars(module).update({**vars(ours), **kept, **_OWN[name]})
        else:
            sys.modules[name] = ours
            addresses.open_module(ours)
            vars(ours).setdefault("__path__", [])  # MindSpore's may be a package, of whose modules `absence` knows


def _is_here(name):
    """True if minispore has a module of this name."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _refused(name):
    """None for a module that minispore has not; ModuleNotFoundError, with the sentence, where MindSpore has it."""
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        theirs = _THEIRS + (error.name or name)[len(_OURS) :]
        raise ModuleNotFoundError(str(error), name=theirs) from None


_FINDER = _Finder()


def install(force=False):
    """Make ``import mindspore`` give minispore; True if it does afterwards.

    Args:
        force (bool): Whether to do so where a real MindSpore is installed or even imported. Default: False, which
            leaves that one in use.
    """
    if is_installed():
        return True
    if _real_is_there() and not force:
        return False
    _forget()
    sys.meta_path.insert(0, _FINDER)
    return True


def uninstall():
    """Make ``import mindspore`` what it was; what has been imported stays what it is."""
    if is_installed():
        sys.meta_path.remove(_FINDER)
        _forget()


def is_installed():
    """True if ``import mindspore`` gives minispore."""
    return _FINDER in sys.meta_path


def _real_is_there():
    elsewhere = [folder for folder in sys.path if not folder.startswith(_FOLDER + os.sep)]
    spec = importlib.machinery.PathFinder.find_spec(_THEIRS, elsewhere)
    return _THEIRS in sys.modules or (spec is not None and spec.origin is not None)  # a mere folder has no origin


def _forget():
    """Take every module of the name out of ``sys.modules``, so that the next import asks the finders."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _THEIRS]:
        del sys.modules[name]


install()
