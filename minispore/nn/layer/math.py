"""Layers that keep a triangle of each matrix: Tril and Triu."""

from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Tril", "Triu"]


class Tril(Cell):
    """The lower triangle of each matrix of x, up to the ``k``-th diagonal; zeros above it.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If x has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Tril()(ms.ops.ones((2, 2))))
        [[1. 0.]
         [1. 1.]]
    """

    def construct(self, x, k=0):
        """Cut."""
        return F.tril(x, k)


class Triu(Cell):
    """The upper triangle of each matrix of x, from the ``k``-th diagonal on; zeros below it.

    Raises:
        TypeError: If ``k`` is not an int.
        ValueError: If x has fewer than 2 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Triu()(ms.ops.ones((2, 2))))
        [[1. 1.]
         [0. 1.]]
    """

    def construct(self, x, k=0):
        """Cut."""
        return F.triu(x, k)
