"""Faces of the operations on windows: convolution and pooling."""

from minispore.ops import convolution, pooling
from minispore.ops.functional.faces import make
from minispore.ops.functional.linear import bias_add

__all__ = ["avg_pool2d", "conv2d", "max_pool2d"]


def max_pool2d(x, kernel_size, stride=None, padding=0):
    """Largest of each window: ``MaxPool``."""
    stride = kernel_size if stride is None else stride
    mode = "pad" if padding else "valid"
    return make(pooling.MaxPool, kernel_size, stride, mode, padding)(x)


def avg_pool2d(x, kernel_size=1, stride=1):
    """Mean of each window: ``AvgPool``."""
    return make(pooling.AvgPool, kernel_size, stride, "valid")(x)


def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """2-D convolution: ``Conv2D``, and the bias added."""
    arguments = (weight.shape[0], tuple(weight.shape[2:]), 1, pad_mode, padding, stride, dilation, groups)
    out = make(convolution.Conv2D, *arguments)(input, weight)
    return out if bias is None else bias_add(out, bias)
