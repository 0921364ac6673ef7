"""Guards: the Python state besides Tensors that a function sees: names, lists, dicts, arrays, attributes.

A recording is valid as long as this state is unchanged. The guards cover the names that the function's code uses, and
the code of the functions, cells and objects behind them, special methods included. Cells and primitives count changes
of their own attributes (``context.changes``), and Tensors are read at each replay. State that cannot be inspected, such
as that of an iterator, is a reason not to replay: a recording is never silently out of date.
"""

import builtins
import functools
import itertools
import sys
import types

import numpy as np

from minispore.graph.bytecode import reads_of
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
    NOWHERE,
    NUMBERS,
    answers_for_any_name,
    attributes_of,
    bytes_of,
    differ,
    elements_of,
    held_in,
    home_of,
    is_made_in_c,
    is_ours,
    is_plain,
    is_special,
)
from minispore.ops.primitive import Primitive
from minispore.tensor import Tensor

_COMPUTING = {
    "compute",
    "compute_into",
    "compute_in_float32",
    "array_function",
    "__init__",
    "__new__",
}  # of a primitive
_OF_THE_WORLD = {"time", "posix", "nt", "_random", "_socket", "select"}  # modules in C that read clocks and files
_MAKING = {"__init__", "__new__", "__init_subclass__", "__set_name__", "__class_getitem__", "__del__"}
_NOT_CODE = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__slots__"}
_NOT_CODE |= {"__abstractmethods__", "_abc_impl", "__parameters__", "__orig_bases__", "__dataclass_fields__"}
_NOT_CODE |= {"__dataclass_params__", "__match_args__", "__firstlineno__", "__static_attributes__", "__hash__"}
_ENTRANCES = ("construct", "bprop", "__call__")  # the methods that run a cell
_MANY = 10_000  # number of values above which checking them in every call is too slow


def _layers_of(kind):
    """The classes of a cell up to Cell: code of this package in them may read attributes that no user's code names."""
    return itertools.takewhile(lambda base: "_counted" not in vars(base), kind.__mro__)


class Guards:
    """The state that a function sees; ``changed()`` tells whether any of it differs from when it was recorded.

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
        """Why a replay would not be reliable; None if it is."""
        if self._count > _MANY:  # checking all of them would take longer than a replay saves
            return "it sees too many values of Python's that may change (lists, dicts, arrays, attributes)"
        return self._unseen

    def changed(self):
        """Whether a name is bound to another object, or a list, dict or array has other contents."""
        for table, name, value in self._bindings:
            if table.get(name, NOWHERE) is not value:
                return True
        for table, size in self._sizes:
            if len(table) != size:
                return True
        for cell, value in self._closures:
            if held_in(cell) is not value:
                return True
        for function, code, defaults, others in self._functions:
            if (
                function.__code__ is not code
                or function.__defaults__ is not defaults
                or function.__kwdefaults__ is not others
            ):
                return True
        return any(differ(elements_of(now), then) for now, then in self._contents) or any(
            bytes_of(now) != then for now, then in self._arrays
        )

    def _refuse(self, reason):
        self._unseen = self._unseen or reason

    def _look(self):
        """Inspect everything, repeatedly as long as new code, and with it new attribute names, is found."""
        known = None
        while known != (len(self._named), self._all_attributes):
            known = len(self._named), self._all_attributes
            self._seen, self._count, self._bound, self._sizes = {}, 0, set(), []
            self._bindings, self._closures, self._functions, self._contents, self._arrays = [], [], [], [], []
            for root in self._roots:
                self._look_at(root)
            for name in self._named.intersection(vars(Tensor)):
                self._bind(vars(Tensor), name, vars(Tensor)[name])

    def _look_at(self, value):
        kind = type(value)
        if kind in NUMBERS or isinstance(value, CONSTANT) or id(value) in self._seen or self._count > _MANY:
            return
        self._seen[id(value)] = value  # kept alive, so that no other object takes its id
        self._count += 1
        if isinstance(value, FUNCTIONS + BUILTINS + (functools.partial, CACHED)):
            self._look_at_function(value)
        elif isinstance(value, BEHIND_NAMES):
            self._look_behind(value)
        elif isinstance(value, Primitive):
            self._look_at_primitive(value)
        elif isinstance(value, (type, types.ModuleType)):
            self._look_at_names(value)
        elif hasattr(kind, "_counted"):
            self._look_at_cell(value)
        else:
            self._look_inside(value)

    def _look_inside(self, value):
        """Inspect the contents of a collection or array, or the attributes of any other object."""
        if isinstance(value, COLLECTIONS):
            self._look_into(value)
        elif isinstance(value, np.ndarray):
            self._look_at_array(value)
        elif isinstance(value, BYTES):
            self._arrays.append((value, bytes_of(value)))
            self._count += len(value) // 64
        if not is_plain(type(value)) or hasattr(value, "__dict__"):
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
            self._contents.append((collection, elements))
        for x in elements:
            self._look_at(x)

    def _look_at_array(self, value):
        self._count += value.size // 64
        self._arrays.append((value, value.tobytes()))
        if value.dtype.hasobject:
            self._look_into(tuple(value.reshape(-1).tolist()))

    # Functions

    def _look_at_function(self, value):
        if isinstance(value, types.FunctionType):
            self._look_at_code(value)
        elif isinstance(value, types.MethodType):
            self._look_at(value.__self__)
            self._look_at(value.__func__)
        elif isinstance(value, functools.partial):
            self._look_into((value.func, *value.args, *value.keywords.values()))
            self._look_up(vars(value), self._wanted_of(vars(value)))
        elif isinstance(value, CACHED):
            if not is_ours(value):
                self._look_at(value.__wrapped__)
        elif not isinstance(value.__self__, types.ModuleType):  # a method of an object of a built-in type
            self._look_at(value.__self__)
        elif value.__self__.__name__ in _OF_THE_WORLD:
            self._refuse(f"what '{value.__self__.__name__}.{value.__name__}' gives changes from call to call")

    def _look_at_code(self, function):
        ours = is_ours(function)
        for cell in function.__closure__ or ():
            held = held_in(cell)
            self._closures.append((cell, held))
            if not (ours and isinstance(held, dict)):  # caches that a function of this package keeps
                self._look_at(held)
        self._look_into((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()))
        if ours:
            return
        self._functions.append((function, function.__code__, function.__defaults__, function.__kwdefaults__))
        if function.__kwdefaults__:
            self._look_into(function.__kwdefaults__)
        reads = reads_of(function.__code__)
        self._named.update(reads.attributes)
        self._all_attributes = self._all_attributes or reads.all_attributes
        if reads.unseen:
            self._refuse(f"what '{reads.unseen}' reads cannot be seen")
        self._look_up_globals(function.__globals__, reads.globals)
        self._look_up(vars(function), self._wanted_of(vars(function)))

    def _look_up_globals(self, table, names):
        """Guard ``names`` in a module's globals, falling back to builtins, and the absence of names not yet bound."""
        for name in names:
            if name not in table:
                self._bind(table, name, NOWHERE)
                self._look_up(vars(builtins), (name,))
        self._look_up(table, names)

    # Names

    def _look_up(self, table, names):
        """Guard the bindings of ``names`` in ``table``, and inspect the values."""
        for name in tuple(names):
            value = table.get(name, NOWHERE)
            if value is not NOWHERE:
                self._bind(table, name, value)
                self._look_at(value)

    def _look_up_own(self, table):
        """Guard names that code uses of this package or the standard library, whose own state does not change."""
        for name in self._wanted_of(table):
            value = table.get(name, NOWHERE)
            if value is not NOWHERE:
                self._bind(table, name, value)
                if not (isinstance(value, (type, types.FunctionType)) and is_ours(value)):
                    self._look_at(value)

    def _wanted_of(self, table):
        """The names in ``table`` that code may read."""
        if self._all_attributes and isinstance(table, (dict, types.MappingProxyType)):
            self._sizes.append((table, len(table)))  # a further name may be added
        return tuple(table) if self._all_attributes else tuple(self._named)

    def _bind(self, table, name, value):
        key = id(table), name
        if key not in self._bound:
            self._bound.add(key)
            self._bindings.append((table, name, value))

    def _look_at_names(self, value):
        """Inspect the attributes that code uses of a module or a class; of a user's class also its constructors."""
        if isinstance(value, types.ModuleType):
            if is_ours(value):
                self._look_up_own(vars(value))
            else:
                self._look_up(vars(value), self._wanted_of(vars(value)))
        elif not is_ours(value):
            self._look_at_class(value, making=True)
            if not is_ours(type(value)):
                self._look_at_class(type(value))

    def _look_at_object(self, value):
        """Inspect an object's methods and the attributes that code names; all attributes if hidden code reads them."""
        kind = type(value)
        if home_of(kind) == HERE:
            self._look_at_own(value)
            return
        if any(is_made_in_c(base) for base in kind.__mro__ if not is_plain(base)):
            self._refuse(f"the state of an object of type '{kind.__name__}' cannot be seen")
            return
        every = any(is_ours(base) and not is_plain(base) for base in kind.__mro__) or answers_for_any_name(kind)
        members = self._look_at_class(kind)
        for table in attributes_of(value):
            self._look_up(table, tuple(table) if every else self._wanted_of(table))
            self._watch_for(table, members)

    def _watch_for(self, table, names):
        """Guard the absence of ``names`` in ``table``: one added later would shadow the value found elsewhere."""
        for name in names:
            if name not in table:
                self._bind(table, name, NOWHERE)

    def _look_at_own(self, value):
        """Inspect the functions and cells that an object of this package holds, which may be a user's."""
        for x in getattr(value, "__dict__", {}).values():
            if isinstance(x, FUNCTIONS) or hasattr(type(x), "_counted"):
                self._look_at(x)

    def _look_at_cell(self, cell):
        """Inspect a cell: it counts assignments to its attributes, but not changes of its lists or its ``__dict__``."""
        self._look_at_class(type(cell), every=True)
        own = not any(map(is_ours, _layers_of(type(cell))))
        for child in cell._cells.values():
            self._look_at(child)
        attributes = vars(cell)
        for name, x in attributes.items():
            if name in cell._counted:
                continue
            named = self._all_attributes or name in self._named
            if named:
                self._bind(attributes, name, x)
            if named or not own:
                self._look_at(x)

    def _look_at_primitive(self, primitive):
        """Inspect a user's primitive: its attributes are counted, it computes at replays; its rules are plain code."""
        if not primitive.ours:
            for kind in type(primitive).__mro__:
                if not is_ours(kind):
                    self._look_at_members(kind, [name for name in vars(kind) if name not in _COMPUTING])

    # Classes

    def _look_at_class(self, kind, every=False, making=False):
        """Inspect the members of a user's class that its objects may use; returns their names."""
        found = {}
        for base in reversed(kind.__mro__):
            if is_ours(base):
                self._watch_entrances(base, found)
                continue
            names = [
                name
                for name in vars(base)
                if (making or name not in _MAKING)
                and (every or self._all_attributes or name in self._named or is_special(name))
            ]
            self._look_at_members(base, names)
            self._watch_for(vars(base), found)
            found.update(dict.fromkeys(name for name in names if name in self._named))
        return found

    def _watch_entrances(self, base, found):
        """Guard the methods that run a layer of this package: a user may replace them."""
        if hasattr(base, "_counted"):
            present = [name for name in _ENTRANCES if name in vars(base)]
            found.update(dict.fromkeys(present))
            for name in present:
                self._bind(vars(base), name, vars(base)[name])

    def _look_at_members(self, kind, names):
        members = vars(kind)
        for name in names:
            if name not in _NOT_CODE:
                self._bind(members, name, members[name])
                self._look_at(members[name])

    def _look_behind(self, member):
        """Inspect the functions behind a property or a class's method."""
        if isinstance(member, property):
            self._look_into((member.fget, member.fset))
        else:
            self._look_at(member.func if isinstance(member, functools.cached_property) else member.__func__)
