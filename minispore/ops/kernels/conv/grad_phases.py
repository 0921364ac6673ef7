"""The gradient of a convolution's input, as convolutions of stride 1, which use the same fast algorithms.

With a stride of s along an axis, the same elements of the kernel meet the pixels x[a], x[a + s], x[a + 2s], …. These
are every (s / gcd(s, dilation))-th one. Each such phase of dx is dy convolved with these elements in reverse order; no
column is ever added back to pixels.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.blocking.batch_pieces import share
from minispore.ops.kernels.conv import im2col, row_blocks, rows
from minispore.ops.kernels.conv.choice import PLAIN, cheapest, spreads
from minispore.ops.kernels.conv.geometry import batches, geometry_of, number_of_batches
from minispore.ops.kernels.conv.work import Work, loop, of_moves, total

_LARGE = 1 << 18  # pixels from which on the phases are shared by the workers
_PIECE = 1 << 23  # bytes of dx whose phases are placed one after the other, while they are in the last cache
_CALLS = 10  # of NumPy for a phase of a piece, about
_TURNS = 2  # how often each weight is moved: its channels are swapped, and its elements reversed


class Phase(NamedTuple):
    """One phase of one axis: its pixels, and the convolution of stride 1 that computes them."""

    pixels: slice  # of dx
    taps: slice  # of the kernel
    kept: slice  # of dy; the rest of it touches only padding
    pads: tuple  # (before, after), around the kept dy
    dilation: int


def grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W), 0 where no window came; ``convolve(dy, w, pads, dilation)`` has stride 1."""
    flipped = _swap_channels(xp, w, group)
    vertical, horizontal = phases_of(x_shape, pads, geometry)

    def phase_of_dx(v, h, images):
        kernel = flipped[:, :, v.taps, h.taps][:, :, ::-1, ::-1]
        return convolve(dy[images, :, v.kept, h.kept], kernel, (*v.pads, *h.pads), (v.dilation, h.dilation))

    if len(vertical) == len(horizontal) == geometry.stride[0] * geometry.stride[1] == 1:
        return phase_of_dx(vertical[0], horizontal[0], slice(None))
    dx = xp.zeros(x_shape, dy.dtype)

    def place(part):
        (v, h), images = part
        dx[images, :, v.pixels, h.pixels] = phase_of_dx(v, h, images)

    pairs = itertools.product(vertical, horizontal)
    long_ones_first = sorted(pairs, key=_taps, reverse=True)  # so that the workers end together
    pieces = [slice(*piece) for piece in batches(len(dx), math.prod(x_shape[1:]) * dy.itemsize, _budget(xp, dx))]
    share(xp, place, [(pair, images) for images in pieces for pair in long_ones_first], large=dx.size >= _LARGE)
    return dx


def _budget(xp, dx):
    """The bytes of dx that are filled before the next ones: on other devices all of them, in few big launches."""
    if xp is np:
        return _PIECE
    return max(1, dx.nbytes)


def grad_input_work(x_shape, w_shape, pads, geometry, group, forms=PLAIN):
    """The work of :func:`grad_input`: a convolution for each pair of phases, and the placing of its results."""

    def convolution(*sizes):
        form, work = cheapest(forms, "forward", *sizes, group)
        looked_over = math.prod((*sizes[0][:1], sizes[1][0], *sizes[3].out)) if spreads(form, "forward") else 0
        return total(work, of_moves(looked_over, sizes[3].out[1]))

    pairs = itertools.product(*phases_of(x_shape, pads, geometry))
    works = [_work_of_pair(v, h, x_shape, w_shape, geometry, convolution) for v, h in pairs]
    return total(of_moves(_TURNS * math.prod(w_shape), w_shape[3]), *works)


portable_grad_input_work = functools.partial(grad_input_work, forms=(rows, im2col, row_blocks))  # as fast as a device


def _work_of_pair(v, h, x_shape, w_shape, whole, convolution):
    (n, channels, height, width), (made, _, kh, kw) = x_shape, w_shape
    dy_shape = (n, made, v.kept.stop - v.kept.start, h.kept.stop - h.kept.start)
    shape = (channels, made * w_shape[1] // channels, len(range(kh)[v.taps]), len(range(kw)[h.taps]))
    pads = (*v.pads, *h.pads)
    geometry = geometry_of(dy_shape, shape, (1, 1), pads, (v.dilation, h.dilation))
    work = convolution(dy_shape, shape, pads, geometry)
    across = len(range(width)[h.pixels])
    if whole.stride == (1, 1):
        return work  # of dx itself
    down = len(range(height)[v.pixels])
    pieces = number_of_batches(n, 4 * channels * height * width, _PIECE)
    cut = math.prod(dy_shape) if dy_shape[2:] != whole.out else 0  # a part of dy is copied
    placed = of_moves(n * channels * down * across, loop(across, down), whole.stride[1])
    return total(work, placed, of_moves(cut, across), Work(steps=pieces * _CALLS))


@functools.lru_cache(maxsize=4096)
def phases_of(x_shape, pads, geometry):
    """The phases of the vertical axis, and of the horizontal one."""
    return tuple(tuple(_phases(axis, x_shape[2 + axis], pads[2 * axis], geometry)) for axis in (0, 1))


def _taps(phases):
    """The number of kernel elements that a pixel of this pair of phases meets, or a few more."""
    v, h = phases
    return (v.pads[0] + v.pads[1] + 1) * (h.pads[0] + h.pads[1] + 1)


def _swap_channels(xp, w, group):
    """(O, C/group, KH, KW) to (C, O/group, KH, KW)."""
    made, taken, kh, kw = w.shape
    swapped = w.reshape(group, made // group, taken, kh, kw).swapaxes(1, 2)
    return xp.ascontiguousarray(swapped).reshape(group * taken, made // group, kh, kw)


def _phases(axis, size, before, geometry):
    """Yield the phases of one axis of ``size`` pixels that windows touch.

    The pixel a + s * t lies at a + before + s * t of the padded image. It met the kernel's elements first + q * step,
    in the windows t + lead - q * dilation, for q = 0, 1, …
    """
    s, d, kernel, out = (sizes[axis] for sizes in (geometry.stride, geometry.dilation, geometry.kernel, geometry.out))
    common = math.gcd(s, d)
    step, dilation = s // common, d // common
    for a in range(min(s, size)):
        first = next((i for i in range(kernel) if (a + before - d * i) % s == 0), None)
        if first is None:
            continue
        lead = (a + before - d * first) // s
        reach = (len(range(first, kernel, step)) - 1) * dilation
        start, stop = lead - reach, lead + len(range(a, size, s))  # the windows that these pixels lie in
        kept = slice(max(0, start), min(out, stop))
        if kept.start < kept.stop:
            pads = (kept.start - start, stop - kept.stop)
            yield Phase(slice(a, None, s), slice(first, None, step), kept, pads, dilation)
