"""Mean cross entropy against class numbers, and its derivative by the logits: one launch each."""

import numpy as np

from minispore.devices.cuda.launch import THREADS, ceil_div, counters_for, kernel, row_by_row, takes

__all__ = []

_LABELS = {np.dtype(np.int32): "int", np.dtype(np.int64): "long long"}
_BLOCKS = 64  # that share the rows


@row_by_row
def mean_loss(xp, z, labels, dtype=None):
    """The mean over the rows of ``-log softmax(z)[label]``; None for arrays that the kernel does not take.

    It is of z's dtype, or of ``dtype``, rounded once.
    """
    if not takes(z) or not labels.flags.c_contiguous:
        return None
    blocks = min(_BLOCKS, ceil_div(len(z), THREADS // 32))
    out, partial, counter = xp.empty((), dtype or z.dtype), xp.empty(blocks, np.float32), counters_for(xp, 1)
    sizes = np.int32(len(z)), np.int32(z.shape[1])
    function = kernel(xp, "cross_entropy", "mean_loss", z.dtype, _LABELS[labels.dtype], out.dtype)
    function((blocks,), (THREADS,), (z, labels, *sizes, partial, counter, out))
    return out


@row_by_row
def mean_loss_grad(xp, z, labels, dout=None):
    """``(softmax(z) - one-hot of label) / rows * dout``, 0 in rows whose label is no class; None likewise.

    ``dout`` is a 0-d array, 1 where it is not given.
    """
    if not takes(z, *[y for y in (dout,) if y is not None]) or not labels.flags.c_contiguous:
        return None
    out, sizes = xp.empty(z.shape, z.dtype), (np.int32(len(z)), np.int32(z.shape[1]))
    given, kind = (np.uintp(0), z.dtype) if dout is None else (dout, dout.dtype)
    function = kernel(xp, "cross_entropy", "mean_loss_grad", z.dtype, _LABELS[labels.dtype], kind)
    function((ceil_div(len(z), THREADS // 32),), (THREADS,), (z, labels, *sizes, given, out))
    return out
