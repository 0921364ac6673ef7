"""Convolution with the images last in memory (NumPy only): what a row of a window meets is one slice, never copied.

x is turned to (H, W, channels, images), so that every loop runs along the images. The rows of a window are copied side
by side before the products, or their products are added (``images_plan.py``). This is the form of batches of small
images.
"""

import math

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share
from minispore.ops.kernels.conv.images_plan import cheaper, images_together, plan_of, rows_of_products
from minispore.ops.kernels.conv.small_products import product_by_rows
from minispore.ops.kernels.conv.work import useful_workers

_LARGEST = 1 << 23  # bytes of all arrays that a piece works on, at most
_LINE = 16  # numbers of a line of the cache
_ALIKE = 256  # numbers at a multiple of which others share the few lines that the cache has for them


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): weights times the slices of x, turned."""
    n, plan = x.shape[0], plan_of(geometry, *x.shape[2:], pads)
    sizes, _ = cheaper(x.shape, w.shape, pads, geometry, group)
    weights, images = _weights(w, group, sizes.gathered()), x.reshape(n, group, -1, *x.shape[2:])
    y = aligned.empty(np, (n, *sizes.found[::4], *geometry.out), x.dtype)
    together = images_together(n, sizes.numbers(), x.itemsize)
    arrays = WorkArrays(lambda: _Room(sizes, plan, weights, together, x.dtype))

    def convolve(start):
        some = slice(start, start + together)
        with arrays.one() as room:
            y[some] = room.convolved(_images_apart(images[some]).transpose(1, 3, 4, 2, 0)).transpose(4, 0, 3, 1, 2)

    share(np, convolve, range(0, n, together), useful_workers(y.size, w[0].size) > 1)
    return y.reshape(n, w.shape[0], *geometry.out)


class _Room:
    """The work arrays of a piece, and the factors and the results of its products, which are views of them."""

    def __init__(self, sizes, plan, weights, images, dtype):
        self.plan, self.gathered = plan, sizes.gathered()
        self.lines = _zeros(sizes.lines, images, dtype)
        self.found = _zeros(sizes.found, images, dtype, apart=self.gathered)
        self.other = _zeros(sizes.other, images, dtype, apart=not self.gathered)
        self.products = list(_products(weights, self.lines, self.found, plan))

    def convolved(self, turned):
        """(group, OH, OW, O/group, images) of x as (group, H, W, C/group, images)."""
        some = slice(turned.shape[-1])
        lines, found, other = (each[..., some] for each in (self.lines, self.found, self.other))
        if self.gathered:
            self._gather(turned, other, lines)
            self._multiply(some)
            return found[:, :, :, 0]
        _deal(turned, lines[:, :, :, 0], self.plan)
        self._multiply(some)
        other[...] = 0
        for i, rows, outputs in self.plan.rows:
            other[:, outputs] += found[:, rows, :, i]
        return other

    def _gather(self, turned, image, lines):
        """Copy the rows that each row of the kernel meets side by side."""
        if lines.shape[3] == 1:
            for _, rows, outputs in self.plan.rows:
                _deal(turned[:, rows], lines[:, outputs, :, 0], self.plan)
        else:
            _deal(turned, image, self.plan)
            for i, rows, outputs in self.plan.rows:
                lines[:, outputs, :, i] = image[:, rows]

    def _multiply(self, some):
        """Write all products for some images; columns that meet padding alone stay 0."""
        for weights, met, out in self.products:
            product_by_rows(
                weights, met[..., some], out[..., some], rows_of_products(*weights.shape[-2:], met.shape[-1])
            )


def _deal(turned, room, plan):
    """Copy (group, H, W, C/group, images) there, part after part of its columns."""
    for part in range(plan.parts):
        columns = turned[:, :, part :: plan.parts]
        room[:, :, part * plan.width : part * plan.width + columns.shape[2]] = columns


def _products(weights, lines, found, plan):
    """Yield the weights of each run, the slices of the lines that they meet, and where their products go."""
    terms = math.prod(lines.shape[3:5])
    group, row, column, _, term, number = lines.strides
    found = found.reshape(*found.shape[:3], -1, found.shape[5])
    for run in plan.runs:
        some = weights[..., run.taps[0] * terms : run.taps[1] * terms]
        shape = (*lines.shape[:2], run.count, some.shape[-1], lines.shape[5])
        strides = (group, row, column * run.step, term, number)
        met = np.ndarray(shape, lines.dtype, lines, run.place * column, strides)
        yield some, met, found[:, :, run.first : run.first + (run.count - 1) * plan.apart + 1 : plan.apart]


def _weights(w, group, gathered):
    """(group, 1, 1, rows of a product, terms): the kernel's rows are among the terms if they are gathered."""
    by_group = w.reshape(group, -1, *w.shape[1:]).transpose((0, 1, 4, 3, 2) if gathered else (0, 3, 1, 4, 2))
    rows = by_group.shape[1] if gathered else by_group.shape[1] * by_group.shape[2]
    return np.ascontiguousarray(by_group).reshape(group, 1, 1, rows, -1)


def _zeros(shape, images, dtype, apart=False):
    """Zeros for some images, last in memory; their columns lie ``apart`` if they are copied in another order."""
    numbers = math.prod(shape[3:]) * images
    room = aligned.zeros(np, (*shape[:3], _apart(numbers) if apart else numbers), dtype)
    return room[..., :numbers].reshape(*shape, images)


def _images_apart(x):
    """Images (N, ...), at a distance at which they are copied fast in another order."""
    numbers = x[0].size
    if _apart(numbers) == numbers:
        return x
    room = np.empty((len(x), _apart(numbers)), x.dtype)[:, :numbers].reshape(x.shape)
    room[...] = x
    return room


def _apart(numbers):
    """The best distance of images of so many numbers: at a power of two, few lines of the cache would hold them."""
    return numbers if numbers % _ALIKE else numbers + _LINE


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None for one image, and where a few do not fit the cache."""
    sizes, work = cheaper(x_shape, w_shape, pads, geometry, group)
    fits = 4 * images_together(x_shape[0], sizes.numbers(), 4) * sizes.numbers() <= _LARGEST
    return work if fits and x_shape[0] > 1 else None
