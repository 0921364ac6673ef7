"""Convolution by overlapping matrices (NumPy only): KW copies of the image, where im2col makes KH * KW.

The copies of an image row lie one after another, channel by channel, and then those of the next row. All that an output
row meets is one slice of them, a matrix that a product reads in place. The slices of neighbouring output rows overlap.
Each product sums whole windows, so nothing is added afterwards. Rows of padding are left out.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share
from minispore.ops.kernels.conv import small_products
from minispore.ops.kernels.conv.geometry import blocks, number_of_blocks
from minispore.ops.kernels.conv.small_products import even_length, product_by_rows
from minispore.ops.kernels.conv.work import Work, of_moves, of_tiles, of_turning, total, useful_workers

_CACHED = 3 << 18  # bytes of the copies that a piece works on: they stay in the L2 cache
_SHARED = 3 << 20  # for workers, since a call that is too short has them wait for Python's lock
_VECTOR = 16  # the best number of columns of a small product is a multiple of it, and it has as many rows or more
_HALF = 8  # and takes as long as one of the next multiple of it
_WRITES = 2  # how often a number of a result is written beyond once: its neighbours lie in other rows


class Run(NamedTuple):
    """Output rows, ``Plan.apart`` from one another, that meet the same rows of the kernel."""

    first: int  # of the output rows
    count: int
    taps: tuple  # (start, stop) of these rows of the kernel
    start: int  # the first line that the first of them meets
    step: int  # how many lines further the next one begins


class Strip(NamedTuple):
    """Some output rows: the rows of the image that they meet, and their runs."""

    rows: tuple  # (start, stop)
    runs: tuple


class Plan(NamedTuple):
    """All indices of a convolution of one size."""

    copies: tuple  # (kernel column, columns of the image, output columns that meet them)
    strips: tuple
    parts: int  # as many as the dilation; the rows of a strip are dealt into them
    height: int  # lines of each part
    apart: int
    whole: bool  # True if every output row meets more than padding


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): weights times the slice that each output row meets."""
    n, made, taken = x.shape[0], w.shape[0] // group, w.shape[1]
    weights, images = _weights(w, group), x.reshape(n, group, taken, *x.shape[2:])
    sharing = useful_workers(n * w.shape[0] * math.prod(geometry.out), w[0].size)
    line = taken, geometry.kernel[1], geometry.out[1]
    budget = _lines(line, _SHARED if sharing > 1 else _CACHED, x.itemsize)
    budget = min(budget, -(-n * group * x.shape[2] // sharing))  # so that each worker has a piece
    plan = plan_of(geometry, *x.shape[2:], pads, budget)
    y = (aligned.empty if plan.whole else aligned.zeros)(np, (n, group, made, *geometry.out), x.dtype)
    pieces = list(itertools.product(blocks(n, group, plan.parts * plan.height, budget), plan.strips))
    most = [max(stop - start for start, stop in each) for each in zip(*(piece[0] for piece in pieces), strict=True)]
    arrays = WorkArrays(lambda: _Lines((*most, plan.parts * plan.height, *line), x.dtype))

    def convolve(piece):
        some, groups = (slice(*each) for each in piece[0])
        with arrays.one() as lines:
            lines.fill(images[some, groups], piece[1].rows, plan)
            for run in piece[1].runs:
                rows = slice(run.first, run.first + (run.count - 1) * plan.apart + 1, plan.apart)
                _multiply(weights[groups], run.taps, lines, run, y[some, groups, :, rows])

    share(np, convolve, pieces, sharing > 1)
    return y.reshape(n, group * made, *geometry.out)


class _Lines:
    """The copies of some images (N, group, lines, C/group, KW, OW), whose margins stay 0, and the slices of them."""

    def __init__(self, shape, dtype):
        self.all, self.slices = aligned.zeros(np, shape, dtype), {}

    def fill(self, images, rows, plan):
        """Copy these rows of the images (N, group, C/group, H, W), part after part."""
        for part in range(plan.parts):
            of_part = images[:, :, :, rows[0] + part : rows[1] : plan.parts].swapaxes(2, 3)
            start = part * plan.height
            room = self.all[: len(images), : images.shape[1], start : start + of_part.shape[2]]
            for j, columns, to_columns in plan.copies:
                room[..., j, to_columns] = of_part[..., columns]

    def met(self, run, terms):
        """(N, group, rows of the run, terms, OW): the slice that each of these rows meets, a view."""
        key = run[1:]
        if key not in self.slices:
            lines, (image, each, line, _, column, pixel) = self.all[:, :, run.start :], self.all.strides
            shape = (*lines.shape[:2], run.count, terms, lines.shape[5])
            strides = (image, each, line * run.step, column, pixel)
            self.slices[key] = np.lib.stride_tricks.as_strided(lines, shape, strides)
        return self.slices[key]


def _multiply(weights, taps, lines, run, y):
    """Write the products for a run into ``y`` (N, group, O/group, rows, OW), in small blocks."""
    each = math.prod(lines.all.shape[3:5])
    weights, y = weights[:, :, :, taps[0] * each : taps[1] * each], y.swapaxes(2, 3)
    met = lines.met(run, weights.shape[3])[: len(y), : y.shape[1]]
    rows, width = tile(*weights.shape[2:], met.shape[4])
    for start in range(0, met.shape[4], width):
        columns = slice(start, start + width)
        product_by_rows(weights, met[..., columns], y[..., columns], rows)


@functools.lru_cache(maxsize=4096)
def tile(made, terms, width):
    """The rows and columns of a product of ``made`` times ``width`` numbers to compute at a time."""
    most = small_products.most()
    across = min(width, most // (_VECTOR * terms))
    if across < min(width, _VECTOR):
        return made, width
    across = even_length(width, across)
    across += -across % _VECTOR if across < width else 0
    return even_length(made, max(1, most // (terms * across))), across


def _weights(w, group):
    """(group, 1, O/group, KH * C/group * KW)."""
    return np.ascontiguousarray(w.swapaxes(1, 2)).reshape(group, 1, w.shape[0] // group, -1)


def _lines(line, nbytes, itemsize):
    """The number of lines of numbers (C/group, KW, OW) that take so many bytes."""
    return max(1, nbytes // (math.prod(line) * itemsize))


@functools.lru_cache(maxsize=512)
def plan_of(geometry, height, width, pads, budget):
    """The plan for images of ``height`` times ``width``, padded by ``pads``; strips meet about ``budget`` rows."""
    down, parts = geometry.stride[0], geometry.dilation[0]
    common = math.gcd(down, parts)
    windows = list(geometry.windows(0, height, pads[0]))
    reach = parts * (geometry.kernel[0] - 1) + 1
    count = max(1, len(windows) if height <= budget else (budget - reach) // down + 1)
    cuts = [windows[i : i + count] for i in range(0, len(windows), count)]
    ends = [(min(p.start for _, _, p in cut), max(p.stop for _, _, p in cut)) for cut in cuts]
    most = -(-max((stop - start for start, stop in ends), default=0) // parts)
    apart, step = parts // common, down // common
    runs = (tuple(_runs(cut, start, parts, most, apart, step)) for cut, (start, _) in zip(cuts, ends, strict=True))
    strips = tuple(map(Strip, ends, runs))
    copies = tuple(geometry.met_by_tap(1, width, pads[2]))
    return Plan(copies, strips, parts, most, apart, len(windows) == geometry.out[0])


def _runs(windows, low, parts, height, apart, step):
    """Yield the runs of these windows; the image's row ``low`` is the first of all parts."""
    found = {}
    for q, taps, pixels in windows:
        found.setdefault((q % apart, taps.start, taps.stop), []).append((q, pixels.start - low))
    for (_, *taps), rows in found.items():
        first, line = rows[0]
        yield Run(first, len(rows), tuple(taps), line % parts * height + line // parts, step)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`."""
    (n, c, *image), (made, taken, kh, kw), ow = x_shape, w_shape, geometry.out[1]
    budget = _lines((taken, kw, ow), _CACHED, 4)
    plan = plan_of(geometry, *image, pads, budget)
    rows = sum(stop - start for (start, stop), _ in plan.strips)
    copied = n * c * rows * sum(out.stop - out.start for _, _, out in plan.copies)
    filled = of_moves(copied, ow // 2, geometry.stride[1]) if ow > 1 else of_turning(copied)
    turned = of_moves(math.prod(w_shape) if kh > 1 else 0, kw)
    calls = number_of_blocks(n, group, plan.parts * plan.height, budget)
    steps = Work(steps=calls * len(plan.strips) * plan.parts * len(plan.copies))
    runs = [run for strip in plan.strips for run in strip.runs]
    works = (_work_of_run(run, n * group, made // group, taken * kw, ow, calls) for run in runs)
    return total(filled, turned, steps, *works)


def _work_of_run(run, count, made, terms, width, calls):
    """The work of the products of a run, for ``count`` groups of all images."""
    terms *= run.taps[1] - run.taps[0]
    count *= run.count
    rows, across = tile(made, terms, width)
    columns = -(-width // across)
    idle = count * made * terms * columns * (-across % _HALF if across > _HALF else 0)
    products = of_tiles(count, (made, terms, width), (rows, terms, across))
    return total(products, Work(read=_WRITES * count * made * width, steps=calls * columns, spared=-idle))
