"""Convolution by unrolled rows (NumPy only): KW copies of the image, where im2col makes KH * KW.

Each row of the kernel meets a slice of the unrolled rows (``unroll.py``) in one matrix product per image. This is the
form of many channels. The workers share the batch, a few images at a time.
"""

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, even, share
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv.geometry import batches, number_of_batches
from minispore.ops.kernels.conv.unroll import fill_work, plan_of
from minispore.ops.kernels.conv.work import Work, of_moves, of_products, total, useful_workers
from minispore.ops.kernels.matmul import product_into

_CACHED = 1 << 20  # bytes of all arrays that a piece works on: they stay in the L2 cache
_SHARED = 3 << 20  # for workers, since a call that is too short has them wait for Python's lock
_WEIGHTS = 10  # numbers of a kernel to each output pixel from which on images lie side by side in a forward pass
_PADDING = 2500  # multiplications of padding to leave out, for an output channel and a row of the kernel, or more
_TOGETHER = 512  # output pixels that they have there together, at most


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): the sum over the kernel's rows of weights times unrolled rows."""
    n, made = x.shape[0], w.shape[0]
    plan = plan_of(geometry, *x.shape[2:], pads, _least(w.shape))
    weights, images = _weights_by_row(w, group), _together(n, w, geometry)
    y = aligned.empty(np, (n // images, images, group, made // group, geometry.out[0], geometry.out[1]), x.dtype)
    sharing, bytes_each = useful_workers(y.size, w[0].size), images * _bytes_per_image(x, made, plan)
    sets = n // images
    pieces = even(sets, bytes_each, _SHARED, sharing) if sharing > 1 else list(batches(sets, bytes_each, _CACHED))
    arrays = WorkArrays(lambda: plan.work_array(pieces[0][1], group, x.shape[1] // group, images, x.dtype))

    def convolve(piece):
        with arrays.one() as work:
            work = work[:, : piece[1] - piece[0]]
            plan.fill(work, x[piece[0] * images : piece[1] * images])
            _products(weights, plan, work, y[slice(*piece)])

    share(np, convolve, pieces, sharing > 1)
    return y.reshape(n, made, *geometry.out)


def _least(w_shape):
    """The pixels of padding to leave out; fewer would cost less than the shorter rows of what is left."""
    return -(-_PADDING // (w_shape[1] * w_shape[3]))


def _together(n, w, geometry):
    """The number of images, of n in equal sets, side by side in one product: 1 unless the kernels are far larger."""
    pixels = geometry.out[0] * geometry.out[1]
    if w[0].size < _WEIGHTS * pixels:
        return 1
    return _divisor(n, _TOGETHER // pixels)


def _divisor(n, most):
    """The largest divisor of n up to ``most``, or 1."""
    return max(m for m in range(1, max(1, min(n, most)) + 1) if n % m == 0)


def _products(weights, plan, work, y):
    """Write y (sets, images, group, O/group, OH, OW), whose pixels each product has for the images side by side."""
    sets, images, group, made, height, width = y.shape
    add = _added if plan.whole else small_buffers(_added)
    if images == 1:
        return add(weights, plan, work, out=y.reshape(sets, group, made, height * width))
    found = aligned.empty(np, (sets, group, made, height * images * width), y.dtype)
    add(weights, plan, work, out=found)
    y[...] = found.reshape(sets, group, made, height, images, width).transpose(0, 4, 1, 2, 3, 5)


def _added(weights, plan, work, out):
    """Write the sum of the products of all rows of the kernel into ``out`` (sets, group, O/group, pixels)."""
    (first, *others), flat = plan.order, plan.flat(work)
    met, pixels = plan.met_by_row(first, *flat)
    if met.shape[-1] < out.shape[-1]:
        out[..., : pixels.start], out[..., pixels.stop :] = 0, 0
    product_into(np, weights[first], met, out[..., pixels])
    part = aligned.empty(np, out.shape, out.dtype) if others else None
    for i in others:
        met, pixels = plan.met_by_row(i, *flat)
        sums, room = (out, part) if plan.whole else (out[..., pixels], part[..., pixels])
        sums += product_into(np, weights[i], met, room)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`."""
    (n, c, *size), (made, taken, kh, kw), (oh, ow) = x_shape, w_shape, geometry.out
    plan = plan_of(geometry, *size, pads, _least(w_shape))
    unrolled = fill_work(plan, n * c, geometry.stride[1])
    turned = of_moves(made * taken * kh * kw if kh > 1 else 0, kw)
    products = _products_work(plan.outputs, n * group, made // group, taken * kw, ow)
    added = Work(read=(kh - 1) * n * made * oh * ow)  # products are added as they lie in the cache
    again = (kh - 1) * n * c * kw * oh * ow if 4 * c * kw * oh * ow > _CACHED else 0  # read for each row of the kernel
    return total(unrolled, turned, products, added, Work(read=again), _steps(n, c, made, kh, plan, _CACHED))


def _products_work(rows, count, made, terms, width):
    """The work of ``count`` products for each row of the kernel, whose output ``rows`` are (start, stop)."""
    return total(*(of_products(count, made, terms, (stop - start) * width) for start, stop in rows))


def _steps(n, c, made, kh, plan, budget):
    """The calls of NumPy: for each piece, the copies of its image, and a product for each row of the kernel."""
    return Work(steps=number_of_batches(n, 4 * _numbers(c, made, plan), budget) * (len(plan.copies) + kh))


def _weights_by_row(w, group):
    """(KH, group, O/group, C/group * KW)."""
    made, taken, kh, kw = w.shape
    by_row = np.ascontiguousarray(w.transpose(2, 0, 1, 3))  # reversed strides would keep the product from the BLAS
    return by_row.reshape(kh, group, made // group, taken * kw)


def _bytes_per_image(x, made, plan):
    return _numbers(x.shape[1], made, plan) * x.itemsize


def _numbers(channels, made, plan):
    return channels * plan.numbers_per_channel() + 2 * made * plan.out[0] * plan.out[1]
