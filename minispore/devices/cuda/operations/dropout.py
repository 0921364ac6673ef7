"""Dropout: the mask is drawn and applied by one launch."""

from minispore.core import process
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import dropout
from minispore.ops.operations.random.dropout import Dropout, DropoutGrad

__all__ = []


@kernel_of(Dropout, "cuda")
def _dropout(op, xp, x):
    if process.parts_before():
        return None  # the kernel draws a mask from its stream's first word on
    return dropout.dropout(xp, x, op.stream, op.keep_prob)


@kernel_of(DropoutGrad, "cuda")
def _dropout_grad(op, xp, dy, mask):
    return dropout.dropout_grad(xp, dy, mask, op.keep_prob)
