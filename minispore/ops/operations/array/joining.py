"""Tensors joined along an axis that they have, or along a new one; and cut along one."""

from __future__ import annotations

from collections.abc import Callable

from minispore.core.errors import value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.axes import as_axis
from minispore.ops.type_checks import check_same_type, check_tensor

__all__ = ["Concat", "Split", "Stack"]


class _Joining(Primitive):
    """Base of operations that join Tensors of one dtype, at least one, along ``axis``."""

    variadic = True

    def __init__(self, axis=0) -> None:
        self.add_prim_attr("axis", axis)

    def check(self, xs):
        """Raise ValueError without any Tensor, TypeError for unequal dtypes."""
        if not xs:
            raise value_error(self.name, "the input must hold at least one Tensor", "none")
        check_same_type(self, **{f"x[{i}]": x for i, x in enumerate(xs)})


class Concat(_Joining):
    """Tensors joined along an axis that they have: ``out = (x0, x1, ...)`` end to end.

    Shapes: the lengths along ``axis`` are added; the others must be equal. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or an element of the input is not a Tensor.
        ValueError: If the input holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Concat(1)((ms.Tensor([[1], [2]]), ms.Tensor([[3, 4], [5, 6]]))))
        [[1 3 4]
         [2 5 6]]
    """

    complex_numbers = "as written"

    def infer(self, *xs):
        self.check(xs)
        axis = as_axis(self, self.axis, len(xs[0].shape))
        rest = {(*x.shape[:axis], 0, *x.shape[axis + 1 :]) for x in xs}
        if len(rest) > 1:
            raise value_error(self.name, f"the shapes must be equal but along axis {axis}", [x.shape for x in xs])
        total = sum(x.shape[axis] for x in xs)
        return Spec((*xs[0].shape[:axis], total, *xs[0].shape[axis + 1 :]), xs[0].dtype)

    def compute(self, xp, *xs):
        return xp.concatenate(xs, axis=self.axis)

    def bprop(self, *xs_out_dout):
        *xs, _, dout = xs_out_dout
        axis, start, gradients = self.axis % dout.ndim, 0, []
        for x in xs:
            stop = start + x.shape[axis]
            gradients.append(dout[(slice(None),) * axis + (slice(start, stop),)] if needs_grad(x) else None)
            start = stop
        return tuple(gradients)


class Stack(_Joining):
    """Tensors of one shape joined along a new axis.

    Shapes: a new axis, as long as there are Tensors. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int, or an element of the input is not a Tensor.
        ValueError: If the input holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Stack()((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """

    complex_numbers = "as written"

    def infer(self, *xs):
        self.check(xs)
        if len({x.shape for x in xs}) > 1:
            raise value_error(self.name, "the shapes must be equal", [x.shape for x in xs])
        axis = as_axis(self, self.axis, len(xs[0].shape) + 1)
        return Spec((*xs[0].shape[:axis], len(xs), *xs[0].shape[axis:]), xs[0].dtype)

    def compute(self, xp, *xs):
        return xp.stack(xs, axis=self.axis)

    def bprop(self, *xs_out_dout):
        *xs, _, dout = xs_out_dout
        before = (slice(None),) * (self.axis % dout.ndim)
        return tuple(dout[(*before, i)] if needs_grad(x) else None for i, x in enumerate(xs))


class Split(Primitive):
    """``x`` cut along ``axis`` into ``output_num`` equal Tensors.

    Shapes: the length along ``axis`` divided by ``output_num``, which must divide it. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` or ``output_num`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``output_num`` does not divide the length of axis 0, or ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Split(0, 2)(ms.Tensor([1, 2, 3, 4])))
        [1 2] [3 4]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    complex_numbers = "as written"

    def __init__(self, axis=0, output_num=1) -> None:
        self.add_prim_attr("axis", axis)
        self.add_prim_attr("output_num", output_num)

    def infer(self, x):
        check_tensor(self, "x", x)
        axis = as_axis(self, self.axis, len(x.shape))
        if self.output_num < 1 or x.shape[axis] % self.output_num:
            expected = f"the 'output_num' must divide the length of axis {axis}, {x.shape[axis]}"
            raise value_error(self.name, expected, self.output_num)
        length = x.shape[axis] // self.output_num
        return (Spec((*x.shape[:axis], length, *x.shape[axis + 1 :]), x.dtype),) * self.output_num

    def compute(self, xp, x):
        return tuple(xp.split(x, self.output_num, axis=self.axis))

    def bprop(self, x, out, dout):
        return Concat(self.axis)(dout)
