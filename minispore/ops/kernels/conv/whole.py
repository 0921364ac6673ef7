"""Convolution of small images as one matrix (NumPy only), which takes the whole of x to the whole of y.

A row of this matrix is the kernel at the window of one output pixel, and 0 elsewhere. Nothing is unrolled or added, so
this is the form of images not much larger than their kernel, and of small images of many groups.
"""

import math

import numpy as np

from minispore.ops.kernels.blocking.batch_pieces import share, sum_of
from minispore.ops.kernels.conv.geometry import batches
from minispore.ops.kernels.conv.work import Work, of_moves, of_products, total

SPREADS = "forward", "grad_input"
_PIECE = 1 << 22  # bytes of images at a time
_LARGEST = 1 << 22  # numbers of the matrix, at most
_FILLS = 3  # how often these are moved: the system clears them, they are set to 0, and read


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): x times the matrix."""
    matrix = _matrix(w, x.shape, pads, geometry, group).swapaxes(1, 2)
    y = np.empty((x.shape[0], w.shape[0], *geometry.out), x.dtype)
    return _times(xp, x, matrix, y, group, _pieces(x))


def grad_input(xp, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W): dy times the matrix."""
    matrix, dx = _matrix(w, x_shape, pads, geometry, group), np.empty(x_shape, dy.dtype)
    return _times(xp, dy, matrix, dx, group, _pieces(dx))


def _times(xp, images, matrix, out, group, pieces):
    """Write ``images`` times the matrix into ``out``, some images at a time; returns ``out``."""

    def multiply(piece):
        some = slice(*piece)
        np.matmul(_flat(images[some], group), matrix, out=_flat(out[some], group))

    share(xp, multiply, pieces)
    return out


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): the gradient of the matrix, dy times x, summed over the windows."""

    def gradient(piece):
        some = slice(*piece)
        return np.matmul(_flat(dy[some], group).swapaxes(1, 2), _flat(x[some], group))

    shape = (w_shape[0], *geometry.out, w_shape[1], *x.shape[2:])
    matrix = sum_of(xp, gradient, _pieces(x), x.itemsize * math.prod(shape)).reshape(shape)
    dw = np.zeros(w_shape, x.dtype)
    for (r, q), taps, pixels in _windows(x.shape, pads, geometry):
        dw[taps] += matrix[:, r, q][pixels]
    return dw


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None where the matrix would be too large."""
    (n, _, *size), (made, taken, *kernel), out = x_shape, w_shape, geometry.out[0] * geometry.out[1]
    terms, rows = taken * size[0] * size[1], made * out
    if terms * rows > _LARGEST:
        return None
    filled = of_moves(rows * taken * kernel[0] * kernel[1], kernel[1])
    return total(
        of_products(group, n, terms, rows // group), of_moves(_FILLS * rows * terms, terms), filled, Work(steps=out)
    )


grad_input_work = grad_weight_work = forward_work


def _windows(x_shape, pads, geometry):
    """Yield for each output pixel (r, q) two indices: of the weights that meet pixels there, and of the pixels."""
    across = list(geometry.windows(1, x_shape[3], pads[2]))
    for r, rows, lines in geometry.windows(0, x_shape[2], pads[0]):
        for q, columns, pixels in across:
            yield (r, q), (slice(None), slice(None), rows, columns), (slice(None), slice(None), lines, pixels)


def _matrix(w, x_shape, pads, geometry, group):
    """(group, O/group * OH * OW, C/group * H * W)."""
    made, taken = w.shape[:2]
    matrix = np.zeros((made, *geometry.out, taken, *x_shape[2:]), w.dtype)
    for (r, q), taps, pixels in _windows(x_shape, pads, geometry):
        matrix[:, r, q][pixels] = w[taps]
    return matrix.reshape(group, made // group * geometry.out[0] * geometry.out[1], -1)


def _flat(images, group):
    """(group, N, numbers of a group): a view."""
    return images.reshape(len(images), group, -1).swapaxes(0, 1)


def _pieces(images):
    return batches(len(images), images[0].nbytes, _PIECE)
