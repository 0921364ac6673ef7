"""Pooling layers."""

from minispore.errors import value_error
from minispore.nn.cell import Cell
from minispore.ops.pooling import AvgPool, MaxPool

__all__ = ["AvgPool2d", "MaxPool2d"]


class _Pool2d(Cell):
    """Base of 2-D pooling layers: windows of ``kernel_size`` every ``stride``."""

    operation = None

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, data_format="NCHW"):
        super().__init__()
        if str(pad_mode).lower() not in ("same", "valid", "pad"):
            raise value_error(type(self).__name__, "the 'pad_mode' must be 'same', 'valid' or 'pad'", repr(pad_mode))
        self.kernel_size, self.stride, self.pad_mode = kernel_size, stride, pad_mode.upper()
        self.pool = self.operation(kernel_size, stride, pad_mode, padding, data_format)

    def construct(self, x):
        """Pool; a Tensor of three axes is one image."""
        if x.ndim == 3:
            return self.pool(x.expand_dims(0)).squeeze(0)
        return self.pool(x)

    def extend_repr(self):
        """The arguments."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}"


class MaxPool2d(_Pool2d):
    """The largest element of each window.

    Args:
        kernel_size (Union[int, tuple[int]]): Height and width of a window. Default: 1.
        stride (Union[int, tuple[int]]): Distance of windows. Default: 1.
        pad_mode (str): "same" (output of ``ceil(length / stride)``), "valid" or "pad". Default: "valid".
        padding (Union[int, tuple[int]]): With "pad": one width, or (top, bottom, left, right). Default: 0.
        data_format (str): "NCHW".

    Raises:
        ValueError: If an argument or x's number of axes is out of range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.MaxPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[4.]]]]
    """

    operation = MaxPool


class AvgPool2d(_Pool2d):
    """The mean of each window's elements; padding does not count.

    Arguments and errors are those of :class:`MaxPool2d`.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.AvgPool2d(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
    """

    operation = AvgPool
