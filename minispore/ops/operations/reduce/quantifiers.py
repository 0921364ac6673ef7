"""Reductions of bools: true where all elements over axes are, or any."""

from __future__ import annotations

import numpy as np

from minispore.core.errors import type_error
from minispore.ops.operations.reduce.reduction import Reduction
from minispore.ops.type_checks import check_tensor, named

__all__ = ["ReduceAll", "ReduceAny"]


class _Quantifier(Reduction):
    """Base of ReduceAll and ReduceAny, on Tensors of bools."""

    differentiable = False

    def check(self, x):
        check_tensor(self, "x", x)
        if x.dtype != np.bool_:
            raise type_error(self.name, "the 'x' must be a Tensor of bools", named(x.dtype))


class ReduceAll(_Quantifier):
    """True where all elements over the axes are true.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceAll()(ms.Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """

    def forward(self, xp, x, axes):
        return x.all(axis=axes, keepdims=self.keep_dims)


class ReduceAny(_Quantifier):
    """True where any element over the axes is true.

    Shapes: without the axes, or with ``keep_dims`` of length 1 there. Dtypes: bools, kept; TypeError for floats, ints
    and complex.

    Raises:
        TypeError: If ``keep_dims`` is not a bool, ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.ReduceAny()(ms.Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """

    def forward(self, xp, x, axes):
        return x.any(axis=axes, keepdims=self.keep_dims)
