"""Ways to hold attributes x to read them x to change them: a replay gives what the function gives as it stands.

Eager mode is the judge. Each case is a function that has been replayed, or refused, before the change.
"""

import abc
import argparse
import copy
import dataclasses
import functools
import inspect
import itertools
import logging
import operator
import threading
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.stale import PLACES, check

import minispore as ms
from minispore import Parameter, Tensor, nn, ops

pytestmark = pytest.mark.usefixtures("restored")


# Kinds of holders: each gives a new object of a new class, whose attribute k is 2 and whose class says 4


def _methods():
    """The ways in which a class's own code may read its objects, as a base class made anew."""

    class Base:
        """2."""

        k = 4.0

        def read(self):
            return self.k

        @property
        def prop(self):
            return self.k

        @classmethod
        def of_class(cls):
            return cls.k

        def __call__(self):
            return self.k

        def __getitem__(self, i):
            return self.k

        def __len__(self):
            return int(self.k)

        def __float__(self):
            return float(self.k)

        def __format__(self, spec):
            return str(self.k)

        def __contains__(self, x):
            return self.k == 2.0

    return Base


def _give(o):
    o.k, o.j = 2.0, 9.0
    return o


def _plain():
    class Kind(_methods()):
        __match_args__ = ("k", "j")

        def read(self):
            return super().read()

    return _give(Kind())


def _slots():
    class Kind:
        __slots__ = ("j", "k")
        __match_args__ = ("k", "j")

        def read(self):
            return self.k

    return _give(Kind())


def _private_slots():
    class Kind:
        __slots__ = ("__k",)

        def __init__(self):
            self.__k = 2.0

        def read(self):
            return self.__k

    return Kind()


def _private():
    class Kind:
        def __init__(self):
            self.__k = 2.0

        def read(self):
            return self.__k

    return Kind()


def _data():
    @dataclasses.dataclass
    class Kind:
        k: float = 2.0
        j: float = 9.0

    return Kind()


def _slotted_data():
    @dataclasses.dataclass(slots=True)
    class Kind:
        k: float = 2.0
        j: float = 9.0

    return Kind()


def _answering():
    class Kind:
        def __getattr__(self, name):
            if name == "k":
                return self.__dict__["_held"]
            raise AttributeError(name)

    o = Kind()
    o._held = 2.0
    return o


def _asked_for_everything():
    class Kind:
        def __getattribute__(self, name):
            return object.__getattribute__(self, name)

    return _give(Kind())


def _in_metaclass():
    class Meta(type):
        k = 2.0

        def read(cls):
            return cls.k

    class Kind(metaclass=Meta):
        pass

    return Kind


def _abstract():
    class Kind(abc.ABC):  # noqa: B024 - it is to be told of subclasses
        k = 2.0

    return _give(Kind())


def _module():
    return _give(types.ModuleType("options"))


def _answering_module():
    module = types.ModuleType("options")
    module._held = {"k": 2.0}
    module.__getattr__ = lambda name: module._held[name]
    return module


def _of(base, *args):
    def make():
        class Kind(base):
            __match_args__ = ("k", "j")

            def read(self):
                return self.k

        return _give(Kind(*args))

    return make


def _parameter():
    return _give(Parameter([1.0], name="p"))


def _function():
    return _give(types.FunctionType((lambda: 2.0).__code__, {}))


def _users_primitive():
    class Twice(ops.Primitive):
        def __init__(self):
            super().__init__("Twice")

        def infer(self, x):
            return x

        def compute(self, xp, x):
            return x * 2

    return _give(Twice())


HOLDERS = {
    "an object": _plain,
    "slots": _slots,
    "private slots": _private_slots,
    "a private attribute": _private,
    "a dataclass": _data,
    "a dataclass with slots": _slotted_data,
    "__getattr__": _answering,
    "__getattribute__": _asked_for_everything,
    "a class": lambda: type(_plain()),
    "a metaclass": _in_metaclass,
    "an abstract class's": _abstract,
    "a module": _module,
    "a module's __getattr__": _answering_module,
    "a namespace": lambda: _give(types.SimpleNamespace()),
    "options": lambda: _give(argparse.Namespace()),
    "a function": _function,
    "a partial": lambda: _give(functools.partial(max, 1.0)),
    "a Parameter": _parameter,
    "a Parameter's kind": _of(Parameter, [1.0]),
    "a Tensor's kind": _of(Tensor, [1.0]),
    "a cell": _of(nn.Cell),
    "a layer": lambda: _give(nn.ReLU()),
    "a layer's kind": _of(nn.ReLU),
    "a primitive": lambda: _give(ops.ReLU()),
    "a primitive of the user's": _users_primitive,
    "an object of this package": lambda: _give(ms.JitConfig()),
    "a list's kind": _of(list),
    "a dict's kind": _of(dict),
    "a str's kind": _of(str),
    "an int's kind": _of(int, 1),
    "an array's kind": lambda: _give(np.zeros(2).view(type("Kind", (np.ndarray,), {}))),
    "an error": _of(ValueError),
    "a logger": lambda: _give(logging.Logger("one")),
    "a thread's own": _of(threading.local),
}


# Ways to read: each gives a number

ALIAS, SLOT, GETTER, CALLER, TEXT = getattr, object.__getattribute__, operator.attrgetter("k"), vars, "{0.k}"


def _match_by_name(o):
    match o:
        case object(k=v):
            return v


def _match_by_place(o):
    kind = type(o)
    match o:
        case kind(v):
            return v


def _tried(o):
    try:
        return o.k
    except AttributeError:
        return 5.0


def _in_nested_code(o):
    def inner():
        return next(v.k for v in (o,))

    return inner()


def _in_class_body(o):
    class Found:
        value = o.k

    return Found.value


READS = {
    "o.k": lambda o: o.k,
    "o.name": lambda o: 2.0 if o.name == "p" else 3.0,
    "o.level": lambda o: float(o.level),
    "getattr": lambda o: getattr(o, "k"),  # noqa: B009
    "getattr with a default": lambda o: getattr(o, "k", 2.0),
    "getattr of what is not there": lambda o: getattr(o, "extra", 2.0),
    "a made name": lambda o: getattr(o, "".join("k")),
    "getattr under another name": lambda o: ALIAS(o, "k"),
    "hasattr": lambda o: 3.0 if hasattr(o, "extra") else 2.0,
    "attrgetter": lambda o: operator.attrgetter("k")(o),
    "an attrgetter": lambda o: GETTER(o),
    "methodcaller": lambda o: operator.methodcaller("read")(o),
    "reduce": lambda o: functools.reduce(getattr, ["k"], o),
    "map": lambda o: next(map(getattr, [o], ["k"])),
    "vars": lambda o: vars(o)["k"],
    "vars under another name": lambda o: CALLER(o)["k"],
    "__dict__": lambda o: o.__dict__["k"],
    "object.__getattribute__": lambda o: object.__getattribute__(o, "k"),
    "object.__getattribute__ under another name": lambda o: SLOT(o, "k"),
    "o.__getattribute__": lambda o: o.__getattribute__("k"),
    "dir": lambda o: float(len([name for name in dir(o) if "k" in name or name == "extra"])),
    "a pattern": _match_by_name,
    "a pattern by place": _match_by_place,
    "format": lambda o: float("{0.k}".format(o)),  # noqa: UP030, UP032 - this form is what is read
    "format of a variable": lambda o: float(TEXT.format(o)),
    "format by name": lambda o: float("{o.k}".format_map({"o": o})),
    "an f-string": lambda o: float(f"{o.k}"),
    "an f-string of the object": lambda o: float(f"{o}"),
    "try": _tried,
    "nested code": _in_nested_code,
    "a class body": _in_class_body,
    "a copy": lambda o: copy.copy(o).k,
    "asdict": lambda o: dataclasses.asdict(o)["k"],
    "getmembers": lambda o: dict(inspect.getmembers(o))["k"],
    "a method": lambda o: o.read(),
    "a class method": lambda o: o.of_class(),
    "a property": lambda o: o.prop,
    "a call": lambda o: o(),
    "an item": lambda o: o[0],
    "len": lambda o: float(len(o)),
    "float": lambda o: float(o),
    "in": lambda o: 2.0 if 1 in o else 3.0,
    "truth": lambda o: 2.0 if o else 3.0,
    "equality": lambda o: 3.0 if o == 17 else 2.0,
    "the class's": lambda o: type(o).k,
    "the class's table": lambda o: vars(type(o)).get("k", 2.0),
    "the class's name": lambda o: float(len(type(o).__name__)),
    "the class's docstring": lambda o: float(len(type(o).__doc__ or "")),
    "the docstring": lambda o: float(len(o.__doc__ or "")),
    "the classes in order": lambda o: next((vars(c)["k"] for c in type(o).__mro__ if "k" in vars(c)), 2.0),
    "isinstance": lambda o: 3.0 if isinstance(o, _Registered) else 2.0,
    "type": lambda o: 2.0 if type(o).__name__ == "Kind" else 3.0,
}


class _Registered(abc.ABC):  # noqa: B024
    pass


# Ways to change


def _users(kind):
    """The class, if it is one of this file's: others are not changed."""
    if kind.__module__ != __name__:
        raise TypeError
    return kind


def _class_of(o):
    return _users(o if isinstance(o, type) else type(o))


def _other_class(o):
    class Kind(type(o)):
        __slots__ = ()
        k = 3.0

        def read(self):
            return 3.0

        def __call__(self):
            return 3.0

    o.__class__ = Kind


def _other_bases(o):
    base = type("Base", _users(type(o)).__bases__, {"k": 3.0, "read": lambda self: 3.0, "extra": 3.0})
    type(o).__bases__ = (base,)


def _in_class(name, value):
    return lambda o: setattr(_class_of(o), name, value)


def _in_base(o):
    _users(_class_of(o).__mro__[1]).k = 3.0


def _one_goes_one_comes(o):
    del o.j
    o.extra = 3.0


def _answer_everything(o):
    if isinstance(o, Tensor):  # as long as a Parameter lives, every recording asks for its array
        raise TypeError
    _class_of(o).__getattribute__ = lambda self, name: 3.0


def _register(o):
    _Registered.register(type(o))


def _held(o):
    o._held = 3.0 if isinstance(o._held, float) else {"k": 3.0}


def _held_within(o):
    o._held["k"] = 3.0


CHANGES = {
    "o.k = 3": lambda o: setattr(o, "k", 3.0),
    "object.__setattr__": lambda o: object.__setattr__(o, "k", 3.0),
    "vars": lambda o: vars(o).update(k=3.0),
    "another __dict__": lambda o: setattr(o, "__dict__", {**vars(o), "k": 3.0}),
    "another class": _other_class,
    "other bases": _other_bases,
    "the class's k": _in_class("k", 3.0),
    "the class's k, a property": _in_class("k", property(lambda self: 3.0, lambda self, v: None)),
    "a base's k": _in_base,
    "the metaclass's k": lambda o: setattr(_users(type(_class_of(o))), "k", 3.0),
    "del o.k": lambda o: delattr(o, "k"),
    "a name more": lambda o: setattr(o, "extra", 3.0),
    "a name for another": _one_goes_one_comes,
    "a name more in the class": _in_class("extra", 3.0),
    "a method": _in_class("read", lambda self: 3.0),
    "a method of the object": lambda o: setattr(o, "read", lambda: 3.0),
    "__call__": _in_class("__call__", lambda self: 3.0),
    "__getitem__": _in_class("__getitem__", lambda self, i: 3.0),
    "__getattr__": _in_class("__getattr__", lambda self, name: 3.0),
    "__getattribute__": _answer_everything,
    "__bool__": _in_class("__bool__", lambda self: False),
    "__eq__": _in_class("__eq__", lambda self, other: True),
    "__match_args__": _in_class("__match_args__", ("j", "k")),
    "the class's name": _in_class("__name__", "Renamed"),
    "the class's docstring": _in_class("__doc__", "333"),
    "the docstring": lambda o: setattr(o, "__doc__", "333"),
    "a virtual subclass": _register,
    "a private name": lambda o: setattr(o, "_Kind__k", 3.0),
    "what an answer takes": _held,
    "what an answer takes within": _held_within,
    "the name": lambda o: setattr(o, "name", "q"),
    "the level": lambda o: o.setLevel(7),
    "the code": lambda o: setattr(o, "__code__", (lambda: 3.0).__code__),
}


@pytest.mark.parametrize("holder", HOLDERS)
@given(
    read=st.sampled_from([*READS]),
    changes=st.lists(st.sampled_from([*CHANGES]), min_size=1, max_size=3),
    place=st.sampled_from([*PLACES]),
)
def test_an_object_is_changed(holder, read, changes, place):
    o = HOLDERS[holder]()
    check(PLACES[place](READS[read], o), [functools.partial(CHANGES[name], o) for name in changes])


UNSEEN = {"a thread's own", "an error"}
PLAIN = {"o.k", "getattr", "getattr with a default", "getattr of what is not there", "hasattr", "nested code", "try"}
OF_ANY = {"o.k = 3", "object.__setattr__", "a name more", "the class's k", "a name for another"}


@pytest.mark.parametrize("holder", [name for name in HOLDERS if name not in UNSEEN])
def test_plain_attributes_are_replayed(holder):
    """Nothing is refused that can be seen."""
    counted = 0
    for read, change in itertools.product(sorted(PLAIN), sorted(OF_ANY)):
        o = HOLDERS[holder]()
        counted += check(PLACES["a closure"](READS[read], o), [functools.partial(CHANGES[change], o)])
    assert counted or "private" in holder


LISTED = [
    ("an object", "a pattern", "o.k = 3"),
    ("an object", "a pattern by place", "o.k = 3"),
    ("an object", "the class's", "another class"),
    ("an object", "a method", "another class"),
    ("an object", "a method", "other bases"),
    ("an object", "o.k", "another __dict__"),
    ("an object", "format", "o.k = 3"),
    ("an object", "getattr under another name", "o.k = 3"),
    ("an object", "object.__getattribute__ under another name", "o.k = 3"),
    ("a Parameter", "o.k", "o.k = 3"),
    ("a Parameter", "o.name", "the name"),
    ("private slots", "a method", "a private name"),
    ("a module's __getattr__", "o.k", "what an answer takes within"),
    ("a module's __getattr__", "o.k", "what an answer takes"),
    ("a logger", "o.level", "the level"),
]


@pytest.mark.parametrize(("holder", "read", "change"), LISTED)
@pytest.mark.parametrize("place", PLACES)
def test_what_was_out_of_date_once(holder, read, change, place):
    o = HOLDERS[holder]()
    check(PLACES[place](READS[read], o), [functools.partial(CHANGES[change], o)])


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("read", sorted(PLAIN))
def test_each_change_of_what_is_read_plainly(holder, read):
    """In turn, on objects made anew; a random draw would seldom meet a change that counts."""
    for change, place in zip(CHANGES, itertools.cycle(PLACES), strict=False):
        o = HOLDERS[holder]()
        check(PLACES[place](READS[read], o), [functools.partial(CHANGES[change], o)])


def test_an_attribute_that_is_added_past_a_cells_own_way_is_seen():
    """``getattr`` with a default reads an absent attribute; the cell does not count what ``object`` sets."""
    cell, x = nn.ReLU(), ms.Tensor([2.0])
    replayed = ms.jit(lambda x: x * getattr(cell, "k", 7.0))
    assert [float(replayed(x)[0]) for _ in range(3)] == [14.0] * 3
    assert replayed.recorded.sources
    object.__setattr__(cell, "k", 3.0)
    assert float(replayed(x)[0]) == 6.0
    vars(cell).pop("k")
    assert float(replayed(x)[0]) == 14.0
