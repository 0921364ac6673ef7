"""Guards: the Python state besides Tensors that a function sees: names, lists, dicts, arrays, attributes.

A recording is valid as long as this state is unchanged. The guards cover the names that the function's code uses, and
the code of the functions, cells and objects behind them, special methods included. Cells and primitives count changes
of their own attributes (``changes``), and Tensors are read at each replay. Some state cannot be inspected, such
as an iterator's. Then nothing is replayed: a recording is never silently out of date.
"""

import abc
import builtins
import collections
import datetime
import decimal
import functools
import itertools
import logging
import operator
import os
import sys
import types

import numpy as np

from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.graph.bytecode import reads_of
from minispore.graph.reach import is_built_in, module_of, reads_any_attribute, reads_elsewhere
from minispore.graph.state_checks import StateChecks
from minispore.graph.visible_state import (
    BEHIND_NAMES,
    BUILTINS,
    BYTES,
    CACHED,
    COLLECTIONS,
    CONSTANT,
    FIXED,
    FUNCTIONS,
    HERE,
    LOCKS,
    NOWHERE,
    NUMBERS,
    answers_for_any_name,
    buffer_of,
    elements_of,
    entries_of,
    form_of,
    held_in,
    home_of,
    is_made_in_c,
    is_ours,
    is_plain,
    is_special,
    slots_of,
    table_of,
)

_COMPUTING = {
    "compute",
    "compute_into",
    "compute_in_float32",
    "array_function",
    "__init__",
    "__new__",
}  # of a primitive
_MAKING = {"__init__", "__new__", "__init_subclass__", "__set_name__", "__class_getitem__", "__del__"}
_NOT_CODE = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__slots__"}
_NOT_CODE |= {"__abstractmethods__", "_abc_impl", "__parameters__", "__orig_bases__", "__dataclass_fields__"}
_NOT_CODE |= {"__dataclass_params__", "__match_args__", "__firstlineno__", "__static_attributes__"}
_OF_FUNCTIONS = {"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__type_params__"}
_OF_PARAMETERS = {"get_parameters", "trainable_params", "untrainable_params", "parameters_dict", "_params"}
_OF_PARAMETERS |= {
    "parameters_and_names",
    "parameters",
    "cells_and_names",
    "cells",
    "name_cells",
    "parameters_broadcast_dict",
}
_TIMES = {"now", "today", "utcnow", "fromtimestamp"}  # methods of dates that read the clock, or the time zone
_ENTRANCES = ("construct", "bprop", "__call__")  # methods that run a cell
_PRIVATE = {"_known"}  # a primitive's record of checked calls, which is no state
_ENVIRONMENT = type(os.environ)  # its state is a dict
_FACTORY = operator.attrgetter("default_factory")
_HANDLERS = operator.attrgetter("handlers")
_ORDER_OF_BASES = operator.attrgetter("__mro__")
_PARTS = tuple(map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__")))  # of a function
_MANY = 10_000  # number of values above which checking them in every call is too slow


def _layers_of(kind):
    """The classes of a cell below Cell. Code of this package in them may read attributes that no user's code names."""
    return itertools.takewhile(lambda base: "_counted" not in vars(base), kind.__mro__)


def _registered_subclasses(_):
    """A number that changes when an abstract class registers a subclass."""
    return abc.get_cache_token()


def _names_matched(kind):
    """The attributes that ``case C(p, q)`` compares without naming them."""
    found = getattr(kind, "__match_args__", ())
    return [name for name in found if isinstance(name, str)] if isinstance(found, tuple) else []


def _decimal_settings(_):
    return repr(decimal.getcontext())


class Guards:
    """The state that a function sees; ``changed()`` is True if any of it differs from the recorded state.

    Args:
        function (Callable): The function.
        arguments (list): Its arguments other than Tensors.
    """

    def __init__(self, function, arguments):
        self._roots = [function, *arguments]
        self._named, self._all_attributes, self._unseen = set(), False, None
        self._look()

    def add(self, arguments):
        """Guard further arguments too."""
        new = [x for x in arguments if type(x) not in NUMBERS and not any(x is root for root in self._roots)]
        if new:
            self._roots += new
            self._look()

    @property
    def refusal(self):
        """The reason why a replay would not be reliable; None if it is."""
        if self._count > _MANY:  # checking all of them would take longer than a replay saves
            return "it sees too many values of Python's that may change (lists, dicts, arrays, attributes)"
        return self._unseen

    def changed(self):
        """True if a name is bound to another object, or a list, dict or array has changed."""
        return self._checks.changed()

    def _refuse(self, reason):
        self._unseen = self._unseen or reason

    def _look(self):
        """Inspect everything, again and again until no new code, and so no new attribute name, is found."""
        known = None
        while known != (len(self._named), self._all_attributes):
            # New code names new attributes; an object seen before may have them. So everything is inspected anew.
            known = len(self._named), self._all_attributes
            self._seen, self._count, self._checks = {}, 0, StateChecks()
            self._in_layer, self._of_layers, self._members = False, [], {}
            for root in self._roots:
                self._look_at(root)
            self._look_into_layers()
            for name in self._named.intersection(vars(Tensor)):
                self._bind(self._members_of(Tensor), name)

    def _look_at(self, value):
        kind = type(value)
        if kind in NUMBERS or id(value) in self._seen or self._count > _MANY:
            return
        if self._is_a_layers_own(value, kind):
            return
        self._seen[id(value)] = value  # kept alive, so that no other object takes its id
        self._count += 1
        if issubclass(kind, CONSTANT + LOCKS) and (is_ours(kind) or is_made_in_c(kind)):
            self._look_at_constant(value)
        elif issubclass(kind, FUNCTIONS + BUILTINS + (functools.partial, CACHED)):
            self._look_at_function(value)
        elif issubclass(kind, BEHIND_NAMES):
            self._look_behind(value)
        elif issubclass(kind, Primitive):
            self._look_at_primitive(value)
        elif issubclass(kind, (type, types.ModuleType)):
            self._look_at_names(value)
        elif hasattr(kind, "_counted"):
            self._look_at_cell(value)
        elif issubclass(kind, Tensor):
            self._look_at_tensor(value, kind)
        elif issubclass(kind, logging.Logger) and is_ours(kind):
            self._look_at_logger(value)
        else:
            self._look_inside(value, kind)

    def _look_into_layers(self):
        """Inspect the attributes of this package's layers, after everything that other code sees."""
        self._in_layer = True
        for x in self._of_layers:  # the list grows meanwhile
            self._look_at(x)

    def _is_a_layers_own(self, value, kind):
        """True for the package's own Tensor or primitive inside one of its layers: only operations use it."""
        if not self._in_layer or not is_ours(kind):
            return False
        return issubclass(kind, Tensor) or (issubclass(kind, Primitive) and value.ours)

    def _look_inside(self, value, kind):
        """Inspect the contents of a collection or array, or the attributes of any other object."""
        if kind in (slice, _ENVIRONMENT):
            self._look_into(value._data if kind is _ENVIRONMENT else (value.start, value.stop, value.step))
            return
        if issubclass(kind, COLLECTIONS):
            self._look_into(value)
        elif issubclass(kind, np.ndarray):
            self._look_at_array(value)
        elif issubclass(kind, BYTES):
            self._checks.keep_equal(buffer_of, value)
            self._count += len(value) // 64
        if not is_plain(kind) or table_of(value) is not None:
            self._look_at_object(value)

    def _look_into(self, collection):
        if collection is sys.modules:
            self._refuse("it reads 'sys.modules'")
            return
        elements = elements_of(collection)
        self._count += len(elements)
        if self._count > _MANY:
            return
        if not isinstance(collection, FIXED):
            self._checks.keep_contents(elements_of, collection)
        if isinstance(collection, collections.defaultdict):
            self._checks.keep_same(_FACTORY, collection)
            self._look_at(collection.default_factory)
        for x in elements:
            self._look_at(x)

    def _look_at_array(self, value):
        self._checks.keep_equal(buffer_of, value)
        plain = np.ndarray.view(value, np.ndarray) if isinstance(value, np.ndarray) else np.asarray(value)
        self._count += plain.nbytes // 512
        if plain.dtype.hasobject:
            self._look_into(tuple(plain.reshape(-1).tolist()))

    def _look_at_constant(self, value):
        """Inspect the little state that a constant has, or depends on."""
        if isinstance(value, LOCKS):
            if not self._named.isdisjoint({"locked", "acquire"}):
                self._refuse("the state of a lock cannot be seen")
        elif isinstance(value, np.void):
            self._look_at_array(value)
        elif isinstance(value, np.dtype):
            if value.names is not None:  # its fields may be renamed
                self._checks.keep_equal(repr, value)
        elif isinstance(value, np.ufunc):
            if getattr(np, value.__name__, None) is not value:
                self._refuse(f"the state that the ufunc '{value.__name__}' reads cannot be seen")
        elif isinstance(value, decimal.Decimal):
            self._checks.keep_equal(_decimal_settings, None)
        elif isinstance(value, datetime.date):
            self._look_at_times(value)
        elif callable(value):
            self._look_at_reach(value)

    def _look_at_times(self, value):
        asked = sorted(self._named & _TIMES)
        if asked:
            self._refuse(f"what '{value.__name__ if isinstance(value, type) else value}.{asked[0]}' gives may change")

    def _look_at_tensor(self, tensor, kind):
        """Inspect a Tensor's form, and a Parameter's attributes; the values are read at each replay."""
        self._checks.keep_equal(form_of, tensor)
        if kind is not Tensor:
            self._look_at_class(kind)
            self._look_at_table(tensor)

    def _look_at_logger(self, logger):
        """Inspect the settings that choose a logger's messages; a logged message is no state."""
        if not self._named.isdisjoint({"getChild", "manager"}):
            self._refuse("the state of a logger's manager cannot be seen")
        self._look_at_table(logger)
        self._look_up(vars(logger), ("level", "disabled", "parent", "propagate"))
        self._checks.keep_contents(_HANDLERS, logger)
        for name in ("_disable", "disable"):
            self._bind(vars(logger.manager), name)

    # Functions

    def _look_at_function(self, value):
        if isinstance(value, types.FunctionType):
            self._look_at_code(value)
        elif isinstance(value, types.MethodType):
            self._look_at(value.__self__)
            self._look_at(value.__func__)
        elif isinstance(value, functools.partial):
            self._look_into((value.func, value.args, value.keywords))
            self._look_at_table(value)
        elif isinstance(value, CACHED):
            self._look_at(value.__wrapped__)
            if not is_ours(value):
                self._checks.keep_equal(entries_of, value)
        else:
            self._look_at_reach(value)
            if not isinstance(value.__self__, types.ModuleType):  # a method of an object of a built-in type
                self._look_at(value.__self__)

    def _look_at_reach(self, value):
        """Refuse a function of Python's own that reads invisible state; look at all attributes if it may read any."""
        if reads_elsewhere(value):
            self._refuse(f"the state that '{module_of(value).lstrip('_')}.{value.__name__}' reads cannot be seen")
        self._all_attributes = self._all_attributes or reads_any_attribute(value)

    def _look_at_code(self, function):
        ours = is_ours(function)
        before, self._in_layer = self._in_layer, self._in_layer and ours
        for cell in function.__closure__ or ():
            held = held_in(cell)
            self._checks.keep_same(held_in, cell)
            if not (home_of(function) == HERE and isinstance(held, dict)):  # caches of a function of this package
                self._look_at(held)
        self._look_into((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()))
        if ours:
            self._look_at_reach(function)
        else:
            self._look_at_users_code(function)
        self._in_layer = before

    def _look_at_users_code(self, function):
        for part in _PARTS:
            self._checks.keep_same(part, function)
        if function.__kwdefaults__:
            self._look_into(function.__kwdefaults__)
        reads = reads_of(function.__code__)
        self._named.update(reads.attributes)
        self._all_attributes = self._all_attributes or reads.all_attributes
        if reads.unseen:
            self._refuse(f"the state that '{reads.unseen}' reads cannot be seen")
        self._look_up_globals(function.__globals__, reads)
        self._look_at_table(function)
        self._look_at_fixed_names(function)

    def _look_at_fixed_names(self, value):
        """Guard those attributes of a function or class that are not in its ``__dict__``."""
        for name in _OF_FUNCTIONS & self._named:
            if hasattr(value, name):
                self._checks.keep_equal(getattr, value, name)

    def _look_up_globals(self, table, reads):
        """Guard names in a module's globals, falling back to builtins, and the absence of names not yet bound."""
        for name in reads.globals:
            self._bind(table, name)
            value = table.get(name, NOWHERE)
            if value is NOWHERE:
                self._bind(vars(builtins), name)
                value = vars(builtins).get(name, NOWHERE)
            if value is not NOWHERE and not (name in reads.by_constants and is_built_in(value, (name,))):
                self._look_at(value)

    # Names

    def _look_up(self, table, names):
        """Guard the bindings of ``names`` in ``table``, and inspect the values."""
        for name in tuple(names):
            value = table.get(name, NOWHERE)
            if value is not NOWHERE:
                self._bind(table, name)
                self._look_at(value)

    def _look_up_own(self, table):
        """Guard the used names of a module of this package or the standard library; its other state does not change."""
        self._checks.keep_equal(len, table)
        for name in self._wanted_of(table):
            value = table.get(name, NOWHERE)
            if value is not NOWHERE:
                self._bind(table, name)
                self._look_at(value)

    def _wanted_of(self, table):
        """The names in ``table`` that code may read."""
        return tuple(table) if self._all_attributes else tuple(self._named)

    def _bind(self, table, name):
        self._checks.keep_bound(table, name, NOWHERE)

    def _look_at_names(self, value):
        """Inspect the used attributes of a module or a class; of a user's class the constructors, too."""
        self._checks.keep_same(type, value)
        if isinstance(value, types.ModuleType):
            self._look_at_module(value)
            return
        if isinstance(value, abc.ABCMeta):  # further subclasses may be registered
            self._checks.keep_equal(_registered_subclasses, None)
        if not is_ours(value):
            self._look_at_class(value, making=True)
        elif issubclass(value, datetime.date):
            self._look_at_times(value)
        else:
            self._look_at_reach(value)

    def _look_at_module(self, module):
        table = vars(module)
        if is_ours(module):
            self._look_up_own(table)
            return
        if self._all_attributes:
            self._checks.keep_equal(tuple, table)
        for name in self._named:
            self._bind(table, name)  # or its absence
        self._look_up(table, {*self._wanted_of(table), "__getattr__"})
        if type(module) is not types.ModuleType:
            self._look_at_class(type(module))

    def _look_at_object(self, value):
        """Inspect an object's methods and the attributes that code names; all attributes if hidden code reads them."""
        kind = type(value)
        if home_of(kind) == HERE:
            self._look_at_own(value)
            return
        if any(is_made_in_c(base) for base in kind.__mro__ if not is_plain(base)):
            self._refuse(f"the state of an object of type '{kind.__name__}' cannot be seen")
            return
        if any(is_ours(base) and reads_elsewhere(base) for base in kind.__mro__):
            self._refuse(f"the state that an object of type '{kind.__name__}' reads cannot be seen")
        self._look_at_class(kind)
        every = any(is_ours(base) and not is_plain(base) for base in kind.__mro__) or answers_for_any_name(kind)
        self._look_at_table(value, every)

    def _look_at_table(self, value, every=False, private=True):
        """Inspect the attributes of an object that code names, or every one, and guard against new ones.

        Without ``private``, a private attribute counts only if code names it.
        """
        self._checks.keep_same(type, value)
        table, slots = table_of(value), slots_of(value)
        if table is not None:
            self._checks.keep_same(object.__getattribute__, value, "__dict__")
            self._checks.keep_equal(tuple, table)
            names = set(table if every else self._wanted_of(table))
            names = names if private else {name for name in names if name[:1] != "_" or name in self._named}
            self._look_up(table, names - _PRIVATE)
        if slots is not None:
            names = set(slots) if every or self._all_attributes else self._named.intersection(slots)
            for name in names:
                self._bind(slots, name)
            self._look_up(slots, names)

    def _look_at_own(self, value):
        """Inspect the attributes of an object of this package: functions, cells (perhaps a user's), named parts."""
        for x in tuple((table_of(value) or {}).values()):
            if isinstance(x, FUNCTIONS) or hasattr(type(x), "_counted"):
                self._look_at(x)
        if self._named or self._all_attributes:
            self._look_at_table(value, private=False)

    def _look_at_cell(self, cell):
        """Inspect a cell, which counts its assignments, but not changes of its lists or its ``__dict__``."""
        self._look_at_class(type(cell), every=True)
        own = not any(map(is_ours, _layers_of(type(cell))))
        attributes = table_of(cell)
        self._checks.keep_equal(tuple, attributes)  # one that is added past the count
        asked = self._all_attributes or not self._named.isdisjoint(_OF_PARAMETERS)
        for name, x in (*attributes["_cells"].items(), *attributes["_params"].items()):
            if asked or name in self._named or not isinstance(x, Tensor):
                self._look_at(x)
        for name, x in attributes.items():
            if name in type(cell)._counted:
                continue
            if self._all_attributes or name in self._named:
                self._bind(attributes, name)
                self._look_at(x)
            elif not own:
                self._of_layers.append(x)

    def _look_at_primitive(self, primitive):
        """Inspect a primitive's named attributes, and of a user's also the methods that a replay does not call."""
        self._look_at_table(primitive)
        if not is_ours(type(primitive)):
            self._checks.keep_same(_ORDER_OF_BASES, type(primitive))
            self._look_at_fixed_names(type(primitive))
            for kind in type(primitive).__mro__:
                if not is_ours(kind):
                    self._checks.keep_equal(tuple, self._members_of(kind))
                    self._look_at_members(kind, [name for name in vars(kind) if name not in _COMPUTING])

    # Classes

    def _look_at_class(self, kind, every=False, making=False):
        """Inspect the members of a user's class, and of its metaclass, that its objects may use."""
        if "__match_args__" in self._named:  # a pattern's names are in `__match_args__`
            self._named.update(_names_matched(kind))
        if not is_ours(kind):
            self._checks.keep_same(_ORDER_OF_BASES, kind)
            self._look_at_fixed_names(kind)
            if not is_ours(type(kind)):
                self._look_at_class(type(kind))
        for base in reversed(kind.__mro__):
            if is_ours(base):
                self._watch_entrances(base)
                continue
            self._checks.keep_equal(tuple, self._members_of(base))
            every_name = every or self._all_attributes
            names = [
                name
                for name in vars(base)
                if (making or name not in _MAKING) and (every_name or name in self._named or is_special(name))
            ]
            self._look_at_members(base, names)

    def _watch_entrances(self, base):
        """Guard the methods that run a layer of this package: a user may replace them."""
        if hasattr(base, "_counted"):
            for name in _ENTRANCES:
                if name in vars(base):
                    self._bind(self._members_of(base), name)

    def _members_of(self, kind):
        """The table of a class's members, as one object: ``vars`` makes another each time."""
        return self._members.setdefault(id(kind), (vars(kind), kind))[0]

    def _look_at_members(self, kind, names):
        members = self._members_of(kind)
        for name in names:
            if name not in _NOT_CODE or name in self._named:
                self._bind(members, name)
                self._look_at(members[name])

    def _look_behind(self, member):
        """Inspect the functions behind a property or a class's method."""
        if isinstance(member, property):
            self._look_into((member.fget, member.fset))
        else:
            self._look_at(member.func if isinstance(member, functools.cached_property) else member.__func__)
