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

    def windows(self, axis, size, before):
        """Yield (q, taps, pixels) of each window q along an axis of ``size`` pixels, with ``before`` pixels of padding.

        Part of it are the kernel's elements that meet pixels, and these pixels. Windows of padding alone are left out.
        """
        stride, dilation, kernel = self.stride[axis], self.dilation[axis], self.kernel[axis]
        for q in range(self.out[axis]):
            start = q * stride - before
            first, last = max(0, -(start // dilation)), min(kernel, (size - 1 - start) // dilation + 1)
            if first < last:
                pixels = slice(start + first * dilation, start + (last - 1) * dilation + 1, dilation)
                yield q, slice(first, last), pixels

    def met_by_tap(self, axis, size, before):
        """Yield (i, pixels, outputs) of each element i of the kernel along an axis, with ``before`` pixels of padding.

        The outputs are those for which it meets one of ``size`` pixels. Elements that meet none are left out.
        """
        stride = self.stride[axis]
        for i in range(self.kernel[axis]):
            shift = i * self.dilation[axis] - before  # the pixel that the output 0 meets
            start, stop = max(0, -(shift // stride)), min(self.out[axis], (size - 1 - shift) // stride + 1)
            if start < stop:
                pixels = slice(start * stride + shift, (stop - 1) * stride + shift + 1, stride)
                yield i, pixels, slice(start, stop)


@lru_cache(maxsize=4096)
def met(x_shape, w_shape, stride, pads, dilation):
    """``(taps, pads)``: an index of the weights that meet a pixel, and the padding for them.

    The other elements of the kernel meet padding alone, such as all rows but one of a kernel upon a single row. None
    where all of them do.
    """
    out, kept, left = geometry_of(x_shape, w_shape, stride, pads, dilation).out, [], []
    for axis in (0, 1):
        around, sizes = pads[2 * axis : 2 * axis + 2], (x_shape[2 + axis], w_shape[2 + axis], out[axis])
        ends = _met_along(*sizes, stride[axis], *around, dilation[axis])
        if ends is None:
            return None
        first, last = ends
        kept.append(slice(first, last + 1))
        left += [around[0] - first * dilation[axis], around[1] - (sizes[1] - 1 - last) * dilation[axis]]
    return (slice(None), slice(None), *kept), tuple(left)


def _met_along(size, kernel, out, stride, before, after, dilation):
    """The first and the last element of a kernel to keep: they meet pixels, or negative padding would replace them.

    None where no element meets a pixel.
    """

    def meets(i):
        q = max(0, -((i * dilation - before) // stride))  # the first window where it is not above the image
        return q < out and q * stride + i * dilation - before < size

    found = [i for i in range(kernel) if meets(i)]
    if found:
        return min(found[0], before // dilation), max(found[-1], kernel - 1 - after // dilation)
    return None


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


def number_of_batches(count, bytes_each, budget):
    """The number of pieces that :func:`batches` yields."""
    return len(list(batches(count, bytes_each, budget)))


def blocks(n, group, bytes_each, budget):
    """Yield (images, groups), each as (start, stop): some groups of one image, or all of some images.

    A group of an image takes ``bytes_each``, and each block about ``budget`` bytes, as in :func:`batches`.
    """
    for images in batches(n, group * bytes_each, budget):
        for groups in batches(group, (images[1] - images[0]) * bytes_each, budget):
            yield images, groups


def number_of_blocks(n, group, bytes_each, budget):
    """The number of blocks that :func:`blocks` yields."""
    return len(list(blocks(n, group, bytes_each, budget)))
