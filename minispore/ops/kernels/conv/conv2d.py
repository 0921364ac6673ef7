"""Two-dimensional convolution and its two gradients: which algorithm to take for which shapes.

All of them take float32 or float64 arrays: x (N, C, H, W) and w (O, C/group, KH, KW). ``stride`` and ``dilation`` are
(vertical, horizontal), ``pads`` is (top, bottom, left, right). They are cross-correlations, as in all deep learning.
"""

import numpy as np

from minispore.ops.kernels.conv import grad_input, im2col, rows
from minispore.ops.kernels.conv.geometry import geometry_of
from minispore.ops.kernels.errstate import quiet


@quiet
def conv2d(xp, x, w, stride, pads, dilation, group):
    """``y[n, o, r, c] = sum over the window at (r, c) of the padded x times w[o]``, (N, O, OH, OW)."""
    geometry = geometry_of(x.shape, w.shape, stride, pads, dilation)
    if _is_empty(x.shape, w.shape, geometry):
        return xp.zeros((x.shape[0], w.shape[0], *geometry.out), x.dtype)
    columns = _strategy(xp, geometry) is im2col or im2col.is_cheaper(w.shape, group)
    return (im2col if columns else rows).forward(xp, x, w, pads, geometry, group)


@quiet
def conv2d_grad_input(xp, dy, w, x_shape, stride, pads, dilation, group):
    """The gradient of x: every window gathers its dy times the weights; (N, C, H, W), 0 where no window came."""
    geometry = geometry_of(x_shape, w.shape, stride, pads, dilation)
    if _is_empty(x_shape, w.shape, geometry):
        return xp.zeros(x_shape, dy.dtype)

    def convolve(dy, w, pads, dilation):
        return conv2d(xp, dy, w, (1, 1), pads, dilation, group)

    return grad_input.grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group)


@quiet
def conv2d_grad_weight(xp, dy, x, w_shape, stride, pads, dilation, group):
    """The gradient of w: ``dw[o] = sum over images and positions of dy[n, o, r, c] times the window there``."""
    geometry = geometry_of(x.shape, w_shape, stride, pads, dilation)
    if _is_empty(x.shape, w_shape, geometry):
        return xp.zeros(w_shape, dy.dtype)
    strategy = _strategy(xp, geometry)
    return strategy.grad_weight(xp, dy, x, w_shape, pads, geometry, group)


def _strategy(xp, geometry):
    """The module whose algorithm is fastest, as measured at 17 shapes; im2col is right for all, on all devices."""
    if xp is np and not geometry.kernel == geometry.stride == (1, 1):  # a 1 x 1 kernel's columns are x itself
        return rows
    return im2col


def _is_empty(x_shape, w_shape, geometry):
    return 0 in (*x_shape, *w_shape, *geometry.out)
