"""Operations on state and on the flow of gradients: assignment, ``depend``, ``stop_gradient``, gradient hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.dtype import promote
from minispore.core.errors import type_error, value_error
from minispore.core.nest import map_leaves
from minispore.core.parameter import Parameter
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.common import check_number, check_same_type, check_shape, check_tensor, promoted

__all__ = [
    "Assign",
    "AssignAdd",
    "AssignSub",
    "Depend",
    "HookBackward",
    "Identity",
    "InsertGradientOf",
    "StopGradient",
    "identity",
]


class Assign(Primitive):
    """``variable = value``, in the variable's dtype; returns the new values, a Tensor."""

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
    """``variable = variable + value``; returns the new values."""

    def compute(self, xp, variable, value):
        return (variable + value.reshape(variable.shape),)


class AssignSub(_AssignNumber):
    """``variable = variable - value``; returns the new values."""

    def compute(self, xp, variable, value):
        return (variable - value.reshape(variable.shape),)


class Identity(Primitive):
    """``out = x``, in memory of its own."""

    complex_numbers = "as written"

    def infer(self, x):
        check_tensor(self, "x", x)
        return x

    def compute(self, xp, x):
        return x.copy()

    def bprop(self, x, out, dout):
        return dout


def identity(x) -> Any:
    """``x`` itself."""
    return x


class _EachTensor(Primitive):
    """Base of operations on their first input that take a nest of Tensors, too, part by part; all else is handed on."""

    def __call__(self, value, *others):
        """The operation on a Tensor, or on each Tensor of a nest."""
        if isinstance(value, Tensor):
            return super().__call__(value, *others)
        return map_leaves(lambda x: self(x, *others) if isinstance(x, Tensor) else x, value)


class Depend(_EachTensor):
    """``out = value``, computed after ``expr``; a cell's mark does not lower it."""

    complex_numbers = "as written"
    autocast = False

    def infer(self, value, expr):
        return value

    def compute(self, xp, value, expr):
        return value

    def bprop(self, value, expr, out, dout):
        return dout, None


class StopGradient(_EachTensor):
    """``out = x``, and no gradient passes."""

    complex_numbers = "as written"
    differentiable = False

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x


def check_hook(operation, hook):
    """``hook``, which must be a function that is not decorated by ``ms.jit``: a replay would leave out its effects."""
    if not callable(hook):
        raise type_error(operation, "the hook must be a function", type(hook).__name__)
    if hasattr(hook, "recorded"):
        raise type_error(operation, "the hook must be a function without the decorator 'jit'", hook.__name__)
    return hook


class _GradientHook(Primitive):
    """Base of operations that hand their inputs on, and show the passing gradient to a function."""

    autocast = False

    def __init__(self, function) -> None:
        self.function = check_hook(self.name, function)

    def infer(self, *xs):
        if not xs:
            raise type_error(self.name, "there must be an input", "none")
        for i, x in enumerate(xs):
            check_tensor(self, f"input {i}", x)
        return xs if len(xs) > 1 else xs[0]

    def compute(self, xp, *xs):
        return xs if len(xs) > 1 else xs[0]


class HookBackward(_GradientHook):
    """``out = x``; on the way back ``hook(gradients)`` is called, a tuple, and its result passes on.

    With a ``cell_id`` the call is ``hook(cell_id, gradients, gradients)``.

    Args:
        hook_fn (Callable): The hook; None as its result leaves the gradient as it is.
        cell_id (str): What the hook gets as its first argument, where it is not empty. Default: "".
    """

    __call__: Callable[..., Any]

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        super().__init__(hook_fn)
        self.cell_id = cell_id

    def bprop(self, *xs_out_dout):
        douts = xs_out_dout[-1]
        douts = douts if isinstance(douts, tuple) else (douts,)
        found = self.function(self.cell_id, douts, douts) if self.cell_id else self.function(douts)
        if found is None:
            return douts
        found = tuple(found) if isinstance(found, (tuple, list)) else (found,)
        if len(found) != len(douts):
            raise value_error(self.name, f"the hook must return {len(douts)} gradients or None", len(found))
        return found


class InsertGradientOf(_GradientHook):
    """``out = x``; on the way back the gradient becomes ``f(gradient)``."""

    def __init__(self, f) -> None:
        super().__init__(f)

    def bprop(self, x, out, dout):
        found = self.function(dout)
        if not isinstance(found, Tensor):
            raise type_error(self.name, "the function must return a Tensor", type(found).__name__)
        return found if needs_grad(x) else None
