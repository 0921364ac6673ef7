"""Convolution with the images last in memory (NumPy only): what a window's row meets is one slice, never copied.

x is turned to (H, W, channels, images), so that every loop runs along the images. The rows of a window are copied side
by side before the products, or multiplied one by one and added after them, whichever moves fewer numbers. This is the
form of batches of small images.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share
from minispore.ops.kernels.conv import small_products
from minispore.ops.kernels.conv.geometry import batches
from minispore.ops.kernels.conv.small_products import even_length, product_by_rows
from minispore.ops.kernels.conv.work import Work, of_moves, of_sums, of_tiles, total, useful_workers

_CACHED = 1 << 21  # bytes of all arrays that a piece works on
_LARGEST = 1 << 23  # bytes of them, at most
_VECTOR = 16  # images are computed so many at a time
_MOST = 64  # images of a piece: more would fill the cache, and lengthen no loop that matters
_LEAST = 32  # and so many if there are: fewer would make the products too small
_LINE = 16  # numbers of a line of the cache
_ALIKE = 256  # numbers at a multiple of which others share the few lines that the cache has for them
_CALLS = 4  # of NumPy for a piece, beside those for each row and run
_QUICK = 2  # of these take the time of one, as their views are made once,
_FIRST = 12  # and to make them that of so many, and of one for each run
_AGAIN = 2  # how often the numbers of all arrays are read from beyond the cache, if it does not hold them
_TURNED = 4  # neighbours that are copied in the time of one, where the images change places with the pixels
_ADDS = 2  # how often a product is moved that is added: read, and added


class Run(NamedTuple):
    """Output columns, ``Plan.apart`` from one another, that meet the same columns of the kernel."""

    first: int  # of the output columns
    count: int
    taps: tuple  # (start, stop) of these columns of the kernel
    place: int  # of the image's column that the first of them meets first
    step: int  # how many places further the next one begins


class Plan(NamedTuple):
    """All indices of a convolution of one size."""

    parts: int  # as many as the dilation; the columns of the image are dealt into them
    width: int  # of each part
    apart: int
    runs: tuple
    rows: tuple  # (row of the kernel, rows of the image, output rows that meet them)


class Sizes(NamedTuple):
    """The sizes of the arrays of a piece, without its images."""

    lines: tuple  # (group, rows, columns, rows of the kernel, C/group): a run meets a slice of them
    found: tuple  # (group, rows, OW, rows of the kernel, O/group): their products
    other: tuple  # (group, rows, columns, channels): of the image, or of the sums

    def gathered(self):
        """True if the rows of a window are copied side by side before they are multiplied."""
        return self.found[3] == 1

    def numbers(self):
        """The numbers of all arrays for each image."""
        return sum(map(math.prod, self))


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): weights times the slices of x, turned."""
    n, plan = x.shape[0], plan_of(geometry, *x.shape[2:], pads)
    sizes, _ = _cheaper(x.shape, w.shape, pads, geometry, group)
    weights, images = _weights(w, group, sizes.gathered()), x.reshape(n, group, -1, *x.shape[2:])
    y = aligned.empty(np, (n, *sizes.found[::4], *geometry.out), x.dtype)
    together = _together(n, sizes, x.itemsize)
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
        self.lines = aligned.zeros(np, (*sizes.lines, images), dtype)
        self.found, self.other = _columns_apart(sizes.found, images, dtype), _columns_apart(sizes.other, images, dtype)
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
            product_by_rows(weights, met[..., some], out[..., some], _rows(*weights.shape[-2:], met.shape[-1]))


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


def _rows(made, terms, images):
    """The rows of a product to compute at a time."""
    return even_length(made, max(1, small_products.most() // (terms * images))) if small_products.most() else made


def _weights(w, group, gathered):
    """(group, 1, 1, rows of a product, terms): the kernel's rows are among the terms if they are gathered."""
    by_group = w.reshape(group, -1, *w.shape[1:]).transpose((0, 1, 4, 3, 2) if gathered else (0, 3, 1, 4, 2))
    rows = by_group.shape[1] if gathered else by_group.shape[1] * by_group.shape[2]
    return np.ascontiguousarray(by_group).reshape(group, 1, 1, rows, -1)


def _together(n, sizes, itemsize):
    """The number of images of a piece: it depends on sizes alone, and two workers find a piece each in many images."""
    most = min(_CACHED // (sizes.numbers() * itemsize), _MOST, max(_LEAST, -(-n // 2)))
    return min(n, max(1, -(-most // _VECTOR)) * _VECTOR)


def _columns_apart(shape, images, dtype):
    """Zeros for some images, last in memory, whose columns are copied in another order."""
    numbers = math.prod(shape[3:]) * images
    return aligned.zeros(np, (*shape[:3], _apart(numbers)), dtype)[..., :numbers].reshape(*shape, images)


def _images_apart(x):
    """Images (N, ...), at a distance at which they are copied fast in another order."""
    numbers = x[0].size
    if _apart(numbers) == numbers:
        return x
    room = np.empty((len(x), _apart(numbers)), x.dtype)[:, :numbers].reshape(x.shape)
    room[...] = x
    return room


def _apart(numbers):
    """How far from one another so many numbers lie best: at a power of two, few lines of the cache would hold them."""
    return numbers if numbers % _ALIKE else numbers + _LINE


@functools.lru_cache(maxsize=512)
def plan_of(geometry, height, width, pads):
    """The plan for images of ``height`` times ``width``, padded by ``pads``."""
    across, parts = geometry.stride[1], geometry.dilation[1]
    common, each, found = math.gcd(across, parts), -(-width // parts), {}
    apart, step = parts // common, across // common
    for q, taps, pixels in geometry.windows(1, width, pads[2]):
        found.setdefault((q % apart, taps.start, taps.stop), []).append((q, pixels.start))
    runs = tuple(
        Run(columns[0][0], len(columns), tuple(taps), columns[0][1] % parts * each + columns[0][1] // parts, step)
        for (_, *taps), columns in found.items()
    )
    return Plan(parts, each, apart, runs, tuple(geometry.met_by_tap(0, height, pads[0])))


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None where a few images do not fit the cache."""
    sizes, work = _cheaper(x_shape, w_shape, pads, geometry, group)
    return work if 4 * _together(x_shape[0], sizes, 4) * sizes.numbers() <= _LARGEST else None


@functools.lru_cache(maxsize=4096)
def _cheaper(x_shape, w_shape, pads, geometry, group):
    """``(sizes, work)`` of the cheaper way: to gather the rows of a window, or to add their products."""
    (n, c, height, width), (made, taken, kh, _), (oh, ow) = x_shape, w_shape, geometry.out
    plan, made = plan_of(geometry, height, width, pads), made // group
    columns = plan.parts * plan.width
    gathered = Sizes((group, oh, columns, kh, taken), (group, oh, ow, 1, made), (group, height, columns, taken))
    added = Sizes((group, height, columns, 1, taken), (group, height, ow, kh, made), (group, oh, ow, made))
    ways = [(sizes, _work(n, sizes, plan)) for sizes in ((gathered, added) if kh > 1 else (gathered,))]
    sizes, work = min(ways, key=lambda way: way[1].cost())
    turned = _turning(n * c * height * width, _together(n, sizes, 4)), _turning(n * group * made * oh * ow, oh * ow)
    return sizes, total(work, *turned)


def _turning(numbers, run):
    """The work of copying ``numbers``, in inner loops of ``run``, with the images at another place."""
    return Work(moved=numbers, runs=numbers // _TURNED + numbers // run)


def _work(n, sizes, plan):
    """The work of a way for ``n`` images, which are turned already."""
    (group, rows, columns, gathered, taken), (ow, added, made) = sizes.lines, sizes.found[2:]
    together = _together(n, sizes, 4)
    calls = -(-n // together) * (len(plan.rows) + len(plan.runs) + _CALLS)
    works = [Work(steps=_FIRST + len(plan.runs) + calls // _QUICK)]
    for run in plan.runs:
        shape = added * made, (run.taps[1] - run.taps[0]) * gathered * taken, n
        tile = _rows(*shape[:2], together), shape[1], together
        works.append(of_tiles(group * rows * run.count, shape, tile))
    if 4 * together * sizes.numbers() > _CACHED:
        works.append(Work(read=_AGAIN * n * sizes.numbers()))
    met = n * group * sum(outputs.stop - outputs.start for _, _, outputs in plan.rows)
    if not sizes.gathered():
        works.append(of_sums(_ADDS * met * ow * made, _ADDS * made * together))
    elif gathered > 1:
        works.append(of_moves(met * columns * taken, taken * together))
    return total(*works)
