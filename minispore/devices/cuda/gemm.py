"""Matrix products by cuBLAS: float16 and bfloat16 accumulated in float32 and rounded once, on tensor cores."""

import numpy as np

from minispore.devices.cuda import cublas

__all__ = []

_SAME, _NONE = (0, 0, 0), (None, None, None)  # the gaps between matrices, and those between rows


def gemm(
    xp, a, b, c, rows, columns, length, *, a_turned=False, b_turned=False, strides=_SAME, count=1, gaps=_NONE, add=False
):
    """``c = a @ b``, or ``c += a @ b``, for ``count`` pairs of matrices laid out row by row; returns c.

    a is (rows, length), or (length, rows) where it is turned; b is (length, columns), or turned. ``strides`` are the
    numbers from one matrix of a, b and c to the next: 0 if all use the same one. ``gaps`` are the numbers from one row
    to the next, None without gaps. c may be float32 if a and b are narrow.
    """
    of_a, of_b, of_c = gaps
    # cuBLAS counts by columns: it sees the transposes, and computes c' = b' a'
    cublas.gemm_strided_batched(
        *(xp, (b_turned, a_turned), (columns, rows, length)),
        (b, of_b or (length if b_turned else columns), strides[1]),
        (a, of_a or (rows if a_turned else length), strides[0]),
        *((c, of_c or columns, strides[2]), add, count),
    )
    return c


def by_rows(x):
    """The numbers from one row of a matrix to the next; None unless each row is contiguous and rows do not overlap."""
    width, item = x.shape[1], x.dtype.itemsize
    if not cublas.takes(x) or not x.size or (width > 1 and x.strides[1] != item):
        return None
    if len(x) == 1:
        return width
    gap, rest = divmod(x.strides[0], item)
    return gap if gap >= width and not rest else None


def matmul(xp, a, b, a_turned=False, b_turned=False, dtype=None):
    """``a @ b`` over the last two axes, the others broadcast, in their dtype or in ``dtype``, float32 of narrow ones.

    None for numbers that are not floats.
    """
    if not cublas.takes(a, b) or a.dtype != b.dtype or not a.size or not b.size or min(a.ndim, b.ndim) < 2:
        return None
    batch = a.shape[:-2]
    if batch != b.shape[:-2]:
        batch = np.broadcast_shapes(batch, b.shape[:-2])
        a, b = _of_batch(xp, a, batch), _of_batch(xp, b, batch)
    (a, a_turned), (b, b_turned) = _by_rows_or_turned(xp, a, a_turned), _by_rows_or_turned(xp, b, b_turned)
    rows, length = a.shape[:-3:-1] if a_turned else a.shape[-2:]
    columns = b.shape[-2] if b_turned else b.shape[-1]
    out = xp.empty((*batch, rows, columns), dtype or a.dtype)
    count = out.size // (rows * columns)
    strides = 0 if a.ndim == 2 else rows * length, 0 if b.ndim == 2 else length * columns, rows * columns
    turned = {"a_turned": a_turned, "b_turned": b_turned}
    return gemm(xp, a, b, out, rows, columns, length, **turned, strides=strides, count=count)


def _of_batch(xp, x, batch):
    """Spread x over a batch; a single matrix for all stays one."""
    matrix = x.shape[-2:]
    return x.reshape(matrix) if x.size == matrix[0] * matrix[1] else xp.broadcast_to(x, (*batch, *matrix))


def _by_rows_or_turned(xp, x, turned):
    """Give x laid out row by row; a transposed matrix keeps its memory, and is turned once more."""
    if x.ndim == 2 and x.flags.f_contiguous and not x.flags.c_contiguous:
        return x.T, not turned
    return xp.ascontiguousarray(x), turned
