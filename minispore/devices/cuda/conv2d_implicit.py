"""Convolution and its two gradients in float16 and bfloat16 on tensor cores, one launch each, no columns in memory.

Sums are in float32 and rounded once. An inf or a nan in w makes a nan with each padded zero that it meets.
"""

import functools
from typing import NamedTuple

import numpy as np

from minispore.devices.cuda.launch import ceil_div, counters_for, kernel, slices_of

__all__ = []

_PIXELS, _NUMBERS, _BAND, _THREADS = 64, 64, 32, 128  # as in the kernels' files
_MADE = 16, 32, 64  # channels that a block computes
_SHARE = 4  # the cost of a pixel in additions: a slice has at least 1024 / 4 pixels


def _struct(names):
    return np.dtype([(name, np.int32) for name in names.split()])


_SIZES = _struct("images channels h w made oh ow kh kw")
_PLACES = _struct("first_y first_x sy sx dy dx gap_y gap_x")
_WINDOWS = _struct("top left sy sx dy dx")


def conv2d(xp, x, w, y_shape, geometry):
    """Y (N, O, OH, OW)."""
    strides = w[0].size, w.shape[2] * w.shape[3]
    return _gathered(xp, x, w, y_shape, _Way(_forward_places(geometry), strides))


def conv2d_grad_input(xp, dy, w, x_shape, geometry):
    """Dx (N, C, H, W)."""
    strides = w.shape[2] * w.shape[3], w[0].size
    return _gathered(xp, dy, w, x_shape, _Way(_backward_places(geometry), strides, gaps=geometry[0]))


def _channels_of_a_block(count):
    return next((made for made in _MADE if count <= made), _MADE[-1])


@functools.lru_cache(maxsize=4096)
def _sizes(x_shape, w_shape, y_shape):
    return np.array((*x_shape, *y_shape[1:], *w_shape[2:]), _SIZES)


@functools.lru_cache(maxsize=4096)
def _windows(geometry):
    (sy, sx), (top, _, left, _), (dy, dx), _ = geometry
    return np.array((top, left, sy, sx, dy, dx), _WINDOWS)


@functools.lru_cache(maxsize=4096)
def _forward_places(geometry):
    (sy, sx), (top, _, left, _), (dy, dx), _ = geometry
    return np.array((-top, -left, sy, sx, dy, dx, 1, 1), _PLACES)


@functools.lru_cache(maxsize=4096)
def _backward_places(geometry):
    (sy, sx), (top, _, left, _), (dy, dx), _ = geometry
    return np.array((top, left, 1, 1, -dy, -dx, sy, sx), _PLACES)


class _Way(NamedTuple):
    """The way from a pixel of y to its pixels of x, and to the weights.

    ``strides`` are w's from one channel of y, and of x, to the next; ``gaps`` are from one pixel of y to the next that
    meets the same weights.
    """

    places: np.ndarray
    strides: tuple
    gaps: tuple = (1, 1)


def _gathered(xp, x, w, y_shape, way):
    """The convolution of x to ``y_shape``."""
    y, made, gaps = xp.empty(y_shape, x.dtype), _channels_of_a_block(y_shape[1]), way.gaps
    n, channels, h, width = y_shape
    pixels = n * ceil_div(h, gaps[0]) * ceil_div(width, gaps[1])  # of the first class, which is the largest
    classes = min(gaps[0], h) * min(gaps[1], width)
    blocks = ceil_div(pixels, _PIXELS) * classes, ceil_div(channels, made)
    numbers = _sizes(x.shape, w.shape, y_shape), way.places, *map(np.int32, way.strides)
    kernel(xp, "conv2d_gather", "conv2d_gather", x.dtype, str(made))(blocks, (_THREADS,), (x, w, y, *numbers))
    return y


def conv2d_grad_weight(xp, dy, x, w_shape, geometry):
    """Dw (O, C, KH, KW): slices of the pixels are summed side by side, and then in their order.

    Writing and reading the slices' sums takes no more bytes than reading x and dy.
    """
    dw, made = xp.empty(w_shape, dy.dtype), _channels_of_a_block(w_shape[0])
    pixels, tiles = dy.size // dy.shape[1], (ceil_div(dw[0].size, _NUMBERS), ceil_div(w_shape[0], made))
    slices = min(slices_of(xp, tiles[0] * tiles[1], _SHARE * pixels), max(1, (x.nbytes + dy.nbytes) // (8 * dw.size)))
    size = ceil_div(ceil_div(pixels, slices), _BAND) * _BAND
    slices = ceil_div(pixels, size)
    parts = xp.empty(tiles[0] * tiles[1] * slices * made * _NUMBERS if slices > 1 else 1, np.float32)
    numbers = _sizes(x.shape, w_shape, dy.shape), _windows(geometry), np.int32(size)
    arguments = dy, x, *numbers, parts, counters_for(xp, tiles[0] * tiles[1]), dw
    launched = kernel(xp, "conv2d_weight_grad", "conv2d_weight_grad", x.dtype, str(made))
    launched((*tiles, slices), (_THREADS,), arguments)
    return dw
