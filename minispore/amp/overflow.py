"""Overflow: whether Tensors hold an inf or a nan, in one look with one transfer to the host."""

from minispore import backend
from minispore.autograd import flatten, is_differentiable
from minispore.errors import type_error
from minispore.tensor import Tensor, wrap

__all__ = ["all_finite"]


def all_finite(inputs):
    """Whether every element of all Tensors is finite: a Tensor of one bool, shape ().

    Args:
        inputs (Union[Tensor, tuple, list]): A Tensor, or nested tuples and lists of Tensors. Integers are finite.

    Raises:
        TypeError: If ``inputs`` is neither.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.all_finite((ms.Tensor([1.0]), ms.Tensor([float("inf")]))))
        False
    """
    if not isinstance(inputs, (Tensor, tuple, list)):
        raise type_error(
            "all_finite", "the 'inputs' must be a Tensor or a tuple or list of Tensors", type(inputs).__name__
        )
    xp = backend.xp
    finite = xp.asarray(True)
    for x in flatten(inputs):
        if is_differentiable(x):
            finite = xp.logical_and(finite, xp.isfinite(x._data).all())
    return wrap(xp.asarray(finite))
