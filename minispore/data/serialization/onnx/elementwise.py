"""Rules for operations on each element: arithmetic, comparisons, functions of one variable, activations."""

import numpy as np

from minispore.amp.policy.self_casting import CastFloats
from minispore.data.serialization.onnx.graph import Operand
from minispore.data.serialization.onnx.rules import RULES, rule_for
from minispore.ops import operations as primitives

__all__ = []

# The primitives that ONNX has under a name of its own, with the same inputs
_SAME = {
    primitives.Abs: "Abs",
    primitives.ACos: "Acos",
    primitives.Acosh: "Acosh",
    primitives.Add: "Add",
    primitives.AddN: "Sum",
    primitives.Asin: "Asin",
    primitives.Asinh: "Asinh",
    primitives.Atan: "Atan",
    primitives.Atanh: "Atanh",
    primitives.Ceil: "Ceil",
    primitives.Cos: "Cos",
    primitives.Cosh: "Cosh",
    primitives.Equal: "Equal",
    primitives.Erf: "Erf",
    primitives.Exp: "Exp",
    primitives.Floor: "Floor",
    primitives.Greater: "Greater",
    primitives.GreaterEqual: "GreaterOrEqual",
    primitives.Identity: "Identity",
    primitives.Inv: "Reciprocal",
    primitives.IsInf: "IsInf",
    primitives.IsNan: "IsNaN",
    primitives.Less: "Less",
    primitives.LessEqual: "LessOrEqual",
    primitives.Log: "Log",
    primitives.LogicalAnd: "And",
    primitives.LogicalNot: "Not",
    primitives.LogicalOr: "Or",
    primitives.LogicalXor: "Xor",
    primitives.Maximum: "Max",
    primitives.Minimum: "Min",
    primitives.Mish: "Mish",
    primitives.Mul: "Mul",
    primitives.Neg: "Neg",
    primitives.Pow: "Pow",
    primitives.ReLU: "Relu",
    primitives.Reciprocal: "Reciprocal",
    primitives.Rint: "Round",
    primitives.Round: "Round",
    primitives.SeLU: "Selu",
    primitives.Select: "Where",
    primitives.Sigmoid: "Sigmoid",
    primitives.Sign: "Sign",
    primitives.Sin: "Sin",
    primitives.Sinh: "Sinh",
    primitives.Softplus: "Softplus",
    primitives.Softsign: "Softsign",
    primitives.Sqrt: "Sqrt",
    primitives.StopGradient: "Identity",
    primitives.Sub: "Sub",
    primitives.Tan: "Tan",
    primitives.Tanh: "Tanh",
}


def operand(graph, x, dtype):
    """An argument as an input of a node; a number of Python's becomes a constant of ``dtype``."""
    return x if isinstance(x, Operand) else graph.constant(np.asarray(x, dtype))


def number_like(x, value):
    """A 0-d array of x's dtype."""
    return np.asarray(value, x.dtype)


def _same(graph, primitive, arguments, outputs):
    known = next((x.dtype for x in arguments if isinstance(x, Operand)), outputs[0].dtype)
    return graph.add(_SAME[type(primitive)], *[operand(graph, x, known) for x in arguments])


RULES.update(dict.fromkeys(_SAME, _same))


@rule_for(primitives.Cast, CastFloats)
def _cast(graph, primitive, arguments, outputs):
    return graph.cast(arguments[0], outputs[0].dtype)


@rule_for(primitives.Depend)
def _depend(graph, primitive, arguments, outputs):
    return graph.add("Identity", arguments[0])


@rule_for(primitives.ZerosLike, primitives.OnesLike)
def _filled(graph, primitive, arguments, outputs):
    return graph.constant(np.full(outputs[0].shape, isinstance(primitive, primitives.OnesLike), outputs[0].dtype))


@rule_for(primitives.NotEqual)
def _not_equal(graph, primitive, arguments, outputs):
    return graph.add("Not", graph.add("Equal", *[operand(graph, x, outputs[0].dtype) for x in arguments]))


@rule_for(primitives.IsFinite)
def _is_finite(graph, primitive, arguments, outputs):
    (x,) = arguments
    return graph.add("Not", graph.add("Or", graph.add("IsNaN", x), graph.add("IsInf", x)))


@rule_for(primitives.Div, primitives.RealDiv)
def _divided(graph, primitive, arguments, outputs):
    dtype = outputs[0].dtype
    same = [operand(graph, x, dtype) for x in arguments]
    return graph.add("Div", *[graph.cast(x, dtype) if getattr(x, "dtype", dtype) != dtype else x for x in same])


@rule_for(primitives.FloorDiv, primitives.FloorMod)
def _floor_divided(graph, primitive, arguments, outputs):
    dtype = outputs[0].dtype
    wide = dtype if dtype.kind == "f" else np.dtype(np.float64)
    x, y = [graph.cast(operand(graph, x, dtype), wide) for x in arguments]
    whole = graph.add("Floor", graph.add("Div", x, y))
    if not isinstance(primitive, primitives.FloorDiv):
        whole = graph.add("Sub", x, graph.add("Mul", whole, y))
    return graph.cast(whole, dtype)


@rule_for(primitives.Mod, primitives.TruncateMod)
def _remainder(graph, primitive, arguments, outputs):
    return graph.add("Mod", *[operand(graph, x, outputs[0].dtype) for x in arguments], fmod=1)


@rule_for(primitives.Square)
def _square(graph, primitive, arguments, outputs):
    return graph.add("Mul", arguments[0], arguments[0])


@rule_for(primitives.SquaredDifference)
def _squared_difference(graph, primitive, arguments, outputs):
    difference = graph.add("Sub", *[operand(graph, x, outputs[0].dtype) for x in arguments])
    return graph.add("Mul", difference, difference)


@rule_for(primitives.Rsqrt)
def _rsqrt(graph, primitive, arguments, outputs):
    return graph.add("Reciprocal", graph.add("Sqrt", arguments[0]))


@rule_for(primitives.Log1p)
def _log1p(graph, primitive, arguments, outputs):
    return graph.add("Log", graph.add("Add", arguments[0], number_like(arguments[0], 1)))


@rule_for(primitives.Log2, primitives.Log10)
def _log_of_base(graph, primitive, arguments, outputs):
    (x,) = arguments
    return graph.add(
        "Div", graph.add("Log", x), number_like(x, np.log(2 if isinstance(primitive, primitives.Log2) else 10))
    )


@rule_for(primitives.Expm1)
def _expm1(graph, primitive, arguments, outputs):
    return graph.add("Sub", graph.add("Exp", arguments[0]), number_like(arguments[0], 1))


@rule_for(primitives.Erfc)
def _erfc(graph, primitive, arguments, outputs):
    return graph.add("Sub", number_like(arguments[0], 1), graph.add("Erf", arguments[0]))


@rule_for(primitives.MaskedFill)
def _masked_fill(graph, primitive, arguments, outputs):
    x, mask, value = arguments
    return graph.add("Where", mask, operand(graph, value, x.dtype), x)


@rule_for(primitives.Addcmul, primitives.Addcdiv)
def _addc(graph, primitive, arguments, outputs):
    x, a, b, value = [operand(graph, each, outputs[0].dtype) for each in arguments]
    term = graph.add("Mul" if isinstance(primitive, primitives.Addcmul) else "Div", a, b)
    return graph.add("Add", x, graph.add("Mul", term, value))


@rule_for(primitives.Lerp)
def _lerp(graph, primitive, arguments, outputs):
    start, end, weight = [operand(graph, each, outputs[0].dtype) for each in arguments]
    return graph.add("Add", start, graph.add("Mul", weight, graph.add("Sub", end, start)))


# Activations


@rule_for(primitives.ReLU6)
def _relu6(graph, primitive, arguments, outputs):
    (x,) = arguments
    return graph.add("Clip", x, number_like(x, 0), number_like(x, 6))


@rule_for(primitives.GeLU)
def _gelu(graph, primitive, arguments, outputs):
    """``x * sigmoid(2 * 0.79788 * (x + 0.044715 * x ** 3))``."""
    (x,) = arguments
    cube = graph.add("Mul", x, graph.add("Mul", x, x))
    inner = graph.add("Add", x, graph.add("Mul", cube, number_like(x, 0.044715)))
    scaled = graph.add("Mul", inner, number_like(x, 2 * np.sqrt(2 / np.pi)))
    return graph.add("Mul", x, graph.add("Sigmoid", scaled))


@rule_for(primitives.FastGeLU)
def _fast_gelu(graph, primitive, arguments, outputs):
    (x,) = arguments
    return graph.add("Mul", x, graph.add("Sigmoid", graph.add("Mul", x, number_like(x, 1.702))))


@rule_for(primitives.HSigmoid)
def _hard_sigmoid(graph, primitive, arguments, outputs):
    return graph.add("HardSigmoid", arguments[0], alpha=1 / 6, beta=0.5)


@rule_for(primitives.HSwish)
def _hard_swish(graph, primitive, arguments, outputs):
    return graph.add("HardSwish", arguments[0])


@rule_for(primitives.Elu, primitives.CeLU)
def _elu(graph, primitive, arguments, outputs):
    return graph.add(
        "Elu" if isinstance(primitive, primitives.Elu) else "Celu", arguments[0], alpha=float(primitive.alpha)
    )


@rule_for(primitives.LogSigmoid)
def _log_sigmoid(graph, primitive, arguments, outputs):
    return graph.add("Neg", graph.add("Softplus", graph.add("Neg", arguments[0])))


@rule_for(primitives.HShrink, primitives.SoftShrink)
def _shrink(graph, primitive, arguments, outputs):
    bias = primitive.lambd if isinstance(primitive, primitives.SoftShrink) else 0.0
    return graph.add("Shrink", arguments[0], lambd=float(primitive.lambd), bias=float(bias))


@rule_for(primitives.PReLU)
def _prelu(graph, primitive, arguments, outputs):
    x, weight = arguments
    slope = graph.reshaped(weight, (*weight.shape, *(1,) * (len(x.shape) - 2)))
    return graph.add("PRelu", x, slope)


@rule_for(primitives.Softmax, primitives.LogSoftmax)
def _softmax(graph, primitive, arguments, outputs):
    axis = primitive.axis[0] if isinstance(primitive.axis, (tuple, list)) else primitive.axis
    return graph.add(type(primitive).__name__, arguments[0], axis=axis)
