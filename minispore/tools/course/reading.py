"""The reader's file as a module."""

import importlib.util
import sys
from pathlib import Path

from minispore.core.errors import value_error

__all__ = ["load", "require"]


def load(path):
    """The module that a Python file makes; rewriting finds its source.

    Args:
        path (str): The path of the file.

    Raises:
        ValueError: If there is no such file.
    """
    if not Path(path).is_file():
        raise value_error("course", "the file must exist", f"'{path}'")
    name = f"exercise_{Path(path).stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def require(module, names):
    """Raise ValueError unless a module has callables of these names."""
    missing = [name for name in names if not callable(getattr(module, name, None))]
    if missing:
        raise value_error("course", f"the file must define '{missing[0]}', as the one you were given does")
