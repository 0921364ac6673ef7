"""MaxUnpool1d, MaxUnpool2d and MaxUnpool3d: the largest elements of windows back in their places."""

from __future__ import annotations

from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.functional.nn_max_unpool import unpooled, windows

__all__ = ["MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxUnpool(Cell):
    """Base of the layers of one, two and three axes."""

    _axes = 2

    def __init__(self, kernel_size, stride=None, padding=0) -> None:
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self._windows = windows(type(self).__name__, self._axes, kernel_size, stride, padding)

    def construct(self, x, indices, output_size=None) -> Tensor:
        """Zeros with the elements of x at the positions ``indices`` of each plane, counted row by row."""
        return unpooled(type(self).__name__, x, indices, *self._windows, output_size)


class MaxUnpool2d(_MaxUnpool):
    """The largest elements of windows back in their places, and zeros elsewhere: a partial inverse of MaxPool2d.

    Args:
        kernel_size (Union[int, tuple[int]]): Height and width of the windows.
        stride (Union[int, tuple[int]]): Distance of the windows. Default: None, the kernel_size.
        padding (Union[int, tuple[int]]): The padding of the pooling. Default: 0.

    Inputs:
        - **x** (Tensor) - Shape ``(N, C, H, W)`` or ``(C, H, W)``.
        - **indices** (Tensor) - Where in its plane each element stood, counted row by row: int32 or int64.
        - **output_size** (tuple[int]) - The output's shape, or its last two lengths. Default: None,
          ``(H - 1) * stride - 2 * padding + kernel_size``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a size is out of range, shapes do not fit, or ``output_size`` is a stride or more away.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> x, indices = ms.Tensor([[[4.0]]]), ms.Tensor([[[3]]])
        >>> print(ms.nn.MaxUnpool2d(2)(x, indices))
        [[[0. 0.]
          [0. 4.]]]
    """


class MaxUnpool1d(_MaxUnpool):
    """:class:`MaxUnpool2d` along one axis: x is ``(N, C, L)`` or ``(C, L)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``kernel_size``, ``stride`` or ``padding`` is not an int, or ``x`` or ``indices`` is not a Tensor.
            Also if ``x`` is not a Tensor of numbers.
        ValueError: If ``kernel_size`` or ``stride`` is not above 0, ``padding`` is below 0, or ``x`` does not have 2 or
            3 axes. Also if ``indices`` has another shape than ``x``.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[[2.0, 4.0]]])
        >>> print(ms.nn.MaxUnpool1d(2, 2)(x, ms.Tensor([[[1, 2]]])))
        [[[0. 2. 4. 0.]]]
    """

    _axes = 1


class MaxUnpool3d(_MaxUnpool):
    """:class:`MaxUnpool2d` along three axes: x is ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``kernel_size``, ``stride`` or ``padding`` is not an int, or ``x`` or ``indices`` is not a Tensor.
            Also if ``x`` is not a Tensor of numbers.
        ValueError: If ``kernel_size`` or ``stride`` is not above 0, ``padding`` is below 0, or ``x`` does not have 4 or
            5 axes. Also if ``indices`` has another shape than ``x``.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[[[[5.0]]]]])
        >>> print(ms.nn.MaxUnpool3d(2, 2)(x, ms.Tensor([[[[[7]]]]])))
        [[[[[0. 0.]
            [0. 0.]]
        <BLANKLINE>
           [[0. 0.]
            [0. 5.]]]]]
    """

    _axes = 3
