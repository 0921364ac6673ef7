"""Operations that hand their inputs on, and show the passing gradient to a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.type_checks import check_tensor

__all__ = ["HookBackward", "InsertGradientOf"]


def check_hook(operation, hook):
    """``hook``, which must be a function without the decorator ``ms.jit``: a replay would lose its effects."""
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
    """A Tensor whose gradient a function sees, and may change.

    ``out = x``; on the way back ``hook(gradients)`` is called, a tuple, and its result passes on.

    With a ``cell_id`` the call is ``hook(cell_id, gradients, gradients)``.

    Any dtype is taken and kept.

    Args:
        hook_fn (Callable): The hook; None as its result leaves the gradient as it is.
        cell_id (str): The hook's first argument, unless it is empty. Default: "".

    Raises:
        TypeError: If ``hook`` is not a function, an input is not a Tensor, or an input is complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([1.0, 2.0])
        >>> double = ops.HookBackward(lambda gradients: (2 * gradients[0],))
        >>> print(ms.grad(lambda x: (double(x) * 3).sum())(x))
        [6. 6.]
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
    """A Tensor whose gradient a function changes.

    ``out = x``; on the way back the gradient becomes ``f(gradient)``.

    Raises:
        TypeError: If ``hook`` is not a function.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> halve = ops.InsertGradientOf(lambda gradient: gradient / 2)
        >>> print(ms.grad(lambda x: (halve(x) * 3).sum())(ms.Tensor([1.0, 2.0])))
        [1.5 1.5]
    """

    def __init__(self, f) -> None:
        super().__init__(f)

    def bprop(self, x, out, dout):
        found = self.function(dout)
        if not isinstance(found, Tensor):
            raise type_error(self.name, "the function must return a Tensor", type(found).__name__)
        return found if needs_grad(x) else None
