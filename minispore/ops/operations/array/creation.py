"""Tensors filled with given values: one number everywhere, ones on a diagonal, ones at indices."""

from __future__ import annotations

import numpy as np

from minispore.core.dtype import STORED, as_dtype
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis, as_int
from minispore.ops.kernels.select import select
from minispore.ops.number_kinds import not_computed_in
from minispore.ops.operations.array.reshaping import as_shape
from minispore.ops.shape_checks import check_count
from minispore.ops.type_checks import check_float, check_same_type, check_tensor

__all__ = ["Eps", "Eye", "Fill", "OneHot", "Ones", "OnesLike", "Zeros", "ZerosLike"]


class OneHot(Primitive):
    """``on_value`` at each index along a new axis of length ``depth``, else ``off_value``; all off for one outside.

    Shapes: that of ``indices`` with the new axis. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.OneHot()(ms.Tensor([0, 2]), 3, ms.Tensor(1.0), ms.Tensor(0.0)))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """

    differentiable = False

    def __init__(self, axis=-1) -> None:
        self.add_prim_attr("axis", axis)

    def adapt(self, indices, depth, on_value, off_value):
        """Read numbers as Tensors."""
        return indices, depth, *(v if isinstance(v, Tensor) else Tensor(v) for v in (on_value, off_value))

    def infer(self, indices, depth, on_value, off_value):
        check_tensor(self, "indices", indices)
        if indices.dtype.kind not in "iu":
            raise type_error(self.name, "the 'indices' must be a Tensor of ints", indices.dtype)
        check_same_type(self, on_value=on_value, off_value=off_value)
        axis = as_axis(self, self.axis, len(indices.shape) + 1)
        return Spec((*indices.shape[:axis], as_int(self, "depth", depth), *indices.shape[axis:]), on_value.dtype)

    def compute(self, xp, indices, depth, on_value, off_value):
        axis = self.axis % (indices.ndim + 1)
        positions = xp.arange(depth).reshape([depth if i == axis else 1 for i in range(indices.ndim + 1)])
        return select(xp, xp.expand_dims(indices, axis) == positions, on_value, off_value)


class _New(Primitive):
    """Base of operations that make a Tensor from a shape and a dtype."""

    differentiable = False

    def adapt(self, shape, *rest):
        """Read the shape and the dtype, the last argument."""
        check_count(self, rest, 1)
        *values, dtype = rest
        return (as_shape(self, shape), *values, as_dtype(dtype, self.name, "type").np)

    def infer(self, shape, *rest):
        if any(n < 0 for n in shape):
            raise value_error(self.name, "the 'shape' must have no negative length", shape)
        return Spec(shape, rest[-1])


class Zeros(_New):
    """A Tensor of zeros.

    Shapes: the one that is given, an int or a tuple.

    Raises:
        TypeError: If ``shape`` is not an int, or the second is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Zeros()((2, 2), ms.float32))
        [[0. 0.]
         [0. 0.]]
    """

    def compute(self, xp, shape, dtype):
        return xp.zeros(shape, dtype)


class Ones(_New):
    """A Tensor of ones.

    Shapes: the one that is given, an int or a tuple.

    Raises:
        TypeError: If ``shape`` is not an int, or the second is not a dtype.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Ones()((2, 2), ms.int32))
        [[1 1]
         [1 1]]
    """

    def compute(self, xp, shape, dtype):
        return xp.ones(shape, dtype)


class Fill(_New):
    """A Tensor of one value: ``Fill()(dtype, shape, value)``.

    Shapes: ``shape``.

    Raises:
        TypeError: If ``shape`` is not a dtype, ``shape`` is not an int, or ``value`` is not a number.
        ValueError: If ``shape`` has a negative length.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Fill()(ms.float32, (2, 2), 7))
        [[7. 7.]
         [7. 7.]]
    """

    def adapt(self, dtype, shape, value):
        """Read the dtype and the shape."""
        value = value.item() if isinstance(value, Tensor) else value
        if not isinstance(value, (bool, int, float, np.generic)):
            raise type_error(self.name, "the 'value' must be a number", shown(value))
        return as_shape(self, shape), value, as_dtype(dtype, self.name, "type").np

    def infer(self, shape, value, dtype):
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            raise value_error(self.name, "the 'value' must be a number of at most 64 bits", value)
        return super().infer(shape, value, dtype)

    def compute(self, xp, shape, value, dtype):
        return xp.full(shape, np.asarray(value).astype(dtype)[()], dtype)  # `full` itself raises for -1 as a uint8


class Eye(Primitive):
    """Ones on the diagonal of ``n`` rows and ``m`` columns, zeros elsewhere.

    Shapes: (n, m).

    Raises:
        TypeError: If ``n`` or ``m`` is not an int, or ``dtype`` is not a dtype.
        ValueError: If ``n`` and ``m`` are not at least 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Eye()(2, 3, ms.int32))
        [[1 0 0]
         [0 1 0]]
    """

    differentiable = False

    def adapt(self, n, m, dtype):
        """Read the dtype."""
        return as_int(self, "n", n), as_int(self, "m", m), as_dtype(dtype, self.name, "t").np

    def infer(self, n, m, dtype):
        if n < 0 or m < 0:
            raise value_error(self.name, "the 'n' and 'm' must be at least 0", (n, m))
        return Spec((n, m), dtype)

    def compute(self, xp, n, m, dtype):
        return xp.eye(n, m, dtype=dtype)


class _Like(Primitive):
    """Base of operations that make a Tensor of another's shape and dtype."""

    differentiable = False

    def infer(self, x):
        check_tensor(self, "x", x)
        return x


class Eps(_Like):
    """A Tensor of the shape and dtype of x, filled with a small number that MindSpore has for the dtype.

    It is 2 ** -16 for float32, 2 ** -14 for float16 and 2 ** -52 for float64.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Eps()(ms.Tensor([1.0, 2.0])))  # 2 ** -16
        [1.5258789e-05 1.5258789e-05]
    """

    def infer(self, x):
        check_float(self, "x", x)
        return x

    def compute(self, xp, x):
        return xp.full(x.shape, {2: 2.0**-14, 4: 2.0**-16, 8: 2.0**-52}[x.dtype.itemsize], x.dtype)


class ZerosLike(_Like):
    """Zeros of the shape and dtype of ``x``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ZerosLike()(ms.Tensor([[1.0, 2.0]])))
        [[0. 0.]]
    """

    complex_numbers = "as written"

    def compute(self, xp, x):
        return xp.zeros_like(x)


class OnesLike(_Like):
    """Ones of the shape and dtype of ``x``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.OnesLike()(ms.Tensor([[1, 2]])))
        [[1 1]]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "x", x)
        if x.dtype in STORED:
            raise not_computed_in(self, x.dtype)
        return x

    def compute(self, xp, x):
        return xp.ones_like(x)
