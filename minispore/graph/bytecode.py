"""Bytecode: the names that a function's code reads or writes, as far as its instructions show them."""

import dis
import functools
import re
import string
import types
from typing import NamedTuple

from minispore.graph.opcodes import UNDERSTOOD

# Through these attributes code reaches any attribute by a computed name, or state behind the attributes.
_BY_MADE_NAMES = {"__dict__", "__getattribute__", "__get__", "__getstate__", "__reduce__", "vformat"}
_BY_MADE_NAMES |= {"__reduce_ex__", "__setattr__", "__delattr__", "get_field"}
_OF_THE_INTERPRETER = {"__globals__", "__builtins__", "__closure__", "cell_contents", "_getframe", "f_back"}
_OF_THE_INTERPRETER |= {"f_locals", "f_globals", "f_builtins", "tb_frame", "gi_frame", "__subclasses__"}
_GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF", "STORE_GLOBAL", "DELETE_GLOBAL"}
_ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM", "STORE_ATTR", "DELETE_ATTR"}
_IMPORTS = {"IMPORT_NAME", "IMPORT_STAR"}
_NO_EFFECT = {"CACHE", "PUSH_NULL", "PRECALL", "EXTENDED_ARG"}


class Reads(NamedTuple):
    """The names that some code reads, and those that it writes: a replay would not repeat the writes."""

    globals: frozenset  # names of its module, or builtins
    attributes: frozenset  # attributes of any object
    all_attributes: bool  # True if it may read attributes whose names are computed at run time
    unseen: str  # an instruction or attribute that may read anything, or ""
    by_constants: frozenset  # getattr and hasattr, if it calls them with constant names only


_LOADS = ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CONST", "LOAD_ATTR")
_CALLS = ("CALL", "CALL_FUNCTION")


def _constant_name(instructions):
    """The name in ``getattr(a.b, "name")`` or ``getattr(a, "name", c)``, from the next instructions; else None."""
    loads = []
    for instruction in instructions:
        if instruction.opname in _CALLS and len(loads) == instruction.argval in (2, 3):
            return loads[1].argval if isinstance(loads[1].argval, str) and loads[1].opname == "LOAD_CONST" else None
        if instruction.opname not in _LOADS:
            return None
        if instruction.opname != "LOAD_ATTR":
            loads.append(instruction)
        elif len(loads) != 1:
            return None
    return None


class _Scan:
    """The names in the instructions of one code object, without the code nested in it."""

    def __init__(self, code):
        self.globals, self.attributes, self.made, self.unseen = set(), set(), set(), set()
        self._code = [x for x in dis.get_instructions(code) if x.opname not in _NO_EFFECT]
        for i, instruction in enumerate(self._code):
            self._take(i, instruction.opname, instruction.argval)

    def _take(self, i, opname, name):
        if opname in _IMPORTS:
            self.unseen.add("import")
        elif opname not in UNDERSTOOD:
            self.unseen.add(f"the instruction {opname}")
        elif opname in _GLOBALS:
            self._take_global(i, name)
        elif opname in _ATTRIBUTES:
            self._take_attribute(i, name)
        elif opname == "MATCH_CLASS":
            self._take_pattern(i, name)
        elif opname == "MATCH_KEYS":
            self.attributes.add("get")  # of the mapping

    def _take_global(self, i, name):
        self.globals.add(name)
        if name in ("getattr", "hasattr"):
            found = _constant_name(self._code[i + 1 :])
            (self.made if found is None else self.attributes).add(name if found is None else found)

    def _take_attribute(self, i, name):
        self.attributes.add(name)
        if name in _OF_THE_INTERPRETER:
            self.unseen.add(name)
        elif name in ("format", "format_map"):
            text = self._before(i)
            self.attributes.update(_names_in_format(text) if isinstance(text, str) else ())
            self.made.update(() if isinstance(text, str) else (name,))
        elif name in _BY_MADE_NAMES:
            self.made.add(name)

    def _take_pattern(self, i, positional):
        """``C(p, q, name=r)`` reads ``name``, and the attributes that ``C.__match_args__`` gives for p and q."""
        names = self._before(i)
        self.attributes.update(names if isinstance(names, tuple) else ())
        self.made.update(() if isinstance(names, tuple) else ("match",))
        if positional:
            self.attributes.add("__match_args__")

    def _before(self, i):
        """The constant loaded by the instruction before the ``i``-th, or None."""
        before = self._code[i - 1] if i else None
        return before.argval if before is not None and before.opname == "LOAD_CONST" else None


def _names_in_format(text):
    """The attributes that the fields of a format string read, such as k in ``"{0.k}"``."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:  # then formatting raises
        return set()
    names = {name for _, field, _, _ in fields for name in re.findall(r"\.([^.\[]*)", field or "")}
    return names.union(*(_names_in_format(spec) for _, _, spec, _ in fields if spec))


@functools.lru_cache(maxsize=4096)
def reads_of(code):
    """The :class:`Reads` of a code object and of the code objects nested in it."""
    scan = _Scan(code)
    inner = [reads_of(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    made = scan.made.union(*(part.globals - part.by_constants for part in inner)) & {"getattr", "hasattr"}
    found = frozenset(scan.globals).union(*(part.globals for part in inner))
    return Reads(
        found,
        frozenset(scan.attributes).union(*(part.attributes for part in inner)),
        bool(scan.made) or any(part.all_attributes for part in inner),
        min(scan.unseen, default="") or next((part.unseen for part in inner if part.unseen), ""),
        found & {"getattr", "hasattr"} - made,
    )
