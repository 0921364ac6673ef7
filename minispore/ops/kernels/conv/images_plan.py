"""The plan of a convolution with the images last in memory: its indices, the sizes of its arrays, and its two ways.

The rows of a window are gathered, and are terms of one product; or each has a product, and these are added. The cheaper
way is taken: as the channels of x are fewer, or those of y.
"""

import functools
import math
from typing import NamedTuple

from minispore.ops.kernels.conv import small_products
from minispore.ops.kernels.conv.small_products import even_length
from minispore.ops.kernels.conv.work import Work, of_moves, of_sums, of_tiles, total

_CACHED = 1 << 21  # bytes of all arrays that a piece works on
_VECTOR = 16  # images are computed so many at a time
_MOST = 64  # images of a piece: more would fill the cache, and lengthen no loop that matters
_LEAST = 32  # and so many if there are: fewer would make the products too small,
_SMALL = 1 << 18  # unless the arrays have so many numbers
_CALLS = 4  # of NumPy for a piece, beside those for each row and run
_QUICK = 2  # of these take the time of one, as their views are made once,
_FIRST = 12  # and to make them that of so many, and of one for each run
_AGAIN = 2  # how often the numbers of all arrays are read from beyond the cache, if it does not hold them
_TURNED = 4  # neighbours that are copied in the time of one, where the images change places with the pixels
_ADDS = 2  # how often a product is moved that is added: read, and added


class Run(NamedTuple):
    """Output columns, ``apart`` from one another, that meet the same ones of the kernel."""

    first: int  # of the output's
    count: int
    taps: tuple  # (start, stop) of the kernel's
    place: int  # of the image's that the first of them meets first
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


@functools.lru_cache(maxsize=512)
def plan_of(geometry, height, width, pads):
    """The plan for images of ``height`` times ``width``, padded by ``pads``."""
    return Plan(*_runs(geometry, width, pads[2]), tuple(geometry.met_by_tap(0, height, pads[0])))


def _runs(geometry, size, before):
    """``(parts, width, apart, runs)`` along lines of ``size`` pixels, with ``before`` pixels of padding."""
    across, parts = geometry.stride[1], geometry.dilation[1]
    common, each, found = math.gcd(across, parts), -(-size // parts), {}
    apart, step = parts // common, across // common
    for q, taps, pixels in geometry.windows(1, size, before):
        place = pixels.start % parts * each + pixels.start // parts
        found.setdefault((q % apart, taps.start, taps.stop), []).append((q, place))
    runs = tuple(Run(met[0][0], len(met), tuple(taps), met[0][1], step) for (_, *taps), met in found.items())
    return parts, each, apart, runs


def images_together(n, numbers, itemsize):
    """The number of images of a piece, of ``n`` of so many numbers each: it depends on sizes alone.

    Two workers find a piece each in many images.
    """
    least = _LEAST if numbers * _VECTOR < _SMALL else _VECTOR
    most = min(_CACHED // (numbers * itemsize), _MOST, max(least, -(-n // 2)))
    return min(n, max(1, -(-most // _VECTOR)) * _VECTOR)


def rows_of_products(made, terms, images):
    """The rows of a product to compute at a time."""
    return even_length(made, max(1, small_products.most() // (terms * images))) if small_products.most() else made


@functools.lru_cache(maxsize=4096)
def cheaper(x_shape, w_shape, pads, geometry, group):
    """``(sizes, work)`` of the cheaper way."""
    return min(ways(x_shape, w_shape, pads, geometry, group), key=lambda way: way[1].cost())


def ways(x_shape, w_shape, pads, geometry, group):
    """``(sizes, work)`` of both ways: to gather the rows of a window, or to add their products. One row is gathered."""
    (n, c, height, width), (made, taken, kh, _), (oh, ow) = x_shape, w_shape, geometry.out
    plan, made = plan_of(geometry, height, width, pads), made // group
    columns = plan.parts * plan.width
    gathered = Sizes((group, oh, columns, kh, taken), (group, oh, ow, 1, made), (group, height, columns, taken))
    added = Sizes((group, height, columns, 1, taken), (group, height, ow, kh, made), (group, oh, ow, made))
    turned = _turning(n * c * height * width, n), _turning(n * group * made * oh * ow, oh * ow)
    both = (gathered, added) if kh > 1 else (gathered,)
    return [(sizes, total(*turned, _work(n, sizes, plan))) for sizes in both]


def _turning(numbers, run):
    """The work of copying ``numbers``, in inner loops of ``run``, with the images at another place."""
    return Work(moved=numbers, runs=numbers // _TURNED + numbers // min(run, _MOST))


def _work(n, sizes, plan):
    """The work of a way for ``n`` images, which are turned already."""
    (group, rows, columns, gathered, taken), (ow, added, made) = sizes.lines, sizes.found[2:]
    together = images_together(n, sizes.numbers(), 4)
    calls = -(-n // together) * (len(plan.rows) + len(plan.runs) + _CALLS)
    works = [Work(steps=_FIRST + len(plan.runs) + calls // _QUICK)]
    for run in plan.runs:
        shape = added * made, (run.taps[1] - run.taps[0]) * gathered * taken, n
        tile = rows_of_products(*shape[:2], together), shape[1], together
        products = of_tiles(group * rows * run.count, shape, tile)
        works += products, Work(spared=products.read)  # most of which is in the nearest cache: windows overlap
    if 4 * together * sizes.numbers() > _CACHED:
        works.append(Work(read=_AGAIN * n * sizes.numbers()))
    met = n * group * sum(outputs.stop - outputs.start for _, _, outputs in plan.rows)
    if not sizes.gathered():
        works.append(of_sums(_ADDS * met * ow * made, _ADDS * made * together))
    elif gathered > 1:
        works.append(of_moves(met * columns * taken, taken * together))
    return total(*works)
