"""Collections, arrays and what lies outside Python x ways to read x ways to change: no replay is out of date.

Eager mode is the judge. What no guard sees, such as a file, is a reason to run eagerly.
"""

import array
import collections
import datetime
import decimal
import functools
import io
import logging
import os
import pathlib
import sys
import threading
import types
import weakref
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.stale import PLACES, check, outcome

import minispore as ms
from minispore import Parameter, Tensor, ops

pytestmark = pytest.mark.usefixtures("restored")


class _Referred:
    k = 2.0


# Collections, arrays and what else holds values: what is held, ways to read it, ways to change it


def _record():
    return np.array([(2.0, 5.0)], dtype=[("k", "f8"), ("j", "f8")])


def _chain():
    return collections.ChainMap({}, {"k": 2.0})


def _cached():
    held = [2.0]
    function = functools.lru_cache(lambda: held[0])
    function.held = held
    return function


def _dispatching():
    function = functools.singledispatch(lambda v: 2.0)
    function.j = 1
    return function


def _of_users(function):
    return np.frompyfunc(lambda v: v * function.k, 1, 1)


def _ufunc():
    holder = types.SimpleNamespace(k=2.0)
    return [_of_users(holder), holder]


def _renamed(o):
    o.dtype.names = ("j", "k")


FIRST = [lambda o: o[0], lambda o: next(iter(o)), lambda o: max(o), lambda o: float(sum(o)), lambda o: float(len(o))]
KEYED = [
    lambda o: o["k"],
    lambda o: o.get("k", 2.0),
    lambda o: dict(o)["k"],
    lambda o: float(len(o)),
    lambda o: next(iter(o.values())),
]
KEYED += [
    lambda o: {**o}["k"],
    lambda o: next(v for _, v in o.items()),
    lambda o: 2.0 if "k" in o else 3.0,
    lambda o: _match_key(o),
]
PUT = [
    lambda o: o.__setitem__(0, 3.0),
    lambda o: o.append(3.0),
    lambda o: o.insert(0, 3.0),
    lambda o: o.pop(),
    lambda o: o.reverse(),
]
PUT += [
    lambda o: o.clear(),
    lambda o: o.extend([3.0]),
    lambda o: o.rotate(1),
    lambda o: o.add(3.0),
    lambda o: o.__setitem__(0, 3),
]
UPDATE = [
    lambda o: o.update(k=3.0),
    lambda o: o.pop("k"),
    lambda o: o.clear(),
    lambda o: o.update(j=3.0),
    lambda o: o.move_to_end("k"),
]
UPDATE += [
    lambda o: o.setdefault("j", 1.0),
    lambda o: o.__delitem__("k"),
    lambda o: o.maps.insert(0, {"k": 3.0}),
    lambda o: o.maps[1].update(k=3.0),
]
ARRAY = [
    lambda o: float(o[0]),
    lambda o: float(o.sum()),
    lambda o: float(o.shape[0]),
    lambda o: float(o.strides[0]),
    lambda o: float(o.ndim),
]
ARRAY += [
    lambda o: float(o.dtype.itemsize),
    lambda o: float(o.ravel()[0]),
    lambda o: float(Tensor(o).sum()),
    lambda o: float(o["k"][0]),
]
ARRAY += [
    lambda o: float(o[0]["k"]),
    lambda o: float(o.k[0]),
    lambda o: float(np.ma.count(o)),
    lambda o: float(np.ravel(o)[-1]),
]
WRITE = [
    lambda o: o.__setitem__(0, 3.0),
    lambda o: o.fill(3.0),
    lambda o: setattr(o, "shape", (2, 1)),
    lambda o: o.sort(),
    lambda o: o.__setitem__("k", 3.0),
]
WRITE += [
    lambda o: setattr(o, "dtype", np.int64),
    lambda o: o.resize(3, refcheck=False),
    lambda o: o.byteswap(inplace=True),
    lambda o: o.put([0], [3.0]),
]
WRITE += [_renamed, lambda o: setattr(o, "mask", [True, False]), lambda o: setattr(o, "strides", (0,))]


def _match_key(o):
    match o:
        case {"k": v}:
            return v
    return 5.0


WITHIN = [
    lambda o: o[0][0],
    lambda o: float(o[0].k),
    lambda o: o(),
    lambda o: o(1),
    lambda o: o.keywords["k"],
    lambda o: float(o[0](1.0)),
    lambda o: o.k,
]
WITHIN += [
    lambda o: ("abc"[o] == "a" and 2.0) or 3.0,
    lambda o: float(o.item()[0]),
    lambda o: float(o["k"]),
    lambda o: next(o),
    lambda o: o["none"],
    lambda o: o().k,
]
DEEP = [
    lambda o: o[0].__setitem__(0, 3.0),
    lambda o: setattr(o[0], "k", 3.0),
    lambda o: setattr(o[1], "k", 3.0),
    lambda o: o.held.__setitem__(0, 3.0),
]
DEEP += [
    lambda o: o.keywords.update(k=3.0),
    lambda o: o.cache_clear(),
    lambda o: o.register(int, lambda v: 3.0),
    lambda o: setattr(o, "default_factory", lambda: 3.0),
]
DEEP += [
    lambda o: o.__setitem__("k", 3.0),
    lambda o: setattr(o, "k", 3.0),
    lambda o: setattr(o, "return_value", 3.0),
    lambda o: o.pop("none"),
]
FORM = [
    lambda o: float(o.shape[0]),
    lambda o: float(len(o)),
    lambda o: float(o.size + o.ndim),
    lambda o: float(o.itemsize),
    lambda o: 2.0 if o.dtype == ms.float32 else 3.0,
    lambda o: float(ops.shape(o)[0]),
    lambda o: float(sum(1 for _ in o)),
    lambda o: float(ops.zeros_like(o).shape[0]),
    lambda o: ops.ones(4).expand_as(ops.ones((len(o), 4))).sum(),
    lambda o: float(len(str(o))),
]
RESHAPE = [
    lambda o: o.set_data(ops.ones(5), slice_shape=True),
    lambda o: o.set_dtype(ms.float16),
    lambda o: setattr(o, "name", "longer"),
    lambda o: setattr(o, "array", np.ones(3, np.float32)),
    lambda o: o.__setitem__(0, 3.0),
    lambda o: setattr(o, "requires_grad", False),
]
Row = collections.namedtuple("Row", "k j")
HELD = {
    "a list": (lambda: [2.0, 1.0], FIRST, PUT),
    "a deque": (lambda: collections.deque([2.0, 1.0]), FIRST, PUT),
    "a set": (lambda: {2.0}, FIRST, PUT),
    "a UserList": (lambda: collections.UserList([2.0, 1.0]), FIRST, PUT),
    "an array.array": (lambda: array.array("d", [2.0, 1.0]), FIRST, PUT),
    "a bytearray": (lambda: bytearray([2, 1]), FIRST, PUT),
    "a memoryview": (
        lambda: memoryview(bytearray([2, 1])),
        FIRST,
        [*PUT, lambda o: o.release(), lambda o: o.obj.reverse()],
    ),
    "a dict": (lambda: {"k": 2.0}, KEYED, UPDATE),
    "an OrderedDict": (lambda: collections.OrderedDict(k=2.0, j=1.0), KEYED, UPDATE),
    "a defaultdict": (lambda: collections.defaultdict(float, k=2.0), KEYED, UPDATE),
    "a Counter": (lambda: collections.Counter(k=2), KEYED, UPDATE),
    "a UserDict": (lambda: collections.UserDict(k=2.0), KEYED, UPDATE),
    "a ChainMap": (_chain, KEYED, UPDATE),
    "the values of a dict": (lambda: {"k": 2.0}.values(), FIRST, [lambda o: o.mapping.clear()]),
    "an array": (lambda: np.array([2.0, 1.0]), ARRAY, WRITE),
    "an array of objects": (lambda: np.array([2.0, 1.0], dtype=object), ARRAY, WRITE),
    "a part of an array": (lambda: np.arange(4.0)[2:0:-1], ARRAY, [*WRITE, lambda o: o.base.__setitem__(2, 3.0)]),
    "a masked array": (lambda: np.ma.array([2.0, 1.0]), ARRAY, WRITE),
    "a structured array": (_record, ARRAY, WRITE),
    "a recarray": (lambda: _record().view(np.recarray), ARRAY, WRITE),
    "a matrix": (lambda: np.ma.array(np.ones((2, 2)) * 2), ARRAY, WRITE),
    "a record": (lambda: _record()[0], WITHIN, [*DEEP, lambda o: o.__setitem__(0, 3.0)]),
    "a structured dtype": (
        lambda: _record().dtype,
        [lambda o: float(len(o.names[0])), lambda o: 2.0 if o.names[0] == "k" else 3.0],
        [lambda o: setattr(o, "names", ("j", "k"))],
    ),
    "an object in an array": (lambda: np.array([types.SimpleNamespace(k=2.0)]), WITHIN, DEEP),
    "a list in a tuple": (lambda: ([2.0],), WITHIN, DEEP),
    "an object in a row": (lambda: Row(types.SimpleNamespace(k=2.0), 1.0), WITHIN, DEEP),
    "a partial": (lambda: functools.partial(lambda *, k: k, k=2.0), WITHIN, DEEP),
    "a cached function": (_cached, WITHIN, DEEP),
    "a dispatching function": (_dispatching, WITHIN, DEEP),
    "a ufunc": (_ufunc, WITHIN, DEEP),
    "a mock": (lambda: mock.Mock(return_value=2.0, k=2.0), WITHIN, DEEP),
    "a dict with a default": (
        lambda: collections.defaultdict(lambda: 2.0),
        [lambda o: (o["none"], o.pop("none"))[0], *WITHIN],
        DEEP,
    ),
    "a Parameter's form": (lambda: Parameter(np.ones(2, np.float32), name="p"), FORM, RESHAPE),
    "a Tensor's form": (lambda: Tensor(np.ones(2, np.float32)), FORM, RESHAPE),
    "a slice": (
        lambda: [slice(types.SimpleNamespace(k=2.0))],
        [lambda o: o[0].stop.k],
        [lambda o: setattr(o[0].stop, "k", 3.0)],
    ),
    "a weak reference": (lambda: weakref.ref(_Referred), WITHIN, [lambda o: setattr(_Referred, "k", 3.0)]),
}


@pytest.mark.parametrize("kind", HELD)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # NumPy's, of changes in place
@given(data=st.data())
def test_contents_are_changed(kind, data):
    make, reads, changes = HELD[kind]
    read, place = data.draw(st.sampled_from(reads)), data.draw(st.sampled_from([*PLACES]))
    o = make()
    drawn = data.draw(st.lists(st.sampled_from(changes), min_size=1, max_size=3))
    check(PLACES[place](read, o), [functools.partial(change, o) for change in drawn])


# What no guard sees: files, the environment, clocks, settings


def _in_text(folder):
    path = folder / "text"
    path.write_text("2")
    return path, lambda: path.write_text("333")


def _in_array(folder):
    path = folder / "array.npy"
    np.save(path, np.full(1, 2.0))
    return path, lambda: np.save(path, np.full(1, 3.0))


def _in_checkpoint(folder):
    path = folder / "one.ckpt"

    def save(value):
        ms.save_checkpoint([{"name": "k", "data": Tensor([value])}], str(path))

    save(2.0)
    return path, lambda: save(3.0)


def _in_environment(folder):
    os.environ["STALE"] = "2"
    return "STALE", lambda: os.environ.update(STALE="3")


def _in_interpreter(folder):
    return None, lambda: (sys.setrecursionlimit(sys.getrecursionlimit() + 1), np.seterr(over="raise"))


def _in_decimals(folder):
    return decimal.Decimal(2), lambda: setattr(decimal.getcontext(), "prec", 3)


def _in_thread(folder):
    lock = threading.Lock()
    return lock, lambda: (lock.acquire(), setattr(threading.current_thread(), "name", "other"))


def _in_logging(folder):
    logger = logging.getLogger("stale.one")
    logger.setLevel(logging.INFO)
    return logger, lambda: (logger.setLevel(logging.ERROR), logging.getLogger("stale").setLevel(logging.ERROR))


NOW, ENV, READ_TEXT = datetime.datetime.now, os.getenv, pathlib.Path.read_text
OUTSIDE = {
    "Path.read_text": (_in_text, lambda o: float(o.read_text())),
    "Path(...).read_text": (_in_text, lambda o: float(pathlib.Path(str(o)).read_text())),
    "read_text under another name": (_in_text, lambda o: float(READ_TEXT(o))),
    "open": (_in_text, lambda o: float(open(o).read())),  # noqa: SIM115 - short
    "io.open": (_in_text, lambda o: float(io.open(o).read())),  # noqa: SIM115, UP020 - short, another name
    "Path.stat": (_in_text, lambda o: float(o.stat().st_size)),
    "os.path.getsize": (_in_text, lambda o: float(os.path.getsize(o))),
    "os.stat": (_in_text, lambda o: float(os.stat(o).st_size)),
    "np.load": (_in_array, lambda o: float(np.load(o)[0])),
    "np.fromfile": (_in_array, lambda o: float(np.fromfile(o)[-1])),
    "np.memmap": (_in_array, lambda o: float(np.memmap(o, np.float64, "r")[-1])),
    "np.genfromtxt": (_in_text, lambda o: float(np.genfromtxt(o))),
    "np.loadtxt": (_in_text, lambda o: float(np.loadtxt(o))),
    "load_checkpoint": (_in_checkpoint, lambda o: float(ms.load_checkpoint(str(o))["k"][0])),
    "os.getenv": (_in_environment, lambda o: float(os.getenv(o))),
    "os.getenv under another name": (_in_environment, lambda o: float(ENV(o))),
    "os.environ": (_in_environment, lambda o: float(os.environ[o])),
    "os.environ.get": (_in_environment, lambda o: float(os.environ.get(o))),
    "getrecursionlimit": (_in_interpreter, lambda o: float(sys.getrecursionlimit())),
    "np.geterr": (_in_interpreter, lambda o: 3.0 if np.geterr()["over"] == "raise" else 2.0),
    "decimals": (_in_decimals, lambda o: float(o / 3)),
    "a precision": (_in_decimals, lambda o: float(decimal.getcontext().prec)),
    "a lock": (_in_thread, lambda o: float(o.locked())),
    "a lock that is tried": (_in_thread, lambda o: 2.0 if o.acquire(blocking=False) and not o.release() else 3.0),
    "a thread's name": (_in_thread, lambda o: float(len(threading.current_thread().name))),
    "a clock": (_in_interpreter, lambda o: float(NOW().microsecond * 0 + sys.getrecursionlimit())),
    "a logger's level": (_in_logging, lambda o: float(o.level)),
    "a logger that is asked": (_in_logging, lambda o: float(o.isEnabledFor(logging.INFO))),
    "the level that counts": (_in_logging, lambda o: float(o.getEffectiveLevel())),
    "a logger by name": (_in_logging, lambda o: float(logging.getLogger("stale.one").level)),
}


@pytest.fixture
def settings_restored(monkeypatch):
    """The interpreter's settings as they were, when the test is over."""
    monkeypatch.setenv("STALE", "2")
    limit, errors, precision = sys.getrecursionlimit(), np.geterr(), decimal.getcontext().prec
    name = threading.current_thread().name
    yield
    sys.setrecursionlimit(limit)
    np.seterr(**errors)
    decimal.getcontext().prec = precision
    threading.current_thread().name = name
    for logger in ("stale", "stale.one"):
        logging.getLogger(logger).setLevel(logging.NOTSET)


@pytest.mark.usefixtures("settings_restored")
@pytest.mark.parametrize("way", OUTSIDE)
@pytest.mark.parametrize("place", ["a closure", "a cell", "an attribute", "a partial"])
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_lies_outside_is_changed(way, place, tmp_path):
    build, read = OUTSIDE[way]
    o, change = build(tmp_path)
    function = PLACES[place](read, o)
    assert not isinstance(outcome(function), type)
    check(function, [change, lambda: None])
