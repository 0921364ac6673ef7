"""Matrix products in the layout that BLAS is fastest at: few rows transposed, large products shared by the workers."""

import numpy as np

from minispore.ops.kernels import workers
from minispore.ops.kernels.float16.cast import cached_cast
from minispore.ops.kernels.matmul_shared import in_parts

_SHARE = 6_000_000  # multiplications that a worker must have for its share to be worth the handing over: 0.1 ms
# A product of few rows is faster transposed with so many numbers in the weights: of 4 rows or more, 8, 16, 32, and 64
_WEIGHTS = *3 * (1 << 62,), 1 << 17, 1 << 16, 1 << 13, 1 << 13, 1 << 17


def factors(xp, a, b, transpose_a, transpose_b):
    """The arrays to multiply: ``a`` and ``b``, transposed if they are to be, and widened if they are narrow floats.

    CuPy's own product of two narrow matrices accumulates in float32 and rounds once. The exception is one row by one
    column: those products it would round and sum as they are.
    """
    if not _in_tensor_cores(xp, a, b, transpose_a, transpose_b):
        a, b = cached_cast(xp, a), cached_cast(xp, b)
    return _swap(a) if transpose_a else a, _swap(b) if transpose_b else b


def _in_tensor_cores(xp, a, b, transpose_a, transpose_b):
    if xp is np:
        return False
    one_number = a.shape[-1 if transpose_a else 0] == b.shape[0 if transpose_b else -1] == 1
    return a.ndim == b.ndim == 2 and not one_number


def _swap(x):
    return x.swapaxes(-1, -2)


def product(xp, a, b):
    """``a @ b`` over the last two axes, the others broadcast."""
    if xp is np and a.ndim == b.ndim > 1:
        parts = workers.useful(a.size * b.shape[-1], _SHARE)
        if parts > 1 or a.ndim > 2:
            return in_parts(a, b, parts)
        if len(a) <= 64 and b.size >= _WEIGHTS[len(a).bit_length()] and b.flags.f_contiguous:
            return np.ascontiguousarray(np.matmul(b.T, a.T).T)  # up to 1.7 times as fast as the product as it stands
        return np.matmul(a, b)
    return _by_a_device(xp, a, b)


_of_devices = []  # products ``(xp, a, b)`` of devices that have their own


def product_of_a_device(function):
    """Decorate a device's product of matrices, ``(xp, a, b)``; it returns None for arrays that it does not support."""
    _of_devices.append(function)
    return function


def _by_a_device(xp, a, b):
    for multiply in _of_devices:
        found = multiply(xp, a, b)
        if found is not None:
            return found
    return xp.matmul(a, b)


def product_into(xp, a, b, out):
    """``product(xp, a, b)``, written into ``out`` and returned; on the CPU by the thread that calls."""
    if xp is np:
        return np.multiply(a, b, out=out) if a.shape[-1] == 1 else np.matmul(a, b, out=out)
    out[...] = product(xp, a, b)
    return out
