"""The sum of several Tensors."""

from minispore.core.errors import value_error
from minispore.core.primitive import Primitive
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type

__all__ = ["AccumulateNV2", "AddN"]


class AddN(Primitive):
    """Sum of several Tensors of one shape and dtype: ``out = x[0] + x[1] + …``; float16 is added up in float32.

    Shapes: any, the same for all, and kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an element of the input is not a Tensor.
        ValueError: If ``x`` holds no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AddN()([ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0])]))
        [11. 22.]
    """

    complex_numbers = "analytic"
    variadic = True

    def infer(self, *xs):
        if not xs:
            raise value_error(self.name, "the 'x' must hold at least one Tensor", "none")
        for i, x in enumerate(xs):
            check_number(self, f"x[{i}]", x)
            check_same_type(self, **{"x[0]": xs[0], f"x[{i}]": x})
            check_shape(self, f"x[{i}]", x, xs[0].shape)
        return xs[0]

    def compute(self, xp, *xs):
        total = widen(xp, xs[0])
        for x in xs[1:]:
            total = xp.add(total, widen(xp, x))
        return narrow(xp, total, xs[0].dtype)

    def bprop(self, *xs_out_dout):
        return (xs_out_dout[-1],) * (len(xs_out_dout) - 2)


class AccumulateNV2(AddN):
    """Sum of several Tensors (MindSpore's other name of AddN).

    Shapes: any, the same for all, and kept. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an element of the input is not a Tensor.
        ValueError: If there is no Tensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.AccumulateNV2()([ms.Tensor([1.0, 2.0]), ms.Tensor([10.0, 20.0])]))
        [11. 22.]
    """
