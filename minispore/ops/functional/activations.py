"""Faces of the activations."""

from minispore.ops import activation
from minispore.ops.functional.elementwise import erf
from minispore.ops.functional.faces import make

__all__ = ["gelu", "log_softmax", "prelu", "relu", "relu6", "sigmoid", "softmax", "tanh"]

relu = activation.ReLU()
relu6 = activation.ReLU6()
sigmoid = activation.Sigmoid()
tanh = activation.Tanh()
prelu = activation.PReLU()


def softmax(x, axis=-1):
    """``Softmax(axis)(x)``."""
    return make(activation.Softmax, tuple(axis) if isinstance(axis, list) else axis)(x)


def log_softmax(logits, axis=-1):
    """``LogSoftmax(axis)(logits)``."""
    return make(activation.LogSoftmax, axis)(logits)


def gelu(x, approximate="tanh"):
    """Gaussian error linear unit, in the tanh form or exactly (``approximate="none"``)."""
    if approximate == "tanh":
        return make(activation.GeLU)(x)
    return x * 0.5 * (erf(x * 0.7071067811865476) + 1)
