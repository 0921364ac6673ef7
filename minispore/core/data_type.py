"""DType: one data type, and how a user's type argument is read; ``dtype.py`` has the types."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.errors import shown

__all__ = []

by_numpy, by_name = {}, {}  # each data type, as it is made
_STORING = ("Tensor", "Cast", "set_dtype", "dtype_to_nptype")  # what takes the types of Stored
by_python = {}  # bool, int and float -> the data type of a Tensor of them


class Type:
    """Base of the data types and of the kinds of values."""

    __slots__ = ()


class DType(Type):
    """A data type: its name as MindSpore prints it, and NumPy's dtype.

    Two types are equal when they describe the same NumPy dtype; ``str(float32)`` is ``Float32``.
    """

    __slots__ = ("is_float", "name", "np")
    is_tensor_type = False

    def __init__(self, name: str, numpy_type: Any) -> None:
        self.name = name
        self.np = np.dtype(numpy_type)
        self.is_float = name.startswith(("Float", "BFloat"))
        by_numpy[self.np] = self
        by_name[self.np.names[0] if self.np.names else self.np.name] = self

    def __repr__(self) -> str:
        return f"minispore.{self.name.lower()}" if self.name != "Bool" else "minispore.bool_"

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DType) and self.np == other.np

    def __hash__(self) -> int:
        return hash(self.np)

    def __reduce__(self):
        return (from_numpy, (self.np,))


class Stored(DType):
    """The class of ``float8_e4m3fn``, ``float8_e5m2`` and ``hifloat8``, in which numbers are kept and none computed.

    No NumPy dtype knows all three. So a NumPy dtype of one field, a byte, stands for each: the field has its name.
    """

    __slots__ = ()

    def __init__(self, name: str, own: str) -> None:
        super().__init__(name, [(own, np.uint8)])
        self.is_float = False

    def __repr__(self) -> str:
        return f"minispore.{self.np.names[0]}"


DTypeLike = DType | np.dtype[Any] | type | str  # what :func:`as_dtype` reads


def from_numpy(numpy_type: Any) -> DType:
    """The data type of a NumPy dtype, or anything ``np.dtype`` accepts; TypeError if there is none."""
    found = by_numpy.get(numpy_type)
    if found is None:
        found = by_numpy.get(np.dtype(numpy_type).newbyteorder("="))
    if found is None:
        raise TypeError(f"For 'Tensor', the data type must be one of {', '.join(by_name)}, but got {numpy_type}.")
    return found


def as_dtype(value: DTypeLike, operation: str = "Tensor", argument: str = "dtype") -> DType:
    """Read a user's type argument: a :class:`DType`, a NumPy dtype or scalar type, a name, or bool, int, float."""
    if isinstance(value, str) and value in by_name:
        value = by_name[value]
    if isinstance(value, Stored) and operation not in _STORING:
        raise TypeError(f"For '{operation}', the '{argument}' must be a type to compute in, but got {shown(value)}.")
    if isinstance(value, DType):
        return value
    if isinstance(value, type) and value in by_python:
        return by_python[value]
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return from_numpy(np.dtype(value))
    raise TypeError(f"For '{operation}', the '{argument}' must be a minispore dtype, but got {shown(value)}.")


def dtype_to_nptype(type_: DTypeLike) -> type[Any]:
    """NumPy's scalar type of a data type.

    Examples:
        >>> import minispore as ms
        >>> ms.dtype_to_nptype(ms.float16)
        <class 'numpy.float16'>
    """
    return as_dtype(type_, "dtype_to_nptype", "type_").np.type
