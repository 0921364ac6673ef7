"""Blurring and sharpening: each pixel becomes a weighted sum of its neighbours."""

import numpy as np

from minispore.data.dataset.vision.colors import blended
from minispore.data.dataset.vision.rounding import as_pixels

__all__ = ["gaussian_blur", "sharpened"]


def _gaussian(size, sigma):
    """The weights of a Gaussian at the ``size`` places around 0, of sum 1."""
    x = np.arange(size) - (size - 1) / 2
    weights = np.exp(-(x**2) / (2 * sigma**2))
    return weights / weights.sum()


def _whole_weights(weights):
    """In units of 1/256: each rounding error is handed to the next, and the middle takes the rest."""
    found, error, half = np.zeros(len(weights)), 0.0, len(weights) // 2
    for i in range(half):
        exact = weights[i] * 256 + error
        found[i] = found[-1 - i] = np.rint(exact)
        error = exact - found[i]
    found[half] = 256 - 2 * found[:half].sum()
    return found


def gaussian_blur(image, sizes, sigmas):
    """The image blurred by Gaussians of ``sizes`` and ``sigmas``, (x, y), mirrored at its edges."""
    flat = image[:, :, None] if image.ndim == 2 else image
    whole = image.dtype == np.uint8
    kind = np.float64 if whole or image.dtype == np.float64 else np.float32
    out = flat.astype(kind)
    for axis, size, sigma in ((1, sizes[0], sigmas[0]), (0, sizes[1], sigmas[1])):
        weights = _gaussian(size, sigma)
        out = _weighted(out, (_whole_weights(weights) if whole else weights).astype(kind), axis)
    if whole:
        out = np.floor(out / 65536 + 0.5)
    return as_pixels(out, image.dtype).reshape(image.shape)


def _weighted(x, weights, axis):
    half = len(weights) // 2
    width = [(half, half) if i == axis else (0, 0) for i in range(x.ndim)]
    padded = np.pad(x, width, "reflect") if x.shape[axis] > 1 else np.pad(x, width, "edge")
    places = [np.take(padded, range(i, i + x.shape[axis]), axis) for i in range(len(weights))]
    return sum(place * weight for place, weight in zip(places, weights, strict=True))


def sharpened(image, factor):
    """The image blended with itself smoothed: 0 is smooth, 1 the image, more is sharper. The edge stays."""
    flat = image[:, :, None] if image.ndim == 2 else image
    smooth = flat.copy()
    height, width = flat.shape[:2]
    if height > 2 and width > 2:
        x = flat.astype(np.float64)
        total = 4 * x[1:-1, 1:-1]
        for i in range(3):
            for j in range(3):
                total = total + x[i : height - 2 + i, j : width - 2 + j]
        smooth[1:-1, 1:-1] = as_pixels(total / 13, image.dtype)
    return blended(image, smooth.reshape(image.shape), factor)
