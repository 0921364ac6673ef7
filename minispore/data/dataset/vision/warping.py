"""An image under an affine or projective map: the source of each pixel of the result, and its value there.

Places and weights are OpenCV's: places in units of 1/32 of a pixel, weights of 8-bit images in units of 2 ** -15.
"""

from functools import cache

import numpy as np

from minispore.data.dataset.vision.enums import Inter
from minispore.data.dataset.vision.rounding import as_pixels

__all__ = ["rotation_matrix", "warp_affine", "warp_perspective"]

_STEPS = 32  # of a pixel
_AFFINE_BITS = 10
_WEIGHT_BITS = 15


def rotation_matrix(center, degrees):
    """The (2, 3) matrix of a rotation by ``degrees`` counterclockwise around ``center`` (x, y)."""
    angle = degrees * np.pi / 180
    a, b = np.cos(angle), np.sin(angle)
    x, y = center
    return np.array([[a, b, (1 - a) * x - b * y], [-b, a, b * x + (1 - a) * y]])


def warp_affine(image, matrix, size, interpolation, fill):
    """The image of ``size`` (h, w) with pixel (x, y) of ``image`` at ``matrix @ (x, y, 1)``.

    ``fill`` has a value for each channel, which stands outside of the image.
    """
    height, width = size
    (a, b, dx), (c, d, dy) = _inverse(matrix)
    unit = 1 << _AFFINE_BITS
    columns, rows = np.arange(width), np.arange(height)
    near = interpolation == Inter.NEAREST
    shift, half = (_AFFINE_BITS, unit // 2) if near else (_AFFINE_BITS - 5, unit // _STEPS // 2)
    x = np.rint((b * rows + dx) * unit).astype(np.int64)[:, None] + half + np.rint(a * columns * unit).astype(np.int64)
    y = np.rint((d * rows + dy) * unit).astype(np.int64)[:, None] + half + np.rint(c * columns * unit).astype(np.int64)
    return _remapped(image, x >> shift, y >> shift, interpolation, fill)


def _inverse(matrix):
    (a, b, dx), (c, d, dy) = np.asarray(matrix, np.float64).tolist()
    determinant = a * d - b * c
    scale = 1 / determinant if determinant else 0.0
    a, b, c, d = d * scale, -b * scale, -c * scale, a * scale
    return (a, b, -a * dx - b * dy), (c, d, -c * dx - d * dy)


def warp_perspective(image, matrix, size, interpolation, fill):
    """As :func:`warp_affine`, for a (3, 3) matrix of a projective map."""
    height, width = size
    inverse = np.linalg.inv(np.asarray(matrix, np.float64))
    columns, rows = np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64)[:, None]
    x, y, w = (row[0] * columns + row[1] * rows + row[2] for row in inverse)
    scale = 1 if interpolation == Inter.NEAREST else _STEPS
    w = np.divide(scale, w, out=np.zeros_like(w), where=w != 0)
    limits = -(2.0**31), 2.0**31 - 1
    x, y = (np.rint(np.clip(v * w, *limits)).astype(np.int64) for v in (x, y))
    return _remapped(image, x, y, interpolation, fill)


def perspective_matrix(start, end):
    """The (3, 3) matrix of the projective map of four points ``start`` (x, y) to ``end``."""
    rows, right = [], []
    for (x, y), (u, v) in zip(start, end, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -x * u, -y * u], [0, 0, 0, x, y, 1, -x * v, -y * v]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows, np.float64), np.array(right, np.float64)), 1.0).reshape(3, 3)


def _remapped(image, x, y, interpolation, fill):
    """The pixels at places (x, y): whole for the nearest, else in units of 1/32 of a pixel."""
    flat = image[:, :, None] if image.ndim == 2 else image
    if interpolation == Inter.NEAREST:
        out = _pixels(flat, x, y, fill)
    else:
        out = _weighted(flat, x, y, 4 if interpolation == Inter.BICUBIC else 2, fill)
    return out[:, :, 0] if image.ndim == 2 else out


def _pixels(image, x, y, fill):
    height, width, _ = image.shape
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    found = image[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    found[~inside] = fill
    return found


def _weighted(image, x, y, taps, fill):
    whole = image.dtype == np.uint8
    kind = np.int32 if whole else np.float64 if image.dtype == np.float64 else np.float32
    weights = _table(taps, whole)[y & 31, x & 31]  # (h, w, taps, taps)
    total = np.zeros((*x.shape, image.shape[2]), kind)
    first = 1 - taps // 2
    for i in range(taps):
        for j in range(taps):
            pixels = _pixels(image, (x >> 5) + first + j, (y >> 5) + first + i, fill).astype(kind)
            pixels *= weights[:, :, i, j, None]
            total += pixels
    if whole:
        return np.clip((total + (1 << (_WEIGHT_BITS - 1))) >> _WEIGHT_BITS, 0, 255).astype(np.uint8)
    return as_pixels(total, image.dtype)


@cache
def _table(taps, whole):
    """The weights (taps, taps) of each of the 32 * 32 places within a pixel."""
    one = _cubic(np.arange(_STEPS, dtype=np.float32) / _STEPS) if taps == 4 else _linear()
    weights = one[:, None, :, None] * one[None, :, None, :]
    return _whole(weights) if whole else weights


def _linear():
    x = np.arange(_STEPS, dtype=np.float32) / _STEPS
    return np.stack([1 - x, x], 1)


def _cubic(x):
    a, one = np.float32(-0.75), np.float32(1)
    outer = ((a * (x + one) - 5 * a) * (x + one) + 8 * a) * (x + one) - 4 * a
    inner = ((a + 2) * x - (a + 3)) * x * x + one
    other = ((a + 2) * (one - x) - (a + 3)) * (one - x) * (one - x) + one
    return np.stack([outer, inner, other, one - outer - inner - other], 1)


def _whole(weights):
    """Integer weights of sum 2 ** 15: what rounding left is given to the largest or smallest of those in the middle."""
    taps = weights.shape[2]
    found = np.clip(np.rint(weights * np.float32(1 << _WEIGHT_BITS)), -32768, 32767).astype(np.int32)
    if taps == 2:
        found = np.rint(weights * np.float32(1 << _WEIGHT_BITS)).astype(np.int32)
    for places in found.reshape(-1, taps, taps):
        left = int(places.sum()) - (1 << _WEIGHT_BITS)
        if left:
            middle = places[taps // 2 :, taps // 2 :][:2, :2]
            where = np.unravel_index(middle.argmax() if left < 0 else middle.argmin(), middle.shape)
            middle[where] -= left
    return found
