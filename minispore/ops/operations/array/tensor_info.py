"""A Tensor's shape, rank, size and dtype, and Tensors made from Python numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minispore.core.dtype import as_dtype, float32, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor

__all__ = [
    "DType",
    "Rank",
    "ScalarCast",
    "ScalarToArray",
    "ScalarToTensor",
    "Shape",
    "Size",
    "TensorShape",
    "TupleToArray",
]


class _Fact(Primitive):
    """Base of operations with a plain Python value as result: nothing is computed, wrapped or recorded."""

    differentiable = False

    def __call__(self, x: Tensor) -> Any:
        """The fact about ``x``."""
        if not isinstance(x, Tensor):
            raise type_error(self.name, "the 'input_x' must be a Tensor", type(x).__name__)
        return self.forward(x)


class Shape(_Fact):
    """The lengths of the axes, a tuple of ints.

    Shapes and dtypes: any.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.shape(ms.Tensor([[1, 2, 3], [4, 5, 6]]))  # or ops.Shape()(x), x.shape
        (2, 3)
    """

    __call__: Callable[[Tensor], tuple[int, ...]]

    complex_numbers = "as written"

    def forward(self, x):
        return x.shape


class TensorShape(_Fact):
    """The lengths of the axes, a Tensor of int64.

    Shapes: any of D axes gives (D,). Dtypes: any; the answer is int64.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.TensorShape()(ms.Tensor([[1, 2, 3], [4, 5, 6]])))
        [2 3]
    """

    complex_numbers = "as written"

    def forward(self, x):
        return Tensor(np.array(x.shape, np.int64))


class Rank(_Fact):
    """The number of axes, an int.

    Shapes and dtypes: any.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.rank(ms.Tensor([[1, 2, 3], [4, 5, 6]]))  # or ops.Rank()(x), x.ndim
        2
    """

    __call__: Callable[[Tensor], int]

    complex_numbers = "as written"

    def forward(self, x):
        return x.ndim


class Size(_Fact):
    """The number of elements, an int.

    Shapes and dtypes: any.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.size(ms.Tensor([[1, 2, 3], [4, 5, 6]]))  # or ops.Size()(x), x.size
        6
    """

    __call__: Callable[[Tensor], int]

    complex_numbers = "as written"

    def forward(self, x):
        return x.size


class DType(_Fact):
    """The data type.

    Shapes and dtypes: any.

    Raises:
        TypeError: If the input is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.dtype(ms.Tensor([1.0]))  # or ops.DType()(x), x.dtype
        minispore.float32
    """

    __call__: Callable[..., Any]

    complex_numbers = "as written"

    def forward(self, x):
        return x.dtype


class TupleToArray(Primitive):
    """A tuple of numbers, or a range, as a Tensor: int32 where the first is an int, else float32.

    Raises:
        TypeError: If ``input_x`` is not a tuple of numbers or a range.

    Examples:
        >>> from minispore import ops
        >>> print(ops.tuple_to_array((1, 2, 3)))
        [1 2 3]
    """

    differentiable = False

    def __call__(self, input_x):
        """The Tensor of the numbers."""
        if not isinstance(input_x, (tuple, range)) or not input_x:
            raise type_error(self.name, "the 'input_x' must be a tuple of numbers or a range", shown(input_x))
        return Tensor(np.array(input_x).astype(np.int32 if isinstance(input_x[0], int) else np.float32))


class ScalarToTensor(Primitive):
    """A number as a 0-d Tensor of ``dtype``.

    Raises:
        TypeError: If ``input_x`` is not a number, or ``dtype`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ScalarToTensor()(2, ms.float32))
        2.0
    """

    differentiable = False

    def __call__(self, input_x, dtype=float32):
        """The Tensor of the number."""
        if not isinstance(input_x, (bool, int, float)):
            raise type_error(self.name, "the 'input_x' must be a number", type(input_x).__name__)
        return Tensor(input_x, dtype)


class ScalarToArray(Primitive):
    """A number as a 0-d Tensor: int32 of an int, float32 of a float.

    Raises:
        TypeError: If ``input_x`` is not an int or a float.

    Examples:
        >>> from minispore import ops
        >>> print(ops.ScalarToArray()(2.5))
        2.5
    """

    differentiable = False

    def __call__(self, input_x):
        """The Tensor of the number."""
        if isinstance(input_x, bool) or not isinstance(input_x, (int, float)):
            raise type_error(self.name, "the 'input_x' must be an int or a float", type(input_x).__name__)
        if isinstance(input_x, int) and not -(2**31) <= input_x < 2**31:
            raise value_error(self.name, "the 'input_x' must fit into int32", shown(input_x))
        return Tensor(input_x, int32 if isinstance(input_x, int) else float32)


class ScalarCast(Primitive):
    """A number as a Python number of the kind of a dtype: ``ScalarCast()(2.7, ms.int32)`` is 2.

    Raises:
        TypeError: If ``input_x`` is not a number, or ``input_y`` is not a dtype.
        ValueError: If ``input_x`` is not finite for an integer type.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.ScalarCast()(2.7, ms.int32)
        2
    """

    differentiable = False

    def __call__(self, input_x, input_y):
        """A bool, an int or a float."""
        if not isinstance(input_x, (bool, int, float)):
            raise type_error(self.name, "the 'input_x' must be a number", type(input_x).__name__)
        kind = as_dtype(input_y, self.name, "input_y").np.kind
        if kind in "iu" and not math.isfinite(input_x):
            raise value_error(self.name, "the 'input_x' must be finite for an integer type", input_x)
        return {"b": bool, "i": int, "u": int}.get(kind, float)(input_x)
