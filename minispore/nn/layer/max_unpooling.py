"""MaxUnpool1d, MaxUnpool2d and MaxUnpool3d: the largest elements of windows back in their places."""

from __future__ import annotations

import math

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d"]


class _MaxUnpool(Cell):
    """Base of the layers of one, two and three axes."""

    _axes = 2

    def __init__(self, kernel_size, stride=None, padding=0) -> None:
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self._kernel = self._sizes("kernel_size", kernel_size, 1)
        self._step = self._kernel if stride is None else self._sizes("stride", stride, 1)
        self._pads = self._sizes("padding", padding, 0)

    def _sizes(self, argument, value, low):
        """One int of at least ``low`` for each axis, from as many or from one for all."""
        name = type(self).__name__
        if isinstance(value, tuple) and len(value) != self._axes:
            raise value_error(name, f"the '{argument}' must be an int or {self._axes} of them", value)
        values = value if isinstance(value, tuple) else (value,) * self._axes
        return tuple(check_int(name, argument, n, low=low) for n in values)

    def construct(self, x, indices, output_size=None) -> Tensor:
        """Zeros with the elements of x at the positions ``indices`` of each plane, counted row by row."""
        self._check(x, indices)
        lengths = self._lengths(x.shape[-self._axes :], x.shape, output_size)
        lead, count = x.shape[: -self._axes], math.prod(lengths)
        flat = (math.prod(lead), -1)
        zeros = F.zeros((flat[0], count), x.dtype)
        out = F.tensor_scatter_elements(zeros, F.reshape(indices, flat), F.reshape(x, flat), 1)
        return F.reshape(out, (*lead, *lengths))

    def _check(self, x, indices):
        name, axes = type(self).__name__, self._axes
        for argument, value in (("x", x), ("indices", indices)):
            if not isinstance(value, Tensor):
                raise type_error(name, f"the '{argument}' must be a Tensor", type(value).__name__)
        if x.ndim not in (axes + 1, axes + 2):
            raise value_error(name, f"the 'x' must have {axes + 1} or {axes + 2} axes", f"shape {x.shape}")
        if x.shape != indices.shape:
            raise value_error(name, "the 'indices' must have the shape of 'x'", f"{indices.shape} and {x.shape}")

    def _lengths(self, lengths, shape, output_size):
        """The output's lengths: those of the windows, or the given ones if they are less than a step away."""
        name = type(self).__name__
        rows = zip(lengths, self._kernel, self._step, self._pads, strict=True)
        usual = tuple((n - 1) * step - 2 * pad + size for n, size, step, pad in rows)
        if min(usual) < 1:
            raise value_error(name, "the output must have lengths above 0", usual)
        if output_size is None:
            return usual
        if not isinstance(output_size, tuple):
            raise value_error(name, "the 'output_size' must be a tuple", output_size)
        chosen = output_size[-self._axes :]
        fits = len(chosen) == self._axes and output_size in (chosen, (*shape[: -self._axes], *chosen))
        if not fits or any(abs(n - m) >= step for n, m, step in zip(chosen, usual, self._step, strict=True)):
            expected = f"the 'output_size' must be lengths that are less than the stride from {usual}"
            raise value_error(name, expected, output_size)
        return chosen


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

    Examples:
        >>> import minispore as ms
        >>> x, indices = ms.Tensor([[[4.0]]]), ms.Tensor([[[3]]])
        >>> print(ms.nn.MaxUnpool2d(2)(x, indices))
        [[[0. 0.]
          [0. 4.]]]
    """


class MaxUnpool1d(_MaxUnpool):
    """:class:`MaxUnpool2d` along one axis: x is ``(N, C, L)`` or ``(C, L)``."""

    _axes = 1


class MaxUnpool3d(_MaxUnpool):
    """:class:`MaxUnpool2d` along three axes: x is ``(N, C, D, H, W)`` or ``(C, D, H, W)``."""

    _axes = 3
