"""Two-dimensional convolution and its two gradients: the algorithm is chosen by the counted work for the sizes.

All of them take float32 or float64 arrays: x (N, C, H, W) and w (O, C/group, KH, KW). ``stride`` and ``dilation`` are
(vertical, horizontal), ``pads`` is (top, bottom, left, right). They are cross-correlations, as in all deep learning.
"""

import numpy as np

from minispore.ops.kernels.conv import adjoint, bands, grad_input, im2col, rows, stacks, whole
from minispore.ops.kernels.conv.choice import PLAIN, cheapest, is_wrong
from minispore.ops.kernels.conv.geometry import geometry_of, met
from minispore.ops.kernels.errstate import quiet

_FORWARD = *PLAIN, stacks, bands, whole, adjoint
_TO_WEIGHT = rows, im2col, bands, whole, adjoint
_PORTABLE = (im2col,)  # on every device


@quiet
def conv2d(xp, x, w, stride, pads, dilation, group):
    """``y[n, o, r, c] = sum over the window at (r, c) of the padded x times w[o]``, (N, O, OH, OW)."""
    found = met(x.shape, w.shape, stride, pads, dilation)
    if found is None or _is_empty(x.shape, w.shape):
        return xp.zeros((x.shape[0], w.shape[0], *geometry_of(x.shape, w.shape, stride, pads, dilation).out), x.dtype)
    taps, pads = found
    return _convolved(xp, _FORWARD, x, w[taps], stride, pads, dilation, group)


@quiet
def conv2d_grad_input(xp, dy, w, x_shape, stride, pads, dilation, group):
    """The gradient of x: every window gathers its dy times the weights; (N, C, H, W), 0 where no window came."""
    x_shape = tuple(x_shape)
    found = met(x_shape, w.shape, stride, pads, dilation)
    if found is None or _is_empty(x_shape, w.shape):
        return xp.zeros(x_shape, dy.dtype)
    taps, pads = found

    def convolve(dy, w, pads, dilation):
        return _convolved(xp, PLAIN, dy, w, (1, 1), pads, dilation, group)

    geometry = geometry_of(x_shape, w[taps].shape, stride, pads, dilation)
    return grad_input.grad_input(xp, convolve, dy, w[taps], x_shape, pads, geometry, group)


@quiet
def conv2d_grad_weight(xp, dy, x, w_shape, stride, pads, dilation, group):
    """The gradient of w: ``dw[o] = sum over images and positions of dy[n, o, r, c] times the window there``."""
    w_shape, dw = tuple(w_shape), xp.zeros(w_shape, dy.dtype)
    found = met(x.shape, w_shape, stride, pads, dilation)
    if found is None or _is_empty(x.shape, w_shape):
        return dw
    taps, pads = found
    shape = dw[taps].shape
    geometry = geometry_of(x.shape, shape, stride, pads, dilation)
    part = _correlated(xp, dy, x, shape, pads, geometry, group)
    if shape == w_shape:
        return part
    dw[taps] = part
    return dw


def form_of(xp, forms, name, x_shape, w_shape, pads, geometry, group):
    """The device's cheapest form of the pass ``name``."""
    if xp is np:
        return cheapest(forms, name, x_shape, w_shape, pads, geometry, group)[0]
    return cheapest(_PORTABLE, name, x_shape, w_shape, pads, geometry, group)[0]


def _convolved(xp, forms, x, w, stride, pads, dilation, group):
    """The forward pass in the cheapest of ``forms``."""
    geometry = geometry_of(x.shape, w.shape, stride, pads, dilation)
    form = form_of(xp, forms, "forward", x.shape, w.shape, pads, geometry, group)
    y = form.forward(xp, x, w, pads, geometry, group)
    return rows.forward(xp, x, w, pads, geometry, group) if is_wrong(form, "forward", y) else y


def _correlated(xp, dy, x, w_shape, pads, geometry, group):
    """The gradient of the weights in the cheapest of its forms."""
    form = form_of(xp, _TO_WEIGHT, "grad_weight", x.shape, w_shape, pads, geometry, group)
    dw = form.grad_weight(xp, dy, x, w_shape, pads, geometry, group)
    wrong = is_wrong(form, "grad_weight", dw)
    return rows.grad_weight(xp, dy, x, w_shape, pads, geometry, group) if wrong else dw


def _is_empty(x_shape, w_shape):
    return 0 in (*x_shape, *w_shape)
