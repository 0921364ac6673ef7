"""Products of a few rows at a time, small enough that BLAS reads the factors where they lie (NumPy only).

OpenBLAS packs the factors of larger products first. Where one of them is slim, that takes as long as to multiply.
"""

import functools

import numpy as np

from minispore.ops.kernels.threads import blas_kernels

_MOST = 1_000_000  # multiplications of a product that these kernels of OpenBLAS do not pack
_KERNELS = {"SkylakeX", "Cooperlake", "SapphireRapids"}


@functools.cache
def most():
    """The multiplications of a product up to which BLAS does not pack it: 0 where it packs all."""
    return _MOST if blas_kernels() & _KERNELS else 0


def even_length(size, most):
    """The length of the longest of equal parts of ``size``, of ``most`` or fewer each."""
    return -(-size // -(-size // most))


def product_by_rows(a, b, out, step):
    """Write ``a @ b`` into ``out``, ``step`` rows at a time; the axes before the last two are broadcast."""
    rows = a.shape[-2]
    if step >= rows:
        np.matmul(a, b, out=out)
        return
    whole = rows - rows % step
    if whole:
        np.matmul(_cut(a[..., :whole, :], step), b[..., None, :, :], out=_cut(out[..., :whole, :], step))
    if whole < rows:
        np.matmul(a[..., whole:, :], b, out=out[..., whole:, :])


def _cut(x, step):
    """(..., rows / step, step, columns): a view."""
    return x.reshape(*x.shape[:-2], -1, step, x.shape[-1])
