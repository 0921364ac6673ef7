"""The mean cross entropy against class numbers, and its derivative: a launch each."""

import numpy as np

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import cross_entropy
from minispore.ops.operations.nn.loss import (
    SparseCrossEntropyGrad,
    SparseCrossEntropyInFloat32,
    SparseSoftmaxCrossEntropyWithLogits,
)

__all__ = []


@kernel_of(SparseSoftmaxCrossEntropyWithLogits, "cuda")
def _mean_loss(op, xp, logits, labels):
    function = cross_entropy.mean_loss_grad if op.is_grad else cross_entropy.mean_loss
    return function(xp, logits, labels)


@kernel_of(SparseCrossEntropyInFloat32, "cuda")
def _mean_loss_in_float32(op, xp, logits, labels):
    return cross_entropy.mean_loss(xp, logits, labels, np.dtype(np.float32))


@kernel_of(SparseCrossEntropyGrad, "cuda")
def _mean_loss_grad(op, xp, logits, labels, dout):
    return cross_entropy.mean_loss_grad(xp, logits, labels, dout)
