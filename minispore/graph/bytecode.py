"""Bytecode: the names that a function's code reads, as far as its instructions show them."""

import dis
import functools
import types
from typing import NamedTuple

# Builtins that may look up names computed at run time: after them any attribute of any visible object may be read.
_BY_MADE_NAMES = {"getattr", "hasattr", "vars", "dir", "copy", "deepcopy", "replace", "asdict", "astuple", "fields"}
_BY_MADE_NAMES |= {"attrgetter", "methodcaller", "getmembers", "getattr_static", "reduce", "dumps", "pprint"}
_OF_ANY_OBJECT = (_BY_MADE_NAMES - {"copy", "replace", "reduce", "fields"}) | {"__dict__", "__getattribute__"}
_ANYWHERE = {"globals", "locals", "eval", "exec", "compile", "__import__", "import_module", "open", "input"}
_OF_THE_INTERPRETER = {"__globals__", "__builtins__", "__closure__", "cell_contents", "_getframe", "import_module"}
_OF_THE_INTERPRETER |= {"currentframe", "f_locals", "f_globals", "get_objects", "__subclasses__", "__import__"}


class Reads(NamedTuple):
    """The names that some code reads."""

    globals: frozenset  # of its module, or builtins
    attributes: frozenset  # of any object
    all_attributes: bool  # whether it may read attributes whose names are computed at run time
    unseen: str  # a function it calls that may read anything, "" if there is none


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


@functools.lru_cache(maxsize=4096)
def reads_of(code):
    """The :class:`Reads` of a code object and of the code objects nested in it."""
    found, attributes, imported = set(), set(), ""
    instructions = [x for x in dis.get_instructions(code) if x.opname not in ("CACHE", "PUSH_NULL", "PRECALL")]
    for i, instruction in enumerate(instructions):
        if instruction.argval in ("getattr", "hasattr") and instruction.opname == "LOAD_GLOBAL":
            name = _constant_name(instructions[i + 1 :])
            found.add(instruction.argval if name is None else f"{instruction.argval} of a constant")
            attributes.update(() if name is None else (name,))
        elif instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_CLASSDEREF"):
            found.add(instruction.argval)
        elif instruction.opname in ("IMPORT_NAME", "IMPORT_STAR"):
            imported = "import"
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"):
            attributes.add(instruction.argval)
    unseen = imported or next(iter(sorted(found & _ANYWHERE | attributes & _OF_THE_INTERPRETER)), "")
    by_made_names = bool(found & _BY_MADE_NAMES or attributes & _OF_ANY_OBJECT)
    inner = [reads_of(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    return Reads(
        frozenset(found).union(*(part.globals for part in inner)),
        frozenset(attributes).union(*(part.attributes for part in inner)),
        by_made_names or any(part.all_attributes for part in inner),
        unseen or next((part.unseen for part in inner if part.unseen), ""),
    )
