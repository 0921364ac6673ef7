"""The gradient of a convolution's input: which of its forms to take, by the counted work of each.

The phases of dx are dy, padded, convolved with the reversed kernel (``grad_phases.py``). The columns are weights times
dy, added to their windows (``grad_columns.py``). The first is faster as long as dy is about as large as x. A kernel
about as wide as its input leaves a dy of few pixels, and the first would multiply its padding. For groups of few
channels the kernel is written as a matrix, by rows (``bands.py``) or as a whole (``whole.py``).
"""

import numpy as np

from minispore.ops.kernels.conv import bands, grad_columns, grad_phases, whole
from minispore.ops.kernels.conv.choice import cheapest, is_wrong

_PORTABLE = grad_phases, grad_columns  # on every device
FORMS = *_PORTABLE, bands, whole


def form_of(xp, x_shape, w_shape, pads, geometry, group):
    """The device's cheapest form, and its work."""
    if xp is np:
        return cheapest(FORMS, "grad_input", x_shape, w_shape, pads, geometry, group)
    return cheapest(_PORTABLE, "portable_grad_input", x_shape, w_shape, pads, geometry, group)


def grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group):
    """``dx`` (N, C, H, W), 0 where no window came; ``convolve(dy, w, pads, dilation)`` has stride 1."""
    form, _ = form_of(xp, x_shape, w.shape, pads, geometry, group)
    if form is not grad_phases:
        dx = form.grad_input(xp, dy, w, x_shape, pads, geometry, group)
        if not is_wrong(form, "grad_input", dx):
            return dx
    return grad_phases.grad_input(xp, convolve, dy, w, x_shape, pads, geometry, group)
