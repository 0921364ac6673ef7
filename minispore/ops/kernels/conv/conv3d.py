"""Three-dimensional convolution and its two gradients, as two-dimensional ones over planes.

The planes that the kernel's depth meets at one output depth are laid side by side as channels. There the kernel is a
two-dimensional one, read as (O, C/group * KD, KH, KW). Arguments as in the two-dimensional functions, with one more
axis, the depth, in front. So x is (N, C, D, H, W), w (O, C/group, KD, KH, KW), pads (front, back, top, bottom, left,
right).
"""

from minispore.ops.kernels.conv.conv2d import conv2d, conv2d_grad_input, conv2d_grad_weight
from minispore.ops.kernels.conv.geometry import geometry_of, pad, unpad


def conv3d(xp, x, w, stride, pads, dilation, group):
    """``y[n, o, q, r, c] = sum over the window at (q, r, c) of the padded x times w[o]``, (N, O, OD, OH, OW)."""
    depth = _depth(x.shape, w.shape, stride, pads, dilation)
    planes = _unfolded(xp, x, pads, depth)
    y = conv2d(xp, planes, w.reshape(_flat(w.shape)), stride[1:], pads[2:], dilation[1:], group)
    volumes = y.reshape(x.shape[0], depth.out[0], *y.shape[1:]).swapaxes(1, 2)
    return xp.ascontiguousarray(volumes)


def conv3d_grad_input(xp, dy, w, x_shape, stride, pads, dilation, group):
    """The gradient of x: every window gathers its dy times the weights; (N, C, D, H, W), 0 where no window came."""
    depth = _depth(x_shape, w.shape, stride, pads, dilation)
    shape = (x_shape[0] * depth.out[0], x_shape[1] * depth.kernel[0], *x_shape[3:])
    arguments = _planes(xp, dy), w.reshape(_flat(w.shape)), shape, stride[1:], pads[2:], dilation[1:], group
    return _folded(xp, conv2d_grad_input(xp, *arguments), x_shape, pads, depth)


def conv3d_grad_weight(xp, dy, x, w_shape, stride, pads, dilation, group):
    """The gradient of w: ``dw[o] = sum over images and positions of dy[n, o, q, r, c] times the window there``."""
    planes = _unfolded(xp, x, pads, _depth(x.shape, w_shape, stride, pads, dilation))
    arguments = _planes(xp, dy), planes, _flat(w_shape), stride[1:], pads[2:], dilation[1:], group
    return conv2d_grad_weight(xp, *arguments).reshape(w_shape)


def _depth(x_shape, w_shape, stride, pads, dilation):
    """The geometry along the depth, of volumes seen as images (N, C, D, H * W)."""
    images, kernel = _as_images(x_shape), (*w_shape[:3], 1)
    return geometry_of(images, kernel, (stride[0], 1), (*pads[:2], 0, 0), (dilation[0], 1))


def _as_images(x_shape):
    return *x_shape[:3], x_shape[3] * x_shape[4]


def _flat(w_shape):
    """The shape of the kernel whose channels are the channels and depths of ``w_shape``."""
    made, taken, depth, height, width = w_shape
    return made, taken * depth, height, width


def _planes(xp, y):
    """(N, O, OD, OH, OW) to (N * OD, O, OH, OW)."""
    n, made, depth, height, width = y.shape
    return xp.ascontiguousarray(y.swapaxes(1, 2)).reshape(n * depth, made, height, width)


def _unfolded(xp, x, pads, depth):
    """(N * OD, C * KD, H, W): the planes that each output depth reads, as channels."""
    (n, c, _, height, width), taps, out = x.shape, depth.kernel[0], depth.out[0]
    padded = pad(xp, x.reshape(_as_images(x.shape)), (*pads[:2], 0, 0))
    planes = xp.empty((n, out, c, taps, height * width), x.dtype)
    for i, _, (rows, _) in depth.taps() if out else ():
        planes[:, :, :, i] = padded[:, :, rows].swapaxes(1, 2)
    return planes.reshape(n * out, c * taps, height, width)


def _folded(xp, planes, x_shape, pads, depth):
    """The adjoint of :func:`_unfolded`: each pixel of x gathers the planes that it was copied to."""
    n, c, _, pixels = _as_images(x_shape)
    planes = planes.reshape(n, depth.out[0], c, depth.kernel[0], pixels)
    padded = xp.zeros((n, c, depth.padded[0], pixels), planes.dtype)
    for i, _, (rows, _) in depth.taps() if depth.out[0] else ():
        padded[:, :, rows] += planes[:, :, :, i].swapaxes(1, 2)
    return xp.ascontiguousarray(unpad(padded, (*pads[:2], 0, 0))).reshape(x_shape)
