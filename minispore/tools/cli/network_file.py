"""Networks in a user's file, ``FILE:NAME``: the file runs as a module of its own."""

import importlib.util
import os
import sys
import traceback

from minispore.nn import Cell

__all__ = ["maker_in", "network_in"]

_MODULE = "__minispore_network__"  # unlike any existing module, whatever the file's name


def network_in(reference):
    """The network named by ``FILE:NAME``: the result of a class or function of the file, or a Cell in it.

    Raises:
        ValueError: If there is no such file or name, or if the file or the function raises an error.
    """
    return maker_in(reference)()


def maker_in(reference):
    """A function that makes the network named by ``FILE:NAME``, or returns it if it is a Cell already."""
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
    """The file as a module that has been run; it can import the files beside it."""
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    if spec is None:
        raise ValueError(f"the file '{path}' must be a Python file, but its name does not end so")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module  # where inspect looks for the source of its classes
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    _run(path, spec.loader.exec_module, module)
    return module


def _run(path, function, *arguments):
    """The result of a function of the file; an error in it is reported with the file's line."""
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
