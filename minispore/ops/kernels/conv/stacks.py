"""Convolution by the stacked rows of the kernel (NumPy only): all of them meet the unrolled image in one product.

``rows.py`` has a product for each row of the kernel, which reads the unrolled rows again. Here one product of KH times
as many rows reads them once, and its parts are added where they belong. This is the form of few output channels, whose
products would have few rows.
"""

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import WorkArrays, share
from minispore.ops.kernels.buffers import small_buffers
from minispore.ops.kernels.conv.geometry import blocks
from minispore.ops.kernels.conv.unroll import fill_work, plan_of
from minispore.ops.kernels.conv.work import Work, of_moves, of_products, total
from minispore.ops.kernels.matmul import product_into

_CACHED = 1 << 20  # bytes of all arrays that a piece works on: they stay in the L2 cache


@small_buffers
def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): the sum of the parts of stacked weights times unrolled rows."""
    n, made, taken = x.shape[0], w.shape[0] // group, w.shape[1]
    plan = plan_of(geometry, *x.shape[2:], pads)
    stacks, images = _stacks(w, plan, group), x.reshape(n, group, taken, *x.shape[2:])
    y = aligned.empty(np, (n, group, made, geometry.out[0] * geometry.out[1]), x.dtype)
    pieces = list(blocks(n, group, _numbers(made, taken, plan) * x.itemsize, _CACHED))
    most = [max(stop - start for start, stop in each) for each in zip(*pieces, strict=True)]
    shape = (*most, made * _tallest(plan), plan.rows * plan.out[1])
    arrays = WorkArrays(lambda: (plan.work_array(*most, taken, 1, x.dtype), aligned.empty(np, shape, x.dtype)))

    def convolve(piece):
        some, groups = (slice(*each) for each in piece)
        with arrays.one() as (work, parts):
            some_y, some_x = y[some, groups], images[some, groups]
            work, parts = work[:, : len(some_x), : some_x.shape[1]], parts[: len(some_x), : some_x.shape[1]]
            plan.fill(work, some_x.reshape(len(some_x), -1, *x.shape[2:]))
            _multiply([(rows, stack[groups]) for rows, stack in stacks], plan, work, parts, some_y)

    share(np, convolve, pieces)
    return y.reshape(n, group * made, *geometry.out)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None for a kernel of one row, which is a stack by itself."""
    (n, c, *size), (made, taken, kh, kw), (oh, ow) = x_shape, w_shape, geometry.out
    if kh == 1:
        return None
    plan = plan_of(geometry, *size, pads)
    unrolled = fill_work(plan, n * c, geometry.stride[1])
    turned = of_moves(made * taken * kh * kw, kw)
    sizes = ((len(rows) * made // group, taken * kw, plan.rows * ow) for rows in _rows_by_phase(plan))
    added = of_moves(kh * n * made * oh * ow, oh * ow)
    pieces = blocks(n, group, 4 * _numbers(made // group, taken, plan), _CACHED)
    steps = Work(steps=len(list(pieces)) * (len(plan.copies) + plan.phases + kh))
    return total(unrolled, turned, added, steps, *(of_products(n * group, *each) for each in sizes))


def _rows_by_phase(plan):
    """The kernel's rows that meet each phase of the image."""
    return [[i for i, (phase, _) in enumerate(plan.met) if phase == which] for which in range(plan.phases)]


def _tallest(plan):
    return max(map(len, _rows_by_phase(plan)))


def _numbers(made, taken, plan):
    """The numbers that a piece works on, for one group of one image."""
    parts = made * (_tallest(plan) * plan.rows + plan.out[0]) * plan.out[1]
    return taken * plan.numbers_per_channel() + parts


def _stacks(w, plan, group):
    """For each phase, the kernel's rows that meet it and their weights (group, rows * O/group, C/group * KW)."""
    made, taken, _, kw = w.shape
    by_group = w.reshape(group, made // group, taken, -1, kw)
    stacks = ((rows, by_group[:, :, :, rows].transpose(0, 3, 1, 2, 4)) for rows in _rows_by_phase(plan))
    return [(rows, stack.reshape(group, -1, taken * kw)) for rows, stack in stacks]


def _multiply(stacks, plan, work, parts, y):
    """Write the sums into ``y`` (N, group, O/group, OH * OW); ``parts`` holds the products of one phase."""
    made, pixels, first = y.shape[2], y.shape[3], True
    for phase, (rows, stack) in enumerate(stacks):
        met = work[phase].reshape(*y.shape[:2], stack.shape[2], -1)
        product = product_into(np, stack, met, parts[:, :, : stack.shape[1]])
        for at, i in enumerate(rows):
            start = plan.met[i][1] * plan.out[1]
            part = product[:, :, at * made : (at + 1) * made, start : start + pixels]
            np.add(0 if first else y, part, out=y)
            first = False
