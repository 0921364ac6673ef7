"""The array of a new Tensor, from numbers, nests of numbers, NumPy arrays, other Tensors, or an initializer."""

import numpy as np

from minispore.core import dtype
from minispore.core.errors import shown, type_error, value_error

__all__ = []

_READABLE = "a Tensor, a NumPy array, a bool, an int, a float, a complex number, or a list or tuple of those"


recoded = None  # conversion to and from the types of ``dtype.STORED``: ``amp/lowbit/formats.py`` puts it here


def converted(array, numpy_type):
    """The array as another dtype, itself if it has it; of complex numbers their real parts, for a real dtype."""
    if numpy_type in dtype.STORED or array.dtype in dtype.STORED:
        return recoded(array, numpy_type)
    if array.dtype.kind == "c" and numpy_type.kind not in "bc":
        array = array.real
    return array.astype(numpy_type, copy=False)


def array_of(data, kind):
    """The host array of the constructor's ``input_data``, as the dtype ``kind``; it shares no memory with the data."""
    if data is None:
        raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", "None")
    with np.errstate(all="ignore"):  # inf and nan are results here
        kind = None if kind is None else dtype.as_dtype(kind, "Tensor")
        array = _read(data, kind)
        return converted(array, (kind or dtype.from_numpy(array.dtype)).np)


def of_own_bytes(array, copy):
    """The array in native byte order, as the NumPy dtype by which its data type is known here; a ``copy`` if asked."""
    kind = dtype.from_numpy(array.dtype).np
    array = converted(array, kind) if kind in dtype.STORED else array  # whose bytes ml_dtypes knows by other names
    return array.astype(kind, copy=copy)


def filled(data, kind, shape, init):
    """The array of ``shape`` and ``kind`` that an initializer fills."""
    if data is not None or shape is None or kind is None:
        raise value_error("Tensor", "'init' goes with 'shape' and 'dtype' and without 'input_data'")
    if not hasattr(type(init), "draw"):
        raise type_error("Tensor", "the 'init' must be an Initializer", shown(init))
    return init.fill(shape, dtype.as_dtype(kind, "Tensor")).array


def _read(data, kind):
    """The host array of the constructor's data on the way to a dtype; it never shares memory with the data."""
    if hasattr(data, "_tape"):  # a Tensor
        return np.array(data.asnumpy())
    if isinstance(data, (np.ndarray, np.generic)):
        if data.dtype.kind in "OUSMm":
            raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", f"an array of {data.dtype}")
        check_unmasked("Tensor", "input_data", data)
        return np.array(data, order="C")
    if isinstance(data, (bool, int, float, complex)):
        return _from_python(data, kind)
    if isinstance(data, (list, tuple)):
        return _from_python([x.asnumpy() if hasattr(x, "_tape") else x for x in data], kind)
    raise type_error("Tensor", f"the 'input_data' must be {_READABLE}", f"{shown(data)} of type {type(data).__name__}")


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


def check_unmasked(operation, argument, array):
    """Raise ValueError for a masked array with masked elements, whose values mean nothing."""
    mask = getattr(array, "mask", None)
    if mask is not None and np.any(mask):
        got = f"{np.count_nonzero(mask)} that are"
        raise value_error(operation, f"the '{argument}' must have no masked elements (see its method 'filled')", got)
