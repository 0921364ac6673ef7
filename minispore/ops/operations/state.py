"""Operations on state, which is assigned; beside them stand those on the flow of gradients, and gradient hooks."""

from __future__ import annotations

from minispore.core.errors import type_error
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive, Spec
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.dtype_promotion import promote
from minispore.ops.promotion import promoted
from minispore.ops.shape_checks import check_shape
from minispore.ops.type_checks import check_number, check_same_type

__all__ = ["Assign", "AssignAdd", "AssignSub"]


class Assign(Primitive):
    """New values of a Parameter: ``variable = value``, in the variable's dtype; returns them, a Tensor.

    Shapes: any for the variable; the value has the same. Dtypes: any, kept.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.Assign()(p, ms.Tensor([5.0, 6.0])))
        [5. 6.]
        >>> print(p.value())
        [5. 6.]
    """

    complex_numbers = "as written"
    differentiable = False
    writes = (0,)

    def adapt(self, variable, value):
        """Read the value as a Tensor of the variable's dtype."""
        if not isinstance(variable, Tensor):
            raise type_error(self.name, "the 'variable' must be a Parameter or a Tensor", type(variable).__name__)
        _, value = promoted(self, variable, value)
        own, incoming = variable.array.dtype, value.array.dtype
        if promote(own, incoming) != own:
            name = variable.name if isinstance(variable, Parameter) else "variable"
            expected = f"the 'value' must be of a type that '{name}' ({variable.dtype}) can take without loss"
            raise type_error(self.name, expected, value.dtype)
        return variable, value if incoming == own else cast(value, own)

    def infer(self, variable, value):
        check_same_type(self, variable=variable, value=value)
        check_shape(self, "value", value, variable.shape)
        return (Spec(variable.shape, variable.dtype),)

    def compute(self, xp, variable, value):
        return (value.copy(),)


class _AssignNumber(Assign):
    """Base of assignments that calculate; a number, and a 0-d Tensor, stands for one of shape (1,), and vice versa."""

    def infer(self, variable, value):
        check_number(self, "variable", variable)
        check_same_type(self, variable=variable, value=value)
        if {variable.shape, value.shape} != {(), (1,)}:
            check_shape(self, "value", value, variable.shape)
        return (Spec(variable.shape, variable.dtype),)


class AssignAdd(_AssignNumber):
    """Values added to a Parameter's: ``variable = variable + value``; returns the new values.

    Shapes: any for the variable; the value has the same. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.AssignAdd()(p, ms.Tensor([10.0, 10.0])))
        [11. 12.]
    """

    def compute(self, xp, variable, value):
        return (variable + value.reshape(variable.shape),)


class AssignSub(_AssignNumber):
    """Values subtracted from a Parameter's: ``variable = variable - value``; returns the new values.

    Shapes: any for the variable; the value has the same. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.AssignSub()(p, ms.Tensor([10.0, 10.0])))
        [-9. -8.]
    """

    def compute(self, xp, variable, value):
        return (variable - value.reshape(variable.shape),)
