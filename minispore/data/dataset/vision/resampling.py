"""An image at another size: each pixel of the result is a weighted mean of pixels, axis by axis.

The weights and their rounding are OpenCV's, which MindSpore resizes arrays with. 8-bit images are weighted with
integers: 11 bits for each axis. Area means, and everything else than 8 bits, are weighted with float32.
"""

import numpy as np

from minispore.data.dataset.vision.enums import Inter
from minispore.data.dataset.vision.rounding import as_pixels

__all__ = ["resized"]

_BITS = 11  # of an axis' integer weights
_PILLOW_BITS = 22
_AT_ONCE = 1 << 16  # count of the result's numbers, at four bytes each, that fit into a core's cache


def resized(image, size, interpolation):
    """``image`` of shape (H, W) or (H, W, C) as (h, w) or (h, w, C), for ``size`` (h, w), in any order of memory."""
    if image.shape[:2] == tuple(size):
        return image.copy()
    flat = image[:, :, None] if image.ndim == 2 else image
    out = _METHODS[interpolation](np.ascontiguousarray(flat), *size)
    return out[:, :, 0] if image.ndim == 2 else out


def _nearest(image, height, width):
    rows, columns = (_nearest_places(n, m) for n, m in zip(image.shape[:2], (height, width), strict=True))
    return image[rows[:, None], columns]


def _nearest_places(length, wanted):
    step = 1 / (wanted / length)
    return np.minimum(np.floor(np.arange(wanted) * step), length - 1).astype(np.intp)


def _bilinear(image, height, width):
    if image.shape[:2] == (2 * height, 2 * width):
        return _area(image, height, width)  # four pixels with equal weights
    return _two_taps(image, _linear_taps(image.shape[0], height), _linear_taps(image.shape[1], width))


def _linear_taps(length, wanted):
    """The place below each pixel of the result, -1 to length - 1, and the float32 weight of the one above it."""
    step = 1 / (wanted / length)
    places = ((np.arange(wanted) + 0.5) * step - 0.5).astype(np.float32)
    below = np.floor(places)
    return below.astype(np.intp), places - below


def _area_taps(length, wanted):
    """As :func:`_linear_taps`, for area means of an image that grows."""
    growth = wanted / length
    step, i = 1 / growth, np.arange(wanted)
    below = np.floor(i * step)
    above = ((i + 1) - (below + 1) * growth).astype(np.float32)
    return below.astype(np.intp), np.where(above <= 0, np.float32(0), above - np.floor(above))


def _inside(taps, length):
    """The taps of columns: outside of the image the edge alone counts."""
    below, above = taps
    outside = (below < 0) | (below >= length - 1)
    return np.clip(below, 0, length - 1), np.where(outside, np.float32(0), above)


def _two_taps(image, rows, columns):
    height, width, channels = image.shape
    if image.dtype == np.uint8:
        groups = [_two_taps_8_bits(image[:, :, i : i + 4], rows, columns) for i in range(0, channels, 4)]
        return groups[0] if len(groups) == 1 else np.concatenate(groups, 2)
    left, right_weight = _inside(columns, width)
    top, bottom, weight = _pairs(rows, height)
    needed, place = np.unique(np.concatenate([top, bottom]), return_inverse=True)
    across = _across(image[needed], (left, np.minimum(left + 1, width - 1)), (1 - right_weight, right_weight))
    first, second = (across[part] for part in np.split(place.reshape(-1), 2))
    first *= (1 - weight)[:, None]
    second *= weight[:, None]
    out = as_pixels(np.add(first, second, out=first), image.dtype)
    return out.reshape(len(top), len(left), channels)


def _pairs(rows, height):
    """The rows above and below each row of the result, and the weight of the one below."""
    below, weight = rows
    return np.clip(below, 0, height - 1), np.clip(below + 1, 0, height - 1), weight


def _across(rows, places, weights):
    """Each row's weighted sums of columns, as (rows, columns * channels): int32 for 8 bits, else floats."""
    height, _, channels = rows.shape
    flat, total = rows.reshape(height, -1), None
    kind = _kind_of(rows.dtype)
    for place, weight in zip(places, weights, strict=True):
        taken = np.take(flat, (place[:, None] * channels + np.arange(channels)).reshape(-1), axis=1).astype(kind)
        taken *= np.repeat(_weights(weight, rows.dtype), channels)
        total = taken if total is None else np.add(total, taken, out=total)
    return total


def _kind_of(dtype):
    if dtype == np.uint8:
        return np.int32
    return np.float64 if dtype == np.float64 else np.float32


def _weights(weights, dtype):
    """Float32 weights, or for 8 bits those in units of 2 ** -11."""
    return np.rint(weights * np.float32(1 << _BITS)).astype(np.int32) if dtype == np.uint8 else weights


def _two_taps_8_bits(image, rows, columns):
    """As OpenCV's vector code does it: both products of the rows are cut to 16 bits before they are added.

    At most four channels. The result is made some rows at a time, so that its parts stay in the cache.
    """
    height, width, channels = image.shape
    left, right_weight = _inside(columns, width)
    top, bottom, weight = _pairs(rows, height)
    image, top, bottom = _only_used(image, 0, top, bottom)
    image, left, right = _only_used(image, 1, left, np.minimum(left + 1, width - 1))
    pixels, taps = _whole_pixels(image), [(left, 1 - right_weight), (right, right_weight)]
    along = [(place, np.repeat(_weights(w, np.uint8), pixels.itemsize)) for place, w in taps]
    down = [(top, _weights(1 - weight, np.uint8)[:, None]), (bottom, _weights(weight, np.uint8)[:, None])]
    out = np.empty((len(top), len(left) * pixels.itemsize), np.uint8)
    step = max(_AT_ONCE // out.shape[1], 1)
    for start in range(0, len(out), step):
        part = slice(start, start + step)
        out[part] = _rows_8_bits(pixels, along, [(place[part], w[part]) for place, w in down])
    return out.reshape(len(top), len(left), -1)[:, :, :channels]


def _only_used(image, axis, first, second):
    """The image's rows or columns at the places, and the places among those; all where it shrinks by half at most."""
    if image.shape[axis] <= 2 * len(first):
        return image, first, second
    used, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    return image.take(used, axis), *np.split(place.reshape(-1), 2)


def _whole_pixels(image):
    """An 8-bit image of shape (H, W) with whole pixels as items; three channels become four, the last as it comes."""
    height, width, channels = image.shape
    if channels == 3:
        filled = np.empty((height, width, 4), np.uint8)
        for channel in range(3):  # a loop over three channels for each pixel is slow
            filled[:, :, channel] = image[:, :, channel]
        image = filled
    return np.ascontiguousarray(image).view(f"u{image.shape[2]}")[:, :, 0]


def _rows_8_bits(pixels, along, down):
    """Rows of the result, weighted ``along`` rows and then ``down`` columns."""
    (top, _), (bottom, _) = down
    pixels, first = pixels[top[0] : bottom[-1] + 1], top[0]
    total = None
    for place, weight in along:
        taken = pixels.take(place, axis=1, mode="clip").view(np.uint8).astype(np.int32)
        taken *= weight
        total = taken if total is None else np.add(total, taken, out=total)
    total >>= 4
    parts = []
    for place, weight in down:
        part = total.take(place - first, axis=0, mode="clip")
        part *= weight
        part >>= 16
        parts.append(part)
    out = np.add(*parts, out=parts[0])
    out += 2
    out >>= 2
    return out  # a mean of pixels: within 8 bits


def _cubic_weights(x):
    """The four weights of OpenCV's cubic at the fraction ``x``, in float32."""
    a, x = np.float32(-0.75), x.astype(np.float32)
    one = np.float32(1)
    outer = ((a * (x + one) - 5 * a) * (x + one) + 8 * a) * (x + one) - 4 * a
    inner = ((a + 2) * x - (a + 3)) * x * x + one
    y = one - x
    other = ((a + 2) * y - (a + 3)) * y * y + one
    return [outer, inner, other, one - outer - inner - other]


def _bicubic(image, height, width):
    tall, wide, channels = image.shape
    row, down = _linear_taps(tall, height)
    column, along = _linear_taps(wide, width)
    places = [np.clip(column + i, 0, wide - 1) for i in range(-1, 3)]
    across = _across(image, places, _cubic_weights(along))
    kind = np.float64 if image.dtype == np.float64 else np.float32
    total = np.zeros((height, width * channels), kind)
    for i, weight in enumerate(_cubic_weights(down)):
        if image.dtype == np.uint8:
            weight = _weights(weight, image.dtype).astype(np.float32) * np.float32(2.0 ** (-2 * _BITS))
        total += across[np.clip(row + i - 1, 0, tall - 1)].astype(kind) * weight[:, None]
    return as_pixels(total, image.dtype).reshape(height, width, channels)


def _area(image, height, width):
    tall, wide, channels = image.shape
    if height > tall or width > wide:
        return _two_taps(image, _area_taps(tall, height), _area_taps(wide, width))
    if tall % height == 0 and wide % width == 0:
        return _means_of_blocks(image, tall // height, wide // width)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    rows = image.astype(kind).transpose(0, 2, 1).reshape(-1, wide) @ _area_matrix(wide, width).T.astype(kind)
    out = _area_matrix(tall, height).astype(kind) @ rows.reshape(tall, -1)
    return as_pixels(out, image.dtype).reshape(height, channels, width).transpose(0, 2, 1).copy()


def _means_of_blocks(image, tall, wide):
    height, width, channels = image.shape
    blocks = image.reshape(height // tall, tall, width // wide, wide, channels)
    if image.dtype == np.uint8 and (tall, wide) == (2, 2):
        return ((blocks.sum((1, 3), dtype=np.uint16) + 2) >> 2).astype(np.uint8)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    sums = blocks.sum((1, 3), dtype=kind if image.dtype.kind == "f" else np.int64).astype(kind)
    return as_pixels(sums * np.float32(1 / (tall * wide)), image.dtype)


def _area_matrix(length, wanted):
    """The float32 share of each old pixel in each new one, (wanted, length)."""
    step = 1 / (wanted / length)
    shares = np.zeros((wanted, length), np.float32)
    for i in range(wanted):
        start, end = i * step, i * step + step
        last = min(int(np.floor(end)), length - 1)
        first = min(int(np.ceil(start)), last)
        cell = min(step, length - start)
        if first - start > 1e-3:
            shares[i, first - 1] = (first - start) / cell
        shares[i, first:last] = 1 / cell
        if end - last > 1e-3:
            shares[i, last] = min(min(end - last, 1.0), cell) / cell
    return shares


def _pillow_cubic(image, height, width):
    tall, wide, _ = image.shape
    columns, rows = _pillow_matrix(wide, width), _pillow_matrix(tall, height)
    across = _pillow_rounded(np.einsum("hwc,vw->hvc", image.astype(np.float64), columns, optimize=True))
    return _pillow_rounded(np.einsum("hvc,uh->uvc", across.astype(np.float64), rows, optimize=True))


def _pillow_rounded(sums):
    """Integer sums in units of 2 ** -22, as float64, which holds them exactly, rounded to 8 bits."""
    return np.clip(np.floor((sums + 2.0 ** (_PILLOW_BITS - 1)) * 2.0**-_PILLOW_BITS), 0, 255).astype(np.uint8)


def _pillow_matrix(length, wanted):
    """Pillow's antialiased cubic: the integer weight of each old pixel in each new one, (wanted, length)."""
    scale = length / wanted
    wider = max(scale, 1.0)
    weights = np.zeros((wanted, length))
    for i in range(wanted):
        center = (i + 0.5) * scale
        first, last = max(int(center - 2 * wider + 0.5), 0), min(int(center + 2 * wider + 0.5), length)
        near = _pillow_kernel((np.arange(first, last) - center + 0.5) / wider)
        weights[i, first:last] = near / near.sum()
    return np.trunc(weights * 2.0**_PILLOW_BITS + np.where(weights < 0, -0.5, 0.5))


def _pillow_kernel(x):
    a, x = -0.5, np.abs(x)
    near, far = ((a + 2) * x - (a + 3)) * x * x + 1, (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


_METHODS = {
    Inter.NEAREST: _nearest,
    Inter.BILINEAR: _bilinear,
    Inter.BICUBIC: _bicubic,
    Inter.AREA: _area,
    Inter.PILCUBIC: _pillow_cubic,
}
