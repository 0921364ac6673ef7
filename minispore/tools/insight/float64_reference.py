"""The float64 reference of a run: each operation runs again in float64, on the reference's own earlier results.

So a run at any level of mixed precision can be compared, number by number, with almost exact results.
"""

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.observation import alone
from minispore.core.running import under
from minispore.core.seeds import seed
from minispore.graph.facts import waits
from minispore.tools.insight.in_float64 import computed_in_float64, on_host
from minispore.tools.insight.operation_sites import SiteObserver

__all__ = []


class Float64Reference(SiteObserver):
    """Computes each operation in float64 too, on the host; in float32 if it has no float64.

    An operation that draws random numbers draws the same again. Decisions of Python code by the data (a branch, a
    shape) are as in the run itself. So are values from other processes.
    """

    def __init__(self):
        super().__init__()
        self._references = {}  # id of an array -> (the array, kept since ids are reused, and its reference)
        self._scaled = set()  # ids of arrays with the gradient of the loss as a factor
        self._draws = []  # for each running operation: the streams drawn before it

    def of(self, array):
        """The float64 reference of an array of the run: an array of the host."""
        known = self._references.get(id(array))
        return on_host(array) if known is None else known[1]

    def is_made(self, array):
        """True if an operation made the array from floating ones."""
        return id(array) in self._references

    def is_scaled(self, array):
        """True if the gradient of the loss is a factor of the array."""
        return id(array) in self._scaled

    def begin_gradients(self, start):
        """Note the gradient of the loss: it has the scale as a factor."""
        self._keep(start.array, on_host(start.array), True)

    def within_operation(self, call, primitive, args):
        """Run the call; it draws from the streams after ``seed.draws``."""
        self._draws.append(seed.draws)
        try:
            return super().within_operation(call, primitive, args)
        finally:
            self._draws.pop()

    def note(self, primitive, args, arrays, made, single, results):
        """Run the operation in float64 if an input is floating or derives from a floating value."""
        for a, written in zip(arrays, self.numbers(arrays), strict=True):
            if isinstance(written, float):  # a number: the Tensor made of it is rounded
                self._keep(a, np.asarray(written), False)
        given = [a for a in arrays if isinstance(a, backend.array_type)]
        if not any(a.dtype in FLOATS or self.is_made(a) for a in given):
            return
        scaled = any(map(self.is_scaled, given))
        for y, reference in zip(made, self._in_float64_of(primitive, arrays, made), strict=True):
            self._keep(y, reference if reference.shape == y.shape else on_host(y), scaled)

    def _keep(self, array, reference, scaled):
        self._references[id(array)] = array, reference
        if scaled:
            self._scaled.add(id(array))

    def _in_float64_of(self, primitive, arrays, made):
        """The outputs in float64; the run's own outputs if the operation cannot be computed again."""
        found, after = None, seed.draws
        if not waits(primitive):
            with alone(), under(cast_cache=None):
                try:
                    seed.draws = self._draws[-1] if primitive.random else after
                    inputs = [self.of(a) if isinstance(a, backend.array_type) else a for a in arrays]
                    found = computed_in_float64(primitive, inputs)
                finally:
                    seed.draws = after
        return map(on_host, made) if found is None else map(_in_float64, found)


def _in_float64(x):
    return x.astype("float64", copy=False) if x.dtype in FLOATS else x
