"""Convolutions of planes and their two gradients; volumes are computed by ``compute``."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import conv2d
from minispore.ops.operations.nn.conv import Conv2D, Conv2DBackpropFilter, Conv2DBackpropInput

__all__ = []


@kernel_of(Conv2D, "cuda")
def _conv2d(op, xp, x, w):
    return conv2d.conv2d(xp, x, w, op.output_shape(x.shape, w.shape), op.geometry(x.shape))


@kernel_of(Conv2DBackpropInput, "cuda")
def _to_input(op, xp, dy, w, x_shape):
    return conv2d.conv2d_grad_input(xp, dy, w, tuple(x_shape), op.geometry(x_shape))


@kernel_of(Conv2DBackpropFilter, "cuda")
def _to_weight(op, xp, dy, x, w_shape):
    return conv2d.conv2d_grad_weight(xp, dy, x, tuple(w_shape), op.geometry(x.shape))
