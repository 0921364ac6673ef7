"""Softmax along the last axis, its gradient, and the weights of attention."""

import numpy as np

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import softmax
from minispore.devices.cuda.gemm import matmul
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.nn.attention import AttentionWeights
from minispore.ops.operations.nn.softmax import Softmax, SoftmaxGrad

__all__ = []


@kernel_of(Softmax, "cuda")
def _softmax(op, xp, x):
    return softmax.softmax(xp, x) if op.axis in (-1, x.ndim - 1) else None


@kernel_of(SoftmaxGrad, "cuda")
def _softmax_grad(op, xp, dy, y):
    return softmax.softmax_grad(xp, dy, y)


@kernel_of(AttentionWeights, "cuda")
def _attention_weights(op, xp, q, k, mask=None):
    """Softmax of a product on tensor cores, with float32 between the two."""
    if q.dtype == np.float64 or not q.size:
        return None
    scores = matmul(xp, q, k, b_turned=True, dtype=np.float32)
    scores *= np.float32(op.scale)
    if mask is not None:
        scores += widen(xp, mask)
    return narrow(xp, softmax.softmax(xp, scores), q.dtype)
