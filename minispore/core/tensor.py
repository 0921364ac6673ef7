"""Tensor: an array that the autograd engine can follow.

A Tensor holds one array of the current device and a mark of the tape that follows it. The array is a value: the package
never writes into one; assignment (``x[i] = v``, ``Parameter.set_data``, an optimizer's step) replaces it, so views are
free. Only a user who writes into ``asnumpy()`` sees the change in Tensors that share its memory. Tensor has no
arithmetic of its own: ``ops/tensor_methods/operators.py`` installs it as one table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from minispore.core import backend, dtype
from minispore.core.checks import is_int
from minispore.core.context import running
from minispore.core.dtype import DType, DTypeLike
from minispore.core.errors import shown, type_error, value_error

__all__ = ["Tensor"]

_DIGITS = {"float16": 4, "bfloat16": 4, "float32": 8, "float64": 8}
_READABLE = "a Tensor, a NumPy array, a bool, an int, a float, a complex number, or a list or tuple of those"


def wrap(array):
    """The Tensor that holds ``array``, which must be an array of the current device."""
    tensor = _new(Tensor)
    tensor.array = array
    tensor._tape = None
    return tensor


def converted(array, numpy_type):
    """The array as another dtype, itself if it has it; of complex numbers their real parts, for a real dtype."""
    if array.dtype.kind == "c" and numpy_type.kind not in "bc":
        array = array.real
    return array.astype(numpy_type, copy=False)


def _host(tensor):
    """The values on the host; tells the layers, since later operations may depend on them."""
    for layer_read in running.read:
        layer_read(tensor)
    return backend.to_host(tensor.array)


def _from_python(data, kind):
    """The array of a number or a nest of numbers: Python floats become float32, ints int64.

    Floats stay float64 on the way to a dtype that holds more than float32 does: 0.1 as float64, 16777217.0 as int32.
    """
    try:
        array = np.array(data)
    except (ValueError, RecursionError):  # rows of unequal lengths, or a nest deeper than an array has axes
        raise value_error("Tensor", f"the 'input_data' must be {_READABLE}, of one shape", shown(data)) from None
    if array.dtype.kind in "OUSV":
        raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", shown(data))
    if array.dtype == np.float64 and kind in (None, dtype.float16, dtype.bfloat16):
        return array.astype(np.float32)
    return array.astype(np.int64) if array.dtype.kind == "i" and isinstance(data, int) else array


def _check_unmasked(operation, argument, array):
    """Raise ValueError for a masked array with masked elements, whose values mean nothing."""
    mask = getattr(array, "mask", None)
    if mask is not None and np.any(mask):
        got = f"{np.count_nonzero(mask)} that are"
        raise value_error(operation, f"the '{argument}' must have no masked elements (see its method 'filled')", got)


def _read(data, kind):
    """The host array of the constructor's data on the way to a dtype; it never shares memory with the data."""
    if isinstance(data, Tensor):
        return np.array(_host(data))
    if isinstance(data, (np.ndarray, np.generic)):
        if data.dtype.kind in "OUSMm":
            raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", f"an array of {data.dtype}")
        _check_unmasked("Tensor", "input_data", data)
        return np.array(data, order="C")
    if isinstance(data, (bool, int, float, complex)):
        return _from_python(data, kind)
    if isinstance(data, (list, tuple)):
        return _from_python([_host(x) if isinstance(x, Tensor) else x for x in data], kind)
    raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", f"{shown(data)} of type {type(data).__name__}")


class Tensor:
    """An n-dimensional array on the current device, with MindSpore's arithmetic and gradients.

    Args:
        input_data: A Tensor, NumPy array, number, or nested list or tuple of numbers; copied. Python ints give int64,
            floats float32, complex numbers complex128, bools bool; NumPy arrays keep their dtype.
        dtype: The dtype to convert to. Default: the data's own.
        shape: With ``init``: the shape to fill, a tuple of ints. With ``dtype`` alone, and None for lengths that are
            unknown: that of a placeholder, which has no values, and tells ``Cell.set_inputs`` what inputs look like.
        init: An initializer that fills ``shape`` with ``dtype``, in place of ``input_data``.

    Raises:
        TypeError: If the data is of an unsupported kind.
        ValueError: If neither data nor ``shape``, ``dtype`` and ``init`` are given, or both are, or elements of a
            masked array are masked.

    Examples:
        >>> import minispore as ms
        >>> ms.Tensor([1.0, 2.0])
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    __slots__ = ("__weakref__", "_tape", "array")
    is_state = False  # whether it keeps what a differentiated function writes into it, as a Parameter does
    __array_ufunc__ = None  # `ndarray + Tensor` defers to Tensor, and returns a Tensor
    __hash__ = object.__hash__

    def __init__(
        self,
        input_data: Any = None,
        dtype: DTypeLike | None = None,
        shape: Sequence[int | None] | None = None,
        init: Any = None,
    ) -> None:
        self._tape = None
        if init is not None:
            if input_data is not None or shape is None or dtype is None:
                raise value_error("Tensor", "'init' goes with 'shape' and 'dtype' and without 'input_data'")
            if not hasattr(type(init), "draw"):
                raise type_error("Tensor", "the 'init' must be an Initializer", shown(init))
            self.array = init.fill(shape, _dtype(dtype)).array
            return
        if input_data is None and isinstance(shape, (list, tuple)) and None in shape:
            self._leave_open(shape, dtype)
            return
        if shape is not None:
            raise value_error("Tensor", "the 'shape' must be None beside the 'input_data'", shown(shape))
        if input_data is None:
            raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", "None")
        with np.errstate(all="ignore"):  # inf and nan are results here
            kind = None if dtype is None else _dtype(dtype)
            array = _read(input_data, kind)
            kind = kind or _known(array.dtype)
            self.array = backend.from_host(converted(array, kind.np))

    def _leave_open(self, shape, kind):
        """Become a placeholder, which has no values: one is added from outside."""
        raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", "None")

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """The Tensor of a NumPy array; on the CPU it shares the array's memory, but in a differentiated function.

        Raises:
            TypeError: If ``array`` is not a NumPy array.
            ValueError: If elements of a masked array are masked.
        """
        if not isinstance(array, np.ndarray):
            raise type_error("from_numpy", "the 'array' must be a NumPy array", type(array).__name__)
        _check_unmasked("from_numpy", "array", array)
        array = array.astype(_known(array.dtype).np, copy=running.tape is not None)  # to native byte order
        return wrap(backend.from_host(np.ascontiguousarray(array) if array.ndim else array))

    def asnumpy(self) -> np.ndarray:
        """The values as a NumPy array: the Tensor's own memory on the CPU, a copy from the GPU or of a broadcast.

        In a function that is differentiated it is a copy everywhere: the gradient needs the values as they are.
        """
        host = _host(self)
        return host if host.flags.writeable and running.tape is None else host.copy()

    numpy = asnumpy

    @property
    def dtype(self) -> DType:
        """The data type, such as ``ms.float32``."""
        return dtype.from_numpy(self.array.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, a tuple of ints."""
        return self.array.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.array.size)

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self.array.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The byte step along each axis."""
        return self.array.strides

    def dim(self) -> int:
        """The number of axes."""
        return self.array.ndim

    def item(self, index: int | tuple[int, ...] | None = None) -> Any:
        """One element as a Python number: the only one, or the one at a flat index or a tuple of indices."""
        if index is None and self.size != 1:
            raise value_error("item", "the Tensor must have one element where no index is given", f"shape {self.shape}")
        host = self.asnumpy()
        if index is None:
            return host.item()
        if not all(map(is_int, index if isinstance(index, tuple) else (index,))):
            raise type_error("item", "the 'index' must be an int or a tuple of ints", shown(index))
        try:
            return host.item(index)
        except (IndexError, OverflowError, ValueError):
            outside = f"For 'item', the 'index' must lie in the shape {self.shape}, but got {shown(index)}."
            raise IndexError(outside) from None

    def tolist(self) -> Any:
        """The values as nested Python lists (a Python number for a 0-d Tensor)."""
        return self.asnumpy().tolist()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("For 'len', the Tensor must have an axis, but got a 0-d Tensor.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise TypeError("For 'iter', the Tensor must have an axis, but got a 0-d Tensor.")
        return (self[i] for i in range(self.shape[0]))

    def _single(self, operation):
        if self.size != 1:
            raise value_error(operation, "the Tensor must have exactly one element", f"shape {self.shape}")
        return self.asnumpy().reshape(())[()]

    def _real(self, operation):
        if self.array.dtype in dtype.COMPLEX:
            raise type_error(operation, "the Tensor must hold a real number", self.dtype)
        return self._single(operation)

    def __bool__(self) -> bool:
        return bool(self._single("bool"))

    def __float__(self) -> float:
        return float(self._real("float"))

    def __complex__(self) -> complex:
        return complex(self._single("complex"))

    def __int__(self) -> int:
        return int(self._real("int"))

    def __index__(self) -> int:
        if self.array.dtype.kind not in "iub":
            raise type_error("index", "the Tensor must hold an integer", self.dtype)
        return int(self._single("index"))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.asnumpy(), dtype=dtype) if copy is not False else np.asarray(self.asnumpy(), dtype=dtype)

    def __deepcopy__(self, memo: Any) -> Tensor:
        return Tensor(self)

    def __copy__(self) -> Tensor:
        return wrap(self.array)

    def __reduce__(self):
        return (Tensor, (np.array(self.asnumpy()),))

    def __str__(self) -> str:
        return str(self.asnumpy())

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={_value_text(self.asnumpy())})"


_new = object.__new__


def _dtype(value):
    return dtype.as_dtype(value, "Tensor")


def _known(numpy_type):
    return dtype.from_numpy(numpy_type)


def _complex_text(number):
    return f"{number.real:g}{number.imag:+g}j"


def _value_text(array):
    """The values as MindSpore prints them: floats in scientific notation with the digits of their type."""
    if array.ndim == 0:
        if array.dtype in dtype.COMPLEX:
            return " " + _complex_text(array.item())
        return f" {array.item():.9g}" if array.dtype in dtype.FLOATS else f" {array.item()}"
    if not array.size:
        return " "
    formatter = {}
    if array.dtype in dtype.COMPLEX:
        formatter = {"complex_kind": _complex_text}
    elif array.dtype in dtype.FLOATS:
        digits = _DIGITS[array.dtype.name]
        width = digits + 7
        formatter = {"float_kind": lambda v: f"{v:.{digits}e}".rjust(width)}
        if array.dtype.name == "bfloat16":
            array = array.astype(np.float32)
    text = np.array2string(array, separator=", ", formatter=formatter or None, max_line_width=10**6)
    text = text.replace("\n\n", "\n").replace(", ...,", " ...").replace(",\n ...,", "\n ...")
    return (" " if array.ndim == 1 else "\n") + text
