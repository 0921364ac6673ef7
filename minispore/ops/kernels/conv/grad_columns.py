"""The gradient of a convolution's input by columns: each number of weights times dy is added to its pixel.

It multiplies as often as the forward pass, however wide the kernel is; making the columns is an extra cost.
"""

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import share
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv.geometry import batches, number_of_batches, unpad
from minispore.ops.kernels.conv.work import Work, loop, of_products, of_sums, total
from minispore.ops.kernels.matmul import product

_CACHED = 3 << 19  # bytes of columns at a time on the CPU: fewer would make the runs that are added too short
_DEVICE = 256 << 20  # and on other devices, where few big launches are better
_ADDS = 2  # how often the columns are moved, once they are written: read, and added


@small_buffers
def grad_input(xp, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W), 0 where no window came."""
    (n, c), taken = x_shape[:2], w.shape[1]
    padded = aligned.zeros(xp, (n, group, taken, *geometry.padded), dy.dtype)
    bytes_of_row = c * w[0, 0].size * geometry.out[1] * dy.itemsize
    height = max(1, min(geometry.out[0], _budget(xp) // bytes_of_row))  # rows of dy whose columns are made at a time

    def gather(piece):
        image, some = padded[slice(*piece)], dy[slice(*piece)]
        for top in range(0, geometry.out[0], height):
            columns = _columns(xp, some[:, :, top : top + height], w, group)
            _add(image[:, :, :, top * geometry.stride[0] :], columns, geometry)

    share(xp, gather, batches(n, bytes_of_row * height, _budget(xp)))
    return xp.ascontiguousarray(unpad(padded.reshape(n, c, *geometry.padded), pads))


def grad_input_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_input`: N * C * KH * KW * OH * OW columns, of O/group products each."""
    (n, c), (made, taken, kh, kw), (oh, ow) = x_shape[:2], w_shape, geometry.out
    products = of_products(n * group, taken * kh * kw, made // group, oh * ow)
    bytes_of_row = 4 * c * kh * kw * ow
    height = max(1, min(oh, _CACHED // bytes_of_row))
    pieces = number_of_batches(n, bytes_of_row * height, _CACHED) * -(-oh // height)
    steps = Work(steps=pieces * min(kw, ow) * min(kh, height))
    numbers = n * c * kh * kw * oh * ow
    step = geometry.stride[1] if ow >= kw else geometry.dilation[1]
    return total(products, of_sums(_ADDS * numbers, _ADDS * loop(max(kw, ow), max(kh, oh)), step), steps)


portable_grad_input_work = grad_input_work


def _budget(xp):
    """The largest number of bytes of columns at a time."""
    if xp is np:
        return _CACHED
    return _DEVICE


def _columns(xp, dy, w, group):
    """(N, group, C/group, KH, OH, KW, OW): each weight times each number of dy, summed over the outputs.

    The longer of KW and OW lies last in memory, so that long runs of neighbours are added.
    """
    (n, made, *out), (_, taken, *kernel) = dy.shape, w.shape
    numbers = dy.reshape(n, group, made // group, -1)
    weights = w.reshape(1, group, made // group, -1)
    if out[1] >= kernel[1]:
        columns = _product(xp, weights.swapaxes(2, 3), numbers).reshape(n, group, taken, *kernel, *out)
        return columns.transpose(0, 1, 2, 3, 5, 4, 6)
    columns = _product(xp, numbers.swapaxes(2, 3), weights).reshape(n, group, *out, taken, *kernel)
    return columns.transpose(0, 1, 4, 5, 2, 6, 3)


def _product(xp, a, b):
    """``a @ b``, without a matrix product where each sum has one term: a group of one output channel."""
    return a * b if a.shape[-1] == 1 else product(xp, a, b)


def _add(image, columns, geometry):
    """Add the columns to the pixels (N, group, C/group, H, W) of their windows; the first is at the image's top."""
    horizontal = list(parts(*columns.shape[5:], geometry.stride[1], geometry.dilation[1]))
    for of_height, rows in parts(*columns.shape[3:5], geometry.stride[0], geometry.dilation[0]):
        for of_width, pixels in horizontal:
            image[..., rows, pixels] += columns[(slice(None),) * 3 + of_height + of_width]


def parts(kernel, out, stride, dilation):
    """Yield, of the axes (K, OUT) of the columns, a part and the pixels it is added to, which differ from one another.

    A part belongs to one element of the kernel, or to one window: whichever makes fewer parts.
    """
    if kernel <= out:
        for i in range(kernel):
            yield (i, slice(None)), slice(i * dilation, i * dilation + stride * (out - 1) + 1, stride)
    else:
        for i in range(out):
            yield (slice(None), i), slice(i * stride, i * stride + dilation * (kernel - 1) + 1, dilation)
