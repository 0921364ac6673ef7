"""Tensor's methods on its shape and the order of its axes; ``operators.py`` installs them."""

from __future__ import annotations

from minispore.core.checks import check_choice
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors

__all__ = []


def _shape_arguments(arguments):
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments


def _reshape(self, *shape) -> Tensor:
    """The same elements in another shape, ints or one tuple of them; one length may be -1. ``view`` is the same.

    Shapes: the product of the lengths stays; ValueError where it cannot. Dtypes: any, kept.

    Raises:
        TypeError: If ``shape`` is not an int.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([1, 2, 3, 4, 5, 6])
        >>> print(x.view(3, -1))
        [[1 2]
         [3 4]
         [5 6]]
        >>> print(x.reshape(2, 3))  # or x.reshape((2, 3))
        [[1 2 3]
         [4 5 6]]
    """
    return F.reshape(self, _shape_arguments(shape))


def _transpose(self, *axes) -> Tensor:
    """The axes in another order: reversed, where none is given. The property ``T`` is the same without an order.

    Shapes: ``out.shape[i] = self.shape[axes[i]]``. Dtypes: any, kept.

    Raises:
        TypeError: If ``axes`` is not an int.
        ValueError: If ``axes`` is out of range, or ``axes`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1, 2, 3], [4, 5, 6]])
        >>> print(x.T)
        [[1 4]
         [2 5]
         [3 6]]
        >>> print(x.transpose(1, 0))  # or x.transpose((1, 0))
        [[1 4]
         [2 5]
         [3 6]]
    """
    axes = _shape_arguments(axes)
    return F.transpose(self, axes or tuple(range(self.ndim))[::-1])


def _permute(self, *axis) -> Tensor:
    """The axes in another order, ints or one tuple of them: ``ops.transpose``.

    Shapes: ``out.shape[i] = self.shape[axis[i]]``. Dtypes: any, kept.

    Raises:
        TypeError: If ``axis`` is not an int.
        ValueError: If ``axis`` is out of range, or ``axis`` does not name each axis once.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1, 2, 3], [4, 5, 6]]).permute(1, 0))
        [[1 4]
         [2 5]
         [3 6]]
    """
    return F.transpose(self, _shape_arguments(axis))


def _flatten(self, order: str = "C", *, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from ``start_dim`` to ``end_dim`` as one, by default all: ``ops.flatten``.

    Shapes: (product of the lengths,) by default. Dtypes: any, kept.

    Raises:
        TypeError: If ``start_dim`` or ``end_dim`` is not an int.
        ValueError: If ``start_dim`` or ``end_dim`` is no axis of the input, or ``order`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[[1, 2], [3, 4]]])
        >>> print(x.flatten())
        [1 2 3 4]
        >>> print(x.flatten(start_dim=1))
        [[1 2 3 4]]
    """
    check_choice("flatten", "order", order, ("C", "F"))
    rows = self.transpose() if order == "F" else self  # "F": the first index changes fastest
    return F.flatten(rows, start_dim=start_dim, end_dim=end_dim)


def _expand_as(self, x: Tensor) -> Tensor:
    """The Tensor stretched to another's shape: ``ops.broadcast_to``.

    Shapes: that of ``x``. Dtypes: any, kept.

    Raises:
        TypeError: If ``x`` is not a Tensor.
        ValueError: If ``x`` does not broadcast to the shape.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([[1], [2]]).expand_as(ms.Tensor([[0, 0, 0], [0, 0, 0]])))
        [[1 1 1]
         [2 2 2]]
    """
    check_tensors("expand_as", x=x)
    return F.broadcast_to(self, x.shape)


def _view_as(self, other: Tensor) -> Tensor:
    """The same elements in another Tensor's shape.

    Shapes: that of ``other``. Dtypes: any, kept.

    Raises:
        TypeError: If ``other`` is not a Tensor.
        ValueError: If ``shape`` does not hold as many elements as the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.Tensor([1, 2, 3, 4]).view_as(ms.Tensor([[0, 0], [0, 0]])))
        [[1 2]
         [3 4]]
    """
    check_tensors("view_as", other=other)
    return F.reshape(self, other.shape)


METHODS_OF_SHAPES = {
    "expand_as": _expand_as,
    "flatten": _flatten,
    "permute": _permute,
    "reshape": _reshape,
    "transpose": _transpose,
    "view": _reshape,
    "view_as": _view_as,
}
