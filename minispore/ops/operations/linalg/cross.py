"""The vector product of vectors of length 3."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.ops.axes import as_axis, as_int
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type

__all__ = ["Cross"]

_FIRST_OF_THREE = -65530  # MindSpore's sign for the first axis of length 3


class Cross(Primitive):
    """Vector product along an axis of length 3, by default the first such: ``out = x1 × x2``, both of one shape.

    Shapes: any with an axis of length 3, kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``dim`` is not an int, ``x1`` or ``x2`` is not a Tensor, or ``x2`` and ``x1`` differ in dtype.
        ValueError: If ``x2`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Cross()(ms.Tensor([1.0, 0.0, 0.0]), ms.Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """

    complex_numbers = "analytic"

    def __init__(self, dim=_FIRST_OF_THREE) -> None:
        self.add_prim_attr("dim", as_int(self, "dim", dim))

    def _axis(self, shape):
        if self.dim == _FIRST_OF_THREE:
            if 3 not in shape:
                raise value_error(self.name, "the 'x1' must have an axis of length 3", f"shape {shape}")
            return shape.index(3)
        axis = as_axis(self, self.dim, len(shape), "dim")
        if shape[axis] != 3:
            raise value_error(self.name, "the 'x1' must have the length 3 along 'dim'", f"shape {shape}")
        return axis

    def infer(self, x1, x2):
        check_number(self, "x1", x1)
        check_same_type(self, x1=x1, x2=x2)
        check_shape(self, "x2", x2, x1.shape)
        self._axis(x1.shape)
        return x1

    def compute(self, xp, x1, x2):
        axis = self._axis(x1.shape)
        a, b = widen(xp, x1), widen(xp, x2)
        first = xp.roll(a, -1, axis) * xp.roll(b, -2, axis)
        return narrow(xp, first - xp.roll(a, -2, axis) * xp.roll(b, -1, axis), x1.dtype)

    def bprop(self, x1, x2, out, dout):
        return (
            self(x2, dout) if needs_grad(x1) else None,
            self(dout, x1) if needs_grad(x2) else None,
        )
