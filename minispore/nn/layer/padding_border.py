"""Padding layers that continue x at its border: with its mirror image, or with copies of its last elements."""

from __future__ import annotations

from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.layer.padding import AroundAxes
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = [
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
]


class _ReflectionPad(AroundAxes):
    """Base of padding with the mirror image of x at its border."""

    def __init__(self, padding) -> None:
        super().__init__(padding)
        if any(n < 0 for n in self.padding):
            raise value_error(type(self).__name__, "the 'padding' must be at least 0", padding)

    def construct(self, x) -> Tensor:
        """Pad."""
        self._check_axes(x, range(self._axes, 6))
        return F.pad(x, self.padding, "reflect")


class ReflectionPad1d(_ReflectionPad):
    """The last axis padded with its mirror image: ``(…, x2, x1, x0, x1, x2, …)``.

    Arguments and errors as :class:`ReflectionPad2d`.

    Shapes: at least one axis; the last one grows. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReflectionPad1d(1)(ms.Tensor([[1.0, 2.0, 3.0]])))
        [[2. 1. 2. 3. 2.]]
    """


class ReflectionPad2d(_ReflectionPad):
    """The last two axes padded with their mirror image.

    Shapes: at least two axes; the last two grow. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        padding (Union[int, tuple]): One length for all sides, or (before, after) of the last axis, then of the one
            before it, and so on; below x's own length.

    Raises:
        TypeError: If ``padding`` is not an int or tuple of ints.
        ValueError: If the count of ints is wrong, one is below 0 or too long, or x has too few axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReflectionPad2d((1, 0, 0, 1))(ms.Tensor([[[1.0, 2.0], [3.0, 4.0]]])))
        [[[2. 1. 2.]
          [4. 3. 4.]
          [2. 1. 2.]]]
    """

    _axes = 2


class ReflectionPad3d(_ReflectionPad):
    """The last three axes padded with their mirror image.

    Arguments and errors as :class:`ReflectionPad2d`.

    Shapes: at least three axes; the last three grow. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.ReflectionPad3d(1)(ms.ops.ones((1, 1, 2, 2, 2))).shape
        (1, 1, 4, 4, 4)
        >>> print(ms.nn.ReflectionPad3d((1, 0, 0, 0, 0, 0))(ms.Tensor([[[[[1.0, 2.0]]]]])))
        [[[[[2. 1. 2.]]]]]
    """

    _axes = 3


class _ReplicationPad(AroundAxes):
    """Base of padding with copies of x's border."""

    def construct(self, x) -> Tensor:
        """Pad."""
        self._check_axes(x, (self._axes + 1, self._axes + 2))
        return F.pad(x, self.padding, "replicate")


class ReplicationPad1d(_ReplicationPad):
    """Rows ``(N, C, L)`` or ``(C, L)`` padded with copies of their ends.

    Arguments and errors as :class:`ReplicationPad2d`.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReplicationPad1d((1, 0))(ms.Tensor([[1.0, 2.0]])))
        [[1. 1. 2.]]
    """


class ReplicationPad2d(_ReplicationPad):
    """Planes ``(N, C, H, W)`` or ``(C, H, W)`` padded with copies of their border.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Args:
        padding (Union[int, tuple]): One length for all sides, or (before, after) of the last axis, then of the one
            before it, and so on. A length below 0 cuts.

    Raises:
        TypeError: If ``padding`` is not an int or tuple of ints.
        ValueError: If the count of ints is wrong, x has another number of axes, or nothing is left of one.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.ReplicationPad2d((1, 0, 0, 1))(ms.Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2.]
          [1. 1. 2.]]]
    """

    _axes = 2


class ReplicationPad3d(_ReplicationPad):
    """Volumes ``(N, C, D, H, W)`` or ``(C, D, H, W)`` padded with their border.

    Arguments and errors as :class:`ReplicationPad2d`.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.ReplicationPad3d(1)(ms.ops.ones((1, 1, 2, 2, 2))).shape
        (1, 1, 4, 4, 4)
        >>> print(ms.nn.ReplicationPad3d((1, 0, 0, 0, 0, 0))(ms.Tensor([[[[[1.0, 2.0]]]]])))
        [[[[[1. 1. 2.]]]]]
    """

    _axes = 3
