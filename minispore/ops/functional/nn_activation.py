"""Functional wrappers of the activations."""

from __future__ import annotations

from minispore.core.checks import check_choice
from minispore.core.dtype import NARROW_FLOATS, float32
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import check_tensors, make, unary
from minispore.ops.functional.math_binary import maximum, minimum, select
from minispore.ops.functional.math_unary import erfc
from minispore.ops.number_checks import check_no_complex, check_number
from minispore.ops.operations.array.joining import Split
from minispore.ops.operations.nn import activation, activation_piecewise, activation_smooth
from minispore.ops.operations.nn import softmax as softmaxes
from minispore.ops.promotion import lowered_dtype

__all__ = [
    "celu",
    "elu",
    "fast_gelu",
    "gelu",
    "glu",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "log_softmax",
    "logsigmoid",
    "mish",
    "prelu",
    "relu",
    "relu6",
    "rrelu",
    "selu",
    "sigmoid",
    "silu",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
]
METHODS = "sigmoid softmax tanh"

relu = activation.ReLU()
relu6 = unary(activation.ReLU6(), "x")
sigmoid = unary(activation.Sigmoid())
tanh = unary(activation.Tanh())
prelu = activation.PReLU()
selu = unary(activation_piecewise.SeLU(), "input_x")
hardsigmoid = unary(activation_piecewise.HSigmoid())
hardswish = unary(activation_piecewise.HSwish(), "x")
fast_gelu = unary(activation_smooth.FastGeLU(), "x")
logsigmoid = unary(activation_smooth.LogSigmoid(), "x")
mish = unary(activation_smooth.Mish(), "x")
softsign = unary(activation_smooth.Softsign(), "x")


def softmax(x, axis=-1, *, dtype=None) -> Tensor:
    """``Softmax(axis)(x)``, of x cast to ``dtype`` where one is given."""
    x = x if dtype is None else cast(x, dtype)
    return make(softmaxes.Softmax, tuple(axis) if isinstance(axis, list) else axis)(x)


def softmin(x: Tensor, axis=-1, *, dtype=None) -> Tensor:
    """``softmax(-x)`` along an axis."""
    check_tensors("softmin", x=x)
    return softmax(-(x if dtype is None else cast(x, dtype)), axis)


def log_softmax(logits, axis=-1) -> Tensor:
    """``LogSoftmax(axis)(logits)``."""
    return make(softmaxes.LogSoftmax, axis)(logits)


def gelu(input_x: Tensor, approximate="none") -> Tensor:
    """Gaussian error linear unit, exactly or in the tanh form (``approximate="tanh"``).

    Raises:
        ValueError: If ``approximate`` is neither "none" nor "tanh".
    """
    check_tensors("gelu", input_x=input_x)
    check_choice("gelu", "approximate", approximate, ("none", "tanh"))
    if approximate == "tanh":
        return make(activation.GeLU)(input_x)
    narrow = isinstance(input_x, Tensor) and input_x.array.dtype in NARROW_FLOATS
    x = cast(input_x, float32) if narrow else input_x
    out = x * 0.5 * erfc(x * -0.7071067811865476)  # 1 + erf would lose the tail
    return cast(out, lowered_dtype(input_x)) if narrow else out


def leaky_relu(input: Tensor, alpha=0.2) -> Tensor:
    """``x where x > 0, else alpha * x``, as a maximum, whose gradient at 0 is the mean of 1 and alpha."""
    check_tensors("leaky_relu", input=input)
    check_number("leaky_relu", "alpha", alpha)
    return (maximum if alpha <= 1 else minimum)(input, input * alpha)


def elu(input_x, alpha=1.0) -> Tensor:
    """``Elu(alpha)(input_x)``."""
    return make(activation_piecewise.Elu, alpha)(input_x)


def celu(x, alpha=1.0) -> Tensor:
    """``CeLU(alpha)(x)``."""
    return make(activation_piecewise.CeLU, alpha)(x)


def hardshrink(x, lambd=0.5) -> Tensor:
    """``HShrink(lambd)(x)``."""
    return make(activation_piecewise.HShrink, lambd)(x)


def softshrink(x, lambd=0.5) -> Tensor:
    """``SoftShrink(lambd)(x)``."""
    return make(activation_piecewise.SoftShrink, lambd)(x)


def hardtanh(input, min_val=-1.0, max_val=1.0) -> Tensor:
    """``min(max(x, min_val), max_val)``, in x's dtype as its own cell sees it; the gradient at a bound is a half."""
    out = minimum(maximum(input, min_val), max_val)
    return out if out.dtype == input.dtype else cast(out, input.dtype)


def threshold(input: Tensor, thr, value) -> Tensor:
    """``x where x > thr, else value``."""
    check_tensors("threshold", input=input)
    check_no_complex("threshold", "value", value)
    return select(input > thr, input, Tensor(value, input.dtype))


def rrelu(input, lower=1 / 8, upper=1 / 3) -> Tensor:
    """``x where x >= 0, else x`` times a slope from ``U(lower, upper)``: the first output of ``RReLU``."""
    return make(activation_piecewise.RReLU, lower, upper)(input)[0]


def silu(x) -> Tensor:
    """``x * sigmoid(x)``."""
    return x * sigmoid(x)


def tanhshrink(input) -> Tensor:
    """``x - tanh x``."""
    return input - tanh(input)


def glu(x, axis=-1) -> Tensor:
    """``a * sigmoid(b)``, where a and b are the halves of x along an axis."""
    a, b = make(Split, axis, 2)(x)
    return a * sigmoid(b)


def softplus(input, beta=1, threshold=20) -> Tensor:
    """``ln(1 + e ** (beta * x)) / beta``, and x itself where ``beta * x`` is above the threshold."""
    check_number("softplus", "beta", beta), check_number("softplus", "threshold", threshold)
    if beta == 1 and threshold == 20:
        return make(activation_smooth.Softplus)(input)
    scaled = input * beta
    return select(scaled > threshold, input, make(activation_smooth.Softplus)(scaled) / beta)
