"""Convolution and its two gradients by columns and one batched product of cuBLAS: two or three launches each.

The forward pass and the weight's gradient make the same columns (im2col). The input's gradient gathers them back
(col2im): each number of x from its windows in a fixed order.
"""

import numpy as np

from minispore.devices.cuda.gemm import gemm
from minispore.devices.cuda.launch import elementwise

__all__ = []

_SIZES = (
    "int32 h, int32 w, int32 oh, int32 ow, int32 kh, int32 kw, "
    "int32 sy, int32 sx, int32 dy, int32 dx, int32 top, int32 left"
)
_IM2COL = (
    "im2col",
    f"raw T x, {_SIZES}",
    "T column",
    """
    int ox = i % ow, oy = i / ow % oh;
    long long plane = i / ow / oh;
    int kx = plane % kw, ky = plane / kw % kh;
    plane /= kw * kh;
    int y = oy * sy + ky * dy - top, at = ox * sx + kx * dx - left;
    column = y >= 0 && y < h && at >= 0 && at < w ? x[(plane * h + y) * w + at] : T(0.f);
    """,
)
_COL2IM = (
    "col2im",
    f"raw T columns, {_SIZES}",
    "T x",
    """
    int at = i % w + left, y = i / w % h + top;
    long long plane = i / w / h;
    float sum = 0;
    for (int ky = 0; ky < kh; ky++) {
      int a = y - ky * dy;
      if (a < 0 || a % sy || a / sy >= oh) continue;
      for (int kx = 0; kx < kw; kx++) {
        int b = at - kx * dx;
        if (b < 0 || b % sx || b / sx >= ow) continue;
        sum += float(columns[(((plane * kh + ky) * kw + kx) * oh + a / sy) * ow + b / sx]);
      }
    }
    x = T(sum);
    """,
)
_SUM_OVER_IMAGES = (
    "sum_over_images",
    "raw float32 parts, int32 images, int64 size",
    "T sum",
    "float total = 0; for (int n = 0; n < images; n++) total += parts[n * size + i]; sum = T(total);",
)


def conv2d(xp, x, w, y_shape, geometry):
    """Y (N, O, OH, OW)."""
    sizes, length, pixels = _sizes(x.shape, w.shape, y_shape, geometry), w[0].size, y_shape[2] * y_shape[3]
    columns, y = _columns(xp, x, sizes, length), xp.empty(y_shape, x.dtype)
    strides = 0, length * pixels, y_shape[1] * pixels
    return gemm(xp, w, columns, y, y_shape[1], pixels, length, strides=strides, count=len(x))


def conv2d_grad_input(xp, dy, w, x_shape, geometry):
    """Dx (N, C, H, W)."""
    (n, made, *out), length = dy.shape, w[0].size
    sizes, pixels = _sizes(x_shape, w.shape, dy.shape, geometry), out[0] * out[1]
    columns = xp.empty((n, length, pixels), dy.dtype)
    strides = 0, made * pixels, length * pixels
    gemm(xp, w, dy, columns, length, pixels, made, a_turned=True, strides=strides, count=n)
    dx = columns.reshape(x_shape) if _are_columns(sizes) else xp.empty(x_shape, dy.dtype)
    return dx if _are_columns(sizes) else elementwise(xp, *_COL2IM)(columns, *sizes, dx)


def conv2d_grad_weight(xp, dy, x, w_shape, geometry):
    """Dw (O, C, KH, KW), summed over the images in their order, in float32."""
    (n, made, *out), length = dy.shape, int(np.prod(w_shape[1:]))
    sizes, pixels = _sizes(x.shape, w_shape, dy.shape, geometry), out[0] * out[1]
    columns, parts = _columns(xp, x, sizes, length), xp.empty((n, made * length), np.float32)
    strides = made * pixels, length * pixels, made * length
    gemm(xp, dy, columns, parts, made, length, pixels, b_turned=True, strides=strides, count=n)
    return elementwise(xp, *_SUM_OVER_IMAGES)(parts, n, made * length, xp.empty(w_shape, dy.dtype))


def _sizes(x_shape, w_shape, y_shape, geometry):
    stride, pads, dilation, _ = geometry
    return (*x_shape[2:], *y_shape[2:], *w_shape[2:], *stride, *dilation, pads[0], pads[2])


def is_pointwise(x_shape, w_shape, y_shape, geometry):
    """True if the columns are x itself: a kernel of 1 x 1, no stride, no padding."""
    return _are_columns(_sizes(x_shape, w_shape, y_shape, geometry))


def _are_columns(sizes):
    return sizes[4:8] == (1, 1, 1, 1) and sizes[:2] == sizes[2:4]


def _columns(xp, x, sizes, length):
    """X as (N, C * KH * KW, OH * OW): in each column the numbers of one window."""
    if _are_columns(sizes):
        return x
    return elementwise(xp, *_IM2COL)(x, *sizes, xp.empty((len(x), length, sizes[2] * sizes[3]), x.dtype))
