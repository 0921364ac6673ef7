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


def softmax(x: Tensor, axis=-1, *, dtype=None) -> Tensor:
    """Probabilities along an axis: ``out = e ** x / sum of e ** x``, of x cast to ``dtype`` where one is given.

    The largest element is subtracted first, so that no power overflows.

    Shapes: any of at least one axis, kept; the sum along ``axis`` is 1. Dtypes: floats, kept; TypeError for ints, bools
    and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int, or a tuple or list of ints. Also if ``dtype`` is
            not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1000.0]])
        >>> print(ops.softmax(x))
        [[0.09003057 0.24472846 0.66524094]
         [0.         0.         1.        ]]
        >>> print(ops.softmax(x, axis=0))  # each column sums to 1
        [[0.5       0.7310586 0.       ]
         [0.5       0.2689414 1.       ]]
    """
    x = x if dtype is None else cast(x, dtype)
    return make(softmaxes.Softmax, tuple(axis) if isinstance(axis, list) else axis)(x)


def softmin(x: Tensor, axis=-1, *, dtype=None) -> Tensor:
    """Probabilities along an axis, the largest for the smallest element: ``softmax(-x)``.

    Shapes: any of at least one axis, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int, or a tuple or list of ints. Also if ``dtype`` is
            not a dtype.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.softmin(ms.Tensor([1.0, 2.0, 3.0])))
        [0.66524094 0.24472846 0.09003057]
    """
    check_tensors("softmin", x=x)
    return softmax(-(x if dtype is None else cast(x, dtype)), axis)


def log_softmax(logits: Tensor, axis=-1) -> Tensor:
    """Logarithms of probabilities along an axis: ``LogSoftmax(axis)(logits)``, ``out = x - ln(sum of e ** x)``.

    Shapes: any of at least one axis, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``logits`` is not a Tensor, or ``axis`` is not an int, or a tuple or list of ints.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.log_softmax(ms.Tensor([1.0, 2.0, 3.0])))
        [-2.4076061 -1.407606  -0.407606 ]
        >>> print(ops.log_softmax(ms.Tensor([0.0, 1000.0])))  # ln(softmax) would be -inf
        [-1000.     0.]
    """
    return make(softmaxes.LogSoftmax, axis)(logits)


def gelu(input_x: Tensor, approximate="none") -> Tensor:
    """Gaussian error linear unit, exactly or in the tanh form (``approximate="tanh"``).

    ``out = x * P(N(0, 1) <= x)``, by the error function or by a hyperbolic tangent.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        ValueError: If ``approximate`` is neither "none" nor "tanh".

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.gelu(ms.Tensor([-1.0, 0.0, 1.0])))
        [-0.15865526  0.          0.8413447 ]
        >>> print(ops.gelu(ms.Tensor([-1.0, 0.0, 1.0]), approximate="tanh"))
        [-0.158808  0.        0.841192]
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
    """Elements above 0 as they are, others times ``alpha``.

    It is a maximum, whose gradient at 0 is the mean of 1 and alpha.

    Shapes: any, kept. Dtypes: floats, kept; ints and bools give float32; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.leaky_relu(ms.Tensor([-2.0, 0.0, 3.0]), alpha=0.1))
        [-0.2  0.   3. ]
    """
    check_tensors("leaky_relu", input=input)
    check_number("leaky_relu", "alpha", alpha)
    return (maximum if alpha <= 1 else minimum)(input, input * alpha)


def elu(input_x: Tensor, alpha=1.0) -> Tensor:
    """Exponential linear unit: ``x where x > 0, else alpha * (e ** x - 1)``, which is ``Elu(alpha)(input_x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input_x`` is not a Tensor, or ``alpha`` is not a number.
        ValueError: If ``alpha`` is not 1.0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.elu(ms.Tensor([-1.0, 0.0, 2.0])))
        [-0.63212055  0.          2.        ]
    """
    return make(activation_piecewise.Elu, alpha)(input_x)


def celu(x: Tensor, alpha=1.0) -> Tensor:
    """Continuous exponential linear unit: ``max(0, x) + min(0, alpha * (e ** (x / alpha) - 1))``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.celu(ms.Tensor([-2.0, 0.0, 2.0]), alpha=2.0))
        [-1.2642411  0.         2.       ]
    """
    return make(activation_piecewise.CeLU, alpha)(x)


def hardshrink(x: Tensor, lambd=0.5) -> Tensor:
    """Elements with sizes above ``lambd`` as they are, 0 for the others: ``HShrink(lambd)(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hardshrink(ms.Tensor([-1.0, 0.3, 0.5, 2.0])))
        [-1.  0.  0.  2.]
    """
    return make(activation_piecewise.HShrink, lambd)(x)


def softshrink(x: Tensor, lambd=0.5) -> Tensor:
    """Elements brought nearer to 0 by ``lambd``, 0 for those that are nearer than that: ``SoftShrink(lambd)(x)``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``lambd`` is not a number.
        ValueError: If ``lambd`` is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.softshrink(ms.Tensor([-1.0, 0.3, 0.5, 2.0])))
        [-0.5  0.   0.   1.5]
    """
    return make(activation_piecewise.SoftShrink, lambd)(x)


def hardtanh(input: Tensor, min_val=-1.0, max_val=1.0) -> Tensor:
    """Elements held between two bounds.

    ``min(max(x, min_val), max_val)``, in x's dtype as its own cell sees it; the gradient at a bound is a half.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.hardtanh(ms.Tensor([-3.0, 0.5, 2.0])))
        [-1.   0.5  1. ]
    """
    out = minimum(maximum(input, min_val), max_val)
    return out if out.dtype == input.dtype else cast(out, input.dtype)


def threshold(input: Tensor, thr, value) -> Tensor:
    """Elements above ``thr`` as they are, ``value`` for the others: ``x where x > thr, else value``.

    Shapes: any, kept. Dtypes: floats, ints and bools, kept; TypeError for complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.threshold(ms.Tensor([0.5, 1.0, 2.0]), 1.0, -9.0))
        [-9. -9.  2.]
    """
    check_tensors("threshold", input=input)
    check_no_complex("threshold", "value", value)
    return select(input > thr, input, Tensor(value, input.dtype))


def rrelu(input: Tensor, lower=1 / 8, upper=1 / 3) -> Tensor:
    """Elements from 0 on as they are, others times a slope from ``U(lower, upper)``: the first output of ``RReLU``.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``input`` is not a Tensor, or ``lower`` or ``upper`` is not a number.
        ValueError: If ``upper`` is not at least ``lower``.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.rrelu(ms.Tensor([-4.0, 0.0, 2.0]), 0.25, 0.25))  # one slope alone is possible
        [-1.  0.  2.]
    """
    return make(activation_piecewise.RReLU, lower, upper)(input)[0]


def silu(x: Tensor) -> Tensor:
    """Sigmoid linear unit, elementwise: ``x * sigmoid(x)``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.silu(ms.Tensor([-1.0, 0.0, 2.0])))
        [-0.2689414  0.         1.761594 ]
    """
    return x * sigmoid(x)


def tanhshrink(input: Tensor) -> Tensor:
    """Elements less their hyperbolic tangents: ``x - tanh x``.

    Shapes: any, kept. Dtypes: floats and complex, kept; TypeError for ints and bools.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.tanhshrink(ms.Tensor([-1.0, 0.0, 2.0])))
        [-0.23840582  0.          1.0359724 ]
    """
    return input - tanh(input)


def glu(x: Tensor, axis=-1) -> Tensor:
    """Gated linear unit: ``a * sigmoid(b)``, where a and b are the halves of x along an axis.

    Shapes: half as long along ``axis``, whose length must be even. Dtypes: floats and complex, kept; TypeError for ints
    and bools.

    Raises:
        TypeError: If ``x`` is not a Tensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.glu(ms.Tensor([1.0, 2.0, 0.0, 100.0])))
        [0.5 2. ]
    """
    a, b = make(Split, axis, 2)(x)
    return a * sigmoid(b)


def softplus(input: Tensor, beta=1, threshold=20) -> Tensor:
    """Smooth form of ReLU: ``ln(1 + e ** (beta * x)) / beta``.

    Where ``beta * x`` is above the threshold it is x itself.

    Shapes: any, kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.softplus(ms.Tensor([-1.0, 0.0, 30.0])))
        [ 0.31326163  0.6931472  30.        ]
    """
    check_number("softplus", "beta", beta), check_number("softplus", "threshold", threshold)
    if beta == 1 and threshold == 20:
        return make(activation_smooth.Softplus)(input)
    scaled = input * beta
    return select(scaled > threshold, input, make(activation_smooth.Softplus)(scaled) / beta)
