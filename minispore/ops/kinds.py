"""Kinds of values beside the data types, and the types of Python that both stand for."""

from __future__ import annotations

import enum
from typing import Any

from minispore.core.data_type import DType, DTypeLike, Type, as_dtype
from minispore.core.dtype import complex128, float64

__all__ = [
    "QuantDtype",
    "dtype_to_pytype",
    "float_",
    "int_",
    "list_",
    "number",
    "pytype_to_dtype",
    "qint4x2",
    "string",
    "tensor_type",
    "tuple_",
    "type_none",
    "uint",
]


class Kind(Type):
    """A kind of value that functions are registered for, besides the data types: ``str(number)`` is ``Number``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"minispore.{self.name.lower()}"

    def __str__(self) -> str:
        return self.name


tensor_type, number, tuple_, list_ = Kind("Tensor"), Kind("Number"), Kind("Tuple"), Kind("List")
string, type_none = Kind("String"), Kind("None")
qint4x2 = Kind("Int4")  # pairs of 4 bits: a name that scripts compare dtypes with, of which no Tensor is made
int_, uint, float_ = Kind("Int"), Kind("UInt"), Kind("Float")  # of any width, so that no Tensor is made of them

QuantDtype: Any = enum.Enum(
    "QuantDtype", {f"INT{n}": n - 1 for n in range(1, 17)} | {f"UINT{n}": n + 99 for n in range(1, 17)}
)
QuantDtype.__doc__ = "MindSpore's names of quantized integers: ``INT1`` to ``INT16`` and ``UINT1`` to ``UINT16``."

_PYTHON_OF_KIND = {string: str, type_none: type(None), list_: list, tuple_: tuple, int_: int, float_: float}
_OF_PYTHON = {python: kind for kind, python in _PYTHON_OF_KIND.items() if python not in (int, float)}
_OF_PYTHON |= {float: float64, complex: complex128}  # the types of Python's numbers, whatever a Tensor makes of them
_PYTHON_OF_LETTER = {"b": bool, "i": int, "u": int, "f": float, "c": complex}  # by NumPy's letter of the kind


def dtype_to_pytype(type_: DTypeLike | Kind) -> type[Any]:
    """Python's type of a data type or kind: float of ``float16``, int of ``uint8``, str of ``string``.

    Examples:
        >>> import minispore as ms
        >>> ms.dtype_to_pytype(ms.float16)
        <class 'float'>
    """
    if isinstance(type_, Kind) and type_ in _PYTHON_OF_KIND:
        return _PYTHON_OF_KIND[type_]
    found = as_dtype(type_, "dtype_to_pytype", "type_")
    return float if found.is_float else _PYTHON_OF_LETTER[found.np.kind]


def pytype_to_dtype(obj: DTypeLike) -> DType | Kind:
    """The data type or kind of a Python or NumPy type: ``float`` is float64, ``int`` is int64, ``str`` is String.

    Examples:
        >>> import minispore as ms
        >>> print(ms.pytype_to_dtype(float), ms.pytype_to_dtype(str))
        Float64 String
    """
    if isinstance(obj, type) and obj in _OF_PYTHON:
        return _OF_PYTHON[obj]
    return as_dtype(obj, "pytype_to_dtype", "obj")
