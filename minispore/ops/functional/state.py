"""Functional wrappers of assignment, control and casting."""

from __future__ import annotations

from minispore.core.dtype import as_dtype
from minispore.core.nest import map_leaves
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.functional._wrappers import unary
from minispore.ops.operations import state
from minispore.ops.operations.gradient_flow import Depend, StopGradient

__all__ = ["assign", "assign_add", "assign_sub", "cast", "depend", "mixed_precision_cast", "stop_gradient"]

depend = Depend()
stop_gradient = unary(StopGradient(), "value")
_assign, _assign_add, _assign_sub = state.Assign(), state.AssignAdd(), state.AssignSub()


def assign(variable: Tensor, value) -> Tensor:
    """Give a Parameter other values: ``Assign()(variable, value)``, which returns the new values.

    Shapes: one for both, or a value that broadcasts. Dtypes: any, kept.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.assign(p, ms.Tensor([5.0, 6.0])))
        [5. 6.]
    """
    return _assign(variable, value)


def assign_add(variable: Tensor, value) -> Tensor:
    """Add to a Parameter's values: ``AssignAdd()(variable, value)``, which returns the new values.

    Shapes: one for both, or a value that broadcasts. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.assign_add(p, ms.Tensor([10.0, 10.0])))
        [11. 12.]
    """
    return _assign_add(variable, value)


def assign_sub(variable: Tensor, value) -> Tensor:
    """Subtract from a Parameter's values: ``AssignSub()(variable, value)``, which returns the new values.

    Shapes: one for both, or a value that broadcasts. Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``variable`` is not a Parameter or a Tensor, or an input is neither a Tensor nor a number. Also if
            ``value`` has a dtype that the variable cannot take without loss.
        ValueError: If ``value`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
        >>> print(ops.assign_sub(p, ms.Tensor([10.0, 10.0])))
        [-9. -8.]
    """
    return _assign_sub(variable, value)


def mixed_precision_cast(dst_type, x) -> Tensor:
    """Cast the floating Tensors of a Tensor, or of a nest of Tensors, to ``dst_type``; hand on all else.

    Dtypes: float16, ints, bools and complex, kept; float32 and float64 give float16.

    Source: ``F.mixed_precision_cast``, which MindSpore's amp casts networks' outputs and labels with.

    Raises:
        TypeError: If ``dst_type`` is not a dtype.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.mixed_precision_cast(ms.float16, (ms.Tensor([1.0]), ms.Tensor([1]))))
        [1.] [1]
    """
    numpy_type = as_dtype(dst_type, "mixed_precision_cast", "dst_type").np
    return map_leaves(lambda y: cast(y, numpy_type) if is_differentiable(y) and y.array.dtype != numpy_type else y, x)
