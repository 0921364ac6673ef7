"""Elementwise choice between two Tensors."""

import numpy as np

from minispore.core.errors import type_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.kernels.select import select
from minispore.ops.promotion import promoted
from minispore.ops.type_checks import check_same_type, check_tensor, named

__all__ = ["Select"]


class Select(Primitive):
    """Elementwise choice, with broadcasting: ``out = x where condition else y``.

    Shapes: any that broadcast. Dtypes: any, kept.

    Raises:
        TypeError: If ``condition`` is not a Tensor of bools, or ``x`` or ``y`` is neither a Tensor nor a number.
        ValueError: If the shapes of the three do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Select()(ms.Tensor([True, False]), ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0])))
        [ 1. 20.]
    """

    complex_numbers = "as written"

    def adapt(self, condition, x, y):
        """Promote x and y; the condition is not lowered."""
        return (condition, *promoted(self, x, y))

    def infer(self, condition, x, y):
        check_tensor(self, "condition", condition)
        check_same_type(self, x=x, y=y)
        if condition.dtype != np.bool_:
            raise type_error(self.name, "the 'condition' must be a Tensor of bools", named(condition.dtype))
        shape = broadcast_shape(self, x.shape, y.shape)
        return Spec(broadcast_shape(self, condition.shape, shape, ("condition", "x")), x.dtype)

    def compute(self, xp, condition, x, y):
        return select(xp, condition, x, y)

    def bprop(self, condition, x, y, out, dout):
        return (
            None,
            sum_to(_select(condition, dout, 0), x.array.shape) if needs_grad(x) else None,
            sum_to(_select(condition, 0, dout), y.array.shape) if needs_grad(y) else None,
        )


_select = Select()
