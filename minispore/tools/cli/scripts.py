"""``minispore run``: a script or module written for MindSpore, as Python would run it, with minispore as mindspore."""

import importlib.util
import os
import runpy
import signal
import sys

from minispore.core.context import set_context
from minispore.dropin import compat
from minispore.tools.cli import children

__all__ = []

SHADOW = "MINISPORE_SHADOW"  # set to 1, minispore goes before a real MindSpore that is installed
_BOOLEANS = {"": False, "0": False, "1": True}
_ONE_ELEMENT = "only 0-dimensional arrays can be converted to Python scalars"  # NumPy's words, from 2.4 on
_REMEDY = "write x.item() in place of int(x) or float(x), or install an older NumPy: pip install 'numpy<2.4'"
_BELOW_THE_SCRIPT = ("<frozen runpy>", runpy.__file__, __file__)


def prepare(target, arguments, as_module=False, cpu_loss_scale=False):
    """Make ``sys.argv``, ``sys.path`` and the name mindspore what the script expects; returns what :func:`run` takes.

    Args:
        target (str): The script's path, the folder or zip file with a ``__main__.py``, or the module's name.
        arguments (list[str]): What follows it in ``sys.argv``.
        as_module (bool): Whether ``target`` is a module's name, found from the current folder on. Default: False.
        cpu_loss_scale (bool): Whether loss scaling with an overflow check runs on the CPU, which MindSpore refuses.
            Default: False.

    Raises:
        FileNotFoundError: If there is no such script or module.
        ValueError: If the environment variable that asks to go before a real MindSpore is neither 0 nor 1.
    """
    _take_the_name()
    folder = os.getcwd() if as_module else os.path.dirname(os.path.abspath(target))
    if not os.path.isdir(target) or as_module:
        sys.path.insert(0, folder)
    if compat.is_installed():
        _tell_children()
    if cpu_loss_scale:
        set_context(cpu_loss_scale=True)
    if not (_is_module(target) if as_module else os.path.exists(target)):
        raise FileNotFoundError(f"there is no {'module' if as_module else 'script'} '{target}'")
    sys.argv = [target, *arguments]
    return target, as_module


def run(prepared):
    """Run what :func:`prepare` returns as ``__main__``; returns the exit code that Python would end with.

    Raises:
        SystemExit: The script's own exceptions.
    """
    target, as_module = prepared
    try:
        if as_module:
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(target, run_name="__main__")
    except SystemExit:
        raise
    except BaseException as error:
        _print_as_python(error)
        return 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _print_as_python(error):
    """Print the error with its traceback from the script's first frame on."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code.co_filename in _BELOW_THE_SCRIPT:
        traceback = traceback.tb_next
    sys.excepthook(type(error), error.with_traceback(traceback), traceback)
    if isinstance(error, TypeError) and _ONE_ELEMENT in str(error):
        print(f"minispore run: NumPy makes no number of an array with an axis any more; {_REMEDY}", file=sys.stderr)


def _is_module(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # it has no package
        return False


def _take_the_name():
    """Make ``import mindspore`` give minispore, or say on standard error that a real one is used."""
    asked = os.environ.get(SHADOW, "")
    if asked not in _BOOLEANS:
        raise ValueError(f"the environment variable {SHADOW} must be 0 or 1, but got {asked!r}")
    if not compat.install(force=_BOOLEANS[asked]):
        words = f"the installed mindspore is used; {SHADOW}=1 puts minispore in its place"
        print(f"minispore run: {words}", file=sys.stderr)


def _tell_children():
    """Give the name mindspore to Python processes that the script starts. It leads them to minispore."""
    (folder,) = children.__path__
    sys.path.insert(1, folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))
