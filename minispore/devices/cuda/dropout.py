"""Dropout, its mask drawn within the same launch, and its gradient: one launch each."""

import numpy as np

from minispore.devices.cuda.device_words import name_arguments, text
from minispore.devices.cuda.launch import THREADS, ceil_div, elementwise, kernel, row_by_row, takes
from minispore.ops.kernels.random_streams.distributions import chance_bound

__all__ = []

_GRAD = "dropout_grad", "T dy, T mask, float32 scale", "T dx", "dx = T(float(dy) * float(mask) * scale)"


@row_by_row
def dropout(xp, x, stream_of, keep_prob):
    """``(x * mask / keep_prob, mask)`` by the stream ``stream_of(xp)``; None for arrays that the kernel does not take.

    The mask is ``stream.chances(x.shape, keep_prob)``, bit for bit.
    """
    if not takes(x):
        return None
    out, mask = xp.empty(x.shape, x.dtype), xp.empty(x.shape, x.dtype)
    setting = np.int64(x.size), chance_bound(keep_prob), np.float32(1 / keep_prob)
    function = kernel(xp, "dropout", "dropout", x.dtype, before=text())
    arguments = x, *setting, *name_arguments(stream_of(xp).name), out, mask
    function((ceil_div(x.size, 8 * THREADS),), (THREADS,), arguments)
    return out, mask


@row_by_row
def dropout_grad(xp, dy, mask, keep_prob):
    """``dy * mask / keep_prob``; None likewise."""
    if not takes(dy, mask) or dy.dtype != mask.dtype:
        return None
    return elementwise(xp, *_GRAD)(dy, mask, np.float32(1 / keep_prob))
