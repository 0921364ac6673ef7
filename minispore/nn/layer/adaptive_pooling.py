"""Adaptive pooling layers: an output of a given size; with size 1, pooling over the whole of each plane or row."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool, check_positive_int, is_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer.pooling import PlaneCell
from minispore.ops.operations.nn.adaptive_pool import AdaptiveAvgPool2D, AdaptiveMaxPool2D

__all__ = ["AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d"]


class AdaptiveAvgPool2d(Cell):
    """``out[n, c, i, j] = mean of x[n, c]`` from ``floor(i * H / OH)`` to ``ceil((i + 1) * H / OH)``, and so along W.

    Args:
        output_size (Union[int, tuple]): (OH, OW), or one int for both; None in the tuple is x's own length. With 1 it
            is global average pooling.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``, floating.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, or x is not floating.
        ValueError: If it has not two of at least 0, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AdaptiveAvgPool2d(1)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    def __init__(self, output_size: int | tuple[Any, ...]) -> None:
        super().__init__()
        self.adaptive_avgpool2d = AdaptiveAvgPool2D(output_size)

    def construct(self, x: Tensor) -> Tensor:
        """Pool."""
        return self.adaptive_avgpool2d(x)


class AdaptiveMaxPool2d(Cell):
    """The largest element of each window of :class:`AdaptiveAvgPool2d`; nan where there is one.

    Args:
        output_size (Union[int, tuple]): (OH, OW), or one int for both; None or -1 in the tuple keeps x's own length.
        return_indices (bool): If True, the elements' positions in their planes, counted row by row, are returned as
            well, as int64. Default: False.

    Raises:
        TypeError: If ``output_size`` has something else than ints and None, ``return_indices`` is not a bool, or x is
            not floating.
        ValueError: If it has not two of at least 1, or x has another number of axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AdaptiveMaxPool2d((1, 2))(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[2. 4.]]]
    """

    def __init__(self, output_size: int | tuple[Any, ...], return_indices: bool = False) -> None:
        super().__init__()
        self.return_indices = check_bool("AdaptiveMaxPool2d", "return_indices", return_indices)
        self.adaptive_max_pool2d = AdaptiveMaxPool2D(_own_length(output_size))

    def construct(self, x) -> Any:
        """Pool."""
        out = self.adaptive_max_pool2d(x)
        return out if self.return_indices else out[0]


def _own_length(output_size):
    """The output_size with None in the place of MindSpore's -1."""
    if isinstance(output_size, (tuple, list)):
        return tuple(None if n == -1 else n for n in output_size)
    return (None, None) if is_int(output_size) and output_size == -1 else output_size


class _RowPool(PlaneCell):
    """Base of adaptive pooling along the last axis: ``output_size`` windows of one length."""

    _axes = 1

    def __init__(self, output_size) -> None:
        super().__init__()
        self.output_size = check_positive_int(self._layer, "output_size", output_size)

    def _rows(self, x):
        """The rows as planes, after a look at their length."""
        if x.ndim != 3:
            raise value_error(self._layer, "the 'x' must have 3 axes", f"shape {x.shape}")
        if x.shape[2] % self.output_size:
            expected = f"the length of 'x' must be divisible by 'output_size', {self.output_size}"
            raise value_error(self._layer, expected, x.shape[2])
        return self._planes(x)


class AdaptiveAvgPool1d(_RowPool):
    """The means of ``output_size`` windows along the last axis, whose length it must divide.

    Shapes: (N, C, L) gives (N, C, ``output_size``). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``output_size`` is not an int, or x is not floating.
        ValueError: If ``output_size`` does not divide the length, or x has not 3 axes.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AdaptiveAvgPool1d(2)(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[1.5 3.5]]]
    """

    _layer = "AdaptiveAvgPool1d"

    def __init__(self, output_size) -> None:
        super().__init__(output_size)
        self.pool = AdaptiveAvgPool2D((1, self.output_size))

    def construct(self, x) -> Tensor:
        """Pool."""
        return self._restored(self.pool(self._rows(x)), x)


class AdaptiveMaxPool1d(_RowPool):
    """The largest of ``output_size`` windows along the last axis; errors as :class:`AdaptiveAvgPool1d`.

    Shapes: (N, C, L) gives (N, C, ``output_size``). Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AdaptiveMaxPool1d(2)(ms.Tensor([[[1.0, 2.0, 3.0, 4.0]]])))
        [[[2. 4.]]]
    """

    _layer = "AdaptiveMaxPool1d"

    def __init__(self, output_size) -> None:
        super().__init__(output_size)
        self.pool = AdaptiveMaxPool2D((1, self.output_size))

    def construct(self, x) -> Tensor:
        """Pool."""
        return self._restored(self.pool(self._rows(x))[0], x)
