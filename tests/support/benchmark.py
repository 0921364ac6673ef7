"""The modules of ``benchmarks/``, for tests: they import one another by their bare names, as scripts do."""

import importlib
import sys
from pathlib import Path

__all__ = ["BENCHMARKS", "load"]

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def load(name):
    """A module of the benchmarks; those that it imports for the first time are forgotten again."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))
        for each in set(sys.modules) - before:
            if str(BENCHMARKS) in str(getattr(sys.modules[each], "__file__", "")):
                del sys.modules[each]
