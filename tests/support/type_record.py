"""An independent record of a run: each primitive call, where the user's code makes it, and in which type it computes.

It is a layer around what primitives compute. It reads the place from Python's own stack, and shares nothing with the
receipt.
"""

import ast
import dis
import functools
import itertools
import linecache
import os
import sys
from typing import NamedTuple

import numpy as np

import minispore
from minispore import nn
from minispore.core.layers import Layer
from minispore.core.primitive import Primitive
from minispore.nn.cell import Cell
from minispore.ops.casting import Cast

_PACKAGE = os.path.dirname(minispore.__file__) + os.sep
_DEPTH = 12  # lines of the user's code that lead to a call
_FLOATS = (np.float16, np.float32, np.float64)


class Call(NamedTuple):
    """One primitive call.

    ``places`` are the lines of the user's code that lead to it, as ``file:line``, the innermost first, ``owner`` the
    cell of the user's that runs it, ``called`` the leaf cell or the primitive that it calls, ``function`` the function
    of the package, where it calls one, ``method`` the method of a Tensor, ``primitive`` the primitive that computes,
    ``floats`` the types of its floating inputs in order, ``out`` the type of its first output.
    """

    places: tuple
    owner: object
    called: object
    function: str
    method: str
    primitive: Primitive
    floats: tuple
    out: np.dtype

    @property
    def dtypes(self):
        """The types of its floating inputs."""
        return frozenset(self.floats)

    @property
    def kind(self):
        """The class of what the user's code calls; None for a function or an operator."""
        return None if self.called is None else type(self.called)


class Record(Layer):
    """What primitives computed while it listened: a list of :class:`Call`, casts left out."""

    def __init__(self):
        self.calls, self.ran, self._inside = [], set(), False

    def around_cell(self, call, cell, args, kwargs):
        self.ran.add(cell)
        return call(cell, args, kwargs)

    def around_compute(self, call, primitive, args, arrays):
        outer, self._inside = self._inside, True
        try:
            found = call(primitive, args, arrays)
        finally:
            self._inside = outer
        if not outer and not isinstance(primitive, Cast):
            self._note(primitive, arrays, found[0] if isinstance(found, tuple) else found)
        return found

    def _note(self, primitive, arrays, out):
        floats = tuple(a.dtype.name for a in arrays if getattr(a, "dtype", None) in _FLOATS)
        self.calls.append(Call(*_origin(primitive), primitive, floats, getattr(out, "dtype", None)))

    def of(self, function, *args):
        """The calls while a function runs."""
        self.calls.clear()
        self.ran.clear()
        function(*args)
        return list(self.calls)

    def seen_by(self, name):
        """The types of a primitive's first floating inputs, in all calls."""
        return {call.floats[0] for call in self.calls if call.primitive.name == name}


def _origin(primitive):
    """The place, the owner, what is called and by which function or method, read from the stack."""
    frame, inner = sys._getframe(3), []
    while frame is not None and not _is_users(frame):
        inner.insert(0, frame)
        frame = frame.f_back
    if frame is None:
        return (), None, primitive, "", ""
    places = tuple(itertools.islice(_places(frame), _DEPTH))
    cells = [f.f_locals["self"] for f in inner if f.f_code is _RUN or f.f_code.co_name == "construct"]
    leaves = [cell for cell in cells if type(cell) not in (nn.SequentialCell, nn.CellList)]
    function = inner[0].f_code.co_name if _is_functional(inner[0]) and _is_call(frame) else ""
    method = function if function and _is_method(frame, function) else ""
    function = "" if method else function
    while frame is not None and frame.f_code is not _RUN:
        frame = frame.f_back
    owner = None if frame is None else frame.f_locals["self"]
    if leaves:
        return places, owner, leaves[0], "", ""
    return places, owner, None if function or not _called_directly(inner) else primitive, function, method


_RUN = Cell._run.__code__


def _places(frame):
    while frame is not None:
        if _is_users(frame):
            yield f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back


def _is_functional(frame):
    return frame.f_globals["__name__"].startswith("minispore.ops.functional")


def _is_call(frame):
    """Whether a frame calls something, rather than writes an operator."""
    code, index = frame.f_code.co_code, frame.f_lasti
    while dis.opname[code[index]] == "CACHE":
        index -= 2
    return "CALL" in dis.opname[code[index]]


def _is_method(frame, name):
    """Whether a frame's line calls a function of that name as a method of a Tensor alone."""
    calls = [n.func for n in _calls_in(frame.f_code.co_filename).get(frame.f_lineno, ()) if _attribute(n) == name]
    return bool(calls) and all(_is_tensor(frame, each.value) for each in calls)


@functools.cache
def _calls_in(file):
    found = {}
    for node in ast.walk(ast.parse("".join(linecache.getlines(file)))):
        if isinstance(node, ast.Call):
            found.setdefault(node.lineno, []).append(node)
    return found


def _attribute(call):
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_tensor(frame, expression):
    """Whether an expression in a frame is a Tensor: what is neither a name nor an attribute is taken for one."""
    path = []
    while isinstance(expression, ast.Attribute):
        path.insert(0, expression.attr)
        expression = expression.value
    if not isinstance(expression, ast.Name):
        return not path
    value = frame.f_locals.get(expression.id, frame.f_globals.get(expression.id))
    for name in path:
        value = getattr(value, name, None)
    return isinstance(value, minispore.Tensor)


def _called_directly(frames):
    """Whether user code calls the primitive itself: nothing of the package stands between."""
    names = [f.f_code.co_name for f in frames]
    return all(name in ("__call__", "_watched", "inner") for name in names)


def _is_users(frame):
    path = frame.f_code.co_filename
    made = frame.f_globals.get("__name__", "").startswith("minispore.")
    return not path.startswith((_PACKAGE, "<frozen")) and not made and path != __file__ and "functools" not in path
