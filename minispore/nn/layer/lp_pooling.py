"""LPPool1d and LPPool2d: pooling by norms."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_positive_int, check_switch
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional.nn_lp_pool import check_norm_type
from minispore.ops.windows import as_sizes

__all__ = ["LPPool1d", "LPPool2d"]


class _NormPool(Cell):
    """Base: keeps the arguments, checked."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode: bool = False) -> None:
        super().__init__()
        name = type(self).__name__
        self.norm_type = check_norm_type(name, norm_type)
        self.kernel_size = self._sizes("kernel_size", kernel_size)
        self.stride = None if stride is None else self._sizes("stride", stride)
        self.ceil_mode = check_switch(name, "ceil_mode", ceil_mode)

    def extend_repr(self) -> Any:
        """The arguments."""
        return f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}"


class LPPool1d(_NormPool):
    """``sum(x ** norm_type) ** (1 / norm_type)`` of each window of rows.

    Args:
        norm_type (Union[int, float]): The power, finite and not 0: 1 sums, 2 gives the Euclidean norm.
        kernel_size (int): The length of a window.
        stride (int): The distance of windows. Default: None, the kernel_size.
        ceil_mode (bool): If True, a last, partial window counts. Default: False.

    Inputs:
        x (Tensor): Shape ``(N, C, L)`` or ``(C, L)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LPPool1d(2, 2)(ms.Tensor([[[3.0, 4.0, 6.0, 8.0]]])))
        [[[ 5. 10.]]]
    """

    def _sizes(self, argument, value):
        return check_positive_int("LPPool1d", argument, value)

    def construct(self, x: Tensor) -> Tensor:
        """Pool."""
        return F.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_NormPool):
    """``sum(x ** norm_type) ** (1 / norm_type)`` of each window of planes.

    Args:
        norm_type (Union[int, float]): The power, finite and not 0.
        kernel_size (Union[int, tuple[int]]): Height and width of a window.
        stride (Union[int, tuple[int]]): The distance of windows. Default: None, the kernel_size.
        ceil_mode (bool): If True, a last, partial window counts. Default: False.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.LPPool2d(2, (1, 2))(ms.Tensor([[[[3.0, 4.0], [6.0, 8.0]]]])))
        [[[[ 5.]
           [10.]]]]
    """

    def _sizes(self, argument, value):
        as_sizes("LPPool2d", argument, value)
        return value

    def construct(self, x: Tensor) -> Tensor:
        """Pool."""
        return F.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)
