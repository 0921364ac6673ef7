"""Two-dimensional pooling: the maximum or the mean of windows, and the rules of their gradients.

x is (N, C, H, W) of floats, ``kernel``, ``stride`` and ``dilation`` are (vertical, horizontal), ``pads`` is (top,
bottom, left, right). Both poolings are separable, so they run along one axis and then along the other.
"""

import numpy as np

from minispore.core import backend
from minispore.ops.kernels.blocking import aligned
from minispore.ops.kernels.blocking.batch_pieces import share
from minispore.ops.kernels.conv.geometry import batches, geometry_of, pad, unpad
from minispore.ops.kernels.errstate import quiet
from minispore.ops.kernels.float16 import elementwise
from minispore.ops.kernels.select import select

_CACHED = 4 << 20  # bytes of image and gradient that are worked on at a time; fewer would cost more in calls
_NONE = (0, 0, 0, 0)


@quiet
def max_pool2d(xp, x, kernel, stride, pads, dilation=(1, 1)):
    """``y[r, c] = max of the window at (r, c)``; padding counts as minus infinity, NaN propagates."""
    if xp is np and x.dtype == np.float16:  # NumPy finds maxima faster among integers in the order of the numbers
        return elementwise.from_ordered(_maxima(np, elementwise.ordered(x), kernel, stride, pads, dilation))
    return _maxima(xp, x, kernel, stride, pads, dilation)


def _lowest(x):
    """The value of padding: minus infinity, or less than every key."""
    return -np.inf if x.dtype.kind != "i" else np.iinfo(x.dtype).min


def _maxima(xp, x, kernel, stride, pads, dilation):
    geometry = _geometry(x.shape, kernel, stride, pads, dilation)
    columns, rows = _slices(geometry, 1), _slices(geometry, 0)
    y = aligned.empty(xp, (*x.shape[:2], *geometry.out), x.dtype)

    def pool(piece):
        padded = pad(xp, x[piece], pads, _lowest(x))
        _fold(xp.maximum, _fold(xp.maximum, padded, rows, 2), columns, 3, out=y[piece])

    share(xp, pool, _pieces(xp, x))
    return y


@quiet
def max_pool2d_grad(xp, x, y, dy, kernel, stride, pads, dilation=(1, 1)):
    """dx: each dy goes to the first pixel, row by row, of its window that equals y (or is NaN like y)."""
    if xp is np and x.dtype == np.float16:
        x, y = elementwise.ordered(x), elementwise.ordered(y)
        return _to_winners(np, x, y, dy, (kernel, stride, pads, dilation))
    return _to_winners(xp, x, y, dy, (kernel, stride, pads, dilation))


def _to_winners(xp, x, y, dy, windows):
    geometry, pads = _geometry(x.shape, *windows), windows[2]
    padded = pad(xp, x, pads, _lowest(x))
    dx = (aligned.empty if _tiled(geometry) else aligned.zeros)(xp, padded.shape, dy.dtype)

    def send(piece):
        _send_to_winners(xp, padded[piece], y[piece], dy[piece], dx[piece], geometry)

    share(xp, send, _pieces(xp, padded))
    return xp.ascontiguousarray(unpad(dx, pads))


@quiet
def max_pool2d_gather(xp, x, y, v, kernel, stride, pads, dilation=(1, 1)):
    """``v`` (shaped like x) at the pixel of each window that :func:`max_pool2d_grad` sends dy to; shaped like y."""
    geometry = _geometry(x.shape, kernel, stride, pads, dilation)
    padded, values = pad(xp, x, pads, -np.inf), pad(xp, v, pads)
    nan = _may_hold_nan(xp, y)
    out = xp.zeros(y.shape, v.dtype)
    for _, _, (rows, columns) in reversed(list(geometry.taps())):  # so that the first winner writes last
        out = select(xp, _wins(padded[:, :, rows, columns], y, nan), values[:, :, rows, columns], out)
    return out


@quiet
def avg_pool2d(xp, x, kernel, stride, pads, counted=_NONE, divisor=None):
    """``y[r, c] = sum of the window at (r, c) / its number of pixels``, or / ``divisor`` where there is one.

    ``counted`` is the part of ``pads``, next to the image, whose pixels count as well.
    """
    geometry = _geometry(x.shape, kernel, stride, pads)
    columns, rows = _slices(geometry, 1), _slices(geometry, 0)
    counts = _counts(xp, x.dtype, geometry, pads, counted, divisor)
    y = xp.empty((*x.shape[:2], *geometry.out), x.dtype)

    def pool(piece):
        total = _fold(xp.add, _fold(xp.add, pad(xp, x[piece], pads), columns, 3), rows, 2)
        xp.divide(total, counts, out=y[piece])

    share(xp, pool, _pieces(xp, x))
    return y


@quiet
def avg_pool2d_grad(xp, dy, x_shape, kernel, stride, pads, counted=_NONE, divisor=None):
    """dx: each pixel gathers ``dy / number of pixels`` from every window that it is in."""
    geometry = _geometry(x_shape, kernel, stride, pads)
    columns, rows = _slices(geometry, 1), _slices(geometry, 0)
    counts = _counts(xp, dy.dtype, geometry, pads, counted, divisor)
    dx = xp.zeros((*dy.shape[:2], *geometry.padded), dy.dtype)

    def spread(piece):
        mean, part = dy[piece] / counts, dx[piece]
        wide = xp.zeros((*mean.shape[:3], geometry.padded[1]), dy.dtype)
        for taken in columns:
            wide[..., taken] += mean
        for taken in rows:
            part[:, :, taken] += wide

    share(xp, spread, _pieces(xp, dx))
    return xp.ascontiguousarray(unpad(dx, pads))


def _geometry(x_shape, kernel, stride, pads, dilation=(1, 1)):
    return geometry_of(x_shape, (1, 1, *kernel), stride, pads, dilation)


def _slices(geometry, axis):
    """One slice of the padded image per element of the kernel, along one axis; none if there is no output."""
    if not geometry.out[axis]:
        return [slice(0, 0)]
    if axis == 0:
        return [geometry.tap(i, 0)[0] for i in range(geometry.kernel[0])]
    return [geometry.tap(0, j)[1] for j in range(geometry.kernel[1])]


def _tiled(geometry):
    """True if each pixel lies in exactly one window."""
    apart = geometry.kernel == geometry.stride and geometry.dilation == (1, 1)
    return apart and all(k * o == p for k, o, p in zip(geometry.kernel, geometry.out, geometry.padded, strict=True))


def _pieces(xp, x):
    """Slices of the batch whose images and gradients stay in the cache."""
    if xp is np:
        return [slice(*piece) for piece in batches(x.shape[0], 3 * x.nbytes // max(1, x.shape[0]), _CACHED)]
    return [slice(None)]


def _fold(function, x, slices, axis, out=None):
    """``function`` over the slices of x along one axis."""
    first, *others = (x[(slice(None),) * axis + (s,)] for s in slices)
    if not others and out is None:
        return first.copy()
    if not others:
        out[...] = first
    for view in others:
        out = first = function(first, view, out=out)
    return out


def _may_hold_nan(xp, y):
    """True if y holds NaN; always True on a GPU, since a check would make the host wait."""
    if xp is np:
        return y.dtype.kind != "i" and bool(np.isnan(y).any())
    return True


def _wins(candidates, y, nan):
    """True where a window's candidate is its maximum, or NaN if there may be any."""
    hit = candidates == y
    return hit | (candidates != candidates) if nan else hit


def _send_to_winners(xp, padded, y, dy, dx, geometry):
    """Add each dy to the pixel of dx where the first winner of its window is."""
    nan = _may_hold_nan(xp, y)
    apart = all(d * (k - 1) < s for k, s, d in zip(geometry.kernel, geometry.stride, geometry.dilation, strict=True))
    waiting = xp.ones(y.shape, bool)
    for i, j, (rows, columns) in geometry.taps():
        hit = waiting  # at the last tap: every window has a winner
        if (i + 1, j + 1) != geometry.kernel:
            hit = _wins(padded[:, :, rows, columns], y, nan)
            hit &= waiting
            waiting ^= hit
        if apart:
            keep(xp, hit, dy, out=dx[:, :, rows, columns])
        else:
            dx[:, :, rows, columns] += keep(xp, hit, dy)


def keep(xp, mask, x, out=None):
    """``where(mask, x, 0)``; on NumPy the bits of x, as an integer, times 0 or 1, six times faster."""
    if xp is np:
        bits = np.dtype(f"i{x.dtype.itemsize}")
        return np.multiply(x.view(bits), mask, out=None if out is None else out.view(bits)).view(x.dtype)
    kept = select(xp, mask, x, xp.zeros((), x.dtype))
    if out is None:
        return kept
    xp.copyto(out, kept)
    return out


def _counts(xp, dtype, geometry, pads, counted, divisor):
    """The number of pixels that count in each window, (OH, OW), or the divisor; 1 for a window of none."""
    if divisor is not None:
        return dtype.type(divisor)
    counts = []
    for axis in (0, 1):
        before, after = counted[2 * axis : 2 * axis + 2]
        starts = np.arange(geometry.out[axis]) * geometry.stride[axis] - pads[2 * axis]
        length = geometry.padded[axis] - pads[2 * axis] - pads[2 * axis + 1]
        ends = np.minimum(starts + geometry.kernel[axis], length + after)
        counts.append(ends - np.maximum(starts, -before))
    return backend.constant(xp, np.maximum(counts[0][:, None] * counts[1], 1).astype(dtype))
