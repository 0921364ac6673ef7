"""Colours of arrays: grey, brightness, contrast, saturation, hue, gamma, histograms, and HSV.

MindSpore uses OpenCV: 8-bit images are rounded at the same places here.
"""

import numpy as np

from minispore.data.dataset.vision.rounding import as_pixels

__all__ = ["adjusted_hue", "autocontrast", "blended", "equalized", "gamma", "gray", "scaled", "with_contrast"]

_GRAY = np.array([0.299, 0.587, 0.114], np.float32)
_GRAY_8_BITS, _GRAY_BITS = np.array([9798, 19235, 3735], np.uint32), 15


def gray(image, order=(0, 1, 2)):
    """``0.299 r + 0.587 g + 0.114 b``, (H, W), where ``order`` has the channels of r, g and b."""
    channels = [image[..., i] for i in order]
    if image.dtype == np.uint8:
        total = sum(c * w for c, w in zip((c.astype(np.uint32) for c in channels), _GRAY_8_BITS, strict=True))
        return ((total + (1 << (_GRAY_BITS - 1))) >> _GRAY_BITS).astype(np.uint8)
    total = sum(c.astype(np.result_type(c, np.float32)) * w for c, w in zip(channels, _GRAY, strict=True))
    return as_pixels(total, image.dtype)


def _float_of(dtype):
    return np.float32 if dtype.itemsize < 4 or dtype == np.float32 else np.float64


def blended(image, other, factor):
    """``factor * image + (1 - factor) * other``, rounded.

    For 8 bits the first product is rounded to float32, and the sum once more, as a fused multiply-add gives it.
    """
    kind = _float_of(image.dtype)
    out = (image.astype(kind) * kind(factor)).astype(np.float64)
    out += np.asarray(other).astype(np.float64) * float(np.float32(1) - np.float32(factor))
    return as_pixels(out.astype(kind), image.dtype)


def scaled(image, factor):
    """``factor * image``, rounded: its brightness."""
    kind = _float_of(image.dtype)
    return as_pixels(image.astype(kind) * kind(factor), image.dtype)


def with_contrast(image, factor):
    """The image blended with its mean grey."""
    mean = gray(image).mean(dtype=np.float64)
    return blended(image, np.rint(mean) if image.dtype.kind != "f" else mean, factor)


def gamma(image, power, gain):
    """``gain * image ** power`` for an image in [0, 1]; of 8 bits, in units of 1/255."""
    if image.dtype.kind == "f":
        kind = image.dtype.type
        return np.clip(kind(gain) * image ** kind(power), 0, 1).astype(image.dtype)
    table = gain * (255 + 1 - 1e-3) * (np.arange(256) / 255) ** power
    return np.clip(table, 0, 255).astype(np.uint8)[image]


def to_hsv_8_bits(image):
    """Hue in units of 1/256 of the circle, saturation and value of an 8-bit RGB image, as int32 each."""
    r, g, b = (image[..., i].astype(np.int32) for i in range(3))
    value = np.maximum(np.maximum(r, g), b)
    span = value - np.minimum(np.minimum(r, g), b)
    hue = np.where(value == r, g - b, np.where(value == g, b - r + 2 * span, r - g + 4 * span))
    divisors = np.arange(1, 256)
    by_value = np.concatenate([[0], np.rint((255 << 12) / divisors)]).astype(np.int32)
    by_span = np.concatenate([[0], np.rint((256 << 12) / (6.0 * divisors))]).astype(np.int32)
    saturation = (span * by_value[value] + (1 << 11)) >> 12
    hue = (hue * by_span[span] + (1 << 11)) >> 12
    return np.where(hue < 0, hue + 256, hue) & 255, saturation, value


_SECTORS = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])  # of r, g, b


def from_hsv(hue, saturation, value):
    """RGB in float32 of a hue in sixths of the circle, saturation and value in [0, 1]."""
    sector = np.floor(hue)
    part = hue - sector
    sector = sector.astype(np.intp) % 6
    one = np.float32(1)
    levels = [value, value * (one - saturation), value * (one - saturation * part)]
    levels = np.stack([*levels, value * (one - saturation * (one - part))], -1)
    return np.take_along_axis(levels, _SECTORS[sector], -1)


def adjusted_hue(image, factor):
    """The image with its hue turned by ``factor`` of the circle."""
    if image.dtype == np.uint8:
        hue, saturation, value = to_hsv_8_bits(image)
        hue = (hue + int(factor * 255)) & 255
        hue, saturation, value = (v.astype(np.float32) for v in (hue, saturation, value))
        out = from_hsv(hue * np.float32(6 / 255), saturation * np.float32(1 / 255), value * np.float32(1 / 255))
        return as_pixels(out * np.float32(255), np.uint8)
    hue, saturation, value = to_hsv(image)
    out = from_hsv((hue + factor) % 1 * 6, saturation, value)
    return as_pixels(np.ascontiguousarray(out), image.dtype)


def to_hsv(image):
    """Hue and saturation in [0, 1], and the value, of RGB in the last axis, as float64."""
    rgb = image.astype(np.float64)
    value, lowest = rgb.max(-1), rgb.min(-1)
    span = value - lowest
    safe = np.where(span > 0, span, 1.0)
    r, g, b = ((value - rgb[..., i]) / safe for i in range(3))
    hue = np.where(rgb[..., 0] == value, b - g, np.where(rgb[..., 1] == value, 2 + r - b, 4 + g - r))
    hue = np.where(span > 0, hue / 6 % 1.0, 0.0)
    return hue, np.divide(span, value, out=np.zeros_like(span), where=value != 0), value


def _per_channel(image, table_of):
    """Each channel through its own table of 256 values; an image without channels gets an axis for one."""
    image = image[:, :, None] if image.ndim == 2 else image
    out = np.empty_like(image)
    for i in range(image.shape[2]):
        out[:, :, i] = table_of(np.bincount(image[:, :, i].reshape(-1), minlength=256))[image[:, :, i]]
    return out


def equalized(image):
    """The 8-bit image with values spread evenly: each range of values has as many pixels, channel by channel."""
    return _per_channel(image, _equal_table)


def _equal_table(counts):
    first = np.flatnonzero(counts)[0]
    rest = counts.sum() - counts[first]
    if not rest:
        return np.arange(256, dtype=np.uint8)
    below = np.cumsum(counts) - counts[first]
    return np.rint(np.clip(below, 0, None) * (np.float32(255) / np.float32(rest))).astype(np.uint8)


def autocontrast(image, cutoff, ignore):
    """The 8-bit image stretched to [0, 255], without ``cutoff`` per cent at each end and the values in ``ignore``."""
    return _per_channel(image, lambda counts: _contrast_table(counts, cutoff, ignore))


def _contrast_table(counts, cutoff, ignore):
    counts = counts.copy()
    counts[list(ignore)] = 0
    if cutoff:
        cut = int(counts.sum()) * int(cutoff) // 100
        counts = _without_lowest(_without_lowest(counts, cut)[::-1], cut)[::-1]
    filled = np.flatnonzero(counts)
    if not len(filled) or filled[-1] <= filled[0]:
        return np.arange(256, dtype=np.uint8)
    scale = np.float32(255) / np.float32(filled[-1] - filled[0])
    values = np.arange(256, dtype=np.float32) * scale - np.float32(filled[0]) * scale
    return np.clip(np.trunc(values), 0, 255).astype(np.uint8)


def _without_lowest(counts, cut):
    """The counts without the ``cut`` lowest pixels."""
    below = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return counts - np.clip(cut - below, 0, counts)
