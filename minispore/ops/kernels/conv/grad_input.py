"""The gradient of a convolution's input: which of two forms to take, by the multiplications and copies of each.

The phases of dx are dy, padded, convolved with the reversed kernel (``grad_phases.py``). The columns are weights times
dy, added to their windows (``grad_columns.py``). The first is faster as long as dy is about as large as x. A kernel
about as wide as its input leaves a dy of few pixels, and the first would multiply its padding.
"""

import functools
import itertools
import math
from typing import NamedTuple

from minispore.ops.kernels.conv import grad_columns, grad_phases, im2col

# Times, in units of a multiplication in a large matrix product, as measured at 550 shapes
_MOVE = 24  # to read a number and to write it elsewhere
_TURNS = 3  # moves of each weight by the phases: its channels are swapped, its elements reversed and cut in rows
_ADDS = 2  # moves of the columns: they are written, and added
_RUN = 4  # additions in the time that a run of neighbours takes to begin


class Work(NamedTuple):
    """The work of one form."""

    multiplications: int
    moves: int  # of numbers

    def cost(self):
        """All of it, in multiplications."""
        return self.multiplications + _MOVE * self.moves


def grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W), 0 where no window came; ``convolve(dy, w, pads, dilation)`` has stride 1."""
    if columns_are_cheaper(x_shape, w.shape, pads, geometry, group):
        return grad_columns.grad_input(xp, dy, w, x_shape, pads, geometry, group)
    return grad_phases.grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group)


@functools.lru_cache(maxsize=4096)
def columns_are_cheaper(x_shape, w_shape, pads, geometry, group):
    """Compare the two forms: true if that of columns costs less. Sizes alone decide it, on every device."""
    phases = work_of_phases(x_shape, w_shape, pads, geometry, group)
    return work_of_columns(x_shape, w_shape, geometry, group).cost() < phases.cost()


def work_of_columns(x_shape, w_shape, geometry, group):
    """The work of ``grad_columns``: N * C * KH * KW * OH * OW columns, of O/group products each."""
    columns = math.prod((*x_shape[:2], *geometry.kernel, *geometry.out))
    runs = columns // max(geometry.kernel[1], geometry.out[1])
    return Work(columns * (w_shape[0] // group), _ADDS * (columns + _RUN * runs))


def work_of_phases(x_shape, w_shape, pads, geometry, group):
    """The work of ``grad_phases``: that of a convolution for each pair of phases."""
    pairs = list(itertools.product(*grad_phases.phases_of(x_shape, pads, geometry)))
    works = [_work_of_pair(v, h, x_shape, w_shape, group) for v, h in pairs]
    placed = sum(numbers for numbers, _, _ in works) if len(pairs) > 1 else 0
    turned = _TURNS * math.prod(w_shape)
    return Work(sum(work[1] for work in works), sum(work[2] for work in works) + placed + turned)


def _work_of_pair(v, h, x_shape, w_shape, group):
    """Of a pair of phases: the numbers of dx that it computes, and its multiplications and moves."""
    (images, channels), made = x_shape[:2], w_shape[0]
    kernel = _count(v.taps, w_shape[2]), _count(h.taps, w_shape[3])
    lines, across = _count(v.pixels, x_shape[2]), _count(h.pixels, x_shape[3])
    numbers = images * channels * lines * across
    if im2col.is_cheaper((channels, made // group, *kernel), group):
        moves = images * made * kernel[0] * kernel[1] * lines * across
    else:  # rows are unrolled, and the products of the kernel's rows added up
        moves = images * made * kernel[1] * v.length_read() * across + numbers * (kernel[0] - 1)
    return numbers, numbers * (made // group) * kernel[0] * kernel[1], moves


def _count(part, size):
    return len(range(size)[part])
