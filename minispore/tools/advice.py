"""Advice: an error that ends a program is shown with the argument that was meant, and without the package's frames.

Python itself refuses an unknown argument before any code of the package runs, and names a class that the user may not
know. So the advice is looked for where the error is shown, and a call that succeeds pays nothing.
"""

import inspect
import linecache
import re
import sys

from minispore.core.errors import is_own_sentence
from minispore.core.tracebacks import entries, fold, is_users_file
from minispore.nn.slips import closest

__all__ = []

_UNKNOWN = re.compile(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'")
_MISSING = re.compile(r"([\w.]+)\(\) missing \d+ required positional arguments?: '")
_KEYWORD = re.compile(r"[(,]\s*(\w+)=(?!=)")
_NOT_CALLABLE = re.compile(r"'\w+' object is not callable")
_FACT = re.compile(r"\.(size|shape|dtype|ndim)\(")
_ROOMS = ("ops", "nn", "amp", "train", "dataset", "mint", "insight")

# Names of arguments in other frameworks, or of the same thing elsewhere -> the names here, in order of preference
MEANT = {
    "dim": ("axis", "dims"),
    "axis": ("dim",),
    "keepdim": ("keep_dims", "keepdims"),
    "keepdims": ("keep_dims", "keepdim"),
    "keep_dims": ("keepdims", "keepdim"),
    "lr": ("learning_rate",),
    "in_features": ("in_channels",),
    "out_features": ("out_channels",),
    "kernel": ("kernel_size",),
    "bias": ("has_bias",),
    "groups": ("group",),
    "input": ("x", "input_x"),
    "x": ("input", "input_x"),
    "affine": ("use_batch_statistics",),
    "eps": ("epsilon",),
    "epsilon": ("eps",),
}


def advice_on(error):
    """A sentence on a TypeError that Python raised at the user's line, or None."""
    if not isinstance(error, TypeError) or is_own_sentence(error):
        return None
    text, line = str(error), _users_line(error)
    if found := _UNKNOWN.search(text):
        return _on_argument(found[1], [found[2]], line)
    if found := _MISSING.search(text):
        return _on_argument(found[1], _KEYWORD.findall(line), line)
    fact = _FACT.search(line) if _NOT_CALLABLE.search(text) else None
    return f"The {fact[1]} of a Tensor is an attribute: write '.{fact[1]}' without parentheses." if fact else None


def _users_line(error):
    """The text of the last line of the traceback, if it is a user's; otherwise ""."""
    frames = list(entries(error.__traceback__))
    code = frames[-1].tb_frame.f_code if frames else None
    if code is None or not is_users_file(code.co_filename):
        return ""
    return linecache.getline(code.co_filename, frames[-1].tb_lineno).strip()


def _on_argument(callee, given, line):
    """The sentence on the first unknown one of the keywords; None without one, or if the callee is a user's."""
    named = [(shown, names) for shown, names in _callables(callee) if re.search(rf"\b{shown}\(", line) or not line]
    shown, names = named[0] if named else ("", given)
    name = next((each for each in given if each not in names), None)
    if name is None:
        return None
    meant = [other for other in MEANT.get(name, ()) if other in names][:1] or closest(name, names)
    expected = f"the argument must be '{meant[0]}'" if meant else f"the arguments must be among {names}"
    return f"For '{shown}', {expected if names else 'there must be no argument'}, but got '{name}'."


def _callables(callee):
    """Public functions and classes that Python calls ``callee`` in its errors: pairs of a name and its arguments."""
    modules = [sys.modules[f"minispore.{room}"] for room in _ROOMS if f"minispore.{room}" in sys.modules]
    for module in modules:
        for name, value in list(vars(module).items()):
            function = value.__init__ if inspect.isclass(value) else value
            if getattr(function, "__qualname__", None) == callee and not name.startswith("_"):
                yield name, [each for each in inspect.signature(function).parameters if each != "self"]
    method = getattr(sys.modules["minispore"].Tensor, callee.rpartition(".")[2], None)
    if getattr(method, "__qualname__", None) == callee:
        yield method.__name__, list(inspect.signature(method).parameters)[1:]


def prepare(error):
    """Add the advice to an error as a note; fold the package's frames if the error is its own sentence."""
    advice = advice_on(error)
    if advice:
        error.add_note(advice)
    users = any(is_users_file(entry.tb_frame.f_code.co_filename) for entry in entries(error.__traceback__))
    if users and is_own_sentence(error):
        fold(error)


def told_after(result):
    """Print the advice on the error of a cell of IPython, which shows tracebacks by itself."""
    error = getattr(result, "error_in_exec", None)
    advice = advice_on(error) if error is not None else None
    if advice:
        print(advice, file=sys.stderr)
