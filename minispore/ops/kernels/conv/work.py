"""The work of an algorithm, counted from sizes, so that the cheapest is taken before anything is computed."""

from typing import NamedTuple

# How long each takes beside a multiplication of a large matrix product, as fitted to 1,600 timings of 200 convolutions
_READ = 2.7  # a number of a product's factors or of its result: it is packed, or written
_MOVE = 8.2  # to copy a number, or to add it to another
_RUN = 78  # to begin a run of neighbours that are copied
_SUM = 580  # to begin a run of neighbours that are added
_CALL = 1600  # to begin a product
_STEP = 92_000  # to call NumPy


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


def of_moves(numbers, run):
    """The work of copying ``numbers``; ``run`` of them at a time are neighbours."""
    return Work(moved=numbers, runs=numbers // max(1, run))


def of_sums(numbers, run):
    """The work of adding them to others."""
    return Work(moved=numbers, sums=numbers // max(1, run))


def total(*works):
    """The work of all of them."""
    return Work(*map(sum, zip(*works, strict=True)))
