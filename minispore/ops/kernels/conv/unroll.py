"""Images unrolled along their rows: for every kernel column, the pixels of each image row that this column meets.

The kernel's row i needs no copy of its own. It meets the same unrolled rows, from row i on: a slice that a matrix
product reads in place. With a vertical stride s the image rows are first dealt into s phases. So the rows that one
kernel row meets are neighbours again.
"""

import functools
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.conv.work import of_moves, of_turning

_SHORT = 32  # columns up to which whole images are copied faster than row by row


class Plan(NamedTuple):
    """The unrolling of images of one size for one kernel; every index is worked out once."""

    phases: int
    columns: int  # of the kernel
    rows: int  # of each phase
    out: tuple  # rows and columns of the output
    copies: tuple  # (phase, (rows, columns) of the image, (kernel column, rows, columns) that they go to)
    met: tuple  # (phase, row) that each kernel row begins to meet
    outputs: tuple  # (start, stop) of the output rows where each kernel row meets more than padding
    whole: bool  # True if these are all output rows
    order: tuple  # the kernel's rows, one that has the most output rows first
    copied: int  # numbers that one channel of one image is copied to
    filled: bool  # True if these leave no margin
    shifted: bool  # True if each is an image whose short rows are shifted

    def numbers_per_channel(self):
        """The number of elements that one channel of one image becomes."""
        return self.phases * self.columns * self.rows * self.out[1]

    def work_array(self, sets, group, channels, images, dtype):
        """For ``sets`` times ``images`` images: (phases, sets, group, C/group, KW, rows, images, OW), margins 0."""
        shape = (self.phases, sets, group, channels, self.columns, self.rows, images, self.out[1])
        return (aligned.empty if self.filled else aligned.zeros)(np, shape, dtype)

    def fill(self, work, x):
        """Unroll the images x (N, C, H, W) into the work array, whose margins stay as they are."""
        sets, group, channels, _, _, images, _ = work.shape[1:]
        x = x.reshape(sets, images, *x.shape[1:]).transpose(0, 2, 3, 1, 4)
        unrolled = work.reshape(self.phases, sets, group * channels, *work.shape[4:])
        for phase, (rows, columns), (j, to_rows, to_columns) in self.copies:
            if self.shifted and images == 1:
                _shift(unrolled[phase, :, :, j, to_rows, 0], x[:, :, rows, 0], to_columns.start - columns.start)
            else:
                unrolled[phase, :, :, j, to_rows, :, to_columns] = x[:, :, rows, :, columns]

    def flat(self, work):
        """``(unrolled, width)``: the work array as (phases, sets, group, C/group * KW, pixels), and a row's pixels."""
        phases, sets, group, channels, columns, _, images, across = work.shape
        return work.reshape(phases, sets, group, channels * columns, -1), images * across

    def met_by_row(self, i, unrolled, width):
        """``(met, pixels)``: the elements of x that the kernel's row i meets, and at which output pixels.

        ``met`` is (sets, group, C/group * KW, rows * width).
        """
        (phase, row), (start, stop) = self.met[i], self.outputs[i]
        met = unrolled[phase, ..., (row + start) * width : (row + stop) * width]
        return met, slice(start * width, stop * width)


@functools.lru_cache(maxsize=512)
def plan_of(geometry, height, width, pads, least=0):
    """The plan for images of ``height`` times ``width``, padded by ``pads``.

    Output rows where a kernel's row meets padding alone are left out, if they have ``least`` pixels.
    """
    phases = sorted({i * geometry.dilation[0] % geometry.stride[0] for i in range(geometry.kernel[0])})
    rows = -(-geometry.padded[0] // geometry.stride[0])
    copies = tuple(_copies(phases, geometry, height, width, pads))
    starts = [i * geometry.dilation[0] for i in range(geometry.kernel[0])]
    met = tuple((phases.index(start % geometry.stride[0]), start // geometry.stride[0]) for start in starts)
    outputs = tuple(_outputs(start - pads[0], geometry, height, least) for start in starts)
    whole = all(each == (0, geometry.out[0]) for each in outputs)
    order = tuple(sorted(range(len(outputs)), key=lambda i: outputs[i][0] - outputs[i][1]))
    pixels = sum((to_rows.stop - to_rows.start) * (to.stop - to.start) for _, _, (_, to_rows, to) in copies)
    filled = pixels == len(phases) * geometry.kernel[1] * rows * geometry.out[1]
    sizes = len(phases), geometry.kernel[1], rows, geometry.out
    shifted = geometry.stride == (1, 1) and geometry.out[1] == width <= _SHORT
    return Plan(*sizes, copies, met, outputs, whole, order, pixels, filled, shifted)


def _shift(to, x, by):
    """Copy images (N, C, H, W) with their columns ``by`` further: in one run, which then takes what leaves a row."""
    numbers, (n, channels, _, width) = to.reshape(*to.shape[:2], -1), to.shape
    flat = x.reshape(n, channels, -1)
    if by > 0:
        numbers[..., by:], to[..., :by] = flat[..., :-by], 0
    else:
        numbers[..., : flat.shape[2] + by], to[..., width + by :] = flat[..., -by:], 0


def fill_work(plan, channels, step):
    """The work of :meth:`Plan.fill`, for ``channels`` of all images, whose every ``step``-th column is copied."""
    numbers = channels * plan.copied
    run = plan.out[1] * (2 if plan.shifted else 1)  # half of the rows' beginnings are saved, as measured
    return of_moves(numbers, run, step) if plan.out[1] > 1 else of_turning(numbers)


def _outputs(shift, geometry, height, least):
    """(start, stop) of the output rows q whose image row q * stride + shift is one of ``height``; equal for none."""
    stride, (rows, width) = geometry.stride[0], geometry.out
    start, stop = max(0, -(shift // stride)), min(rows, (height - 1 - shift) // stride + 1)
    stop = max(start, stop)
    return (start, stop) if (rows - stop + start) * width >= least else (0, rows)


def _copies(phases, geometry, height, width, pads):
    """Yield, per phase and kernel column, a part of the image and the part of the unrolled rows that it goes to."""
    down, (top, _, left, _) = geometry.stride[0], pads
    for index, phase in enumerate(phases):
        first = (phase - top) % down
        row, count = (top + first) // down, len(range(first, height, down))
        if count:
            for j, columns, to_columns in geometry.met_by_tap(1, width, left):
                yield index, (slice(first, None, down), columns), (j, slice(row, row + count), to_columns)
