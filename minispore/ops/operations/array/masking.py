"""Elements by a condition: those under a mask, filling under a mask, the places of non-zero elements."""

import numpy as np

from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.kernels.select import select
from minispore.ops.operands import tensor_beside
from minispore.ops.operations.math.select import Select
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_same_type, check_tensor, named

__all__ = ["MaskedFill", "MaskedSelect", "NonZero"]

_select = Select()


def _check_mask(op, mask):
    check_tensor(op, "mask", mask)
    if mask.dtype != np.bool_:
        raise type_error(op.name, "the 'mask' must be a Tensor of bools", named(mask.dtype))


class MaskedSelect(Primitive):
    """The elements of ``x`` where ``mask`` is True, as one row, after both are broadcast.

    Shapes: (count,), known from the values alone. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x`` or ``mask`` is not a Tensor.
        ValueError: If the shapes of ``x`` and ``mask`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaskedSelect()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([True, False, True])))
        [1. 3.]
    """

    def infer(self, x, mask):
        check_tensor(self, "x", x)
        _check_mask(self, mask)
        broadcast_shape(self, x.shape, mask.shape, ("x", "mask"))
        return Spec((None,), x.dtype)

    def compute(self, xp, x, mask):
        x, mask = xp.broadcast_arrays(x, mask)
        return x[mask]

    def bprop(self, x, mask, out, dout):
        shape = np.broadcast_shapes(x.shape, mask.shape)
        return sum_to(dout.scatter_to(shape, mask.broadcast_to(shape)), x.shape), None


class MaskedFill(Primitive):
    """``value``, a number or a 0-d Tensor, where ``mask`` is True, else ``x``, after both are broadcast.

    Shapes: those of x and the mask broadcast. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``x`` or ``mask`` is not a Tensor, or ``value`` is not a number or a Tensor.
        ValueError: If the shapes of ``x`` and ``mask`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.MaskedFill()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([True, False, True]), 0.0))
        [0. 2. 0.]
    """

    def adapt(self, x, mask, value):
        """Read the value as a Tensor of the dtype of x."""
        if not isinstance(value, Tensor) and not isinstance(value, (bool, int, float)):
            raise type_error(self.name, "the 'value' must be a number or a Tensor", shown(value))
        return x, mask, tensor_beside(value, x) if isinstance(x, Tensor) else value

    def infer(self, x, mask, value):
        check_tensor(self, "input_x", x)
        _check_mask(self, mask)
        check_same_type(self, input_x=x, value=value)
        check_rank(self, "value", value, (0,))
        return Spec(broadcast_shape(self, x.shape, mask.shape, ("input_x", "mask")), x.dtype)

    def compute(self, xp, x, mask, value):
        return select(xp, mask, value, x)

    def bprop(self, x, mask, value, out, dout):
        at_x = sum_to(_select(mask, 0, dout), x.shape) if needs_grad(x) else None
        return at_x, None, (_select(mask, dout, 0).sum() if needs_grad(value) else None)


class NonZero(Primitive):
    """The places of non-zero elements, a row of int64 indices for each, in the order in which they stand.

    Shapes: (count, axes of x), known from the values alone. Dtypes: floats, ints and bools; the answer is int64;
    TypeError for complex.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` has no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.NonZero()(ms.Tensor([[0, 3], [5, 0]])))
        [[0 1]
         [1 0]]
    """

    differentiable = False

    def infer(self, x):
        check_tensor(self, "x", x)
        if not x.shape:
            raise value_error(self.name, "the 'x' must have at least one axis", f"shape {x.shape}")
        return Spec((None, len(x.shape)), np.dtype(np.int64))

    def compute(self, xp, x):
        return xp.stack(xp.nonzero(x), -1).astype(np.int64)
