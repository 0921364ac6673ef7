"""Convolution by unrolled rows (NumPy only): KW copies of the image, where im2col makes KH * KW.

Each row of the kernel meets a slice of the unrolled rows (``unroll.py``) in one matrix product per image.

The workers share the batch, a few images at a time. A sum over images is cut by their shapes alone, so that any number
of workers gives the same bits.
"""

import numpy as np

from minispore import workers
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, even, share, sum_of
from minispore.ops.kernels.conv.geometry import batches
from minispore.ops.kernels.conv.unroll import plan_of

_CACHED = 1 << 20  # bytes of all arrays that a piece works on: they stay in the L2 cache
_SHARED = 3 << 20  # for workers, since a call that is too short has them wait for Python's lock
_SUMMED = 3 << 19  # in a sum over images: for one worker and for several, since the pieces must not change
_LARGE = 3 << 24  # multiplications from which on the workers share an operation
_SHARE = 1 << 24  # and how many each of them has at least
_SHORT = 128  # output pixels up to which images lie side by side in one product of a gradient of the weights
_FEW = 4  # output channels of a group below which they do not
_LONG = 1024  # output pixels that they have together, at most


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): the sum over the kernel's rows of weights times unrolled rows."""
    n, made = x.shape[0], w.shape[0]
    plan, weights = plan_of(geometry, *x.shape[2:], pads), _weights_by_row(w, group)
    y = aligned.empty(np, (n, group, made // group, geometry.out[0] * geometry.out[1]), x.dtype)
    products, bytes_each = y.size * w[0].size, _bytes_per_image(x, made, plan)
    large, sharing = products >= _LARGE, workers.useful(products, _SHARE)
    evenly = large and sharing > 1
    pieces = even(n, bytes_each, _SHARED, sharing) if evenly else list(batches(n, bytes_each, _CACHED))
    arrays = WorkArrays(lambda: plan.work_array(pieces[0][1], group, x.shape[1] // group, 1, x.dtype))

    def convolve(piece):
        with arrays.one() as work:
            work = work[:, : piece[1] - piece[0]]
            plan.fill(work, x[slice(*piece)])
            _products(weights, plan, work, out=y[slice(*piece)])

    share(np, convolve, pieces, large)
    return y.reshape(n, made, *geometry.out)


def _products(weights, plan, work, out):
    np.matmul(weights[0], plan.met_by_row(0, work), out=out)
    part = aligned.empty(np, out.shape, out.dtype) if len(weights) > 1 else None
    for i in range(1, len(weights)):
        out += np.matmul(weights[i], plan.met_by_row(i, work), out=part)


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): for each kernel row, the unrolled rows that it met times dy, over all images."""
    n, made = dy.shape[:2]
    taken, kh, kw = w_shape[1:]
    plan = plan_of(geometry, *x.shape[2:], pads)
    size, images = made * taken * kh * kw, _images_per_product(n, made // group, geometry)
    large = dy[:, 0].size * size >= _LARGE  # of a single piece, the kernel's rows are shared
    pieces = list(batches(n // images, images * _bytes_per_image(x, made, plan), _SUMMED))
    arrays = WorkArrays(lambda: plan.work_array(pieces[0][1], group, taken, images, x.dtype))

    def gradient(piece):
        some = slice(piece[0] * images, piece[1] * images)
        flat = _pixels_by_channel(dy[some], images, group)
        dw = np.empty((kh, group, taken * kw, made // group), dy.dtype)
        with arrays.one() as work:
            work = work[:, : piece[1] - piece[0]]
            plan.fill(work, x[some])
            share(np, lambda i: np.matmul(plan.met_by_row(i, work), flat).sum(axis=0, out=dw[i]), range(kh), large)
        return dw

    dw = sum_of(np, gradient, pieces, size * dy.itemsize, large)
    dw = dw.reshape(kh, group, taken, kw, made // group).transpose(1, 4, 2, 0, 3)
    return np.ascontiguousarray(dw).reshape(w_shape)


def _images_per_product(n, made, geometry):
    """The number of images, of n in equal sets, that lie side by side in one product and make it long enough."""
    pixels = geometry.out[0] * geometry.out[1]
    if pixels > _SHORT or geometry.kernel[0] == 1 or made < _FEW:  # a copy of dy would not pay
        return 1
    return max(m for m in range(1, min(n, _LONG // pixels) + 1) if n % m == 0)


def _pixels_by_channel(dy, images, group):
    """(sets, group, OH * images * OW, O/group), from (N, O, OH, OW)."""
    n, made, height, width = dy.shape
    if images > 1:
        dy = np.ascontiguousarray(dy.reshape(-1, images, made, height, width).transpose(0, 2, 3, 1, 4))
    return dy.reshape(n // images, group, made // group, -1).swapaxes(2, 3)


def _weights_by_row(w, group):
    """(KH, group, O/group, C/group * KW)."""
    made, taken, kh, kw = w.shape
    by_row = np.ascontiguousarray(w.transpose(2, 0, 1, 3))  # reversed strides would keep the product from the BLAS
    return by_row.reshape(kh, group, made // group, taken * kw)


def _bytes_per_image(x, made, plan):
    numbers = x.shape[1] * plan.numbers_per_channel() + 2 * made * plan.out[0] * plan.out[1]
    return numbers * x.itemsize
