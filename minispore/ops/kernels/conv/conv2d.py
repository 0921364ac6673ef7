"""Two-dimensional convolution and its two gradients: the algorithm is chosen by the counted work for the sizes.

All of them take float32 or float64 arrays: x (N, C, H, W) and w (O, C/group, KH, KW). ``stride`` and ``dilation`` are
(vertical, horizontal), ``pads`` is (top, bottom, left, right). They are cross-correlations, as in all deep learning.
"""

import functools
from typing import NamedTuple

import numpy as np

from minispore.ops.kernels.conv import adjoint, bands, grad_input, grad_rows, im2col, rows, whole
from minispore.ops.kernels.conv.choice import PLAIN, cheapest, is_wrong
from minispore.ops.kernels.conv.geometry import geometry_of, met
from minispore.ops.kernels.errstate import quiet

FORMS = {"forward": (*PLAIN, whole, adjoint), "grad_weight": (grad_rows, im2col, bands, whole, adjoint)}
_PORTABLE = (im2col,)  # on every device


class Plan(NamedTuple):
    """All that the sizes of a pass decide, which is worked out once."""

    taps: tuple  # an index of the weights that meet pixels; None for all of them
    pads: tuple  # for these
    geometry: tuple
    form: object  # None where nothing is multiplied: the result is 0


@functools.lru_cache(maxsize=4096)
def plan_of(forms, name, x_shape, w_shape, stride, pads, dilation, group):
    """The plan of the pass ``name``, "forward" or "grad_weight", in the cheapest of ``forms``."""
    found = met(x_shape, w_shape, stride, pads, dilation)
    if found is None or 0 in (*x_shape, *w_shape):
        return Plan(None, pads, geometry_of(x_shape, w_shape, stride, pads, dilation), None)
    taps, pads = found
    shape = tuple(len(range(n)[tap]) for n, tap in zip(w_shape, taps, strict=True))
    geometry = geometry_of(x_shape, shape, stride, pads, dilation)
    form, _ = cheapest(forms, name, x_shape, shape, pads, geometry, group)
    return Plan(None if shape == w_shape else taps, pads, geometry, form)


def _there(xp, forms):
    """Those of the forms that the device of an array module has."""
    if xp is np:
        return forms
    return _PORTABLE


@quiet
def conv2d(xp, x, w, stride, pads, dilation, group):
    """``y[n, o, r, c] = sum over the window at (r, c) of the padded x times w[o]``, (N, O, OH, OW)."""
    sizes = x.shape, w.shape, stride, pads, dilation, group
    taps, pads, geometry, form = plan_of(_there(xp, FORMS["forward"]), "forward", *sizes)
    if form is None:
        return xp.zeros((x.shape[0], w.shape[0], *geometry.out), x.dtype)
    w = w if taps is None else w[taps]
    return _convolved(form, xp, x, w, pads, geometry, group)


@quiet
def conv2d_grad_input(xp, dy, w, x_shape, stride, pads, dilation, group):
    """The gradient of x: every window gathers its dy times the weights; (N, C, H, W), 0 where no window came."""
    x_shape = tuple(x_shape)
    found = met(x_shape, w.shape, stride, pads, dilation)
    if found is None or 0 in (*x_shape, *w.shape):
        return xp.zeros(x_shape, dy.dtype)
    taps, pads = found

    convolve = functools.partial(convolved, xp, group=group)
    geometry = geometry_of(x_shape, w[taps].shape, stride, pads, dilation)
    return grad_input.grad_input(xp, convolve, dy, w[taps], x_shape, pads, geometry, group)


@quiet
def conv2d_grad_weight(xp, dy, x, w_shape, stride, pads, dilation, group):
    """The gradient of w: ``dw[o] = sum over images and positions of dy[n, o, r, c] times the window there``."""
    w_shape = tuple(w_shape)
    sizes = x.shape, w_shape, stride, pads, dilation, group
    taps, pads, geometry, form = plan_of(_there(xp, FORMS["grad_weight"]), "grad_weight", *sizes)
    if form is not None and taps is None:
        return _correlated(form, xp, dy, x, w_shape, pads, geometry, group)
    dw = xp.zeros(w_shape, dy.dtype)
    if form is not None:
        dw[taps] = _correlated(form, xp, dy, x, dw[taps].shape, pads, geometry, group)
    return dw


def form_of(xp, forms, name, x_shape, w_shape, pads, geometry, group):
    """The device's cheapest form of the pass ``name``."""
    return cheapest(_there(xp, forms), name, x_shape, w_shape, pads, geometry, group)[0]


def convolved(xp, x, w, pads, dilation, group):
    """The convolution of stride 1, in the cheapest of the forms that others may build upon."""
    geometry = geometry_of(x.shape, w.shape, (1, 1), pads, dilation)
    form = form_of(xp, PLAIN, "forward", x.shape, w.shape, pads, geometry, group)
    return _convolved(form, xp, x, w, pads, geometry, group)


def _convolved(form, xp, x, w, pads, geometry, group):
    """The forward pass in a form; in one that is always right where its result may be wrong."""
    y = form.forward(xp, x, w, pads, geometry, group)
    return rows.forward(xp, x, w, pads, geometry, group) if is_wrong(form, "forward", y) else y


def _correlated(form, xp, dy, x, w_shape, pads, geometry, group):
    """The gradient of the weights in a form; in one that is always right where its result may be wrong."""
    dw = form.grad_weight(xp, dy, x, w_shape, pads, geometry, group)
    wrong = is_wrong(form, "grad_weight", dw)
    return grad_rows.grad_weight(xp, dy, x, w_shape, pads, geometry, group) if wrong else dw
