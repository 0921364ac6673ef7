"""The time of a data-parallel step, from measurements: compute, latency and bandwidth.

With N processes on P cores, b images in each, k buckets and G bytes of gradients::

    T = s (c0 + c1 b) (1 + m [N > 1]) + s (k + a) l log2(N) + s G g 2 (N - 1) / N,   s = max(1, N / P)

- ``c0 + c1 b``: what a step of one process computes; ``m``: how much longer that takes beside others, which share the
  memory and its caches; ``s``: processes that share a core take turns;
- ``l``: the latency of a sum, in each of the log2(N) rounds of an all-reduce; ``a`` is the agreement of a step, in
  latencies; ``g``: the seconds that a byte takes, of which an all-reduce sends 2 (N - 1) / N times the gradients.

Source of the last two terms: Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in
MPICH, 2005.
"""

import math
from typing import NamedTuple

import numpy as np


class Model(NamedTuple):
    """The constants, in milliseconds and bytes; ``cores`` are those of the machine."""

    c0: float
    c1: float
    m: float
    latency: float
    agreement: float
    per_byte: float
    cores: int

    def compute(self, count, batch):
        """What a step computes."""
        return self.turns(count) * (self.c0 + self.c1 * batch) * (1 + self.m * (count > 1))

    def turns(self, count):
        """How many processes share a core."""
        return max(1.0, count / self.cores)

    def communicate(self, count, buckets, size):
        """What the sums of a step take, and the agreement on them."""
        if count == 1:
            return 0.0
        latency = (buckets + self.agreement) * self.latency * math.log2(count)
        return self.turns(count) * (latency + size * self.per_byte * 2 * (count - 1) / count)

    def step(self, count, batch, buckets, size):
        """The time of a step."""
        return self.compute(count, batch) + self.communicate(count, buckets, size)

    def elsewhere(self, latency, per_byte):
        """The same computation, a process on each machine, over another interconnect."""
        return self._replace(m=0.0, latency=latency, per_byte=per_byte, cores=1 << 30)


def _least_squares(rows, values):
    """Constants, none below 0, of the least relative errors."""
    weights = 1 / np.asarray(values)
    rows, values = np.asarray(rows, float) * weights[:, None], np.ones(len(values))
    active = list(range(rows.shape[1]))
    while True:
        found = np.linalg.lstsq(rows[:, active], values, rcond=None)[0]
        if (found >= 0).all() or len(active) == 1:
            break
        active.remove(active[int(np.argmin(found))])
    out = np.zeros(rows.shape[1])
    out[active] = np.maximum(found, 0)
    return out


def fitted(steps, sums, agreements, cores):
    """The Model of measurements, all in milliseconds.

    Args:
        steps (list): ``(count, batch, buckets, bytes, time)`` of steps, with a count of 1 and with others.
        sums (list): ``(count, bytes, time)`` of sums.
        agreements (list): ``(count, time)`` of agreements.
        cores (int): How many cores the machine has.
    """
    c0, c1 = _least_squares([(1, b) for n, b, *_ in steps if n == 1], [t for n, *_, t in steps if n == 1])
    turns = lambda n: max(1.0, n / cores)  # noqa: E731 - it stands in three lines
    rows = [(turns(n) * math.log2(n), turns(n) * size * 2 * (n - 1) / n) for n, size, _ in sums]
    latency, per_byte = _least_squares(rows, [t for *_, t in sums])
    agreement = np.mean([t / (turns(n) * math.log2(n)) for n, t in agreements]) / latency if latency else 0.0
    model = Model(c0, c1, 0.0, latency, agreement, per_byte, cores)
    beside = [(t - model.communicate(n, k, size)) / model.compute(n, b) - 1 for n, b, k, size, t in steps if n > 1]
    return model._replace(m=max(0.0, float(np.mean(beside))))


def errors(model, steps):
    """The relative error of the model's time for each step."""
    return [model.step(*setting) / time - 1 for *setting, time in steps]
