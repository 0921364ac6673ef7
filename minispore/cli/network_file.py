"""Networks in files of the user's: ``FILE:NAME``, run as a module of its own beside those that are loaded."""

import importlib.util
import os
import sys
import traceback

from minispore.nn import Cell

__all__ = ["maker_in", "network_in"]

_MODULE = "__minispore_network__"  # no module that is there, whatever the file is called


def network_in(reference):
    """The network that ``FILE:NAME`` names: what a class or function of the file makes, or a Cell of the file.

    Raises:
        ValueError: If there is no such file or name, or if the file or what makes the network raises an error.
    """
    return maker_in(reference)()


def maker_in(reference):
    """A function that makes the network that ``FILE:NAME`` names, or returns it where it is a Cell already."""
    path, _, name = reference.rpartition(":")
    if not path:
        raise ValueError(f"the network must be given as FILE:NAME, but got '{reference}'")
    if not os.path.isfile(path):
        raise ValueError(f"the file '{path}' must exist, but there is no such file")
    found = getattr(_module_of(path), name, None)
    if found is None:
        raise ValueError(f"the file '{path}' must define '{name}', but it does not")
    if isinstance(found, Cell):
        return lambda: found
    return lambda: _run(path, found)


def _module_of(path):
    """The file as a module that has been run, with the files beside it to import."""
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if spec is None:
        raise ValueError(f"the file '{path}' must be a Python file, but its name does not end so")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module  # where the source of its classes is looked for
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    _run(path, spec.loader.exec_module, module)
    return module


def _run(path, function, *arguments):
    """What a function of the file returns; an error in it is the file's, and told with the file's line."""
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        text = f"{type(error).__name__}: {' '.join(str(error).split())}"
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if _is_same(frame.filename, path)]
        if isinstance(error, SyntaxError) and error.filename is not None:
            path, lines, text = error.filename, [error.lineno], f"SyntaxError: {error.msg}"
        where = f", line {lines[-1]}," if lines else ""
        raise ValueError(f"the file '{path}'{where} must run, but raises {text}") from error


def _is_same(name, path):
    return os.path.abspath(name) == os.path.abspath(path)
