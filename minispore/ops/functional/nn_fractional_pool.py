"""Functional wrappers of fractional max pooling: windows at steps that are not whole.

Source: Graham, Fractional max-pooling, 2015.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.dtype import float32, float64
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.functional.array_filling import arange
from minispore.ops.functional.array_pieces import concat
from minispore.ops.functional.array_scatter import gather_d
from minispore.ops.functional.math_unary import floor
from minispore.ops.functional.random import rand
from minispore.ops.functional.reduce_extremes import argmax
from minispore.ops.windows import as_sizes

__all__ = ["fractional_max_pool2d", "fractional_max_pool3d"]

_INT64 = np.dtype(np.int64)


def _check_ratios(operation, ratio, axes):
    """``output_ratio`` as one float in (0, 1) for each axis."""
    ratios = ratio if isinstance(ratio, tuple) else (ratio,) * axes
    if not all(isinstance(r, float) for r in ratios):
        raise type_error(operation, f"the 'output_ratio' must be a float or {axes} of them", shown(ratio))
    if len(ratios) != axes or not all(0 < r < 1 for r in ratios):
        raise value_error(operation, f"the 'output_ratio' must be {axes} numbers in (0, 1)", shown(ratio))
    return ratios


def check_output(operation, output_size, output_ratio, axes):
    """``(sizes, ratios)``; the unused one is None; ``output_size`` is preferred."""
    if output_size is not None:
        return as_sizes(operation, "output_size", output_size, axes), None
    if output_ratio is None:
        raise value_error(operation, "the 'output_size' or the 'output_ratio' must be given", "None for both")
    return None, _check_ratios(operation, output_ratio, axes)


def _checked_lengths(operation, lengths, kernel, sizes, ratios):
    """The output's lengths; ValueError if an axis is too short for as many windows at different places."""
    outs = sizes or tuple(int(n * r) for n, r in zip(lengths, ratios, strict=True))
    if any(out < 1 or out + k - 1 > n for out, k, n in zip(outs, kernel, lengths, strict=True)):
        expected = f"the 'input' must have 'output_size' + 'kernel_size' - 1 elements an axis, for {outs} and {kernel}"
        raise value_error(operation, expected, lengths)
    return outs


def _samples(operation, samples, x, axes):
    """The numbers in [0, 1) that shift the windows, ``(N, C, axes)``, float32 or float64."""
    shape = (*x.shape[:2], axes)
    if samples is None:
        return rand(*shape)
    if not isinstance(samples, Tensor) or not samples.dtype.is_float:
        raise type_error(operation, "the '_random_samples' must be a floating Tensor", shown(samples))
    if samples.shape != shape:
        raise value_error(operation, f"the '_random_samples' must have the shape {shape}", f"shape {samples.shape}")
    return samples if samples.dtype == float64 else cast(samples, float32.np)


def _starts(u, length, kernel, out):
    """Starts of the windows, ``(N, C, out)``: ``floor((i + u) * a) - floor(u * a)``; the last ends at the end."""
    last = cast(floor(u), _INT64) * 0 + (length - kernel)
    if out == 1:
        return last
    step = (length - kernel) / (out - 1)
    places = floor((arange(out - 1).astype(u.dtype) + u) * step) - floor(u * step)
    return concat((cast(places, _INT64), last), -1)


def _windows(u, lengths, kernel, outs):
    """The positions in its plane or volume, row by row, of each window's elements: ``(N, C, windows, elements)``."""
    axes, flat = len(lengths), 0
    for i, (length, k, out) in enumerate(zip(lengths, kernel, outs, strict=True)):
        starts = _starts(u[:, :, i : i + 1], length, k, out)
        of_windows = (1,) * i + (out,) + (1,) * (axes - 1 - i)
        of_elements = (1,) * i + (k,) + (1,) * (axes - 1 - i)
        along = starts.reshape((*starts.shape[:2], *of_windows, *(1,) * axes))
        along = along + arange(k).astype(along.dtype).reshape((*(1,) * axes, *of_elements))
        flat = flat + along * math.prod(lengths[i + 1 :])
    return flat.reshape((*u.shape[:2], math.prod(outs), math.prod(kernel)))


class _Asked(NamedTuple):
    """The sizes of windows and of the output as they are given to a function."""

    kernel_size: Any
    output_size: Any
    output_ratio: Any

    def checked(self, operation, lengths):
        """The sizes of the windows and of the output, for an input with axes of these ``lengths``."""
        axes = len(lengths)
        kernel = as_sizes(operation, "kernel_size", self.kernel_size, axes)
        sizes, ratios = check_output(operation, self.output_size, self.output_ratio, axes)
        return kernel, _checked_lengths(operation, lengths, kernel, sizes, ratios)


def _pooled(operation, input, asked, return_indices, samples, order):
    """The pooling of the axes that ``order`` has; ``order`` gives the index of each axis's sample."""
    axes = len(order)
    check_tensors(operation, input=input)
    check_bool(operation, "return_indices", return_indices)
    if input.ndim not in (axes + 1, axes + 2):
        expected = f"the 'input' must have {axes + 1} or {axes + 2} axes"
        raise value_error(operation, expected, f"shape {input.shape}")
    x = input if input.ndim == axes + 2 else input.expand_dims(0)
    lengths = x.shape[2:]
    kernel, outs = asked.checked(operation, lengths)
    u = _samples(operation, samples, x, axes)
    u = concat(tuple(u[:, :, i : i + 1] for i in order), -1)
    windows, rows = _windows(u, lengths, kernel, outs), x.reshape((*x.shape[:2], -1))
    elements = gather_d(rows, 2, windows.reshape((*x.shape[:2], -1))).reshape(windows.shape)
    indices = gather_d(windows, 3, argmax(elements, -1, True)).squeeze(3)
    shape = (*input.shape[:-axes], *outs)
    out = gather_d(rows, 2, indices).reshape(shape)
    return (out, indices.reshape(shape)) if return_indices else out


def fractional_max_pool2d(
    input: Tensor, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
) -> Any:
    """Largest of each of ``output_size`` windows of ``(N, C, H, W)`` or ``(C, H, W)``, at steps that are not whole.

    Window i of an axis begins at ``floor((i + u) * a) - floor(u * a)``, ``a = (length - kernel) / (output - 1)``, and
    the last one at ``length - kernel``; u is drawn for each plane and axis.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        input (Tensor): The planes.
        kernel_size (Union[int, tuple[int]]): Height and width of a window.
        output_size (Union[int, tuple[int]]): Height and width of the output. Default: None, by ``output_ratio``.
        output_ratio (Union[float, tuple[float]]): The output's lengths as parts of the input's, in (0, 1);
            where both are given ``output_size`` counts. Default: None.
        return_indices (bool): If True, the elements' positions in their planes are returned, as int64. Default: False.
        _random_samples (Tensor): u of width and of height, ``(N, C, 2)``, in [0, 1). Default: None, drawn.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or shapes do not fit.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor(np.arange(16.0, dtype=np.float32).reshape(1, 1, 4, 4))
        >>> print(ops.fractional_max_pool2d(x, 2, (2, 2), _random_samples=ms.Tensor([[[0.5, 0.5]]])))
        [[[[ 5.  7.]
           [13. 15.]]]]
    """
    asked = _Asked(kernel_size, output_size, output_ratio)
    return _pooled("fractional_max_pool2d", input, asked, return_indices, _random_samples, (1, 0))


def fractional_max_pool3d(
    input, kernel_size, output_size=None, output_ratio=None, return_indices: bool = False, _random_samples=None
) -> Any:
    """Largest of each of ``output_size`` windows of ``(N, C, D, H, W)`` or ``(C, D, H, W)``, as in two dimensions.

    Arguments as in :func:`fractional_max_pool2d` with three sizes; ``_random_samples`` has u of depth, height and
    width, ``(N, C, 3)``.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or shapes do not fit.

    Examples:
        >>> import numpy as np
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor(np.arange(27.0, dtype=np.float32).reshape(1, 1, 3, 3, 3))
        >>> print(ops.fractional_max_pool3d(x, 2, (1, 1, 2), _random_samples=ms.Tensor([[[0.5, 0.5, 0.5]]])))
        [[[[[25. 26.]]]]]
    """
    asked = _Asked(kernel_size, output_size, output_ratio)
    return _pooled("fractional_max_pool3d", input, asked, return_indices, _random_samples, (0, 1, 2))
