"""Elementwise functions of three and four Tensors: interpolation, products and quotients added to a Tensor."""

from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.operands import tensor_beside
from minispore.ops.type_checks import check_float, check_number, check_same_type

__all__ = ["Addcdiv", "Addcmul", "Lerp"]


def _as_tensor(value, like):
    """A number as a 0-d Tensor of another's dtype, which an integer's dtype truncates."""
    return tensor_beside(value, like) if isinstance(value, (bool, int, float)) else value


class _Blend(Primitive):
    """Base of operations on several Tensors of one dtype, with broadcasting; float16 is computed in float32."""

    def infer(self, *xs):
        shape = ()
        for name, x in zip(self.inputs, xs, strict=True):
            self.check(name, x)
            check_same_type(self, **{self.inputs[0]: xs[0], name: x})
            shape = broadcast_shape(self, shape, x.shape, (self.inputs[0], name))
        return Spec(shape, xs[0].dtype)

    def check(self, name, x):
        check_number(self, name, x)

    def compute(self, xp, *xs):
        return narrow(xp, self.forward(*[widen(xp, x) for x in xs]), xs[0].dtype)


class Lerp(_Blend):
    """Elementwise way from one Tensor to another: ``out = start + weight * (end - start)``, all of one float dtype.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``start`` or ``xs`` is not a Tensor, or ``xs`` and ``start`` differ in dtype.
        ValueError: If the shapes do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Lerp()(ms.Tensor([0.0, 10.0]), ms.Tensor([10.0, 20.0]), 0.25))
        [ 2.5 12.5]
    """

    inputs = ("start", "end", "weight")

    def adapt(self, start, end, weight):
        """Read the weight: a Tensor, or a float."""
        return (
            start,
            end,
            _as_tensor(weight, start) if isinstance(weight, float) and isinstance(start, Tensor) else weight,
        )

    def check(self, name, x):
        check_float(self, name, x)

    def forward(self, start, end, weight):
        return start + weight * (end - start)

    def bprop(self, start, end, weight, out, dout):
        return (
            sum_to(dout * (1 - weight), start.array.shape) if needs_grad(start) else None,
            sum_to(dout * weight, end.array.shape) if needs_grad(end) else None,
            sum_to(dout * (end - start), weight.array.shape) if needs_grad(weight) else None,
        )


class _Added(_Blend):
    """Base of Addcmul and Addcdiv: ``value`` may be a number."""

    inputs = ("input_data", "x1", "x2", "value")

    def adapt(self, x, x1, x2, value):
        """Read the value: a Tensor, or a number."""
        return x, x1, x2, _as_tensor(value, x) if isinstance(x, Tensor) else value


class Addcmul(_Added):
    """Elementwise scaled product added to a Tensor: ``out = input_data + value * x1 * x2``.

    Shapes: any that broadcast. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``xs`` is not a Tensor, or ``xs`` and ``xs`` differ in dtype.
        ValueError: If the shapes of ``xs`` and ``xs`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Addcmul()(ms.Tensor([1.0, 1.0]), ms.Tensor([2.0, 3.0]), ms.Tensor([10.0, 10.0]), ms.Tensor(0.5)))
        [11. 16.]
    """

    def forward(self, x, x1, x2, value):
        return x + value * (x1 * x2)

    def bprop(self, x, x1, x2, value, out, dout):
        scaled = dout * value
        return (
            sum_to(dout, x.array.shape) if needs_grad(x) else None,
            sum_to(scaled * x2, x1.array.shape) if needs_grad(x1) else None,
            sum_to(scaled * x1, x2.array.shape) if needs_grad(x2) else None,
            sum_to(dout * x1 * x2, value.array.shape) if needs_grad(value) else None,
        )


class Addcdiv(_Added):
    """Elementwise scaled quotient added to a Tensor: ``out = input_data + value * x1 / x2``.

    Shapes: any that broadcast. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``xs`` is not a Tensor, or ``xs`` and ``xs`` differ in dtype.
        ValueError: If the shapes of ``xs`` and ``xs`` do not broadcast.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Addcdiv()(ms.Tensor([1.0, 1.0]), ms.Tensor([2.0, 3.0]), ms.Tensor([4.0, 4.0]), ms.Tensor(2.0)))
        [2.  2.5]
    """

    def check(self, name, x):
        check_float(self, name, x)

    def forward(self, x, x1, x2, value):
        return x + value * (x1 / x2)

    def bprop(self, x, x1, x2, value, out, dout):
        share = dout * value / x2
        return (
            sum_to(dout, x.array.shape) if needs_grad(x) else None,
            sum_to(share, x1.array.shape) if needs_grad(x1) else None,
            sum_to(-(share * x1 / x2), x2.array.shape) if needs_grad(x2) else None,
            sum_to(dout * x1 / x2, value.array.shape) if needs_grad(value) else None,
        )
