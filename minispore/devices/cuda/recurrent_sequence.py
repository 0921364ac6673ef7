"""Recurrent networks over all steps: one launch for a small state; for a large one a product and a launch a step.

float16 and bfloat16 are computed in float32, the states and their gradients from step to step included; float64 in
float64. The gradient of the weights is one product over all steps, of the gates' gradients in their output type. Tensor
cores multiply narrow numbers, and sum in float32.
"""

import functools

import numpy as np

from minispore.devices.cuda.gemm import gemm
from minispore.devices.cuda.launch import THREADS, TYPES, ceil_div, kernel
from minispore.devices.cuda.reduction import narrow_sum

__all__ = []

_TYPES = {**TYPES, "float64": "double"}
_LENGTHS = {"int32": "int", "int64": "long long"}
_NOTHING = np.uintp(0)  # the pointer of a missing array
_GATES, _KEPT = {"Lstm": 4, "Gru": 3, "Tanh": 1, "Relu": 1}, {"Lstm": (4, 1), "Gru": (3, 1)}

# Units up to which a block goes through all steps of some samples by itself: their weights stay in a multiprocessor's
# first cache. On no device measured.
_AT_ONCE = 128


def forward(xp, cell, z, states, w, bias, lengths, reverse):
    """``(y, *last states, *values for the gradient)``; None for arrays that the kernels do not take.

    ``bias`` is a list of one or none, ``lengths`` the number of steps of each sample, or None.
    """
    if not _fit(z, *states, w, *bias):
        return None
    run = _Run(xp, cell, z, states[0], lengths, reverse)
    z, states, bias = xp.ascontiguousarray(z), *(list(map(xp.ascontiguousarray, part)) for part in (states, bias))
    y = xp.empty((*z.shape[:2], run.width), z.dtype)
    saved = [xp.empty((*y.shape[:2], count * run.width), run.wide) for count in _KEPT.get(cell, ())]
    steps = _forward_at_once if run.width <= _AT_ONCE else _forward_by_products
    last = steps(run, z, states, w, _or_nothing(bias, 1), (*_or_nothing(saved, 2), y))
    return y, *last, *saved


def _forward_at_once(run, z, states, w, bias, outs):
    """The last states, by one launch."""
    turned, last = run.xp.ascontiguousarray(w.T), [run.xp.empty(x.shape, x.dtype) for x in states]
    sizes = *run.sizes, run.reverse
    arguments = z, *_or_nothing(states, 2), turned, *bias, run.lengths, *sizes, *outs, *_or_nothing(last, 2)
    run.launch_blocks("whole_sequence", arguments)
    return last


def _forward_by_products(run, z, states, w, bias, outs):
    """The last states, by a product and a launch for each step."""
    w, wide = run.widened(w), [run.copied(x) for x in states]
    products = run.xp.empty((run.samples, len(w)), run.wide)
    for t in run.order():
        gemm(run.xp, wide[0], w, products, *products.shape, run.width, b_turned=True)
        sizes = np.int32(t), *run.sizes[1:]
        run.launch("sequence_step", (z, products, *bias, run.lengths, *sizes, *_or_nothing(wide, 2), *outs))
    return run.narrowed(wide)


def backward(xp, cell, seeds, z, states, w, bias, y, saved, lengths, reverse):
    """The gradients of z, of the first states, of w and of the bias, if any; None likewise."""
    if not _fit(z, *seeds, *states, w, *bias, y):
        return None
    run = _Run(xp, cell, z, states[0], lengths, reverse)
    seeds, states, kept = (list(map(xp.ascontiguousarray, part)) for part in (seeds, states, (y, *saved)))
    kept = kept[0], *_or_nothing(kept[1:], 2)
    dz, past = xp.empty(z.shape, z.dtype), xp.empty(y.shape, y.dtype)
    dj = xp.empty(z.shape, z.dtype) if cell == "Gru" else dz
    steps = _backward_at_once if run.width <= _AT_ONCE else _backward_by_products
    first = steps(run, seeds, states, xp.ascontiguousarray(w), kept, (dz, dj, past))
    by_state, dw = dj.reshape(-1, w.shape[0]), xp.empty(w.shape, w.dtype)
    gemm(xp, by_state, past, dw, *dw.shape, len(by_state), a_turned=True)
    return dz, *first, dw, *[_sum_of_rows(xp, by_state) for _ in bias]


def _backward_at_once(run, seeds, states, w, kept, outs):
    """The gradients of the first states, by one launch."""
    dy, *last = seeds
    first, sizes = [run.xp.empty(x.shape, x.dtype) for x in states], (*run.sizes, run.reverse)
    arguments = dy, *_or_nothing(last, 2), *_or_nothing(states, 2), w, run.lengths, *kept, *sizes, *outs
    run.launch_blocks("whole_sequence_back", (*arguments, *_or_nothing(first, 2)))
    return first


def _backward_by_products(run, seeds, states, w, kept, outs):
    """The gradients of the first states, by a launch and a product for each step."""
    dy, *last = seeds
    w, wide = run.widened(w), [run.copied(x) for x in last]
    by_state, order = run.xp.empty((run.samples, len(w)), run.wide), run.order()
    for s in reversed(range(len(order))):
        sizes = *map(np.int32, (order[s], order[s - 1], s == 0)), *run.sizes[1:]
        arguments = dy, *_or_nothing(states, 2), run.lengths, *kept, *sizes, *_or_nothing(wide, 2), by_state, *outs
        run.launch("sequence_step_back", arguments)
        gemm(run.xp, by_state, w, wide[0], run.samples, run.width, len(w), add=True)
    return run.narrowed(wide)


class _Run:
    """The common arguments of one sequence's launches."""

    def __init__(self, xp, cell, z, h, lengths, reverse):
        self.xp, self.dtype, self.wide = xp, z.dtype, np.promote_types(z.dtype, np.float32)
        (steps, self.samples), self.width = z.shape[:2], h.shape[1]
        self.sizes = [np.int32(size) for size in (steps, self.samples, self.width)]
        self.steps, self.reverse = steps, np.int32(reverse)
        self.lengths = _NOTHING if lengths is None else xp.ascontiguousarray(lengths)
        kind = "int" if lengths is None else _LENGTHS[lengths.dtype.name]
        types = cell, *[_TYPES[dtype.name] for dtype in (self.dtype, self.wide)], kind
        self._kernel = functools.partial(_of_types, xp, types)

    def order(self):
        """The steps in the order of computation."""
        return range(self.steps - 1, -1, -1) if self.reverse else range(self.steps)

    def widened(self, x):
        """Lay x out row by row, in the type of sums."""
        return self.xp.ascontiguousarray(x, self.wide)

    def copied(self, x):
        """The same in memory of its own."""
        return self.xp.array(x, self.wide, order="C")

    def narrowed(self, arrays):
        """Arrays in the type of the output."""
        return [x.astype(self.dtype, copy=False) for x in arrays]

    def launch(self, name, arguments):
        """A thread for each unit of each sample."""
        self._kernel(name)((ceil_div(self.samples * self.width, THREADS),), (THREADS,), arguments)

    def launch_blocks(self, name, arguments):
        """A block for as many samples as have a thread for each unit."""
        self._kernel(name)((ceil_div(self.samples, THREADS // self.width),), (THREADS,), arguments)


def _of_types(xp, types, name):
    return kernel(xp, "recurrent_sequence", name, *types)


def _fit(z, *others):
    """True if the kernels support the arrays: floats of one type, none empty."""
    return z.dtype.name in _TYPES and all(x.dtype == z.dtype and x.size for x in (z, *others))


def _sum_of_rows(xp, x):
    narrow = narrow_sum(xp, x, (0,), keep_dims=False)
    return x.sum(axis=0) if narrow is None else narrow


def _or_nothing(arrays, count):
    """The arrays, and null pointers for missing ones."""
    return *arrays, *[_NOTHING] * (count - len(arrays))
