"""Convolution of groups, depthwise too, and its two gradients, number by number: one launch each.

Sums are in float32 and rounded once. A group has few channels, with which tensor cores would have nothing to do.
"""

import numpy as np

from minispore.devices.cuda.launch import THREADS, elementwise, kernel

__all__ = []

_SIZES = (
    "int32 taken, int32 made, int32 h, int32 w, int32 oh, int32 ow, int32 kh, int32 kw, "
    "int32 sy, int32 sx, int32 dy, int32 dx, int32 top, int32 left, int32 group"
)
# taken and made are the channels of one group
_FORWARD = (
    "conv2d_groups",
    f"raw T x, raw T weight, {_SIZES}",
    "T y",
    """
    int ox = i % ow, oy = i / ow % oh, o = i / ow / oh % (made * group), image = i / ow / oh / (made * group);
    float sum = 0;
    for (int c = 0; c < taken; c++) {
      int plane = (image * group + o / made) * taken + c;
      for (int v = 0; v < kh; v++) {
        int row = oy * sy + v * dy - top;
        if (row < 0 || row >= h) continue;
        for (int u = 0; u < kw; u++) {
          int column = ox * sx + u * dx - left;
          if (column < 0 || column >= w) continue;
          sum += float(x[(plane * h + row) * w + column]) * float(weight[((o * taken + c) * kh + v) * kw + u]);
        }
      }
    }
    y = T(sum);
    """,
)
_TO_INPUT = (
    "conv2d_groups_grad_input",
    f"raw T slopes, raw T weight, {_SIZES}",
    "T x",
    """
    int column = i % w, row = i / w % h, c = i / w / h % (taken * group), image = i / w / h / (taken * group);
    float sum = 0;
    for (int m = 0; m < made; m++) {
      int o = c / taken * made + m, plane = image * group * made + o;
      for (int v = 0; v < kh; v++) {
        int oy = row + top - v * dy;
        if (oy < 0 || oy % sy || oy / sy >= oh) continue;
        for (int u = 0; u < kw; u++) {
          int ox = column + left - u * dx;
          if (ox < 0 || ox % sx || ox / sx >= ow) continue;
          sum += float(slopes[(plane * oh + oy / sy) * ow + ox / sx])
              * float(weight[((o * taken + c % taken) * kh + v) * kw + u]);
        }
      }
    }
    x = T(sum);
    """,
)


def conv2d(xp, x, w, y_shape, geometry):
    """Y (N, O, OH, OW)."""
    sizes = _sizes(x.shape, w.shape, y_shape, geometry)
    return elementwise(xp, *_FORWARD)(x, w, *sizes, xp.empty(y_shape, x.dtype))


def conv2d_grad_input(xp, dy, w, x_shape, geometry):
    """Dx (N, C, H, W), each number from its windows in a fixed order."""
    sizes = _sizes(x_shape, w.shape, dy.shape, geometry)
    return elementwise(xp, *_TO_INPUT)(dy, w, *sizes, xp.empty(x_shape, dy.dtype))


def conv2d_grad_weight(xp, dy, x, w_shape, geometry):
    """Dw (O, C, KH, KW): a block sums each number over all pixels of all images."""
    dw, sizes = xp.empty(w_shape, dy.dtype), _sizes(x.shape, w_shape, dy.shape, geometry)
    arguments = dy, x, np.int32(len(x)), *map(np.int32, sizes), dw
    kernel(xp, "conv2d_groups_weight_grad", "conv2d_groups_weight_grad", x.dtype)((dw.size,), (THREADS,), arguments)
    return dw


def _sizes(x_shape, w_shape, y_shape, geometry):
    stride, pads, dilation, group = geometry
    made = w_shape[0] // group
    return w_shape[1], made, *x_shape[2:], *y_shape[2:], *w_shape[2:], *stride, *dilation, pads[0], pads[2], group
