"""Reach: the functions and classes of Python, NumPy and this package whose results depend on more than arguments.

No guard sees files, the environment, clocks, random numbers and the interpreter's settings. Two kinds of functions
count as readers of them: functions of modules not listed here, and others' functions written in C.
"""

import builtins
import functools
import operator
import types

__all__ = ["is_built_in", "reads_any_attribute", "reads_elsewhere"]

# Modules of functions that depend on their arguments only -> the exceptions in them
_PURE = {
    "builtins": {"open", "input", "eval", "exec", "compile", "globals", "locals", "__import__", "breakpoint"}
    | {"function", "code"},
    "datetime": {"now", "today", "utcnow"},
    "decimal": {"getcontext", "localcontext", "setcontext"},
    "logging": {"getLogger", "getLevelName", "getLevelNamesMapping", "getLoggerClass", "getLogRecordFactory"}
    | {"getHandlerByName", "getHandlerNames"},
    "contextlib": {"closing", "aclosing", "redirect_stdout", "redirect_stderr", "chdir"},
    "warnings": {"filterwarnings", "simplefilter", "resetwarnings", "formatwarning", "showwarning"},
    "numpy": {"fromfile", "memmap", "geterr", "geterrcall", "getbufsize", "seterr", "seterrcall", "setbufsize"}
    | {"get_printoptions", "set_printoptions", "load", "loadtxt", "genfromtxt", "fromregex", "frompyfunc"},
}
_PURE |= {"argparse": {"ArgumentParser", "FileType"}, "types": ()}
_PURE |= dict.fromkeys(["math", "cmath", "operator", "functools", "itertools", "collections", "abc"], ())
_PURE |= dict.fromkeys(["typing", "enum", "dataclasses", "numbers", "fractions", "copy", "bisect", "heapq", "re"], ())
_PURE |= dict.fromkeys(["copyreg", "string", "array", "struct", "keyword", "textwrap", "reprlib", "sre"], ())
_PURE |= dict.fromkeys(["_abc", "_collections_abc"], ())
_PARTS_OF_NUMPY = ("numpy.random", "numpy.ctypeslib", "numpy.testing", "numpy.f2py", "numpy.distutils")
_READING_HERE = (
    "minispore.data.serialization",
    "minispore.data.dataset",
    "minispore.data.mindrecord",
    "minispore.devices.device_memory",
    "minispore.devices.runtime",
    "minispore.tools.log",
    "minispore.tools.profiler",
    "minispore.parallel._auto_parallel_context",
    "minispore.parallel._cell_wrapper",
    "minispore.parallel._cost_model_context",
    "minispore.parallel._ps_context",
    "minispore.parallel._utils",
)
_READING = tuple(f"{name}." for name in _READING_HERE)
_HERE = __name__.partition(".")[0]

# Functions that read attributes by computed names, or by names that only the objects know
_BY_MADE_NAMES = {vars, dir, setattr, delattr, operator.attrgetter, operator.methodcaller, functools.partialmethod}
_MODULES_BY_MADE_NAMES = {"copy", "copyreg", "dataclasses", "inspect"}
_METHODS_BY_MADE_NAMES = {"__getattribute__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__dir__"}
_METHODS_BY_MADE_NAMES |= {"format", "format_map", "vformat", "__get__", "__getstate__", "get_type_hints"}


def is_built_in(value, names):
    """True if ``value`` is Python's own function of one of these names."""
    return isinstance(value, types.BuiltinFunctionType) and any(value is getattr(builtins, name) for name in names)


def module_of(value):
    """The name of the module of a function or a class; for a method, the class's module."""
    if isinstance(value, types.FunctionType):
        return str(value.__globals__.get("__name__"))  # `functools.wraps` replaces __module__
    owner = getattr(value, "__self__", None)
    if isinstance(owner, types.ModuleType):
        return owner.__name__
    kind = owner if isinstance(owner, type) else type(owner)
    return str(getattr(value if owner is None else kind, "__module__", None))


def reads_elsewhere(value):
    """True if a function's results, or a class's objects, may depend on more than arguments and visible state."""
    module, name = module_of(value), getattr(value, "__name__", "")
    root = module.partition(".")[0]
    if root == _HERE:
        return isinstance(value, types.FunctionType) and f"{module}.".startswith(_READING)
    if module.startswith(_PARTS_OF_NUMPY):
        return True
    pure = _PURE.get(root, _PURE.get(root.lstrip("_")))
    return pure is None or name in pure


def reads_any_attribute(value):
    """True if a function or method reads attributes by names that no code shows."""
    if is_built_in(value, ("getattr", "hasattr")) or any(value is x for x in _BY_MADE_NAMES):
        return True
    name, module = getattr(value, "__name__", ""), module_of(value)
    if isinstance(value, (types.FunctionType, type)):
        return not isinstance(value, type) and (module in _MODULES_BY_MADE_NAMES or name == "get_type_hints")
    return name in _METHODS_BY_MADE_NAMES and not isinstance(getattr(value, "__self__", None), types.ModuleType)
