"""A substitute for NumPy's generator, by which a line draws inputs that shrink.

Shapes, values and positions are drawn by hypothesis, one by one, up to ``MOST`` of them; a larger array is drawn by a
seed, which shrinks to 0. Numbers have few digits, and no two are equal: many a gradient has a kink where they are.
"""

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.strategies.arrays import broadcastable, shapes

__all__ = ["Generator"]

MOST = 12  # elements that are drawn one by one
STEPS = 32  # of the turns of a number around its range
SEEDS = st.integers(0, 2**16)


class Generator:
    """The methods of ``numpy.random.Generator`` that lines of the table call.

    Args:
        draw (Callable): Given by hypothesis.
    """

    def __init__(self, draw):
        self._draw, self._spread = draw, np.random.default_rng(0)

    def shape(self):
        """The shape of the input of an elementwise operation; it shrinks to ``()``."""
        return self._draw(shapes(0, 3, 3))

    def shapes(self):
        """Two shapes that broadcast with one another."""
        return self._draw(broadcastable(2, 0))

    def _elements(self, strategy, shape, seeded):
        """An array of drawn elements; of ``seeded(rng)`` where there are many."""
        count = int(np.prod(shape, dtype=int))
        if count > MOST:
            return seeded(np.random.default_rng(self._draw(SEEDS)))
        return np.array(self._draw(st.lists(strategy, min_size=count, max_size=count))).reshape(shape)

    def uniform(self, low=0.0, high=1.0, size=()):
        """Numbers of a range, to four digits behind the point, or to as many as distinguish them."""
        shape = np.atleast_1d(size).astype(int) if np.ndim(size) or not isinstance(size, tuple) else size
        turns = self._elements(st.integers(0, STEPS - 1), shape, lambda rng: rng.integers(0, STEPS, shape)) / STEPS
        found = low + (high - low) * ((turns + self._spread.random(shape)) % 1)
        rounded = (np.clip(np.round(found, digits), low, high) for digits in range(4, 16))
        return next((numbers for numbers in rounded if np.unique(numbers).size == numbers.size), found)

    def normal(self, loc=0.0, scale=1.0, size=()):
        """Numbers within two deviations of a place."""
        return self.uniform(loc - 2 * scale, loc + 2 * scale, size)

    def standard_normal(self, size=()):
        """Numbers from -2 to 2."""
        return self.uniform(-2.0, 2.0, size)

    def random(self, size=()):
        """Numbers from 0 to 1."""
        return self.uniform(0.0, 1.0, size)

    def integers(self, low, high=None, size=None):
        """Integers from ``low`` to below ``high``, or from 0 to below ``low``; one alone without a size."""
        low, high = (0, low) if high is None else (low, high)
        if size is None:
            return self._draw(st.integers(low, high - 1))
        return self._elements(st.integers(low, high - 1), size, lambda rng: rng.integers(low, high, size)).astype(int)

    def choice(self, values, size=()):
        """Some of several values; it shrinks to the first."""
        return np.asarray(values)[self.integers(0, len(values), size)]

    def permutation(self, count):
        """The numbers below ``count`` in some order."""
        if count > MOST:
            return np.random.default_rng(self._draw(SEEDS)).permutation(count)
        return np.array(self._draw(st.permutations(range(count))), int)
