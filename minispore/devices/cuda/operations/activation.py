"""Activations, and groups of elementwise operations: one pass over the numbers, whatever their dtype."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import activation, elementwise_group
from minispore.graph.elementwise_groups import ElementwiseGroup
from minispore.ops.operations.linalg.matmul import BiasAdd
from minispore.ops.operations.nn.activation import GeLU, GeLUGrad, ReLU, ReluGrad

__all__ = []


@kernel_of(ReLU, "cuda")
def _relu(op, xp, x):
    return activation.relu(xp, x)


@kernel_of(ReluGrad, "cuda")
def _relu_grad(op, xp, dy, y):
    return activation.relu_grad(xp, dy, y)


@kernel_of(GeLU, "cuda")
def _gelu(op, xp, x):
    return activation.gelu(xp, x)


@kernel_of(GeLUGrad, "cuda")
def _gelu_grad(op, xp, dy, x):
    return activation.gelu_grad(xp, dy, x)


@kernel_of(BiasAdd, "cuda")
def _bias_add(op, xp, x, b):
    return activation.bias_add(xp, x, b, last=op.data_format == "NHWC" or x.ndim == 2)


@kernel_of(ElementwiseGroup, "cuda")
def _elementwise_group(op, xp, *arrays):
    made = elementwise_group.computed(xp, op, arrays)
    return tuple(made) if len(made) > 1 else made[0]
