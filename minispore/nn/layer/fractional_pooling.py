"""FractionalMaxPool2d and FractionalMaxPool3d: max pooling with steps that are not whole numbers."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional.nn_fractional_pool import check_output
from minispore.ops.windows import as_sizes

__all__ = ["FractionalMaxPool2d", "FractionalMaxPool3d"]


class _FractionalPool(Cell):
    """Base: keeps the arguments, checked."""

    _axes = 2

    def __init__(
        self, kernel_size, output_size=None, output_ratio=None, return_indices: bool = False, _random_samples=None
    ) -> None:
        super().__init__()
        name = type(self).__name__
        as_sizes(name, "kernel_size", kernel_size, self._axes)
        check_output(name, output_size, output_ratio, self._axes)
        self.return_indices = check_bool(name, "return_indices", return_indices)
        if _random_samples is not None and not isinstance(_random_samples, Tensor):
            raise type_error(name, "the '_random_samples' must be a Tensor", shown(_random_samples))
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self._random_samples = _random_samples

    def _pool(self, function, x):
        sizes = self.kernel_size, self.output_size, self.output_ratio
        return function(x, *sizes, self.return_indices, self._random_samples)

    def extend_repr(self) -> Any:
        """The arguments."""
        sizes = f"output_size={self.output_size}, output_ratio={self.output_ratio}"
        return f"kernel_size={self.kernel_size}, {sizes}"


class FractionalMaxPool2d(_FractionalPool):
    """The largest element of each of ``output_size`` windows of planes, with steps that are not whole numbers.

    The windows are the same as in :func:`minispore.ops.fractional_max_pool2d`. Source: Graham, Fractional max-pooling,
    2015.

    Args:
        kernel_size (Union[int, tuple[int]]): Height and width of a window.
        output_size (Union[int, tuple[int]]): Height and width of the output. Default: None, by ``output_ratio``.
        output_ratio (Union[float, tuple[float]]): The output's lengths as parts of the input's, in (0, 1). Default:
            None.
        return_indices (bool): If True, the elements' positions are returned as well, as int64. Default: False.
        _random_samples (Tensor): What shifts the windows, ``(N, C, 2)``, in [0, 1). Default: None, drawn in each call.

    Inputs:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, neither size nor ratio is given, or x does not fit.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.FractionalMaxPool2d(2, output_ratio=0.6)(ms.ops.ones((1, 3, 8, 10))).shape
        (1, 3, 4, 6)
        >>> x = ms.ops.arange(16.0).reshape((1, 1, 4, 4))
        >>> print(ms.nn.FractionalMaxPool2d(2, output_size=2, _random_samples=ms.Tensor([[[0.0, 0.0]]]))(x))
        [[[[ 5.  7.]
           [13. 15.]]]]
    """

    def construct(self, x: Tensor) -> Any:
        """Pool."""
        return self._pool(F.fractional_max_pool2d, x)


class FractionalMaxPool3d(_FractionalPool):
    """:class:`FractionalMaxPool2d` of volumes ``(N, C, D, H, W)`` or ``(C, D, H, W)``: three sizes, and three samples.

    Dtypes: floats, ints and bools, kept; TypeError for complex.

    Raises:
        TypeError: If ``kernel_size`` or ``output_size`` is not an int, ``_random_samples`` or ``x`` is not a Tensor, or
            ``return_indices`` is not a bool. Also if an input is complex.
        ValueError: If ``kernel_size`` or ``output_size`` is not an int or three ints, or ``kernel_size`` or
            ``output_size`` is not above 0. Also if ``x`` does not have 4 or 5 axes, or ``_random_samples`` has a shape
            that does not fit.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.FractionalMaxPool3d(2, (2, 4, 5))(ms.ops.ones((1, 3, 6, 8, 10))).shape
        (1, 3, 2, 4, 5)
        >>> x = ms.ops.arange(16.0).reshape((1, 1, 1, 4, 4))
        >>> print(ms.nn.FractionalMaxPool3d((1, 2, 2), (1, 2, 2), _random_samples=ms.Tensor([[[0.0, 0.0, 0.0]]]))(x))
        [[[[[ 5.  7.]
            [13. 15.]]]]]
    """

    _axes = 3

    def construct(self, x) -> Any:
        """Pool."""
        return self._pool(F.fractional_max_pool3d, x)
