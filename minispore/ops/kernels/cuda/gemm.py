"""Matrix products by cuBLAS: float16 and bfloat16 accumulated in float32 and rounded once, on tensor cores."""

import numpy as np

__all__ = []

_CUDA_TYPES = {"float32": 0, "float16": 2, "bfloat16": 14}  # cudaDataType: CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF
_COMPUTE_32F, _DEFAULT_ALGORITHM = 68, -1
_ONE, _ZERO = np.array(1, np.float32), np.array(0, np.float32)


def gemm(xp, a, b, c, rows, columns, length, *, a_turned=False, b_turned=False, strides=(0, 0, 0), count=1):
    """``c = a @ b`` for ``count`` pairs of matrices laid out row by row; returns c.

    a is (rows, length), or (length, rows) where it is turned; b is (length, columns), or turned. ``strides`` are the
    numbers from one matrix of a, b and c to the next: 0 where all use the same one.
    """
    # cuBLAS counts by columns: it sees the transposes, and computes c' = b' a'
    xp.cuda.cublas.gemmStridedBatchedEx(
        *(xp.cuda.device.get_cublas_handle(), int(b_turned), int(a_turned), columns, rows, length, _ONE.ctypes.data),
        *(b.data.ptr, _CUDA_TYPES[b.dtype.name], length if b_turned else columns, strides[1]),
        *(a.data.ptr, _CUDA_TYPES[a.dtype.name], rows if a_turned else length, strides[0]),
        *(_ZERO.ctypes.data, c.data.ptr, _CUDA_TYPES[c.dtype.name], columns, strides[2]),
        *(count, _COMPUTE_32F, _DEFAULT_ALGORITHM),
    )
    return c


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
