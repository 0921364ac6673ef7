"""Convolution and its two gradients: three algorithms, each a module with the same three functions.

``conv2d_implicit`` multiplies float16 and bfloat16 on tensor cores, in one launch. ``conv2d_columns`` multiplies by
cuBLAS: float32, and kernels of one pixel, whose columns are the planes themselves. ``conv2d_groups`` computes groups,
number by number. ``geometry`` is (stride, pads, dilation, group).
"""

from minispore.devices.cuda import conv2d_columns, conv2d_groups, conv2d_implicit
from minispore.devices.cuda.launch import row_by_row, takes

__all__ = []

_MOST = 2**31 - 2**16  # numbers: the kernels count with 32 bits, a block beyond the end at most


@row_by_row
def conv2d(xp, x, w, y_shape, geometry):
    """Y (N, O, OH, OW); None for arrays that no kernel supports."""
    by = _algorithm(x, w, (x.shape, w.shape, y_shape), geometry, has_columns=True)
    return by and by.conv2d(xp, x, w, y_shape, geometry)


@row_by_row
def conv2d_grad_input(xp, dy, w, x_shape, geometry):
    """Dx (N, C, H, W); None likewise."""
    by = _algorithm(dy, w, (x_shape, w.shape, dy.shape), geometry, has_columns=True)
    return by and by.conv2d_grad_input(xp, dy, w, x_shape, geometry)


@row_by_row
def conv2d_grad_weight(xp, dy, x, w_shape, geometry):
    """Dw (O, C, KH, KW), a sum in float32 in an order that is the same in every run; None likewise."""
    by = _algorithm(dy, x, (x.shape, w_shape, dy.shape), geometry, has_columns=False)
    return by and by.conv2d_grad_weight(xp, dy, x, w_shape, geometry)


def _algorithm(a, b, shapes, geometry, has_columns):
    """The module for these arrays, by the ``shapes`` of x, w and y.

    ``has_columns``: a kernel of one pixel is one launch of cuBLAS.
    """
    if not takes(a, b) or max(map(_size, shapes)) > _MOST:
        return None
    if geometry[3] != 1:
        return conv2d_groups
    if a.dtype.name == "float32" or (has_columns and conv2d_columns.is_pointwise(*shapes, geometry)):
        return conv2d_columns
    return conv2d_implicit


def _size(shape):
    n, c, h, w = shape
    return n * c * h * w
