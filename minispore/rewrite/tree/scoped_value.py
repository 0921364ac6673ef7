"""Values of the tree: the operands and targets of nodes (ScopedValue, ValueType), and kinds of nodes (NodeType)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.rewrite.tree.unique_names import is_plain_name

__all__ = ["NodeType", "ScopedValue", "ValueType"]

_FRAMEWORKS = ("mindspore.", "minispore.")


class NodeType(Enum):
    """The kind of a node, which says what its targets, args and receiver are.

    A node reads its ``args`` and defines its ``targets``; a call may read ``kwargs`` too. The receiver is None
    unless its kind says otherwise.

    - ``Input``: a parameter of ``construct``; the target is the parameter, args are none.
    - ``Output``: ``return x``; the one arg is what is returned, targets are none.
    - ``CallCell``: ``y = self.conv(x)``, of a cell that is not entered; targets are results, args arguments.
    - ``Tree``: as CallCell, of a cell of the user's; the nodes of its ``construct`` are the sub-tree.
    - ``CellContainer``: as CallCell, of a SequentialCell; the calls of its children are the sub-tree.
    - ``CallPrimitive``: as CallCell, of a Primitive; the receiver is the primitive that the code made before, if any.
    - ``CallFunction``: ``y = ops.matmul(x, w)``; the receiver is the value called in ``f(x)`` of a local ``f``.
    - ``CallMethod``: ``y = x.view(1)``; the receiver is ``x``, and None in ``self.helper(x)``. Also an attribute
      (``x.shape``), an element, a tuple, list or dict, a constant or a name: args are the parts.
    - ``MathOps``: ``y = a + b``, ``-a``, ``a < b``; args are the operands.
    - ``ControlFlow``: ``if``, ``for``, ``while``, ``with``, ``try``; targets are the names that it and its bodies bind,
      args what its header reads, then the values before it of names that it binds.
    - ``Python``: code that stays as it is written; targets are the names that it binds, args those that it reads.
    - ``Unknown``, ``CallModule``: no node is of this kind; MindSpore has the names.

    Examples:
        >>> from minispore.rewrite import NodeType
        >>> print([kind.name for kind in NodeType][:4])
        ['Unknown', 'CallCell', 'CallPrimitive', 'CallModule']
    """

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12


class ValueType(Enum):
    """The kind of a :class:`ScopedValue`: a constant of some type, or a name.

    Examples:
        >>> from minispore.rewrite import ValueType
        >>> print([kind.name for kind in ValueType][:4])
        ['StringValue', 'IntValue', 'FloatValue', 'TupleValue']
    """

    StringValue = 0
    IntValue = 1
    FloatValue = 2
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41


_TYPES = {
    str: ValueType.StringValue,
    bool: ValueType.IntValue,
    int: ValueType.IntValue,
    float: ValueType.FloatValue,
    tuple: ValueType.TupleValue,
    list: ValueType.ListValue,
    dict: ValueType.DictValue,
}


@dataclass(frozen=True, eq=False, repr=False, init=False)
class ScopedValue:
    """One value in a network's code: the name ``scope.value``, or a constant.

    Two are equal if they denote the same; ``mindspore.float16`` and ``minispore.float16`` do.

    Args:
        arg_type (ValueType): The kind of value; the attribute is ``type``.
        scope (str): The part of a name before the dot. Default: "".
        value (object): The name, or the constant. Default: None.

    Raises:
        TypeError: If ``arg_type`` is not a ValueType, ``scope`` not a str, or a name not a str.

    Examples:
        >>> from minispore.rewrite import ScopedValue
        >>> print(ScopedValue.create_naming_value("x"), ScopedValue.create_naming_value("conv", "self"))
        x self.conv
    """

    type: ValueType
    scope: str = ""
    value: Any = None

    def __init__(self, arg_type: ValueType, scope: str = "", value: object | None = None) -> None:
        if not isinstance(arg_type, ValueType):
            raise type_error("ScopedValue", "the 'arg_type' must be a ValueType", shown(arg_type))
        check_text("ScopedValue", "scope", scope)
        if arg_type is ValueType.NamingValue:
            check_text("ScopedValue", "value", value)
        self.__dict__.update(type=arg_type, scope=scope, value=value)  # past the frozen __setattr__

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """The name ``scope.name``; TypeError if either is not a str."""
        for argument, given in (("name", name), ("scope", scope)):
            if not isinstance(given, str):
                raise type_error("create_naming_value", f"the '{argument}' must be a str", type(given).__name__)
        return cls(ValueType.NamingValue, scope, name)

    @classmethod
    def create_name_values(cls, names, scopes=None) -> list[ScopedValue]:
        """The names ``scope.name``, one for each pair, as a list; ValueError if the lists differ in length."""
        for argument, given in (("names", names), ("scopes", [] if scopes is None else scopes)):
            if not isinstance(given, (list, tuple)):
                raise type_error("create_name_values", f"the '{argument}' must be a list of str", type(given).__name__)
        scopes = [""] * len(names) if scopes is None else scopes
        if len(names) != len(scopes):
            raise value_error("create_name_values", f"the 'scopes' must be {len(names)} like the names", len(scopes))
        return [cls.create_naming_value(name, scope) for name, scope in zip(names, scopes, strict=True)]

    @classmethod
    def create_variable_value(cls, value: object) -> ScopedValue:
        """The constant ``value``."""
        return cls(_TYPES.get(type(value), ValueType.CustomObjValue), "", value)

    @property
    def is_legible(self) -> bool:
        """True if Python reads the text as this value: a dotted name, or a constant with a source form."""
        if self.is_name:
            return all(map(is_plain_name, self.text.split(".")))
        try:
            return ast.literal_eval(self.text) == self.value
        except (ValueError, SyntaxError):
            return False

    @property
    def is_carried(self) -> bool:
        """True for an object without a source form, such as a Tensor, which the network must hold for the code."""
        return isinstance(self.value, Tensor)

    @cached_property
    def is_name(self) -> bool:
        """True if it is a name, not a constant."""
        return self.type is ValueType.NamingValue

    @cached_property
    def root(self) -> Any:
        """The variable that a name reads: ``x`` of ``x.shape``; None for a constant."""
        return self.text.partition(".")[0] if self.is_name else None

    def instead(self, old, new) -> Any:
        """This value with ``new`` in place of ``old``: ``y.shape`` for ``x.shape``."""
        if self == old:
            return new
        if not self.is_name or not old.is_name or not new.is_name or not self.text.startswith(old.text + "."):
            return self
        return ScopedValue.create_naming_value(new.text + self.text[len(old.text) :])

    @cached_property
    def text(self) -> str:
        """The value as source text."""
        return _own(f"{self.scope}.{self.value}" if self.scope else self.value) if self.is_name else repr(self.value)

    def __eq__(self, other) -> bool:
        return isinstance(other, ScopedValue) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self):
        return self.type, type(self.value), id(self.value) if self.is_carried else self.text

    def __repr__(self) -> str:
        return f"{self.scope}.{self.value}" if self.scope else str(self.value)


def _own(name):
    """The name in minispore's spelling, if it names MindSpore's module."""
    for framework in _FRAMEWORKS:
        if name.startswith(framework):
            return "minispore." + name[len(framework) :]
    return name
