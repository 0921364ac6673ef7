"""Primitives that give another's gradient, as MindSpore's ``_grad_ops`` has them: a line of a table for each.

Where the slope follows from the output, the line is its formula. Elsewhere it names the primitive whose gradient is
meant, and the order of the inputs: that primitive's own rule does the rest. Both are written with operations, so
derivatives of any order are free.
"""

from minispore.core.checks import check_choice, check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops import operations as P  # noqa: N812 - the conventional name
from minispore.ops.composite import GradOperation
from minispore.ops.functional._wrappers import check_tensors

_GRADIENTS = GradOperation(get_all=True, sens_param=True)
_LAYOUTS = ("NCHW", "NHWC", "NCDHW")

# Name -> the gradient from the output ``y`` and the gradient ``dy`` that arrives
_OF_OUTPUT = {
    "AcoshGrad": lambda y, dy: dy / F.sinh(y),
    "AsinhGrad": lambda y, dy: dy / F.cosh(y),
    "EluGrad": lambda dy, y: F.select(y < 0, dy * (y + 1), dy),
    "InvGrad": lambda y, dy: -dy * y * y,
    "ReciprocalGrad": lambda y, dy: -dy * y * y,
    "RsqrtGrad": lambda y, dy: dy * y * y * y * -0.5,
    "SigmoidGrad": lambda y, dy: dy * y * (1 - y),
    "SqrtGrad": lambda y, dy: dy * 0.5 / y,
    "TanhGrad": lambda y, dy: dy * (1 - y * y),
}
# Name -> the primitive, the order of the inputs, those by which it is asked for; "out" is not used
_OF_INPUT = {
    "ACosGrad": (P.ACos, "x dy", "x"),
    "AbsGrad": (P.Abs, "x dy", "x"),
    "AsinGrad": (P.Asin, "x dy", "x"),
    "AtanGrad": (P.Atan, "x dy", "x"),
    "BinaryCrossEntropyGrad": (P.BinaryCrossEntropy, "x y dy weight", "x"),
    "DeformableOffsetsGrad": (P.DeformableOffsets, "dy x offsets", "x offsets"),
    "FastGeLUGrad": (P.FastGeLU, "dy x", "x"),
    "HShrinkGrad": (P.HShrink, "dy x", "x"),
    "HSigmoidGrad": (P.HSigmoid, "dy x", "x"),
    "HSwishGrad": (P.HSwish, "dy x", "x"),
    "KLDivLossGrad": (P.KLDivLoss, "dy x y", "x"),
    "L2NormalizeGrad": (P.L2Normalize, "x out dy", "x"),
    "LRNGrad": (P.LRN, "dy x out", "x"),
    "LogitGrad": (P.Logit, "dy x", "x"),
    "MaximumGrad": (P.Maximum, "x y dy", "x y"),
    "MinimumGrad": (P.Minimum, "x y dy", "x y"),
    "PReLUGrad": (P.PReLU, "dy x w", "x w"),
    "ReLU6Grad": (P.ReLU6, "dy x", "x"),
    "SigmoidCrossEntropyWithLogitsGrad": (P.SigmoidCrossEntropyWithLogits, "x y dy", "x"),
    "SiLUGrad": (lambda: F.silu, "dy x", "x"),
    "SliceGrad": (P.Slice, "dy x begin size", "x"),
    "SmoothL1LossGrad": (P.SmoothL1Loss, "x y dy", "x"),
    "SoftShrinkGrad": (P.SoftShrink, "dy x", "x"),
    "SoftplusGrad": (P.Softplus, "dy x", "x"),
}


class _OfOutput(Primitive):
    """Base: the gradient by a formula of the output."""

    def __call__(self, y, dy):
        """The gradient by the input."""
        check_tensors(self.name, y=y, dy=dy)
        if y.dtype != dy.dtype:
            raise type_error(self.name, "the inputs must have one dtype", f"{y.dtype} and {dy.dtype}")
        return self.formula(y, dy)


class _OfInput(Primitive):
    """Base: the gradient of another primitive, which is made of the same arguments."""

    def __init__(self, *args, **kwargs):
        self.forward = self.kind(*args, **kwargs)

    def __call__(self, *inputs):
        """The gradient by the input; a tuple of them if they are several."""
        if len(inputs) != len(self.order):
            raise type_error(self.name, f"{len(self.order)} inputs are taken", len(inputs))
        given = dict(zip(self.order, inputs, strict=True))
        dy = given.pop("dy")
        given.pop("out", None)
        found = _GRADIENTS(self.forward)(*given.values(), dy)
        wished = [gradient for name, gradient in zip(given, found, strict=False) if name in self.by]
        return tuple(wished) if len(wished) > 1 else wished[0]


class BiasAddGrad(Primitive):
    """The gradient of BiasAdd by the bias: the sum over all axes but that of channels.

    Args:
        data_format (str): "NCHW", "NHWC" or "NCDHW". Default: "NCHW".
    """

    def __init__(self, data_format="NCHW"):
        self.add_prim_attr("data_format", check_choice(self.name, "data_format", data_format, _LAYOUTS))

    def __call__(self, dout):
        """The gradient by the bias."""
        check_tensors(self.name, dout=dout)
        if not 2 <= dout.ndim <= 5:
            raise value_error(self.name, "the 'dout' must have 2 to 5 axes", f"shape {dout.shape}")
        channels = dout.ndim - 1 if self.data_format == "NHWC" else 1
        return dout.sum(tuple(axis for axis in range(dout.ndim) if axis != channels))


class LogSoftmaxGrad(Primitive):
    """The gradient of LogSoftmax by its output: ``dy - exp(y) * sum(dy)``.

    Args:
        axis (int): The axis of the sum. Default: -1.
    """

    def __init__(self, axis=-1):
        self.add_prim_attr("axis", check_int(self.name, "axis", axis))

    def __call__(self, y, dy):
        """The gradient by the input."""
        check_tensors(self.name, y=y, dy=dy)
        return dy - F.exp(y) * dy.sum(self.axis, keepdims=True)


class StridedSliceGrad(Primitive):
    """The gradient of StridedSlice by its input: ``dy`` at the places that were taken, 0 elsewhere.

    Args:
        begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask (int): As of StridedSlice. Default: 0.
    """

    def __init__(self, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
        self.forward = P.StridedSlice(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)

    def __call__(self, dy, shapex, begin, end, strides):
        """The gradient by the input, which has the shape ``shapex``."""
        check_tensors(self.name, dy=dy)
        place = [tuple(x.asnumpy().tolist()) if isinstance(x, Tensor) else x for x in (shapex, begin, end, strides)]
        return _GRADIENTS(lambda x: self.forward(x, *place[1:]).reshape(dy.shape))(F.zeros(place[0], dy.dtype), dy)[0]


def _classes():
    """``{"TanhGrad": class}`` for the lines of both tables."""
    for name, formula in _OF_OUTPUT.items():
        yield name, type(name, (_OfOutput,), {"__module__": __name__, "formula": staticmethod(formula)})
    for name, (kind, order, by) in _OF_INPUT.items():
        own = {"__module__": __name__, "kind": staticmethod(kind), "order": order.split(), "by": by.split()}
        yield name, type(name, (_OfInput,), own)


globals().update(_classes())

__all__ = ["BiasAddGrad", "LogSoftmaxGrad", "StridedSliceGrad", *_OF_OUTPUT, *_OF_INPUT]
