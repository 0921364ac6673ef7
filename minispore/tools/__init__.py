"""Tools: the command line, insight into mixed precision, the profiler, notebooks, the conformance kit, the course."""

import importlib
import sys

from minispore.tools import hopeless_skips, policy_of  # noqa: F401 - they attach themselves to amp

__all__ = []
FRONT = "log log:get_level,get_log_config"
LISTED = ["Profiler", "get_level", "get_log_config", "insight", "log", "profiler"]


def _advised(show):
    """An excepthook that has advice added to the error which ends the program, and then calls ``show``."""

    def hook(kind, error, traceback):
        try:
            importlib.import_module(f"{__name__}.advice").prepare(error)
        except Exception:  # an error in there must not hide the user's
            return show(kind, error, traceback)
        return show(kind, error, error.__traceback__)

    hook.advises = True
    return hook


if not getattr(sys.excepthook, "advises", False):  # once, however often the package is imported
    sys.excepthook = _advised(sys.excepthook)
if "IPython" in sys.modules:  # forms of the package's objects for a notebook
    importlib.import_module(f"{__name__}.notebook").register()
