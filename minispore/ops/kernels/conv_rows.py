"""Convolution by unrolled rows (NumPy only): KW copies of the image, where im2col makes KH * KW.

The image is unrolled along its rows only: one copy per kernel column, holding for every image row the pixels that this
column of the kernel meets. The kernel's row i then needs no copy of its own: what it meets are the same rows, from row
i on, a slice that a matrix product reads in place. With a vertical stride s the image rows are first dealt into s
phases, so that the rows that one kernel row meets are neighbours again.

Work arrays hold a few images at a time, so that each is still in the L2 cache when the next step reads it.
"""

import numpy as np

from minispore.ops.kernels.conv_geometry import batches

_CACHED = 1 << 20  # bytes of all work arrays together


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): the sum over the kernel's rows of weights times unrolled rows."""
    n, made = x.shape[0], w.shape[0]
    weights = _weights_by_row(w, group)
    y = np.empty((n, group, made // group, geometry.out[0] * geometry.out[1]), x.dtype)
    for start, stop, unrolled in _unrolled_pieces(x, made, pads, geometry, group):
        out = y[start:stop]
        np.matmul(weights[0], _met_by_row(0, unrolled, geometry), out=out)
        part = np.empty_like(out) if len(weights) > 1 else None
        for i in range(1, len(weights)):
            out += np.matmul(weights[i], _met_by_row(i, unrolled, geometry), out=part)
    return y.reshape(n, made, *geometry.out)


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): for each kernel row, the unrolled rows that it met times dy, over all images."""
    n, made = dy.shape[:2]
    taken, kh, kw = w_shape[1:]
    flat = dy.reshape(n, group, made // group, -1).swapaxes(2, 3)
    dw = np.zeros((kh, group, taken * kw, made // group), dy.dtype)
    for start, stop, unrolled in _unrolled_pieces(x, made, pads, geometry, group):
        for i in range(kh):
            dw[i] += np.matmul(_met_by_row(i, unrolled, geometry), flat[start:stop]).sum(axis=0)
    dw = dw.reshape(kh, group, taken, kw, made // group).transpose(1, 4, 2, 0, 3)
    return np.ascontiguousarray(dw).reshape(w_shape)


def _weights_by_row(w, group):
    """(KH, group, O/group, C/group * KW)."""
    made, taken, kh, kw = w.shape
    by_row = np.ascontiguousarray(w.transpose(2, 0, 1, 3))  # reversed strides would keep the product from the BLAS
    return by_row.reshape(kh, group, made // group, taken * kw)


def _phases(geometry):
    """The remainders, modulo the vertical stride, of the image rows that kernel rows meet."""
    return sorted({i * geometry.dilation[0] % geometry.stride[0] for i in range(geometry.kernel[0])})


def _work_array(x, images, geometry, group):
    """Zeros (phases, images, group, C/group, KW, rows, OW): the unrolled rows of some images."""
    rows = -(-geometry.padded[0] // geometry.stride[0])
    channels = x.shape[1] // group
    shape = (len(_phases(geometry)), images, group, channels, geometry.kernel[1], rows, geometry.out[1])
    return np.zeros(shape, x.dtype)


def _bytes_per_image(x, made, geometry):
    per_channel = len(_phases(geometry)) * geometry.kernel[1] * -(-geometry.padded[0] // geometry.stride[0])
    return (x.shape[1] * per_channel + 2 * made * geometry.out[0]) * geometry.out[1] * x.dtype.itemsize


def _unrolled_pieces(x, made, pads, geometry, group):
    """Yield (start, stop, unrolled rows of these images); the work array is reused, its margins stay zero."""
    unrolled = None
    for start, stop in batches(x.shape[0], _bytes_per_image(x, made, geometry), _CACHED):
        if unrolled is None or unrolled.shape[1] != stop - start:
            unrolled = _work_array(x, stop - start, geometry, group)
        for part, inside in _pairs(x[start:stop], unrolled, pads, geometry):
            inside[...] = part
        yield start, stop, unrolled


def _pairs(x, unrolled, pads, geometry):
    """Yield, per phase and kernel column, a part of the image and the part of the unrolled rows that it goes to."""
    n, c, height, width = x.shape
    (down, across), (top, _, left, _) = geometry.stride, pads
    for phase, rows in zip(_phases(geometry), unrolled, strict=True):
        rows = rows.reshape(n, c, *rows.shape[3:])
        first = (phase - top) % down
        row = (top + first) // down
        count = len(range(first, height, down))
        for j in range(geometry.kernel[1]):
            shift = j * geometry.dilation[1] - left  # the image column that the output column 0 meets
            start = max(0, -(shift // across))
            stop = min(geometry.out[1], (width - 1 - shift) // across + 1)
            if start < stop:
                columns = slice(start * across + shift, (stop - 1) * across + shift + 1, across)
                yield x[:, :, first::down, columns], rows[:, :, j, row : row + count, start:stop]


def _met_by_row(i, unrolled, geometry):
    """(images, group, C/group * KW, OH * OW): what the kernel's row i meets at each output pixel; a view."""
    at = i * geometry.dilation[0]
    phase, row = _phases(geometry).index(at % geometry.stride[0]), at // geometry.stride[0]
    flat = unrolled[phase].reshape(*unrolled.shape[1:3], unrolled.shape[3] * unrolled.shape[4], -1)
    return flat[..., row * geometry.out[1] : (row + geometry.out[0]) * geometry.out[1]]
