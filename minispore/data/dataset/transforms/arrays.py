"""Transforms of arrays of any kind: types, one-hot vectors, padding, filling, slices, masks, joining, counting."""

from __future__ import annotations

import operator
from enum import IntEnum
from typing import Any

import numpy as np

from minispore.core.checks import check_choice, check_int, check_positive_int, is_int
from minispore.core.dtype import DTypeLike, as_dtype, bool_
from minispore.core.errors import runtime_error, shown, type_error, value_error
from minispore.data.dataset.transforms.base import TensorOperation, as_array, one_of
from minispore.ops.number_checks import check_number, check_real

__all__ = [
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "Plugin",
    "Relational",
    "Slice",
    "TypeCast",
    "Unique",
]


class Relational(IntEnum):
    """The comparisons of :class:`Mask`.

    Examples:
        >>> from minispore.dataset import transforms
        >>> print([relation.name for relation in transforms.Relational])
        ['EQ', 'NE', 'GT', 'GE', 'LT', 'LE']
    """

    EQ, NE, GT, GE, LT, LE = range(6)


def numpy_type(operation, argument, value):
    """NumPy's dtype of a user's type: a dtype of the framework or of NumPy, its name, or a type of Python."""
    if isinstance(value, type) and value in (bool, int, float):
        return np.dtype(value)  # float64 and int64, as NumPy and MindSpore read them here
    if isinstance(value, str) and value == "bool":
        return np.dtype(np.bool_)
    return np.dtype(as_dtype(value, operation, argument).np)


def cast(array, dtype):
    """``array`` as ``dtype``, out of range as the processor's own conversion does it; the array itself if it is so."""
    with np.errstate(invalid="ignore", over="ignore"):
        return array.astype(dtype, copy=False)


class TypeCast(TensorOperation):
    """The input as ``data_type``.

    Shapes: any, kept. Dtypes: numbers and bools; the answer is ``data_type``.

    Args:
        data_type (mindspore.dtype): A dtype of the framework or of NumPy, or its name.

    Raises:
        TypeError: If ``data_type`` is no data type.
        RuntimeError: When called, if the input is text.

    Examples:
        >>> from minispore.dataset.transforms import TypeCast
        >>> import numpy as np
        >>> TypeCast("int32")(np.array([1.5, -2.5]))
        array([ 1, -2], dtype=int32)
    """

    def __init__(self, data_type: DTypeLike) -> None:
        self.data_type = numpy_type(type(self).__name__, "data_type", data_type)

    def _array(self, x):
        if x.dtype.kind in "US":
            raise runtime_error(type(self).__name__, "the input must be numbers", f"{x.dtype}")
        return cast(x, self.data_type)


class OneHot(TensorOperation):
    """Vectors of length ``num_classes`` that are 1 at the labels and 0 elsewhere.

    With ``smoothing_rate`` they are float64: ``(1 - rate) * onehot + rate / num_classes``.

    Shapes: () gives (``num_classes``,), (N,) gives (N, ``num_classes``); RuntimeError for others. Dtypes: ints, kept.

    Args:
        num_classes (int): How many labels there are.
        smoothing_rate (float): In [0, 1]. Default: 0.0.

    Raises:
        TypeError: If ``num_classes`` is not an int.
        ValueError: If ``num_classes`` is below 1, or ``smoothing_rate`` outside [0, 1].
        RuntimeError: When called, if the input is not a label or a vector of labels in [0, num_classes).

    Examples:
        >>> from minispore.dataset.transforms import OneHot
        >>> import numpy as np
        >>> OneHot(3)(np.array([2, 0]))
        array([[0, 0, 1],
               [1, 0, 0]])
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        self.num_classes = check_positive_int("OneHot", "num_classes", num_classes)
        self.smoothing_rate = check_real("OneHot", "smoothing_rate", smoothing_rate, 0, 1)

    def _array(self, x):
        if x.ndim > 1 or x.dtype.kind not in "iu":
            raise runtime_error("OneHot", "the input must be a label or a vector of labels", f"{x.dtype}{x.shape}")
        if x.size and not (x.min() >= 0 and x.max() < self.num_classes):
            raise runtime_error("OneHot", f"the labels must be in [0, {self.num_classes})", shown(x))
        out = np.equal(x[..., None], np.arange(self.num_classes)).astype(x.dtype)
        if self.smoothing_rate:
            out = (1 - self.smoothing_rate) * out + self.smoothing_rate / self.num_classes
        return out[0] if len(out) == 1 and x.ndim else out


class PadEnd(TensorOperation):
    """The input cut to ``pad_shape`` and filled up with ``pad_value`` at the end of each axis.

    Shapes: as many axes as ``pad_shape``, which is the shape of the answer. Dtypes: any, kept.

    Args:
        pad_shape (list): The length of each axis; None keeps it.
        pad_value (object): A number, a str or bytes. Default: None, 0 or the empty text.

    Raises:
        TypeError: If ``pad_shape`` is not a list of ints.
        ValueError: If a length is below 1.
        RuntimeError: When called, if the rank or the kind of the input does not fit.

    Examples:
        >>> from minispore.dataset.transforms import PadEnd
        >>> import numpy as np
        >>> PadEnd([4], 7)(np.array([1, 2, 3]))
        array([1, 2, 3, 7])
    """

    def __init__(self, pad_shape: list[Any], pad_value: object | None = None) -> None:
        if not isinstance(pad_shape, list):
            raise type_error("PadEnd", "the 'pad_shape' must be a list", shown(pad_shape))
        self.pad_shape = [None if n is None else check_positive_int("PadEnd", "pad_shape", n) for n in pad_shape]
        self.pad_value = pad_value

    def _array(self, x):
        if x.ndim != len(self.pad_shape):
            expected = f"the rank of the input must be {len(self.pad_shape)}, as 'pad_shape' says"
            raise runtime_error("PadEnd", expected, f"shape {x.shape}")
        empty = "" if x.dtype.kind in "US" else 0
        x, value = _fitting("PadEnd", x, empty if self.pad_value is None else self.pad_value)
        shape = [m if n is None else n for n, m in zip(self.pad_shape, x.shape, strict=True)]
        out = np.full(shape, value, x.dtype)
        kept = tuple(slice(min(n, m)) for n, m in zip(shape, x.shape, strict=True))
        out[kept] = x[kept]
        return out


def _fitting(operation, x, value):
    """The array, wide enough for the value if both are text, and the value in the array's kind."""
    is_text = x.dtype.kind in "US"
    if is_text != isinstance(value, (str, bytes)):
        raise runtime_error(operation, f"the value must be of the input's kind, {x.dtype}", shown(value))
    if not is_text:
        return x, cast(np.asarray(value), x.dtype)
    value = np.asarray(value).astype(x.dtype.kind)
    return x.astype(np.promote_types(x.dtype, value.dtype), copy=False), value


class Fill(TensorOperation):
    """An array of the input's shape and type in which every element is ``fill_value``.

    Shapes: any, kept. Dtypes: any, kept.

    Args:
        fill_value (object): A number, a bool, a str or bytes.

    Raises:
        TypeError: If ``fill_value`` is anything else.
        RuntimeError: When called, if ``fill_value`` is text and the input is not, or the other way round.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.Fill(7)(np.array([1, 2])))
        [7 7]
    """

    def __init__(self, fill_value: object) -> None:
        if not isinstance(fill_value, (str, bytes, bool)):
            check_number("Fill", "fill_value", fill_value, "a number, a bool, a str or bytes")
        self.fill_value = fill_value

    def _array(self, x):
        x, value = _fitting("Fill", x, self.fill_value)
        return np.full(x.shape, value)


class Slice(TensorOperation):
    """The elements at the given places of each axis; axes that are not named are kept whole.

    Shapes: the chosen part of each axis; axes without a slice are kept. Dtypes: any, kept.

    Args:
        *slices (object): For each axis an int, a list of ints, a slice, or None or ``...`` for all of it.

    Raises:
        TypeError: If a slice is anything else.
        RuntimeError: When called, if there are more slices than axes, or a place is outside of an axis.

    Examples:
        >>> from minispore.dataset.transforms import Slice
        >>> import numpy as np
        >>> Slice(slice(0, 2), [2, 0])(np.arange(9).reshape(3, 3))
        array([[2, 0],
               [5, 3]])
    """

    def __init__(self, *slices) -> None:
        self.slices = [self._checked(one) for one in slices]

    @staticmethod
    def _checked(one):
        if one is None or one is Ellipsis or one is True:
            return slice(None)
        if is_int(one):
            return [operator.index(one)]
        if isinstance(one, slice) or (isinstance(one, list) and all(map(is_int, one))):
            return one
        raise type_error("Slice", "a slice must be an int, a list of ints, a slice, None or ...", shown(one))

    def _array(self, x):
        if len(self.slices) > x.ndim:
            raise runtime_error("Slice", f"there must be at most {x.ndim} slices", len(self.slices))
        for axis, places in enumerate(self.slices):
            if isinstance(places, slice):
                x = x[(slice(None),) * axis + (places,)]
            elif all(-x.shape[axis] <= i < x.shape[axis] for i in places):
                x = np.take(x, places, axis)
            else:
                raise runtime_error("Slice", f"the places must be within axis {axis}, {x.shape[axis]}", places)
        return x


_COMPARE = dict(zip(Relational, ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"], strict=True))


class Mask(TensorOperation):
    """``x operator constant``, elementwise, as ``dtype``.

    Shapes: any, kept. Dtypes: any; the answer is ``dtype``.

    Args:
        operator (Relational): The comparison.
        constant (object): A number, a bool or a str.
        dtype (mindspore.dtype): The type of the result. Default: bool.

    Raises:
        TypeError: If ``operator`` is not a Relational.
        RuntimeError: When called, if ``constant`` is text and the input is not, or the other way round.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.Mask(transforms.Relational.GT, 1)(np.array([1, 2, 3])))
        [False  True  True]
    """

    def __init__(self, operator, constant: object, dtype: DTypeLike = bool_) -> None:
        if not isinstance(operator, Relational):
            raise type_error("Mask", "the 'operator' must be a Relational", shown(operator))
        if not isinstance(constant, (str, bytes, bool)):
            check_number("Mask", "constant", constant, "a number, a bool, a str or bytes")
        self.operator, self.constant, self.dtype = operator, constant, numpy_type("Mask", "dtype", dtype)

    def _array(self, x):
        if (x.dtype.kind in "US") != isinstance(self.constant, (str, bytes)):
            raise runtime_error("Mask", f"the 'constant' must be of the input's kind, {x.dtype}", shown(self.constant))
        return getattr(np, _COMPARE[self.operator])(x, self.constant).astype(self.dtype, copy=False)


class Concatenate(TensorOperation):
    """The columns one after another, between ``prepend`` and ``append``, along the only axis.

    Shapes: as many axes as ``prepend`` and ``append``; lengths along ``axis`` add up, others are kept. Dtypes: one for
    all parts, kept; RuntimeError for others.

    Args:
        axis (int): 0 or -1. Default: 0.
        prepend (numpy.ndarray): A vector to begin with. Default: None.
        append (numpy.ndarray): A vector to end with. Default: None.

    Raises:
        TypeError: If ``prepend`` or ``append`` is not an array.
        ValueError: If ``axis`` is not 0 or -1, or ``prepend`` or ``append`` is not a vector.
        RuntimeError: When called, if a column is not a vector, or the types differ.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.Concatenate(axis=0, prepend=np.array([0]), append=np.array([9]))(np.array([1, 2])))
        [0 1 2 9]
    """

    def __init__(self, axis: int = 0, prepend=None, append=None) -> None:
        self.axis = check_choice("Concatenate", "axis", check_int("Concatenate", "axis", axis), (0, -1))
        self.prepend, self.append = self._checked("prepend", prepend), self._checked("append", append)

    @staticmethod
    def _checked(argument, value):
        if value is None:
            return []
        if not isinstance(value, np.ndarray):
            raise type_error("Concatenate", f"the '{argument}' must be a NumPy array", shown(value))
        if value.dtype.kind not in "biufUS":
            raise type_error("Concatenate", f"the '{argument}' must be numbers or text", f"{value.dtype}")
        if value.ndim != 1:
            raise value_error("Concatenate", f"the '{argument}' must be a vector", f"shape {value.shape}")
        return [value]

    def __call__(self, *columns) -> Any:
        parts = [*self.prepend, *(as_array("Concatenate", column) for column in columns), *self.append]
        if not columns or any(part.ndim != 1 for part in parts):
            raise runtime_error("Concatenate", "the inputs must be vectors", str([part.shape for part in parts]))
        kinds = sorted({part.dtype.name if part.dtype.kind not in "US" else "text" for part in parts})
        if len(kinds) > 1:
            raise runtime_error("Concatenate", "the inputs must be of one type", str(kinds))
        return np.concatenate(parts)


class Duplicate(TensorOperation):
    """The column twice: ``(x, x)``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: When called, if the input is not an array, a number or a text.

    Examples:
        >>> import numpy as np
        >>> from minispore.dataset import transforms
        >>> print(transforms.Duplicate()(np.array([1, 2])))
        (array([1, 2]), array([1, 2]))
    """

    def __call__(self, *columns) -> Any:
        x = as_array("Duplicate", one_of("Duplicate", columns))
        return x, x.copy()


class Unique(TensorOperation):
    """``(y, index, count)``: the distinct elements, in the order of their first places.

    ``index`` has for each element of the input its place among them, ``count`` how often each occurs.

    Shapes: any, of S elements with K values; the answers are (K,), (S,) and (K,). Dtypes: numbers; the values are of
    the same, the rest is int32.

    Raises:
        TypeError: When called, if the input is not an array, a number or a text.
        RuntimeError: When called, if the input does not hold numbers.

    Examples:
        >>> from minispore.dataset.transforms import Unique
        >>> import numpy as np
        >>> for part in Unique()(np.array([3, 1, 3])):
        ...     print(part)
        [3 1]
        [0 1 0]
        [2 1]
    """

    def _array(self, x):
        if x.dtype.kind in "US":
            raise runtime_error("Unique", "the input must be numbers", f"{x.dtype}")
        found, first, index, count = np.unique(
            x.reshape(-1), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        return found[order], np.argsort(order)[index].astype(np.int32), count[order].astype(np.int32)


class Plugin(TensorOperation):
    """Always raises RuntimeError: operations of compiled libraries cannot be loaded; a Python function is a transform.

    Args:
        lib_path (str): The path of a compiled library.
        func_name (str): The name of its operation.
        user_args (str): Arguments of the operation. Default: None.

    Examples:
        >>> from minispore.dataset import transforms
        >>> try:
        ...     transforms.Plugin("lib.so", "function")
        ... except RuntimeError as error:
        ...     print(type(error).__name__)
        RuntimeError
    """

    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None) -> None:
        expected = "the operation must be written as a Python function, since compiled libraries are not loaded"
        raise runtime_error("Plugin", expected, shown(lib_path))
