"""The same elements in another shape. Every result may be a view, since arrays are values."""

from __future__ import annotations

import math

from minispore.core.errors import shown, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis, as_int
from minispore.ops.type_checks import check_tensor

__all__ = ["ExpandDims", "Flatten", "Reshape", "Squeeze"]

_MOST_ELEMENTS = 2**60  # NumPy counts the bytes of an array in 63 bits, lengths of 0 left out


def as_shape(op, shape, argument="shape"):
    """A shape as a tuple of ints, from ints or integer Tensors; one number is one axis."""
    if isinstance(shape, Tensor) and shape.ndim == 1:
        shape = shape.tolist()
    shape = shape if isinstance(shape, (tuple, list)) else (shape,)
    shape = tuple([as_int(op, argument, n) for n in shape])
    if shape and max(shape) >= 2**15 and math.prod(n or 1 for n in shape) > _MOST_ELEMENTS:
        raise value_error(op.name, f"the '{argument}' must be of at most 2 ** 60 elements", shown(shape))
    return shape


class Reshape(Primitive):
    """The same elements in another shape; one length may be -1 and follows from the others.

    Shapes: ``shape``; the number of elements stays. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``shape`` is not an int.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Reshape()(ms.Tensor([1, 2, 3, 4, 5, 6]), (2, -1)))
        [[1 2 3]
         [4 5 6]]
    """

    complex_numbers = "as written"

    def adapt(self, x, shape):
        """Read the shape: ints, or integer Tensors of one element."""
        return x, as_shape(self, shape)

    def infer(self, x, shape):
        check_tensor(self, "x", x)
        size, known = math.prod(x.shape), math.prod(n for n in shape if n != -1)
        if shape.count(-1) > 1 or any(n < -1 for n in shape):
            raise value_error(self.name, "the 'shape' must have at most one -1 and no other negative length", shape)
        if -1 in shape and known and size % known == 0:
            shape = tuple(size // known if n == -1 else n for n in shape)
        if -1 in shape or math.prod(shape) != size:
            raise value_error(self.name, f"the 'shape' must hold the {size} elements of shape {x.shape}", shape)
        return Spec(shape, x.dtype)

    def compute(self, xp, x, shape):
        return x.reshape(shape)

    def bprop(self, x, shape, out, dout):
        return dout.reshape(x.array.shape), None


class Flatten(Primitive):
    """All axes but the first as one: ``out = x.reshape((x.shape[0], -1))``.

    Shapes: (N, *) gives (N, product of the others). Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Flatten()(ms.Tensor([[[1, 2], [3, 4]]])))
        [[1 2 3 4]]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "input_x", x)
        if not x.shape:
            raise value_error(self.name, "the 'input_x' must have an axis at least", "shape ()")
        return Spec((x.shape[0], math.prod(x.shape[1:])), x.dtype)

    def compute(self, xp, x):
        return x.reshape((x.shape[0], math.prod(x.shape[1:])))

    def bprop(self, x, out, dout):
        return dout.reshape(x.shape)


class ExpandDims(Primitive):
    """A new axis of length 1 at ``axis``.

    Shapes: a length 1 more. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ExpandDims()(ms.Tensor([1, 2]), 1))
        [[1]
         [2]]
    """

    complex_numbers = "as written"

    def infer(self, x, axis):
        check_tensor(self, "x", x)
        axis = as_axis(self, axis, len(x.shape) + 1)
        return Spec((*x.shape[:axis], 1, *x.shape[axis:]), x.dtype)

    def compute(self, xp, x, axis):
        return xp.expand_dims(x, axis)

    def bprop(self, x, axis, out, dout):
        return dout.reshape(x.array.shape), None


class Squeeze(Primitive):
    """Without the axes of length 1: all of them, or only ``axis``.

    Shapes: without the lengths 1. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or a tuple or list of ints, or ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Squeeze()(ms.Tensor([[[1], [2]]])))
        [1 2]
    """

    complex_numbers = "as written"

    def __init__(self, axis=()) -> None:
        self.add_prim_attr("axis", tuple(axis) if isinstance(axis, (tuple, list)) else (axis,))

    def infer(self, x):
        check_tensor(self, "x", x)
        axes = {as_axis(self, a, len(x.shape)) for a in self.axis}
        axes = axes or {i for i, n in enumerate(x.shape) if n == 1}
        if any(x.shape[a] != 1 for a in axes):
            raise value_error(self.name, "the 'axis' must name axes of length 1", f"{self.axis} for shape {x.shape}")
        return Spec(tuple(n for i, n in enumerate(x.shape) if i not in axes), x.dtype)

    def compute(self, xp, x):
        return x.squeeze(self.axis or None)

    def bprop(self, x, out, dout):
        return dout.reshape(x.array.shape)
