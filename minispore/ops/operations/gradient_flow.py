"""Operations that hand their input on, and say where the gradient passes: Identity, Depend, StopGradient."""

from __future__ import annotations

from typing import Any

from minispore.core.nest import map_leaves
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.type_checks import check_tensor

__all__ = ["Depend", "Identity", "StopGradient", "identity"]


class Identity(Primitive):
    """The same values in another Tensor.

    ``out = x``, in memory of its own.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Identity()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "x", x)
        return x

    def compute(self, xp, x):
        return x.copy()

    def bprop(self, x, out, dout):
        return dout


def identity(x) -> Any:
    """``x`` itself.

    Examples:
        >>> from minispore import ops
        >>> ops.identity("any value")
        'any value'
    """
    return x


class _EachTensor(Primitive):
    """Base of operations on their first input that take a nest of Tensors, too, part by part; all else is handed on."""

    def __call__(self, value, *others):
        """The operation on a Tensor, or on each Tensor of a nest."""
        if isinstance(value, Tensor):
            return super().__call__(value, *others)
        return map_leaves(lambda x: self(x, *others) if isinstance(x, Tensor) else x, value)


class Depend(_EachTensor):
    """``out = value``, computed after ``expr``; a cell's mark does not lower it.

    Shapes and dtypes: any, kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1.0, 2.0])
        >>> print(ops.depend(x, ops.exp(x)))
        [1. 2.]
    """

    complex_numbers = "as written"
    autocast = False

    def infer(self, value, expr):
        return value

    def compute(self, xp, value, expr):
        return value

    def bprop(self, value, expr, out, dout):
        return dout, None


class StopGradient(_EachTensor):
    """A Tensor through which no gradient passes.

    ``out = x``, and no gradient passes.

    Shapes: any, kept.

    Any dtype is taken and kept.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([3.0])
        >>> print(ms.grad(lambda x: (x * ops.stop_gradient(x)).sum())(x))  # 2 * x without it
        [3.]
        >>> print(ops.stop_gradient(x))
        [3.]
    """

    complex_numbers = "as written"
    differentiable = False

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x
