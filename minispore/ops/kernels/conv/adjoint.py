"""Convolution as the adjoint of another one, which takes y to x by the reversed kernel, with stride 1.

The forward pass is then a gradient of the input by columns: weights times x, added where they belong. The gradient of
the weights unrolls dy in place of x. This is the form of few output channels of many inputs, whose dy is the smaller.
"""

import math

from minispore.ops.kernels.conv import grad_columns, grad_rows, im2col
from minispore.ops.kernels.conv.choice import cheapest
from minispore.ops.kernels.conv.geometry import geometry_of
from minispore.ops.kernels.conv.work import of_moves, of_turning, total

SPREADS = ("grad_weight",)
_TURNED = grad_rows, im2col  # forms of the gradient of the weights, for which x and dy change places


def forward(xp, x, w, pads, geometry, group):
    """``y`` (N, O, OH, OW): weights times x, added to the windows' pixels; with a stride, some of these are dropped."""
    sizes = _turned(x.shape, w.shape, pads, geometry, group)
    y = grad_columns.grad_input(xp, x, _reversed(xp, w, group), *sizes, group)
    down, across = geometry.stride
    return xp.ascontiguousarray(y[:, :, ::down, ::across])


def grad_weight(xp, dy, x, w_shape, pads, geometry, group):
    """``dw`` (O, C/group, KH, KW): x times the unrolled dy; a stride puts zeros between the pixels of dy."""
    y_shape, turned_pads, turned = _turned(x.shape, w_shape, pads, geometry, group)
    sizes = y_shape, _turned_shape(w_shape, group), turned_pads, turned, group
    if geometry.stride != (1, 1):
        spread, (down, across) = xp.zeros(y_shape, dy.dtype), geometry.stride
        spread[:, :, ::down, ::across] = dy
        dy = spread
    form, _ = cheapest(_TURNED, "grad_weight", *sizes)
    return _reversed(xp, form.grad_weight(xp, x, dy, *sizes[1:]), group)


def forward_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`forward`; None where there is more padding than the kernel reaches."""
    if not _fits(pads, geometry):
        return None
    y_shape, turned_pads, turned = _turned(x_shape, w_shape, pads, geometry, group)
    columns = grad_columns.grad_input_work(y_shape, _turned_shape(w_shape, group), turned_pads, turned, group)
    kept = x_shape[0] * w_shape[0] * geometry.out[0] * geometry.out[1] if geometry.stride != (1, 1) else 0
    return total(columns, of_turning(math.prod(w_shape)), of_moves(kept, 1))


def grad_weight_work(x_shape, w_shape, pads, geometry, group):
    """The work of :func:`grad_weight`; None where there is more padding than the kernel reaches."""
    if not _fits(pads, geometry):
        return None
    y_shape, turned_pads, turned = _turned(x_shape, w_shape, pads, geometry, group)
    _, work = cheapest(_TURNED, "grad_weight", y_shape, _turned_shape(w_shape, group), turned_pads, turned, group)
    spread = math.prod(y_shape) if geometry.stride != (1, 1) else 0
    return total(work, of_turning(math.prod(w_shape)), of_moves(spread, 1))


def _reach(geometry):
    """The distance of the kernel's last element from its first, along both axes."""
    return [d * (k - 1) for d, k in zip(geometry.dilation, geometry.kernel, strict=True)]


def _fits(pads, geometry):
    vertical, horizontal = _reach(geometry)
    return max(pads[:2]) <= vertical and max(pads[2:]) <= horizontal


def _turned(x_shape, w_shape, pads, geometry, group):
    """The shape of y with stride 1, and pads and geometry of the convolution that takes it to x."""
    vertical, horizontal = _reach(geometry)
    y_shape = (x_shape[0], w_shape[0], geometry.padded[0] - vertical, geometry.padded[1] - horizontal)
    turned_pads = (vertical - pads[0], vertical - pads[1], horizontal - pads[2], horizontal - pads[3])
    turned = geometry_of(y_shape, _turned_shape(w_shape, group), (1, 1), turned_pads, geometry.dilation)
    return y_shape, turned_pads, turned


def _turned_shape(w_shape, group):
    made, taken, *kernel = w_shape
    return (group * taken, made // group, *kernel)


def _reversed(xp, w, group):
    """(O, C/group, KH, KW) to (C, O/group, KH, KW), the elements of each kernel in reverse order."""
    made, taken, *kernel = w.shape
    swapped = w.reshape(group, made // group, taken, *kernel).swapaxes(1, 2)[..., ::-1, ::-1]
    return xp.ascontiguousarray(swapped).reshape(_turned_shape(w.shape, group))
