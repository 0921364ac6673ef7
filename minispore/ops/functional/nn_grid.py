"""Planes sampled under a grid of places, and the grids of affine maps."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_bool, check_choice, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor, wrap
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.operations.nn.sampling import Planes, channels_second
from minispore.ops.promotion import lowered_dtype

__all__ = ["affine_grid", "grid_sample"]


def _reflected(place, low, high):
    """The place mirrored at ``low`` and ``high`` until it lies between."""
    if low == high:
        return place * 0
    span = high - low
    past = (place - low).abs()
    times = (past / span).floor()
    rest = past - times * span
    odd = times - (times / 2).floor() * 2
    return rest * (1 - odd) + (span - rest) * odd + low


def _places(grid, lengths, padding_mode, align_corners):
    """The places among the pixels that each column of ``grid`` names from -1 to 1, the last axis first."""
    found = []
    for i, n in enumerate(reversed(lengths)):
        column = grid[..., i]
        place = (column + 1) * ((n - 1) / 2) if align_corners else ((column + 1) * n - 1) / 2
        if padding_mode == "reflection":
            place = _reflected(place, *((0, n - 1) if align_corners else (-0.5, n - 0.5)))
        found.append(place if padding_mode == "zeros" else place.clip(0, n - 1))
    return found[::-1]


def grid_sample(
    input: Tensor, grid: Tensor, mode="bilinear", padding_mode="zeros", align_corners: bool = False
) -> Tensor:
    """Planes ``(N, C, H, W)`` read at the places ``(x, y)`` of ``grid`` ``(N, h, w, 2)``: ``(N, C, h, w)``.

    -1 and 1 are the outer edges of the first and the last pixel, with ``align_corners`` their centres. Volumes
    ``(N, C, D, H, W)`` are read at the ``(x, y, z)`` of ``(N, d, h, w, 3)``. The mode is "bilinear" or "nearest".
    Outside, "zeros" has 0, "border" the pixel at the border, and "reflection" mirrors the plane.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If input or grid are not Tensors of one dtype, or ``align_corners`` is not a bool.
        ValueError: If a mode is unknown, or the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> plane = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.grid_sample(plane, ms.Tensor([[[[-0.5, -0.5], [0.0, 0.0]]]])))
        [[[[1.  2.5]]]]
    """
    check_tensors("grid_sample", input=input, grid=grid)
    check_choice("grid_sample", "mode", mode, ("bilinear", "nearest"))
    check_choice("grid_sample", "padding_mode", padding_mode, ("zeros", "border", "reflection"))
    check_bool("grid_sample", "align_corners", align_corners)
    if input.dtype != grid.dtype:
        raise type_error("grid_sample", "the 'input' and 'grid' must have one dtype", f"{input.dtype} and {grid.dtype}")
    axes = input.ndim - 2
    if axes not in (2, 3) or grid.ndim != input.ndim or grid.shape[:: axes + 1] != (input.shape[0], axes):
        expected = "the 'grid' must be (N, h, w, 2) for an 'input' (N, C, H, W), or (N, d, h, w, 3) for (N, C, D, H, W)"
        raise value_error("grid_sample", expected, f"shapes {grid.shape} and {input.shape}")
    planes = Planes(input)
    places = _places(grid, planes.lengths, padding_mode, align_corners)
    batch = wrap(backend.from_host(np.arange(input.shape[0], dtype=np.int64).reshape((-1,) + (1,) * axes)))
    if mode == "nearest":
        values = planes.nearest(batch, [place.round() for place in places])
    else:
        values = planes.linear(batch, places)
    return cast(channels_second(values), lowered_dtype(input))


def _even(n, align_corners):
    """``n`` places from -1 to 1, those included with ``align_corners``, otherwise the centres of n parts."""
    if align_corners:
        return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
    return (np.arange(n) * 2 + 1) / n - 1


def _base_grid(lengths, align_corners):
    """``(pixels, axes + 1)``: the places of an unmoved grid, the last axis first, and 1."""
    places = np.meshgrid(*(_even(n, align_corners) for n in lengths), indexing="ij")
    columns = [place.ravel() for place in reversed(places)]
    return np.stack([*columns, np.ones_like(columns[0])], 1)


def affine_grid(theta: Tensor, size, align_corners: bool = False) -> Tensor:
    """The grid that an affine map makes of an even one: ``(N, H, W, 2)`` or ``(N, D, H, W, 3)``, for ``grid_sample``.

    ``theta`` ``(N, 2, 3)``, or ``(N, 3, 4)`` for volumes, is the maps' matrices; ``size`` is the output's shape,
    ``(N, C, H, W)`` or ``(N, C, D, H, W)``.

    ``out[n, h, w] = theta[n] @ (x, y, 1)``, with x and y from -1 to 1: the middles of pixels, or with ``align_corners``
    the ends at the outer pixels' middles.

    Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If theta is not a Tensor, the size not a tuple of ints, or ``align_corners`` not a bool.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.affine_grid(ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2)))
        [[[[-0.5  0. ]
           [ 0.5  0. ]]]]
    """
    check_tensors("affine_grid", theta=theta)
    if not isinstance(size, tuple) or not all(map(is_int, size)):
        raise type_error("affine_grid", "the 'size' must be a tuple of ints", shown(size))
    check_bool("affine_grid", "align_corners", align_corners)
    axes = len(size) - 2
    if axes not in (2, 3) or min(size) < 1:
        raise value_error("affine_grid", "the 'size' must be four or five ints above 0", size)
    if theta.shape != (size[0], axes, axes + 1):
        raise value_error("affine_grid", f"the 'theta' must have shape {(size[0], axes, axes + 1)}", theta.shape)
    base = wrap(backend.from_host(_base_grid(size[2:], align_corners).astype(theta.array.dtype)))
    return base.matmul(theta.swapaxes(1, 2)).reshape((size[0], *size[2:], axes))
