"""The work of an algorithm, counted from sizes, so that the cheapest is taken before anything is computed."""

from typing import NamedTuple

# How long each takes beside a multiplication of a large matrix product, as fitted to 3,500 timings of 340 convolutions
_READ = 2.6  # a number of a product's factors or of its result: it is packed, or written
_MOVE = 11  # to copy a number, or to add it to another
_RUN = 69  # to begin a run of neighbours that are copied
_CALL = 1950  # to begin a product


class Work(NamedTuple):
    """Counts of what one algorithm does; :meth:`cost` weighs them."""

    multiplications: int = 0
    read: int = 0  # numbers of the factors and the results of products
    moved: int = 0  # numbers that are copied or added
    runs: int = 0  # of neighbours among those
    products: int = 0

    def cost(self):
        """All of it, in multiplications of a large product."""
        return self.multiplications + _READ * self.read + _MOVE * self.moved + _RUN * self.runs + _CALL * self.products


def of_products(count, rows, terms, columns):
    """The work of ``count`` products (rows, terms) @ (terms, columns)."""
    read = rows * terms + terms * columns + rows * columns
    return Work(count * rows * terms * columns, count * read, products=count)


def of_moves(numbers, run):
    """The work of copying, or adding, ``numbers``; ``run`` of them at a time are neighbours."""
    return Work(moved=numbers, runs=numbers // max(1, run))


def total(*works):
    """The work of all of them."""
    return Work(*map(sum, zip(*works, strict=True)))
