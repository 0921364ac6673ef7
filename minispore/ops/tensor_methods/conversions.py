"""A Tensor as Python and NumPy see it: its elements as numbers and lists, its length, its bytes and its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from minispore.core import dtype
from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.core.tensor_data import converted
from minispore.ops.added import add_to
from minispore.ops.tensor_methods.text import value_text

__all__ = []


class _Conversions:
    """The methods that every Tensor gets."""

    def item(self, index: int | tuple[int, ...] | None = None) -> Any:
        """One element as a Python number: the only one, or the one at a flat index or a tuple of indices.

        Raises:
            TypeError: If ``index`` is not an int or a tuple of ints.
            IndexError: If ``index`` does not lie in the shape.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1.5]]).item()
            1.5
            >>> ms.Tensor([[1.5, 2.5]]).item((0, 1))
            2.5
        """
        if index is None and self.size != 1:
            raise value_error("item", "the Tensor must have one element where no index is given", f"shape {self.shape}")
        host = self._numbers()
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
        """The values as nested Python lists (a Python number for a 0-d Tensor).

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1, 2], [3, 4]]).tolist()
            [[1, 2], [3, 4]]
        """
        return self._numbers().tolist()

    @property
    def itemsize(self) -> int:
        """The bytes of one element.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0]).itemsize, ms.Tensor([1.0], ms.float16).itemsize
            (4, 2)
        """
        return self.array.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0, 2.0]).nbytes
            8
        """
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """The byte step along each axis.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).strides
            (8, 4)
        """
        return self.array.strides

    def dim(self) -> int:
        """The number of axes.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([[1, 2, 3]]).dim()
            2
        """
        return self.array.ndim

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("For 'len', the Tensor must have an axis, but got a 0-d Tensor.")
        return self.shape[0]

    def __iter__(self) -> Iterator[Self]:
        if not self.shape:
            raise TypeError("For 'iter', the Tensor must have an axis, but got a 0-d Tensor.")
        return (self[i] for i in range(self.shape[0]))

    def _single(self, operation):
        if self.size != 1:
            raise value_error(operation, "the Tensor must have exactly one element", f"shape {self.shape}")
        host = self._numbers() if self.array.dtype in dtype.STORED else self.asnumpy()
        return host.reshape(())[()]

    def _numbers(self):
        """The values as numbers that Python knows."""
        host = self.asnumpy()
        return converted(host, dtype.float32.np) if host.dtype in dtype.STORED else host

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

    def __str__(self) -> str:
        return str(self._numbers())

    def __repr__(self) -> str:
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={value_text(self.asnumpy())})"


add_to(Tensor, _Conversions)
