"""The gradient of a convolution's weights by unrolled rows (NumPy only): KW copies of the image, not KH * KW.

Each row of the kernel meets a slice of the unrolled rows (``unroll.py``), which is multiplied by dy.

The workers share the batch, a few images at a time. A sum over images is cut by their shapes alone, so that any number
of workers gives the same bits.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share, sum_of
from minispore.ops.kernels.conv import small_products
from minispore.ops.kernels.conv.geometry import batches, number_of_batches
from minispore.ops.kernels.conv.small_products import even_length, product_by_rows
from minispore.ops.kernels.conv.unroll import fill_work, plan_of
from minispore.ops.kernels.conv.work import Work, of_moves, of_tiles, of_turning, total, useful_workers

_SUMMED = 3 << 20  # bytes of all arrays that a piece works on; the same for any number of workers
_SHORT = 128  # output pixels up to which images lie side by side in one product
_FEW = 4  # output channels of a group below which they do not
_LONG = 1024  # output pixels that they have together, at most
_TERMS = 3  # numbers of a kernel's row to each pixel from which on this pays for a kernel of one row, too
_SLIM = 1200  # numbers of the result of a small product, at most, where dy lies channel by channel
_MANY = 32  # output channels from which on it is turned, to lie pixel by pixel,
_USES = 96  # if each of its numbers is multiplied so often
_SUM = 512  # pixels that it sums, at most
_LEAST = 12  # terms that it has, at least
_LINE = 16  # numbers of a line of the cache
_PADDING = 2500  # multiplications of padding to leave out, for an output channel and a row of the kernel, or more
_PART = 8  # and which part of the output's pixels at least


class Run(NamedTuple):
    """Rows of the kernel at an equal distance that meet the image in the same output rows."""

    taps: tuple  # (start, stop, step) of these rows of the kernel
    phase: int
    row: int  # of the unrolled rows, that the first of them meets in the first of these output rows
    step: int  # how many rows further the next one begins
    outputs: tuple  # (start, stop) of the output rows


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): for each kernel row, the unrolled rows that it met times dy, over all images."""
    n, made = dy.shape[:2]
    taken, kh, kw = w_shape[1:]
    plan = plan_of(geometry, *x.shape[2:], pads, _least(w_shape, geometry))
    runs, size, images = runs_of(plan), math.prod(w_shape), _images_per_product(n, made // group, taken, geometry)
    turned, large = _is_turned(w_shape, group), useful_workers(dy.size, math.prod(w_shape[1:])) > 1
    pieces = list(batches(n // images, images * _numbers(x.shape[1], made, plan) * x.itemsize, _SUMMED))
    arrays = WorkArrays(lambda: plan.work_array(pieces[0][1], group, taken, images, x.dtype))

    def gradient(piece):
        some = slice(piece[0] * images, piece[1] * images)
        flat = _pixels_by_channel(dy[some], images, group, turned)
        with arrays.one() as work:
            work = work[:, : piece[1] - piece[0]]
            plan.fill(work, x[some])
            unrolled, width = plan.flat(work)
            sums = [(run.taps, _summed(*_met(run, unrolled, width), flat, turned, large)) for run in runs]
        if len(sums) == 1 and len(sums[0][1]) == kh:
            return sums[0][1]
        dw = np.zeros((kh, group, taken * kw, made // group), dy.dtype)
        for taps, found in sums:
            dw[slice(*taps)] = found
        return dw

    dw = sum_of(np, gradient, pieces, size * dy.itemsize, large)
    dw = dw.reshape(kh, group, taken, kw, made // group).transpose(1, 4, 2, 0, 3)
    return np.ascontiguousarray(dw).reshape(w_shape)


def _is_turned(w_shape, group):
    """True if it pays to turn dy, so that each pixel's output channels lie one after another."""
    return small_products.most() > 0 and w_shape[0] // group >= _MANY and math.prod(w_shape[1:]) >= _USES


def _least(w_shape, geometry):
    """The pixels of padding to leave out; fewer would cost less than to multiply rows of the kernel apart."""
    return max(-(-_PADDING // (w_shape[1] * w_shape[3])), math.prod(geometry.out) // _PART + 1)


def runs_of(plan):
    """The runs of a plan, with all rows of the kernel that meet pixels."""
    alike, runs = {}, []
    for i, ((phase, row), outputs) in enumerate(zip(plan.met, plan.outputs, strict=True)):
        if outputs[0] < outputs[1]:
            alike.setdefault((phase, outputs), []).append((i, row + outputs[0]))
    for (phase, outputs), rows in alike.items():
        (i, row), (last, end), count = rows[0], rows[-1], max(1, len(rows) - 1)
        step = (last - i) // count
        runs.append(Run((i, last + 1, max(1, step)), phase, row, (end - row) // count, outputs))
    return runs


def _met(run, unrolled, width):
    """``(met, pixels)``: (sets, group, rows of the run, C/group * KW, pixels), a view, and which pixels of dy."""
    start, stop = run.outputs
    phase = unrolled[run.phase, ..., run.row * width :]
    rows = len(range(*run.taps))
    image, group, term, pixel = phase.strides
    shape = (*phase.shape[:2], rows, phase.shape[2], (stop - start) * width)
    met = np.lib.stride_tricks.as_strided(phase, shape, (image, group, run.step * width * pixel, term, pixel))
    return met, slice(start * width, stop * width)


def _summed(met, pixels, flat, turned, large):
    """``met`` times these pixels of ``flat`` (sets, group, pixels, O/group), in small products, summed over images."""
    flat = flat[:, :, None, pixels]
    rows, length = tile(*met.shape[3:], flat.shape[4], turned)
    starts = range(0, flat.shape[3], length)
    out = np.empty((len(starts), *met.shape[:4], flat.shape[4]), met.dtype)

    def multiply(i):
        some = slice(starts[i], starts[i] + length)
        product_by_rows(met[..., some], flat[:, :, :, some], out[i], rows)

    share(np, multiply, range(len(starts)), large)
    return np.add.reduce(out.reshape(-1, *out.shape[2:]), axis=0).swapaxes(0, 1)


@functools.lru_cache(maxsize=4096)
def tile(terms, pixels, made, turned):
    """``(rows, length)``: how many terms to multiply at a time, and how many pixels to sum."""
    most = small_products.most()
    rows = most // (made * min(pixels, _SUM))
    rows = min(terms, rows if turned else min(rows, _SLIM // made))
    if rows < min(terms, _LEAST) or (rows == terms and made * terms * pixels <= most):
        return terms, pixels
    rows = next((each for each in range(rows, rows // 2, -1) if terms % each == 0), rows)
    return rows, even_length(pixels, max(1, min(_SUM, most // (made * rows))))


def _images_per_product(n, made, taken, geometry):
    """The number of images, of n in equal sets, that lie side by side in one product and make it long enough."""
    pixels = geometry.out[0] * geometry.out[1]
    slim = geometry.kernel[0] == 1 and taken * geometry.kernel[1] < _TERMS * pixels
    if pixels > _SHORT or slim or made < _FEW:  # which would not pay for the copy of dy
        return 1
    return _divisor(n, _LONG // pixels)


def _divisor(n, most):
    """The largest divisor of n up to ``most``, or 1."""
    return max(m for m in range(1, max(1, min(n, most)) + 1) if n % m == 0)


def grad_weight_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_weight`."""
    (n, c, *image), (made, taken, _, kw), (oh, ow) = x_shape, w_shape, geometry.out
    plan = plan_of(geometry, *image, pads, _least(w_shape, geometry))
    images, turned = _images_per_product(n, made // group, taken, geometry), _is_turned(w_shape, group)
    pieces = number_of_batches(n // images, images * 4 * _numbers(c, made, plan), _SUMMED)
    sizes = n // images * group, made // group, taken * kw, images * ow
    works = [_work_of_run(run, sizes, turned, pieces) for run in runs_of(plan)]
    unrolled = fill_work(plan, n * c, geometry.stride[1])
    placed = of_turning(n * made * oh * ow) if turned else of_moves(n * made * oh * ow if images > 1 else 0, ow)
    steps = Work(steps=pieces * (len(plan.copies) + 2 * len(works)))
    return total(unrolled, of_turning(math.prod(w_shape)), placed, steps, *works)


def _work_of_run(run, sizes, turned, pieces):
    """The work of a run's products and sums; sizes are groups of all sets of images, O/group, C/group * KW, a width."""
    (count, made, terms, width), taps = sizes, len(range(*run.taps))
    pixels = (run.outputs[1] - run.outputs[0]) * width
    rows, length = tile(terms, pixels, made, turned)
    sums = -(-pixels // length)
    products = of_tiles(count * taps, (terms, pixels, made), (rows, length, made))
    return total(products, of_moves(count * taps * sums * terms * made, terms * made), Work(steps=pieces * sums))


def _pixels_by_channel(dy, images, group, turned):
    """(sets, group, OH * images * OW, O/group) of dy (N, O, OH, OW), in memory in this order if it is ``turned``."""
    n, made, height, width = dy.shape
    pixels = height * images * width
    if images > 1 or turned:  # rows at an odd distance do not share lines of the cache as they are turned
        room = np.empty((n // images, made, pixels + _LINE), dy.dtype)[..., :pixels]
        by_image = room.reshape(-1, made, height, images, width)
        by_image[...] = dy.reshape(-1, images, made, height, width).transpose(0, 2, 3, 1, 4)
        dy = room
    flat = dy.reshape(n // images, group, made // group, pixels).swapaxes(2, 3)
    return np.ascontiguousarray(flat) if turned else flat


def _numbers(channels, made, plan):
    return channels * plan.numbers_per_channel() + 2 * made * plan.out[0] * plan.out[1]
