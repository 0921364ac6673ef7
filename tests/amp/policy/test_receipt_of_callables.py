"""A receipt never raises, whatever a network calls: what cannot be read is a row that says so."""

import functools
import itertools
import math
import operator
import types
from unittest import mock

import numpy as np
import pytest

from minispore import Tensor, amp, nn, ops

pytestmark = pytest.mark.usefixtures("restored")
LEVELS = ("O1", "O3")
other = nn.Dense(4, 4)


def plus(x, y=0.0):
    return x + y


class Doubles:
    """An object that is called."""

    def __call__(self, x):
        return x * 2

    def method(self, x):
        return x * 3

    @classmethod
    def of_class(cls, x):
        return x * 4

    @staticmethod
    def static(x):
        return x * 5

    part = functools.partialmethod(method)


class Hostile(Doubles):
    """An object that answers questions about itself with errors."""

    def __getattr__(self, name):
        raise RuntimeError(f"no {name} here")

    def __eq__(self, other):
        raise RuntimeError("not to be compared")

    def __bool__(self):
        raise RuntimeError("neither true nor false")

    __hash__ = None


class Wrapped(Doubles):
    """An object whose ``__wrapped__`` raises, and whose class and name are none."""

    @property
    def __wrapped__(self):
        raise KeyError("nothing inside")

    @property
    def __name__(self):
        raise KeyError("no name")


class Meta(type):
    def __eq__(cls, other):
        raise RuntimeError("classes are not to be compared")

    __hash__ = type.__hash__


class OfMeta(Doubles, metaclass=Meta):
    """An object of a class that cannot be compared."""


def around(cell):
    @functools.wraps(cell)
    def inner(*args):
        return cell(*args)

    return inner


def circular(x):
    return x * 7


circular.__wrapped__ = circular


def from_text():
    space = {}
    exec("def made(x):\n    return x * 8\n", space)
    return space["made"]


def other_code(x):
    return x


other_code.__code__ = (lambda y: y * 9).__code__


CALLABLES = {
    "a cell": lambda: nn.Dense(4, 4),
    "wraps of a cell": lambda: around(nn.Dense(4, 4)),
    "wraps of a wraps of a cell": lambda: around(around(nn.Dense(4, 4))),
    "wraps of a primitive": lambda: around(ops.ReLU()),
    "wraps of a partial": lambda: around(functools.partial(plus, y=1.0)),
    "wraps of a class": lambda: around(Tensor),
    "wraps of a C function": lambda: functools.wraps(len)(lambda x: x * 2),
    "wraps of a callable object": lambda: around(Doubles()),
    "wraps of itself": lambda: circular,
    "partial of a cell": lambda: functools.partial(nn.Dense(4, 4)),
    "partial of a function": lambda: functools.partial(plus, y=1.0),
    "partial of a partial": lambda: functools.partial(functools.partial(plus), y=2.0),
    "C function": lambda: operator.neg,
    "method of a Tensor": lambda: Tensor(np.ones((4,), np.float32)).__add__,
    "methodcaller": lambda: operator.methodcaller("abs"),
    "itemgetter": lambda: operator.itemgetter(slice(None)),
    "ufunc": lambda: lambda x: x * float(np.add(1.0, 1.0)),
    "class": lambda: ops.ReLU,
    "primitive": lambda: ops.ReLU(),
    "function of ops": lambda: ops.relu,
    "lambda": lambda: lambda x: ops.relu(x) + 1,
    "two lambdas": lambda: (lambda x: x + 1, lambda x: x + 2)[1],
    "callable object": Doubles,
    "bound method": lambda: Doubles().method,
    "class method": lambda: Doubles.of_class,
    "static method": lambda: Doubles.static,
    "partialmethod": lambda: Doubles().part,
    "lru_cache": lambda: functools.lru_cache(plus),
    "singledispatch": lambda: functools.singledispatch(plus),
    "hostile object": Hostile,
    "object without a name": Wrapped,
    "class that cannot be compared": OfMeta,
    "function from text": from_text,
    "function of other code": lambda: other_code,
    "mock": lambda: mock.Mock(side_effect=plus),
    "magic mock": lambda: mock.MagicMock(side_effect=plus),
    "method of a cell": lambda: nn.Dense(4, 4).construct,
    "method of another network": lambda: nn.SequentialCell(nn.Dense(4, 4)).construct,
    "method type": lambda: types.MethodType(lambda self, x: x + self, 1.0),
    "property that raises": lambda: plus,
    "math": lambda: lambda x: x * math.sqrt(4.0),
    "module": lambda: plus,
}


def of_attribute(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.h, self.end = nn.Dense(4, 4), called, nn.Dense(4, 4)

        @property
        def broken(self):
            raise RuntimeError("planted")

        def construct(self, x):
            y = self.h(self.fc(x))
            return self.end(y[0] if isinstance(y, tuple) else y)

    return Net()


def of_closure(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end = nn.Dense(4, 4), nn.Dense(4, 4)

        def construct(self, x):
            return self.end(called(self.fc(x)))

    return Net()


def of_list(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end, self.steps = nn.Dense(4, 4), nn.Dense(4, 4), [called]

        def construct(self, x):
            x = self.fc(x)
            for step in self.steps:
                x = step(x)
            return self.end(x)

    return Net()


def of_dict(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end, self.table = nn.Dense(4, 4), nn.Dense(4, 4), {"h": called, 3: called}

        def construct(self, x):
            return self.end(self.table["h"](self.fc(x)))

    return Net()


def of_default(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end = nn.Dense(4, 4), nn.Dense(4, 4)

        def construct(self, x, h=called):
            return self.end(h(self.fc(x)))

    return Net()


def of_handed(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end = nn.Dense(4, 4), nn.Dense(4, 4)

        def construct(self, x):
            (y,) = map(called, [self.fc(x)])
            return self.end(y)

    return Net()


def of_object(called):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.end = nn.Dense(4, 4), nn.Dense(4, 4)
            self.held = types.SimpleNamespace(h=called, more=[called])

        def construct(self, x):
            return self.end(self.held.h(self.fc(x)))

    return Net()


PLACES = [of_attribute, of_closure, of_list, of_dict, of_default, of_handed, of_object]
X = Tensor(np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32))


def rows_of(receipt):
    return {entry.path: entry for entry in receipt.entries}


@pytest.mark.parametrize("kind", CALLABLES)
def test_a_network_that_calls_anything_is_converted_and_has_its_rows(kind):
    extra = ("O0", "O2", "auto") if kind in ("wraps of a cell", "hostile object") else ()
    for place, level in itertools.product(PLACES, (*LEVELS, *extra)):
        net = place(CALLABLES[kind]())
        for p in net.get_parameters():
            p.set_data(Tensor(np.round(p.asnumpy() * 4) / 4))
        try:
            expected = net(X)
        except Exception:  # the network itself does not run
            expected = None
        receipt = amp.explain(net, level)
        assert str(receipt)
        converted = amp.auto_mixed_precision(net, level)
        report = receipt if level == "O0" else converted.amp_report
        assert str(report) and report.diff() is not None
        rows = rows_of(report)
        assert {"fc", "end"} <= set(rows), (kind, place.__name__, level)
        for path in ("fc", "end"):
            assert rows[path].dtype == ("float32" if level == "O0" else "float16"), rows[path]
        if expected is not None and level in ("O0", "O1"):  # the others do not reach cells beyond the network
            found = converted(X).asnumpy()
            np.testing.assert_allclose(found, expected.asnumpy(), rtol=0.05, atol=0.1)


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
@pytest.mark.parametrize("part", ["call_sites._paths", "call_sites._leaves", "call_sites.SiteFinder", "a name"])
def test_whatever_fails_in_a_report_is_a_row_and_the_conversion_is_made(part, level, monkeypatch):
    def fails(*args, **kwargs):
        raise LookupError("planted")

    net = of_attribute(Doubles())
    if part != "a name":
        monkeypatch.setattr(f"minispore.rewrite.{part}", fails)
    else:
        monkeypatch.setattr("minispore.rewrite.call_site_visitor.SiteFinder._called", fails)
    receipt = amp.explain(net, level)
    assert "it cannot be read: LookupError: planted" in str(receipt)
    converted = amp.auto_mixed_precision(net, level)
    if level in ("O1", "O2", "O3"):
        assert "it cannot be read: LookupError: planted" in str(converted.amp_report)
        assert converted(X).dtype == Tensor(1.0).dtype
        assert {cell._compute_dtype for cell in (converted.fc, converted.end)} == {np.dtype("float16")}


def test_a_receipt_is_printed_where_the_working_folder_is_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    receipt = amp.explain(of_attribute(Doubles()), "O2")
    tmp_path.rmdir()
    assert __file__ in str(receipt)


def test_the_cell_behind_a_wrapper_has_a_row_or_its_call_is_unknown():
    cell = nn.Dense(4, 4)
    for place in PLACES:
        entries = amp.explain(place(around(cell)), "O1").entries
        dense = [entry for entry in entries if entry.kind == "Dense"]
        assert len(dense) >= 3 or any(entry.kind == "unknown" for entry in entries), place.__name__
