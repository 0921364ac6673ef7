"""The lines of resizing and padding."""

import numpy as np

from minispore import Tensor, ops
from minispore.tools.testing.primitives.case import line, reals

_TERM = 2.0**-21  # what is left of numbers of size 1 to 8, computed in float32, where they cancel


def _nearest(x, size):
    (height, width), rows, columns = x.shape[2:], *map(np.arange, size)
    return x[:, :, (rows * height // size[0])[:, None], columns * width // size[1]]


def _linear(x, axis, count, at):
    """The values along an axis at the positions ``at(i, length, count)``, between its neighbours."""
    length = x.shape[axis]
    places = np.clip([at(i, length, count) for i in range(count)], 0, length - 1)
    rows = np.moveaxis(x, axis, -1)
    flat = rows.reshape(-1, length)
    found = np.stack([np.interp(places, np.arange(length), row) for row in flat])
    return np.moveaxis(found.reshape(*rows.shape[:-1], count), -1, axis)


def _bilinear(x, size, at):
    return _linear(_linear(x, 2, size[0], at), 3, size[1], at)


def _half_pixel(i, length, count):
    return (i + 0.5) * length / count - 0.5


def _padded(mode, pads):
    return lambda x: np.pad(x, pads, mode)


def _mirrored(pad, x):
    """Feed the paddings as the Tensor that MindSpore asks for."""
    return pad(x, Tensor(np.array([[1, 0], [0, 2]])))


_BILINEAR, _CUBIC = ops.ResizeBilinear((3, 7)), ops.Resize((4, 3), "cubic", True)
_BORDER = ops.BorderPad("reflect", ((0, 2), (1, 1)))

LINES = [
    line(ops.ResizeNearestNeighbor((3, 4)), reals(2, 1, 5, 2), oracle=lambda x: _nearest(x, (3, 4))),
    line(ops.ResizeNearestNeighbor((3, 4), True), reals(1, 2, 5, 2), oracle=lambda x: x[:, :, ::2, [0, 0, 1, 1]]),
    line(
        _BILINEAR,
        reals(1, 2, 4, 3),
        slack=_TERM,
        oracle=lambda x: _bilinear(x, (3, 7), lambda i, length, count: i * length / count),
    ),
    line(
        ops.ResizeBilinear((5, 4), True),
        reals(2, 1, 3, 2),
        slack=_TERM,
        oracle=lambda x: _bilinear(x, (5, 4), lambda i, length, count: i * (length - 1) / (count - 1)),
    ),
    line(
        ops.ResizeBilinear((2, 5), half_pixel_centers=True),
        reals(1, 1, 5, 3),
        slack=_TERM,
        oracle=lambda x: _bilinear(x, (2, 5), _half_pixel),
    ),
    line(ops.Resize((5,), "linear"), reals(2, 1, 3), slack=_TERM),
    line(_CUBIC, reals(1, 1, 3, 5), slack=_TERM),
    line(ops.Resize((3, 6), "cubic", half_pixel_centers=True), reals(1, 1, 4, 4), slack=_TERM),
    line(ops.ResampleGrad(_BILINEAR), reals(1, 2, 3, 7), (1, 2, 4, 3), slack=_TERM),
    line(ops.ResampleGrad(_CUBIC), reals(1, 1, 4, 3), (1, 1, 3, 5), slack=_TERM),
    line(ops.ResampleGrad(_BORDER), reals(5, 5), (3, 3), slack=_TERM),
    line(_BORDER, reals(3, 3), oracle=_padded("reflect", ((0, 2), (1, 1)))),
    line(ops.BorderPad("edge", ((0, 0), (3, 1))), reals(2, 2), oracle=_padded("edge", ((0, 0), (3, 1)))),
    line(ops.BorderPad("wrap", ((1, 2),)), reals(3), oracle=_padded("wrap", ((1, 2),))),
    line(ops.MirrorPad(), reals(2, 3), call=_mirrored, oracle=_padded("reflect", ((1, 0), (0, 2)))),
    line(ops.MirrorPad("SYMMETRIC"), reals(2, 3), call=_mirrored, oracle=_padded("symmetric", ((1, 0), (0, 2)))),
    line(
        ops.ConstantPad(((1, -1), (0, 2)), 1.5),
        reals(3, 2),
        oracle=lambda x: np.pad(x[:-1], ((1, 0), (0, 2)), constant_values=1.5),
    ),
]
