"""Pooling and its gradients: one launch each. The gradients are gathered by the pixels: no two sums collide."""

from minispore.devices.cuda.launch import elementwise, row_by_row, takes

__all__ = []

_SIZES = "int32 h, int32 w, int32 oh, int32 ow, int32 kh, int32 kw, int32 sy, int32 sx, int32 top, int32 left"
_MAXIMA = (
    "max_pool2d",
    f"raw T x, {_SIZES}",
    "T y",
    """
    int ox = i % ow, oy = i / ow % oh;
    long long plane = i / ow / oh;
    float best = -__int_as_float(0x7f800000);
    for (int a = 0; a < kh; a++) for (int b = 0; b < kw; b++) {
      int row = oy * sy + a - top, column = ox * sx + b - left;
      if (row < 0 || row >= h || column < 0 || column >= w) continue;
      float v = float(x[(plane * h + row) * w + column]);
      if (v > best || v != v) best = v;  // a nan stays: no comparison with it holds but the second, of another nan
    }
    y = T(best);
    """,
)
_TO_WINNERS = (
    "max_pool2d_grad",
    f"raw T x, raw T y, raw T dy, {_SIZES}",
    "T dx",
    """
    int column = i % w, row = i / w % h;
    long long plane = i / w / h;
    float sum = 0, mine = float(x[i]);
    for (int oy = max(0, (row + top - kh + sy) / sy); oy < oh && oy * sy - top <= row; oy++)
      for (int ox = max(0, (column + left - kw + sx) / sx); ox < ow && ox * sx - left <= column; ox++) {
        long long window = (plane * oh + oy) * ow + ox;
        float best = float(y[window]);
        if (!(mine == best || (mine != mine && best != best))) continue;
        bool first = true;  // no earlier pixel of the window is the maximum too
        for (int a = 0; a < kh && first; a++) for (int b = 0; b < kw; b++) {
          int r = oy * sy + a - top, c = ox * sx + b - left;
          if (r > row || (r == row && c >= column)) break;
          if (r < 0 || c < 0 || r >= h || c >= w) continue;
          float other = float(x[(plane * h + r) * w + c]);
          if (other == best || (other != other && best != best)) { first = false; break; }
        }
        if (first) sum += float(dy[window]);
      }
    dx = T(sum);
    """,
)
# The number of a window's pixels that count, by its first pixel: in the image, or in so many around it; or the divisor.
_COUNTED = "int32 above, int32 below, int32 before, int32 behind, int32 divisor"
_COUNT = """
      int tall = min(top_row + kh, h + below) - max(top_row, -above);
      int wide = min(left_column + kw, w + behind) - max(left_column, -before);
      int count = divisor ? divisor : max(tall * wide, 1);
"""
_MEANS = (
    "avg_pool2d",
    f"raw T x, {_SIZES}, {_COUNTED}",
    "T y",
    f"""
      int top_row = i / ow % oh * sy - top, left_column = i % ow * sx - left;
      long long plane = i / ow / oh;
      float sum = 0;
      for (int row = max(0, top_row); row < min(top_row + kh, h); row++)
        for (int column = max(0, left_column); column < min(left_column + kw, w); column++)
          sum += float(x[(plane * h + row) * w + column]);
      {_COUNT}
      y = T(sum / count);
    """,
)
_SHARES = (
    "avg_pool2d_grad",
    f"raw T dy, {_SIZES}, {_COUNTED}",
    "T dx",
    f"""
      int column = i % w, row = i / w % h;
      long long plane = i / w / h;
      float sum = 0;
      for (int oy = max(0, (row + top - kh + sy) / sy); oy < oh && oy * sy - top <= row; oy++)
        for (int ox = max(0, (column + left - kw + sx) / sx); ox < ow && ox * sx - left <= column; ox++) {{
          int top_row = oy * sy - top, left_column = ox * sx - left;
          {_COUNT}
          sum += float(dy[(plane * oh + oy) * ow + ox]) / count;
        }}
      dx = T(sum);
    """,
)


@row_by_row
def max_pool2d(xp, x, y_shape, kernel, stride, pads):
    """Y (N, C, OH, OW); a nan of a window is its maximum. None for arrays that the kernel does not take."""
    if not takes(x):
        return None
    return elementwise(xp, *_MAXIMA)(x, *_sizes(x.shape, y_shape, kernel, stride, pads), xp.empty(y_shape, x.dtype))


@row_by_row
def max_pool2d_grad(xp, x, y, dy, kernel, stride, pads):
    """dx: each dy goes to the first pixel, row by row, of its window that equals y (or is nan like y)."""
    if not takes(x, y, dy):
        return None
    sizes = _sizes(x.shape, y.shape, kernel, stride, pads)
    return elementwise(xp, *_TO_WINNERS)(x, y, dy, *sizes, xp.empty(x.shape, x.dtype))


@row_by_row
def avg_pool2d(xp, x, y_shape, kernel, stride, pads, counted, divisor):
    """Y (N, C, OH, OW): each window's sum by how many of its pixels count, or by the divisor; None likewise."""
    if not takes(x):
        return None
    sizes = *_sizes(x.shape, y_shape, kernel, stride, pads), *counted, divisor or 0
    return elementwise(xp, *_MEANS)(x, *sizes, xp.empty(y_shape, x.dtype))


@row_by_row
def avg_pool2d_grad(xp, dy, x_shape, kernel, stride, pads, counted, divisor):
    """dx: each pixel gathers its share of dy from every window that it is in."""
    if not takes(dy):
        return None
    sizes = *_sizes(x_shape, dy.shape, kernel, stride, pads), *counted, divisor or 0
    return elementwise(xp, *_SHARES)(dy, *sizes, xp.empty(x_shape, dy.dtype))


def _sizes(x_shape, y_shape, kernel, stride, pads):
    return (*x_shape[2:], *y_shape[2:], *kernel, *stride, pads[0], pads[2])
