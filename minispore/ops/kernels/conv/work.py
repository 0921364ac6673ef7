"""The work of an algorithm, counted from sizes, so that the cheapest is taken before anything is computed."""

import math
from typing import NamedTuple

from minispore.ops.kernels import workers
from minispore.ops.kernels.conv import small_products

# How long each takes beside a multiplication of a large matrix product, as fitted to 3,000 timings of 300 convolutions
_READ = 2.8  # a number of a product's factors or of its result: it is packed, or written
_MOVE = 7.0  # to copy a number, or to add it to another
_RUN = 90  # to begin a run of neighbours that are copied
_SUM = 480  # to begin a run of neighbours that are added
_CALL = 3000  # to begin a product
_APART = 3  # numbers that are neighbours are copied or added in the time of one that is not
_TURNED = 2  # neighbours that are copied in the time of one, where the axes of a matrix change places
_PACKED = 3  # how often the factors of a large product are read: BLAS writes them in another order first
_SPARED = 5  # small products, which are not packed, save one in so many multiplications
_STEP = 170_000  # to call NumPy
_WRITTEN = 32  # and to make an output number, whatever is multiplied, in a form that the workers share
_SHARE = 6_000_000  # what a worker must have for its share to be worth the handing over: 0.1 ms


class Work(NamedTuple):
    """Counts of what one algorithm does; :meth:`cost` weighs them."""

    multiplications: int = 0
    read: int = 0  # numbers of the factors and the results of products
    moved: int = 0  # numbers that are copied or added
    runs: int = 0  # of neighbours among those that are copied
    sums: int = 0  # of neighbours among those that are added
    products: int = 0
    steps: int = 0  # calls of NumPy
    spared: int = 0  # how many fewer multiplications would take as long

    def cost(self):
        """All of it, in multiplications of a large product."""
        weights = 1, _READ, _MOVE, _RUN, _SUM, _CALL, _STEP, -1
        return sum(weight * count for weight, count in zip(weights, self, strict=True))


def of_products(count, rows, terms, columns):
    """The work of ``count`` products (rows, terms) @ (terms, columns)."""
    return of_tiles(count, (rows, terms, columns), (rows, terms, columns))


def of_tiles(count, shape, tile):
    """The work of ``count`` products (rows, terms) @ (terms, columns), each of which is made of some of such a size."""
    (rows, terms, columns), cuts = shape, zip(shape, tile, strict=True)
    down, along, across = (-(-length // max(1, of_tile)) for length, of_tile in cuts)
    multiplications, factors = count * rows * terms * columns, count * terms * (across * rows + down * columns)
    small = math.prod(tile) <= small_products.most()
    read = along * count * rows * columns + factors * (1 if small else _PACKED)
    spared = multiplications // _SPARED if small else 0
    return Work(multiplications, read, products=count * down * along * across, spared=spared)


def of_moves(numbers, run, step=1):
    """The work of copying ``numbers``, in inner loops of ``run``, from or to the ``step``-th one after each."""
    return Work(moved=numbers * (_APART if step > 1 else 1), runs=numbers // max(1, run))


def of_turning(numbers):
    """The work of copying a matrix of ``numbers`` with its axes in another order."""
    return of_moves(numbers, _TURNED)


def of_sums(numbers, run, step=1):
    """The work of adding them to others, from one to the ``step``-th one after it."""
    return Work(moved=numbers * (_APART if step > 1 else 1), sums=numbers // max(1, run))


def loop(*lengths):
    """The length of NumPy's inner loop over axes of ``lengths``, the last one first: it passes over axes of one."""
    return next((length for length in lengths if length > 1), 1)


def total(*works):
    """The work of all of them."""
    return Work(*map(sum, zip(*works, strict=True)))


def useful_workers(outputs, terms):
    """The number of workers to share a pass with so many output numbers of so many terms each."""
    return workers.useful(outputs * (terms + _WRITTEN), _SHARE)
