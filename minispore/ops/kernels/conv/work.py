"""The work of an algorithm, counted from sizes, so that the cheapest is taken before anything is computed."""

from typing import NamedTuple

# How long each takes beside a multiplication of a large matrix product, as fitted to 7,000 timings of 550 convolutions
_READ = 4.0  # a number of a product's factors or of its result: it is packed, or written
_MOVE = 8.2  # to copy a number, or to add it to another
_RUN = 110  # to begin a run of neighbours that are copied
_SUM = 580  # to begin a run of neighbours that are added
_CALL = 1600  # to begin a product
_APART = 3  # numbers that are neighbours are copied or added in the time of one that is not
_TURNED = 2  # neighbours that are copied in the time of one, where the axes of a matrix change places
_STEP = 130_000  # to call NumPy


class Work(NamedTuple):
    """Counts of what one algorithm does; :meth:`cost` weighs them."""

    multiplications: int = 0
    read: int = 0  # numbers of the factors and the results of products
    moved: int = 0  # numbers that are copied or added
    runs: int = 0  # of neighbours among those that are copied
    sums: int = 0  # of neighbours among those that are added
    products: int = 0
    steps: int = 0  # calls of NumPy

    def cost(self):
        """All of it, in multiplications of a large product."""
        weights = 1, _READ, _MOVE, _RUN, _SUM, _CALL, _STEP
        return sum(weight * count for weight, count in zip(weights, self, strict=True))


def of_products(count, rows, terms, columns):
    """The work of ``count`` products (rows, terms) @ (terms, columns)."""
    read = rows * terms + terms * columns + rows * columns
    return Work(count * rows * terms * columns, count * read, products=count)


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
