"""The geometry of a convolution: which input pixels each output pixel reads."""

from functools import lru_cache
from typing import NamedTuple


class Geometry(NamedTuple):
    """Sizes of one two-dimensional convolution, all as (vertical, horizontal)."""

    kernel: tuple
    stride: tuple
    dilation: tuple
    padded: tuple  # the size of the padded image
    out: tuple

    def window(self, row, column):
        """The slices of the padded image that the output pixel (row, column) reads."""
        return tuple(
            slice(s * at, s * at + d * (k - 1) + 1, d)
            for s, at, d, k in zip(self.stride, (row, column), self.dilation, self.kernel, strict=True)
        )

    def tap(self, i, j):
        """The slices of the padded image that meet the kernel's element (i, j), one pixel per output pixel."""
        starts = i * self.dilation[0], j * self.dilation[1]
        return tuple(
            slice(start, start + s * (out - 1) + 1, s)
            for start, s, out in zip(starts, self.stride, self.out, strict=True)
        )

    def taps(self):
        """Yield each element (i, j) of the kernel with its :meth:`tap`."""
        for i in range(self.kernel[0]):
            for j in range(self.kernel[1]):
                yield i, j, self.tap(i, j)


@lru_cache(maxsize=4096)
def geometry_of(x_shape, w_shape, stride, pads, dilation):
    """The geometry of convolving ``x_shape`` (N, C, H, W) with ``w_shape`` (O, C/group, KH, KW).

    ``pads`` is (top, bottom, left, right). An image smaller than the kernel gives an output without pixels.
    """
    kernel = tuple(w_shape[2:])
    padded = (x_shape[2] + pads[0] + pads[1], x_shape[3] + pads[2] + pads[3])
    out = tuple(
        max(0, (size - d * (k - 1) - 1) // s + 1)
        for size, k, s, d in zip(padded, kernel, stride, dilation, strict=True)
    )
    return Geometry(kernel, tuple(stride), tuple(dilation), padded, out)


def pad(xp, x, pads, value=0):
    """``x`` (N, C, H, W) with ``value`` in the ``pads`` around each plane; x itself where there are none."""
    if not any(pads):
        return x
    top, bottom, left, right = pads
    n, c, h, w = x.shape
    padded = xp.full((n, c, h + top + bottom, w + left + right), value, x.dtype)
    padded[:, :, top : top + h, left : left + w] = x
    return padded


def unpad(padded, pads):
    """The inner part of ``padded``: the view that :func:`pad` copied its image into."""
    top, bottom, left, right = pads
    return padded[:, :, top : padded.shape[2] - bottom, left : padded.shape[3] - right]


def batches(count, bytes_each, budget):
    """Yield (start, stop) over ``count`` images in equal pieces that take about ``budget`` bytes, at least one each."""
    pieces = max(1, -(-count * bytes_each // budget))
    size = max(1, -(-count // pieces))
    for start in range(0, count, size):
        yield start, min(start + size, count)
