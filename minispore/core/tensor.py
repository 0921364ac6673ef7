"""Tensor: an array that the autograd engine can follow.

A Tensor holds one array of the current device and a mark of the tape that follows it. The array is a value: the package
never writes into one; assignment (``x[i] = v``, ``Parameter.set_data``, an optimizer's step) replaces it, so views are
free. Only a user who writes into ``asnumpy()`` sees the change in Tensors that share its memory. Tensor has no
arithmetic of its own, and no text: ``ops/tensor_methods/`` installs both as tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minispore.core import backend, dtype
from minispore.core.dtype import DType, DTypeLike
from minispore.core.errors import shown, type_error, value_error
from minispore.core.running import running
from minispore.core.tensor_data import array_of, check_unmasked, filled, of_own_bytes

__all__ = ["Tensor"]

_new = object.__new__


def wrap(array):
    """The Tensor that holds ``array``, which must be an array of the current device."""
    tensor = _new(Tensor)
    tensor.array = array
    tensor._tape = None
    return tensor


def _host(tensor):
    """The values on the host; tells the layers, since later operations may depend on them."""
    for layer_read in running.read:
        layer_read(tensor)
    return backend.to_host(tensor.array)


class Tensor:
    """An n-dimensional array on the current device, with MindSpore's arithmetic and gradients.

    Args:
        input_data: A Tensor, NumPy array, number, or nested list or tuple of numbers; copied. Python ints give int64,
            floats float32, complex numbers complex128, bools bool; NumPy arrays keep their dtype.
        dtype: The dtype to convert to. Default: the data's own.
        shape: With ``init``: the shape to fill, a tuple of ints. With ``dtype`` alone, and None for lengths that are
            unknown: that of a placeholder, which has no values, and tells ``Cell.set_inputs`` what inputs look like.
        init: An initializer that fills ``shape`` with ``dtype``, in place of ``input_data``.
        const_arg: Accepted; nothing is compiled that it could be a constant of. Default: False.

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
        const_arg: bool = False,
    ) -> None:
        self._tape = None
        if init is not None:
            self.array = filled(input_data, dtype, shape, init)
        elif input_data is None and isinstance(shape, (list, tuple)) and None in shape:
            self._become_placeholder(shape, dtype)
        elif shape is not None:
            raise value_error("Tensor", "the 'shape' must be None beside the 'input_data'", shown(shape))
        else:
            self.array = backend.from_host(array_of(input_data, dtype))

    def _become_placeholder(self, shape, dtype):
        """Be a placeholder, a shape and a dtype without values: ``dropin/placeholder.py`` puts the way here."""
        raise value_error("Tensor", "the 'shape' must have no None", shown(shape))

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """The Tensor of a NumPy array; on the CPU it shares the array's memory, but in a differentiated function.

        Shapes and dtypes: any, kept.

        Raises:
            TypeError: If ``array`` is not a NumPy array.
            ValueError: If elements of a masked array are masked.

        Examples:
            >>> import numpy as np
            >>> import minispore as ms
            >>> array = np.array([1.0, 2.0], np.float32)
            >>> x = ms.Tensor.from_numpy(array)
            >>> array[0] = 9.0  # the Tensor sees it
            >>> print(x)
            [9. 2.]
        """
        if not isinstance(array, np.ndarray):
            raise type_error("from_numpy", "the 'array' must be a NumPy array", type(array).__name__)
        check_unmasked("from_numpy", "array", array)
        array = of_own_bytes(array, running.tape is not None)
        return wrap(backend.from_host(np.ascontiguousarray(array) if array.ndim else array))

    def asnumpy(self) -> np.ndarray:
        """The values as a NumPy array: the Tensor's own memory on the CPU, a copy from the GPU or of a broadcast.

        In a function that is differentiated it is a copy everywhere: the gradient needs the values as they are.

        Examples:
            >>> import minispore as ms
            >>> x = ms.Tensor([1.0, 2.0])
            >>> x.asnumpy()
            array([1., 2.], dtype=float32)
        """
        host = _host(self)
        return host if host.flags.writeable and running.tape is None else host.copy()

    numpy = asnumpy

    @property
    def dtype(self) -> DType:
        """The data type, such as ``ms.float32``.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0]).dtype, ms.Tensor([1]).dtype
            (minispore.float32, minispore.int64)
        """
        return dtype.from_numpy(self.array.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, a tuple of ints.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1, 2, 3]]).shape
            (1, 3)
        """
        return self.array.shape

    @property
    def ndim(self) -> int:
        """The number of axes.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1, 2, 3]]).ndim
            2
        """
        return self.array.ndim

    @property
    def size(self) -> int:
        """The number of elements.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1, 2, 3]]).size
            3
        """
        return int(self.array.size)

    def __deepcopy__(self, memodict: Any) -> Tensor:
        return Tensor(self)

    def __copy__(self) -> Tensor:
        return wrap(self.array)

    def __reduce__(self):
        return (Tensor, (np.array(self.asnumpy()),))
