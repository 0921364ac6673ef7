"""A pytest plugin that records each distinct use that minispore makes of an array module, with its smallest example.

    python -m pytest -p cpucuda.recording -k strict --record-uses uses.json.gz tests/ops tests/nn

A file that is there is added to, so that a long run may be cut into several; to record anew, remove it before. The
tests run on the strict stand-in for CuPy, whose functions, methods and attributes are wrapped; with ``--record-all``
those that take no device run on it too. Calls that raise are not recorded, nor what is not played.
"""

import functools
import sys
from pathlib import Path

import numpy as np
import pytest
from support import strict_cupy as stand_in

from cpucuda import replay, uses
from minispore.core import backend

PACKAGE = str(Path(backend.__file__).parents[1])
LARGEST = 200  # elements of an example's arrays, all together
_NOT_RECORDED = {
    "__init__",
    "__new__",
    "__array_ufunc__",
    "__hash__",
    "__doc__",
    "__module__",
    "__dict__",
    "__weakref__",
}
# Their first argument is kept as it was before
IN_PLACE = {"__setitem__", "fill", "sort", "copyto"}
IN_PLACE |= {f"__i{name}__" for name in ("add", "sub", "mul", "truediv", "and", "or", "xor")}
_found = {}  # key -> (size, Use)
_state = {"busy": False}


def pytest_addoption(parser):
    parser.addoption("--record-uses", default="uses.json.gz", help="the file that the uses are written to")
    parser.addoption("--record-all", action="store_true", help="run tests without a device on the stand-in too")


def pytest_configure(config):
    if Path(config.getoption("record_uses")).exists():
        found = uses.load(config.getoption("record_uses"))
        _found.update({use.key: (size([use.args, list(use.kwargs.values())]), use) for use in found})
    _wrap_array()
    _wrap_module()


def pytest_sessionfinish(session):
    uses.save(session.config.getoption("record_uses"), [use for _, use in _found.values()])


@pytest.fixture(autouse=True)
def everything_on_the_stand_in(request):
    """Have a test that takes no device compute with the stand-in."""
    if "device" in request.fixturenames or not request.config.getoption("record_all"):
        yield
        return
    before = backend.use(stand_in.strict_cupy)
    yield
    backend.use(before)


# What an argument is


def layout(host):
    """c: in C order; 0: an element stands for many; s: other strides."""
    if host.flags.c_contiguous or not host.size:
        return "c"
    return "0" if 0 in host.strides and host.size > 1 else "s"


def kind_of(value):
    """The kind of an argument: what a difference between NumPy and CuPy may depend on."""
    if isinstance(value, uses.Array):
        host = value.host
        return f"{host.dtype.name}[{host.ndim}{layout(host)}{'' if host.size else ' empty'}]"
    if isinstance(value, np.ndarray):
        return f"host {value.dtype.name}[{value.ndim}]"
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}"
    if isinstance(value, tuple | list):
        kinds = list(map(kind_of, value))
        shown = kinds if len(set(kinds)) > 1 and len(kinds) < 5 else [*sorted(set(kinds)), "..."]
        return ("({})" if isinstance(value, tuple) else "[{}]").format(",".join(shown))
    if isinstance(value, slice):
        return ":" if value == slice(None) else ":part" if value.step in (None, 1) else ":step"
    if value is None or value is Ellipsis or isinstance(value, bool | str):
        return repr(value)
    if isinstance(value, np.dtype | type):
        return f"dtype {np.dtype(value).name}"
    return type(value).__name__


def kept(value):
    """An argument with its arrays as examples."""
    if isinstance(value, stand_in.StrictArray):
        array = uses.Array(value._host)
        array.host = value._host
        return array
    if isinstance(value, tuple | list):
        return type(value)(map(kept, value)) if type(value) in (tuple, list) else tuple(map(kept, value))
    return value.copy() if isinstance(value, np.ndarray) else value


def size(value):
    if isinstance(value, uses.Array):
        return value.values.size
    if isinstance(value, tuple | list):
        return sum(map(size, value))
    return value.size if isinstance(value, np.ndarray) else 1


# Recording


def is_minispores(frame):
    """Whether a line of minispore led here."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False


def record(kind, name, args, kwargs):
    """Keep a use if it is new or smaller than the one that was kept."""
    args, kwargs = [kept(a) for a in args], {k: kept(v) for k, v in kwargs.items()}
    total = size(args) + size(list(kwargs.values()))
    if total > LARGEST:
        return
    named = tuple(sorted((k, kind_of(v)) for k, v in kwargs.items()))
    use = uses.Use(kind, name, tuple(map(kind_of, args)), named, args, kwargs)
    if use.key not in _found or total < _found[use.key][0]:
        try:
            uses.encoded([args, list(kwargs.values())])
        except TypeError:
            return
        _found[use.key] = (total, use)


def wrapped(kind, name, function):
    """``function``, recorded where minispore calls it and it answers."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if _state["busy"] or not is_minispores(sys._getframe(1)):
            return function(*args, **kwargs)
        _state["busy"] = True
        try:
            before = [kept(a) for a in args] if name in IN_PLACE else args
            result = function(*args, **kwargs)
            record(kind, name, before, kwargs)
        finally:
            _state["busy"] = False
        return result

    return call


def _wrap_array():
    for name, value in list(vars(stand_in.StrictArray).items()):
        if name in _NOT_RECORDED | replay.NOT_PLAYED:
            continue
        if isinstance(value, property):
            read = wrapped("attribute", name, value.fget)
            setattr(stand_in.StrictArray, name, property(read, value.fset))
        elif callable(value):
            setattr(stand_in.StrictArray, name, wrapped("method", name, value))


def _wrap_module():
    """Have each function of the module and its namespaces be given out wrapped."""
    module = type(stand_in.strict_cupy)
    space = module.__mro__[1]
    given = {owner: owner.__getattr__ for owner in (module, space)}

    def of(owner):
        def getattr_(self, name):
            found = given[owner](self, name)
            prefix = self.__dict__.get("_name", "cupy").partition(".")[2]
            full = f"{prefix}.{name}" if prefix else name
            is_function = callable(found) and not isinstance(found, type)
            return wrapped("function", full, found) if is_function else found

        return getattr_

    for owner in given:
        if "__getattr__" in vars(owner):
            owner.__getattr__ = of(owner)
    for name in ("array", "asarray", "ascontiguousarray", "asnumpy"):
        setattr(module, name, _wrapped_method(name, getattr(module, name)))


def _wrapped_method(name, method):
    def call(self, *args, **kwargs):
        return wrapped("function", name, functools.partial(method, self))(*args, **kwargs)

    return call
