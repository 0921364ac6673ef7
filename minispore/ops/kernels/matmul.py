"""Matrix products in the layout that BLAS is fastest at: few rows transposed, large products shared by the workers."""

import math

import numpy as np

from minispore.ops.kernels import workers
from minispore.ops.kernels.float16.cast import cached_cast

_SHARE = 6_000_000  # multiplications that a worker must have for its share to be worth the handing over: 0.1 ms
_SHARE_OF_SMALL = 4_000_000  # the same where each pair of matrices is small, which takes longer
_AHEAD = 1_500_000  # what the calling thread does until a worker has woken: about 30 microseconds
_SMALL = 1 << 19  # multiplications of a pair that BLAS does without packing the factors
_REPAID = 32  # rows of ``a`` that repay the copy of ``b``
_FEW, _HEAVY = 64, 1 << 17  # rows, and numbers in the weights
_EDGE = 16  # pieces begin at multiples of it: BLAS then computes each number as it does in the whole


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
        if a.ndim > 2:
            return _of_batch(a, b)
        parts = workers.useful(a.size * b.shape[1], _SHARE)
        if parts > 1:
            return (_by_rows if 2 * len(a) >= b.shape[1] else _by_columns)(a, b, parts)
        if 4 <= len(a) <= _FEW and b.size >= _HEAVY and b.flags.f_contiguous:
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


def _pieces(length, parts, each, edge=_EDGE):
    """Slices of ``length``, each unit ``each`` multiplications; the first is longer: its thread begins at once."""
    later = max(edge, (length - _AHEAD // max(1, each)) // parts // edge * edge)
    first = max(later, length - (parts - 1) * later)
    first += -first % edge
    return [slice(0, first), *(slice(start, start + later) for start in range(first, length, later))]


def _by_rows(a, b, parts):
    out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    workers.share(lambda part: np.matmul(a[part], b, out=out[part]), _pieces(len(a), parts, b.size))
    return out


def _by_columns(a, b, parts):
    out = np.empty((a.shape[0], b.shape[1]), a.dtype)

    def work(part):
        out[:, part] = np.matmul(a, b[:, part])

    workers.share(work, _pieces(b.shape[1], parts, a.size))
    return out


def _of_batch(a, b):
    """The product of matrices pair by pair, shared by the workers; the pairs are spread over the batch's first axis."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    shape = (*batch, a.shape[-2], b.shape[-1])
    parts = workers.useful(math.prod(shape) * a.shape[-1], _SHARE_OF_SMALL)
    row_by_row = _is_small_by_rows(a, b)
    if parts < 2 and not row_by_row:
        return np.matmul(a, b)
    a, b = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
    out = np.empty(shape, a.dtype)

    def work(part):
        factor = np.ascontiguousarray(b[part]) if row_by_row else b[part]
        np.matmul(a[part], factor, out=out[part])

    workers.share(work, _pieces(batch[0], parts, math.prod(shape[1:]) * a.shape[-1], edge=1))
    return out


def _is_small_by_rows(a, b):
    """True if BLAS takes each pair as it is, and reads both along their rows: it is faster with a copy of ``b``."""
    (rows, terms), columns, size = a.shape[-2:], b.shape[-1], a.itemsize
    along = a.strides[-1] == b.strides[-2] == size < b.strides[-1] and a.dtype == b.dtype
    return along and rows >= _REPAID and terms and rows * terms * columns <= _SMALL
