"""What bounds a step of minispore: its matrix products, its other kernels, and Python around them.

    python benchmarks/compare.py bounds     # all workloads, each in a process of its own

One step runs with notes taken: which products of which shapes, how long each primitive computes, how many bytes the
operations read and write. The same products are then timed alone, and a copy of as many bytes. Both together are the
limit that a recorded step comes near. All in processor time of the one thread.
"""

import time
from collections import Counter
from contextlib import contextmanager
from functools import partial
from statistics import median

import numpy as np

import minispore
from minispore.core import backend
from minispore.core.observation import Noting
from minispore.core.primitive import Primitive

REPEATS = 5
SHOWN = 4  # the costliest primitives that are named
LEAST_WORK = 1e-3  # seconds of repeats for one product
COPIED = 64 << 20  # bytes: beyond the caches


def milliseconds(function):
    start = time.thread_time()
    function()
    return (time.thread_time() - start) * 1e3


class Notes(Noting):
    """Counts operations and their bytes."""

    def __init__(self):
        self.operations = self.bytes = 0

    def note(self, primitive, args, arrays, made, single, results):
        self.operations += 1
        read = [x for x in arrays if isinstance(x, np.ndarray)]
        view = not primitive.writes and any(np.may_share_memory(x, y) for x in read for y in made)
        if not view:  # which moves nothing
            self.bytes += sum(x.nbytes for x in (*read, *made))


def operations_and_bytes(step):
    with Notes() as notes:
        step()
    return notes.operations, notes.bytes


@contextmanager
def products_noted(found):
    """Count in ``found`` the matrix products that are taken: operands' shapes, strides and types."""
    matmul = np.matmul

    def noted(a, b, *rest, **kwargs):
        found[a.shape, a.strides, b.shape, b.strides, a.dtype.str] += 1
        return matmul(a, b, *rest, **kwargs)

    np.matmul = noted
    try:
        yield
    finally:
        np.matmul = matmul


def _operand(shape, strides, kind):
    """An array of ones with the given strides."""
    size = sum((n - 1) * abs(s) for n, s in zip(shape, strides, strict=True)) // np.dtype(kind).itemsize + 1
    return np.lib.stride_tricks.as_strided(np.ones(size, kind), shape, strides)


def alone_ms(product):
    """The milliseconds of one matrix product by itself, with its operands in the cache as far as they fit."""
    a_shape, a_strides, b_shape, b_strides, kind = product
    a, b = _operand(a_shape, a_strides, kind), _operand(b_shape, b_strides, kind)
    out = np.matmul(a, b)
    once = milliseconds(lambda: np.matmul(a, b, out=out)) / 1e3
    times = max(1, int(LEAST_WORK / max(once, 1e-7)))
    return min(milliseconds(lambda: [np.matmul(a, b, out=out) for _ in range(times)]) for _ in range(3)) / times


def products_ms(step):
    """The milliseconds that the matrix products of a step take alone, and how many billion operations they are."""
    found = Counter()
    with products_noted(found):
        step()
    flops = sum(n * 2 * np.prod(a[:-1]) * a[-1] * b[-1] for (a, _, b, _, _), n in found.items() if len(b) > 1)
    return sum(alone_ms(product) * n for product, n in found.items()), float(flops) / 1e9


def _primitives(kind=Primitive):
    yield kind
    for each in kind.__subclasses__():
        yield from _primitives(each)


class Clock:
    """Adds up what each primitive computes, without what it has another one compute."""

    def __init__(self):
        self.spent, self.inner = Counter(), [0.0]

    def timed(self, compute):
        def run(primitive, *args):
            self.inner.append(0.0)
            start = time.thread_time()
            try:
                return compute(primitive, *args)
            finally:
                whole = time.thread_time() - start
                self.spent[primitive.name] += whole - self.inner.pop()
                self.inner[-1] += whole

        return run


@contextmanager
def _replaced(name, changed):
    """Let every primitive's method ``name`` be what ``changed`` makes of it; bare functions of it are forgotten."""
    plain = {kind: vars(kind)[name] for kind in _primitives() if name in vars(kind)}
    for kind, method in plain.items():
        setattr(kind, name, changed(method))
    backend.use(backend.xp)
    try:
        yield
    finally:
        for kind, method in plain.items():
            setattr(kind, name, method)
        backend.use(backend.xp)


def _by_compute(primitive, xp, *arrays):
    return partial(primitive.compute, xp)


@contextmanager
def computing_timed(clock):
    """Let ``clock`` time every primitive's ``compute``, which operators' short way then takes too."""
    with _replaced("compute", clock.timed), _replaced("array_function", lambda _: _by_compute):
        yield


def computing_ms(step):
    """The milliseconds of a step by primitive, the costliest first."""
    clock = Clock()
    with computing_timed(clock):
        step()
        clock.spent.clear()
        for _ in range(REPEATS):
            step()
    return {name: seconds * 1e3 / REPEATS for name, seconds in clock.spent.most_common()}


def copy_gb_a_second():
    """How many bytes a second a copy beyond the caches reads and writes."""
    a = np.ones(COPIED // 4, np.float32)
    b = a.copy()
    return 2 * COPIED / min(milliseconds(lambda: np.copyto(b, a)) for _ in range(REPEATS)) / 1e6


def whole_ms(step):
    """The median milliseconds of a step that has run before."""
    for _ in range(REPEATS):
        step()
    return median(milliseconds(step) for _ in range(2 * REPEATS))


def recorded_ms(step):
    """The same in graph mode; the mode is set back."""
    before = minispore.get_context("mode")
    minispore.set_context(mode=minispore.GRAPH_MODE)
    try:
        return whole_ms(step)
    finally:
        minispore.set_context(mode=before)


def of(step):
    """All of it for one step."""
    whole, recorded = whole_ms(step), recorded_ms(step)
    computing = computing_ms(step)
    products, gigaflops = products_ms(step)
    operations, moved = operations_and_bytes(step)
    return {
        "step_ms": whole,
        "recorded_ms": recorded,
        "computing_ms": sum(computing.values()),
        "products_ms": products,
        "gigaflops": gigaflops,
        "operations": operations,
        "moved_mb": moved / 2**20,
        "copy_gb_a_second": copy_gb_a_second(),
        "costliest": dict(list(computing.items())[:SHOWN]),
    }
