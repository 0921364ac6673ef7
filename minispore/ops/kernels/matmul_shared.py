"""Large matrix products, shared by the workers by rows, by columns or pair by pair."""

import math

import numpy as np

from minispore.ops.kernels import workers

_SHARE_OF_SMALL = 4_000_000  # multiplications of a worker, where each pair of matrices is small, which takes longer
_AHEAD = 1_500_000  # what the calling thread does until a worker has woken: about 30 microseconds
_SMALL = 1 << 19  # multiplications of a pair that BLAS does without packing the factors
_REPAID = 32  # rows of ``a`` that repay the copy of ``b``
_EDGE = 16  # pieces begin at multiples of it: BLAS then computes each number as it does in the whole


def in_parts(a, b, parts):
    """``a @ b`` of two matrices in so many parts, or of pairs of matrices."""
    return _of_pairs(a, b) if a.ndim > 2 else _of_matrices(a, b, parts)


def _of_matrices(a, b, parts):
    """A product cut along the longer one of its axes."""
    out = np.empty((a.shape[0], b.shape[1]), a.dtype)
    if 2 * len(a) >= b.shape[1]:
        workers.share(lambda part: np.matmul(a[part], b, out=out[part]), _pieces(len(a), parts, b.size))
        return out

    def by_columns(part):
        out[:, part] = np.matmul(a, b[:, part])

    workers.share(by_columns, _pieces(b.shape[1], parts, a.size))
    return out


def _of_pairs(a, b):
    """The product of each pair of matrices; the pairs are spread over the first axis of the batch."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    shape = (*batch, a.shape[-2], b.shape[-1])
    parts = workers.useful(math.prod(shape) * a.shape[-1], _SHARE_OF_SMALL)
    row_by_row = _is_small_by_rows(a, b)
    if parts < 2 and not row_by_row:
        return np.matmul(a, b)
    a, b = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))
    out = np.empty(shape, a.dtype)

    def multiply(part):
        factor = np.ascontiguousarray(b[part]) if row_by_row else b[part]
        np.matmul(a[part], factor, out=out[part])

    workers.share(multiply, _pieces(batch[0], parts, math.prod(shape[1:]) * a.shape[-1], edge=1))
    return out


def _is_small_by_rows(a, b):
    """True if BLAS takes each pair as it is, and reads both along their rows: it is faster with a copy of ``b``."""
    (rows, terms), columns, size = a.shape[-2:], b.shape[-1], a.itemsize
    along = a.strides[-1] == b.strides[-2] == size < b.strides[-1] and a.dtype == b.dtype
    return along and rows >= _REPAID and terms and rows * terms * columns <= _SMALL


def _pieces(length, parts, each, edge=_EDGE):
    """Slices of ``length``, each unit ``each`` multiplications; the first is longer: its thread begins at once."""
    later = max(edge, (length - _AHEAD // max(1, each)) // parts // edge * edge)
    first = max(later, length - (parts - 1) * later)
    first += -first % edge
    return [slice(0, first), *(slice(start, start + later) for start in range(first, length, later))]
