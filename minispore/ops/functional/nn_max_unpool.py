"""Functional wrappers that put the largest elements of windows back in their places."""

from __future__ import annotations

import math

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional.array_filling import zeros
from minispore.ops.functional.array_scatter import tensor_scatter_elements

__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]


def sizes(operation, argument, value, axes, low):
    """One int of at least ``low`` for each axis, from as many or from one for all."""
    if isinstance(value, tuple) and len(value) != axes:
        raise value_error(operation, f"the '{argument}' must be an int or {axes} of them", value)
    values = value if isinstance(value, tuple) else (value,) * axes
    return tuple(check_int(operation, argument, n, low=low) for n in values)


def windows(operation, axes, kernel_size, stride, padding):
    """The kernel, the step and the padding of each axis; the step is the kernel where ``stride`` is None."""
    kernel = sizes(operation, "kernel_size", kernel_size, axes, 1)
    step = kernel if stride is None else sizes(operation, "stride", stride, axes, 1)
    return kernel, step, sizes(operation, "padding", padding, axes, 0)


def unpooled(operation, x, indices, kernel, stride, padding, output_size):
    """Zeros with the elements of x at the positions ``indices`` of each plane; a size for each axis."""
    axes = len(kernel)
    _check(operation, axes, x, indices)
    lengths = _lengths(operation, x.shape, kernel, stride, padding, output_size)
    lead, count = x.shape[:-axes], math.prod(lengths)
    flat = (math.prod(lead), -1)
    empty = zeros((flat[0], count), x.dtype)
    return tensor_scatter_elements(empty, indices.reshape(flat), x.reshape(flat), 1).reshape((*lead, *lengths))


def _check(operation, axes, x, indices):
    for argument, value in (("x", x), ("indices", indices)):
        if not isinstance(value, Tensor):
            raise type_error(operation, f"the '{argument}' must be a Tensor", type(value).__name__)
    if x.ndim not in (axes + 1, axes + 2):
        raise value_error(operation, f"the 'x' must have {axes + 1} or {axes + 2} axes", f"shape {x.shape}")
    if x.shape != indices.shape:
        raise value_error(operation, "the 'indices' must have the shape of 'x'", f"{indices.shape} and {x.shape}")


def _lengths(operation, shape, kernel, stride, padding, output_size):
    """The output's lengths: those of the windows, or the given ones if they are less than a step away."""
    axes = len(kernel)
    rows = zip(shape[-axes:], kernel, stride, padding, strict=True)
    usual = tuple((n - 1) * step - 2 * pad + size for n, size, step, pad in rows)
    if min(usual) < 1:
        raise value_error(operation, "the output must have lengths above 0", usual)
    if output_size is None:
        return usual
    if not isinstance(output_size, tuple):
        raise value_error(operation, "the 'output_size' must be a tuple", output_size)
    chosen = output_size[-axes:]
    fits = len(chosen) == axes and output_size in (chosen, (*shape[:-axes], *chosen))
    if not fits or any(abs(n - m) >= step for n, m, step in zip(chosen, usual, stride, strict=True)):
        expected = f"the 'output_size' must be lengths that are less than the stride from {usual}"
        raise value_error(operation, expected, output_size)
    return chosen


def _of_sizes(operation, axes, x, indices, kernel_size, stride, padding, output_size):
    return unpooled(operation, x, indices, *windows(operation, axes, kernel_size, stride, padding), output_size)


def max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None) -> Tensor:
    """The largest elements of windows back in their places, and zeros elsewhere: a partial inverse of ``max_pool2d``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Args:
        x (Tensor): Shape ``(N, C, H, W)`` or ``(C, H, W)``.
        indices (Tensor): Where in its plane each element stood, counted row by row: int32 or int64.
        kernel_size (Union[int, tuple[int]]): Height and width of the windows.
        stride (Union[int, tuple[int]]): Distance of the windows. Default: None, the kernel_size.
        padding (Union[int, tuple[int]]): The padding of the pooling. Default: 0.
        output_size (tuple[int]): The output's shape, or its last two lengths. Default: None,
            ``(H - 1) * stride - 2 * padding + kernel_size``.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a size is out of range, shapes do not fit, or ``output_size`` is a stride or more away.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.max_unpool2d(ms.Tensor([[[4.0]]]), ms.Tensor([[[3]]]), 2))
        [[[0. 0.]
          [0. 4.]]]
    """
    return _of_sizes("max_unpool2d", 2, x, indices, kernel_size, stride, padding, output_size)


def max_unpool1d(x: Tensor, indices: Tensor, kernel_size, stride=None, padding=0, output_size=None) -> Tensor:
    """:func:`max_unpool2d` along one axis: x is ``(N, C, L)`` or ``(C, L)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` or ``indices`` is not a Tensor, or ``kernel_size``, ``stride`` or ``padding`` is not an int.
        ValueError: If ``x`` does not have 2 or 3 axes, or ``indices`` has another shape than ``x``. Also if
            ``kernel_size`` or ``stride`` is not above 0, or the output has a length below 1.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> values, places = ms.Tensor([[[4.0, 9.0]]]), ms.Tensor([[[1, 2]]])
        >>> print(ops.max_unpool1d(values, places, 2))
        [[[0. 4. 9. 0.]]]
    """
    return _of_sizes("max_unpool1d", 1, x, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(x: Tensor, indices: Tensor, kernel_size, stride=None, padding=0, output_size=None) -> Tensor:
    """:func:`max_unpool2d` along three axes: x is ``(N, C, D, H, W)`` or ``(C, D, H, W)``.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` or ``indices`` is not a Tensor, or ``kernel_size``, ``stride`` or ``padding`` is not an int.
        ValueError: If ``x`` does not have 4 or 5 axes, or ``indices`` has another shape than ``x``. Also if
            ``kernel_size`` or ``stride`` is not above 0, or the output has a length below 1.
        IndexError: If an index lies outside of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> values, places = ms.Tensor([[[[[9.0]]]]]), ms.Tensor([[[[[5]]]]])
        >>> print(ops.max_unpool3d(values, places, 2).ravel())
        [0. 0. 0. 0. 0. 9. 0. 0.]
    """
    return _of_sizes("max_unpool3d", 3, x, indices, kernel_size, stride, padding, output_size)
