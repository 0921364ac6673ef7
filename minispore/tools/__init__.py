"""Tools: the command line, insight into mixed precision, the profiler, notebooks, the conformance kit, the course."""

import importlib
import sys

__all__ = []
FRONT, LISTED = "", ["Profiler", "insight", "profiler"]

if "IPython" in sys.modules:  # forms of the package's objects for a notebook
    importlib.import_module("minispore.tools.notebook").register()
