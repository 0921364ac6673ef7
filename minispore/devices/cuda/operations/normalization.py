"""Normalization: statistics, output and moving statistics by one or two launches."""

import numpy as np

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import batch_norm, layer_norm
from minispore.graph.narrow_layer_norm import NarrowLayerNorm
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operations.nn.normalization import BatchNorm, BatchNormGrad, LayerNorm, LayerNormGrad

__all__ = []


@kernel_of(BatchNorm, "cuda")
def _batch_norm(op, xp, x, scale, bias, mean, variance):
    wide = [widen(xp, p) for p in (scale, bias, mean, variance)]
    if not op.is_training:
        y = batch_norm.batch_norm_inference(xp, x, *wide, op.epsilon)
        return y if y is None else (y, *[s.copy() for _ in range(2) for s in wide[2:]])
    found = batch_norm.batch_norm(xp, x, *wide, op.epsilon, op.momentum)
    return found and (narrow(xp, found[0], mean.dtype), narrow(xp, found[1], variance.dtype), *found[2:])


@kernel_of(BatchNormGrad, "cuda")
def _batch_norm_grad(op, xp, dy, x, scale, mean, variance):
    found = batch_norm.batch_norm_grad(xp, dy, x, widen(xp, scale), mean, variance, op.epsilon)
    return found and (found[0], *[narrow(xp, d, scale.dtype) for d in found[1:]])


@kernel_of(LayerNorm, "cuda")
def _layer_norm(op, xp, x, gamma, beta):
    if not op.like_rows(x.ndim):
        return None
    return layer_norm.layer_norm(xp, x, gamma, beta, op.begin_norm_axis % x.ndim, op.epsilon)


@kernel_of(NarrowLayerNorm, "cuda")
def _narrow_layer_norm(op, xp, x, gamma, beta):
    norm = op.norm
    if not norm.like_rows(x.ndim) or x.dtype != np.float32:
        return None
    return layer_norm.layer_norm(xp, x, gamma, beta, norm.begin_norm_axis % x.ndim, norm.epsilon, op.dtype)


@kernel_of(LayerNormGrad, "cuda")
def _layer_norm_grad(op, xp, dy, x, gamma, mean, variance):
    return layer_norm.layer_norm_grad(xp, dy, x, gamma, mean, variance, op.epsilon)
