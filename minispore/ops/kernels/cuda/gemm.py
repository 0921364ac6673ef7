"""Matrix products by cuBLAS: float16 and bfloat16 accumulated in float32 and rounded once, on tensor cores."""

import numpy as np

__all__ = []

_CUDA_TYPES = {"float32": 0, "float16": 2, "bfloat16": 14}  # cudaDataType: CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF
_COMPUTE_32F, _DEFAULT_ALGORITHM = 68, -1
_SAME, _NONE = (0, 0, 0), (None, None, None)  # the gaps between matrices, and those between rows
_ONE, _ZERO = np.array(1, np.float32), np.array(0, np.float32)


def gemm(
    xp, a, b, c, rows, columns, length, *, a_turned=False, b_turned=False, strides=_SAME, count=1, gaps=_NONE, add=False
):
    """``c = a @ b``, or ``c += a @ b``, for ``count`` pairs of matrices laid out row by row; returns c.

    a is (rows, length), or (length, rows) where it is turned; b is (length, columns), or turned. ``strides`` are the
    numbers from one matrix of a, b and c to the next: 0 where all use the same one; ``gaps`` those from one row to
    the next, None where the rows have no gaps. c may be float32 where a and b are narrow.
    """
    of_a, of_b, of_c = gaps
    beta = _ONE if add else _ZERO
    # cuBLAS counts by columns: it sees the transposes, and computes c' = b' a'
    xp.cuda.cublas.gemmStridedBatchedEx(
        *(xp.cuda.device.get_cublas_handle(), int(b_turned), int(a_turned), columns, rows, length, _ONE.ctypes.data),
        *(b.data.ptr, _CUDA_TYPES[b.dtype.name], of_b or (length if b_turned else columns), strides[1]),
        *(a.data.ptr, _CUDA_TYPES[a.dtype.name], of_a or (rows if a_turned else length), strides[0]),
        *(beta.ctypes.data, c.data.ptr, _CUDA_TYPES[c.dtype.name], of_c or columns, strides[2]),
        *(count, _COMPUTE_32F, _DEFAULT_ALGORITHM),
    )
    return c


def by_rows(x):
    """The numbers from one row of a matrix to the next; None unless each row is contiguous and rows do not overlap."""
    width, item = x.shape[1], x.dtype.itemsize
    if x.dtype.name not in _CUDA_TYPES or not x.size or (width > 1 and x.strides[1] != item):
        return None
    if len(x) == 1:
        return width
    gap, rest = divmod(x.strides[0], item)
    return gap if gap >= width and not rest else None


def matmul(xp, a, b, a_turned=False, b_turned=False):
    """``a @ b`` of float16 or bfloat16 over the last two axes; None for other dtypes, and for broadcast batches."""
    if a.dtype.name not in ("float16", "bfloat16") or a.dtype != b.dtype or not a.size or not b.size:
        return None
    if a.ndim != b.ndim or a.ndim < 2 or a.shape[:-2] != b.shape[:-2]:
        return None
    a, b = xp.ascontiguousarray(a), xp.ascontiguousarray(b)
    rows, length = a.shape[:-3:-1] if a_turned else a.shape[-2:]
    columns = b.shape[-2] if b_turned else b.shape[-1]
    out = xp.empty((*a.shape[:-2], rows, columns), a.dtype)
    strides = rows * length, length * columns, rows * columns
    count = out.size // strides[2]
    turned = {"a_turned": a_turned, "b_turned": b_turned}
    return gemm(xp, a, b, out, rows, columns, length, **turned, strides=strides, count=count)
