"""Pooling of planes: a launch each way. Windows with gaps between their elements are computed by ``compute``."""

from minispore.core.kernel_table import kernel_of
from minispore.core.primitive import Spec
from minispore.devices.cuda import pool2d
from minispore.ops.operations.nn.pool import AvgPool, AvgPoolGrad, MaxPool, MaxPoolGrad

__all__ = []


@kernel_of(MaxPool, "cuda")
def _max_pool(op, xp, x):
    *sizes, dilation = op.at(x.shape)
    return pool2d.max_pool2d(xp, x, _pooled_shape(op, x), *sizes) if dilation == (1, 1) else None


@kernel_of(MaxPoolGrad, "cuda")
def _max_pool_grad(op, xp, x, y, dy):
    *sizes, dilation = op.at(x.shape)
    return pool2d.max_pool2d_grad(xp, x, y, dy, *sizes) if dilation == (1, 1) else None


@kernel_of(AvgPool, "cuda")
def _avg_pool(op, xp, x):
    return pool2d.avg_pool2d(xp, x, _pooled_shape(op, x), *op.at(x.shape))


@kernel_of(AvgPoolGrad, "cuda")
def _avg_pool_grad(op, xp, dy, x_shape):
    return pool2d.avg_pool2d_grad(xp, dy, tuple(x_shape), *op.at(x_shape))


def _pooled_shape(op, x):
    return op.pooled(Spec(x.shape, x.dtype)).shape
