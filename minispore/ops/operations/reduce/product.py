"""The product over axes, and its gradient, which holds for zeros too."""

from __future__ import annotations

import math

import numpy as np

from minispore.core.primitive_inputs import cast
from minispore.core.tape import ones_like, zeros_like
from minispore.ops.axes import as_axes
from minispore.ops.operations.array.joining import Concat, Stack
from minispore.ops.operations.reduce.reduction import Reduction

__all__ = ["ReduceProd"]


class ReduceProd(Reduction):
    """Product over axes: ``out = product of x``; its gradient, the product of the others, holds for zeros too.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceProd()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [ 2. 12.]
    """

    complex_numbers = "analytic"

    def forward(self, xp, x, axes):
        return x.prod(axis=axes, keepdims=self.keep_dims)

    def bprop(self, x, axis, out, dout):
        axes = as_axes(self, axis, x.ndim, repeated=True)
        order = (*(i for i in range(x.ndim) if i not in axes), *axes)
        last = x.transpose(order) if order else x
        rows = last.reshape(math.prod(last.shape[: x.ndim - len(axes)]), math.prod(x.shape[a] for a in axes))
        if not x.size:
            return zeros_like(x), None
        kind = np.dtype(np.float32) if x.array.dtype.itemsize == 2 else x.array.dtype
        others = _times_the_others(cast(rows, kind), cast(dout.reshape(-1, 1), kind))
        found = cast(others, x.array.dtype).reshape(last.shape)
        return found.transpose(tuple(np.argsort(order).tolist())) if order else found, None


def _times_the_others(x, d):
    """For each element ``d`` times the product of the others in its row, without a division, by halving the rows.

    Neighbours are pairs. ``d`` times the product of the other pairs, times the neighbour, is an element's result.
    Without a division, zeros need no case of their own.
    """
    length = x.shape[1]
    if length == 1:
        return d
    if length % 2:
        x = _beside(x, ones_like(x[:, :1]))
    first, second = x[:, ::2], x[:, 1::2]
    of_pair = _times_the_others(first * second, d)
    both = _stack((of_pair * second, of_pair * first)).reshape(x.shape)
    return both[:, :length] if length % 2 else both


_beside, _stack = Concat(1), Stack(2)
