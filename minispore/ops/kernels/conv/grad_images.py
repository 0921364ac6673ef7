"""The gradient of a convolution's weights with the images last in memory (NumPy only): nothing is unrolled.

x is turned to (H, channels, W, images), and dy likewise. All rows of the kernel meet one slice of x at an output row, a
matrix of which each column of the kernel takes the part from its first pixel on. The pixels of a row and the images are
the terms of its product with dy; such products are added.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, sum_of
from minispore.ops.kernels.conv import small_products
from minispore.ops.kernels.conv.images_last import LARGEST, images_apart
from minispore.ops.kernels.conv.images_plan import images_together, runs_along
from minispore.ops.kernels.conv.small_products import even_length, product_by_rows
from minispore.ops.kernels.conv.work import Work, of_moves, of_tiles, of_turning, total, useful_workers

_SLIM = 1200  # numbers of the result of a small product, at most, where both factors lie along its sums
_LEAST = 12  # rows that it has, at least
_FEWEST = 4  # images
_TURNED = 8  # neighbours that are copied in the time of one, where the images change places with the pixels
_ADDS = 3  # how often a product is moved: written, read, and added
_CALLS = 2  # of NumPy for a product, which is added
_FIRST = 12  # and to make the views of all


class Plan(NamedTuple):
    """All indices of a convolution of one size."""

    parts: tuple  # the rows of the image are dealt into as many as the dilation, its columns as the stride
    sizes: tuple  # of each part
    apart: int  # the output rows of a run
    runs: tuple  # of output rows
    columns: tuple  # (column of the kernel, place of the image's column that it meets first, output columns)

    def shapes(self, x_shape, made, geometry, group):
        """The shapes of x and of dy, turned, without their images."""
        rows, columns = (parts * size for parts, size in zip(self.parts, self.sizes, strict=True))
        return (group, rows, x_shape[1] // group, columns), (group, geometry.out[0], made // group, geometry.out[1])


@functools.lru_cache(maxsize=512)
def plan_of(geometry, height, width, pads):
    """The plan for images of ``height`` times ``width``, padded by ``pads``."""
    parts, each, apart, runs = runs_along(0, geometry, height, pads[0])
    across = geometry.stride[1]
    size = -(-width // across)
    columns = tuple(
        (j, pixels.start % across * size + pixels.start // across, outputs)
        for j, pixels, outputs in geometry.met_by_tap(1, width, pads[2])
    )
    return Plan((parts, across), (each, size), apart, runs, columns)


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): x times dy, both turned, summed over the images."""
    n, plan = len(x), plan_of(geometry, *x.shape[2:], pads)
    shapes = plan.shapes(x.shape, len(dy[0]), geometry, group)
    together = images_together(n, sum(map(math.prod, shapes)), x.itemsize)
    x, dy = (images.reshape(n, group, -1, *images.shape[2:]) for images in (x, dy))
    make = functools.partial(_Room, plan, shapes, dtype=x.dtype)
    arrays = {images: WorkArrays(functools.partial(make, images)) for images in (together, n % together)}

    def gradient(start):
        some = slice(start, start + together)
        with arrays[len(x[some])].one() as room:
            return room.gradient(images_apart(x[some]), images_apart(dy[some]), w_shape)

    large = useful_workers(dy.size, math.prod(w_shape[1:])) > 1
    dw = sum_of(np, gradient, range(0, n, together), math.prod(w_shape) * x.itemsize, large)
    return np.ascontiguousarray(dw.transpose(0, 4, 3, 2, 1)).reshape(w_shape)


class _Room:
    """The work arrays of a piece, and the factors of its products, which are views of them."""

    def __init__(self, plan, shapes, images, dtype):
        self.plan = plan
        self.x, self.dy = (aligned.empty(np, (*shape, images), dtype) for shape in shapes)
        self.factors = [(*found, *_factors(self.x, self.dy, plan, *found)) for found in _products(plan)]

    def gradient(self, x, dy, w_shape):
        """(group, KW, KH, C/group, O/group) of images (N, group, channels, rows, columns)."""
        group, made = self.dy.shape[0], self.dy.shape[2]
        dw = np.zeros((group, w_shape[3], w_shape[2], w_shape[1], made), x.dtype)
        self._turn(x)
        self.dy[...] = dy.transpose(1, 3, 2, 4, 0)
        for run, (j, _, _), met, given in self.factors:
            out = np.empty((*met.shape[:3], made), x.dtype)
            product_by_rows(met, given, out, _rows(*met.shape[2:], made))
            sums = dw[:, j, slice(*run.taps)]
            sums += np.add.reduce(out, axis=1).reshape(sums.shape)
        return dw

    def _turn(self, x):
        """Copy x, part after part of its rows and columns."""
        (down, across), (rows, columns) = self.plan.parts, self.plan.sizes
        for r in range(down):
            for q in range(across):
                part = x[:, :, :, r::down, q::across].transpose(1, 3, 2, 4, 0)
                room = self.x[:, r * rows : r * rows + part.shape[1], :, q * columns : q * columns + part.shape[3]]
                room[...] = part


def _products(plan):
    """Yield each run of output rows with each column of the kernel."""
    for run in plan.runs:
        for column in plan.columns:
            yield run, column


def _factors(x, dy, plan, run, column):
    """The slice of x at each output row of the run, (group, rows, terms, pixels), and dy there."""
    (_, place, outputs), (group, row, channel, pixel, number) = column, x.strides
    terms, pixels = (run.taps[1] - run.taps[0]) * x.shape[2], (outputs.stop - outputs.start) * x.shape[4]
    shape, strides = (x.shape[0], run.count, terms, pixels), (group, row * run.step, channel, number)
    met = np.ndarray(shape, x.dtype, x, run.place * row + place * pixel, strides)
    rows = slice(run.first, run.first + (run.count - 1) * plan.apart + 1, plan.apart)
    return met, dy[:, rows, :, outputs].reshape(x.shape[0], run.count, dy.shape[2], -1).swapaxes(2, 3)


def _rows(terms, pixels, made):
    """The rows of a product to compute at a time: all of them where a small product would have too few."""
    rows = min(terms, small_products.most() // (pixels * made), _SLIM // made)
    return even_length(terms, rows) if rows >= min(terms, _LEAST) else terms


def grad_weight_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_weight`; None for few images, and where a few do not fit the cache."""
    (n, c, height, width), (made, taken, _, _), (oh, ow) = x_shape, w_shape, geometry.out
    plan = plan_of(geometry, height, width, pads)
    numbers = sum(map(math.prod, plan.shapes(x_shape, made, geometry, group)))
    together = images_together(n, numbers, 4)
    if n < _FEWEST or 4 * together * numbers > LARGEST:
        return None
    pieces, made = -(-n // together), made // group
    calls = len(plan.runs) * len(plan.columns)
    turned = n * (c * height * width + group * made * oh * ow)
    works = [Work(moved=turned, runs=turned // _TURNED + turned // together), of_turning(math.prod(w_shape))]
    works.append(Work(steps=_FIRST + calls + pieces * _CALLS * calls))
    for run, (_, _, outputs) in _products(plan):
        across, terms = outputs.stop - outputs.start, (run.taps[1] - run.taps[0]) * taken
        tile = _rows(terms, across * together, made), across * together, made
        works.append(of_tiles(group * run.count, (terms, across * n, made), tile))
        works.append(of_moves(_ADDS * pieces * group * run.count * terms * made, terms * made))
    return total(*works)
