"""custom_vjp: a function with a gradient rule of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minispore.core.errors import type_error
from minispore.nn.cell import Cell
from minispore.ops.object_checks import check_callable

__all__ = ["custom_vjp"]


class CustomVjp(Cell):
    """``fn(*inputs)``, with gradients by the function given to :meth:`defbwd`."""

    def __init__(self, fwd):
        super().__init__()
        self.fwd, self.bwd = fwd, None

    def construct(self, *inputs):
        """The function's output."""
        return self.fwd(*inputs)

    def bprop(self, *inputs_out_dout):
        """The gradients of the inputs, by the rule."""
        if self.bwd is None:
            raise type_error("custom_vjp", "the gradient's rule must be defined by 'defbwd'", "none")
        return self.bwd(*inputs_out_dout)

    def defbwd(self, bprop):
        """Take ``bprop(*inputs, out, dout)``, which returns a tuple of one gradient for each input, as the rule.

        Raises:
            TypeError: If ``bprop`` cannot be called.
        """
        self.bwd = check_callable("defbwd", "bprop", bprop)


def custom_vjp(fn: Callable[..., Any] | None = None) -> Any:
    """``fn`` as a cell, with gradients by the function given to its method ``defbwd``.

    The rule is ``bprop(*inputs, out, dout)``, as a Cell's own ``bprop``: it returns a tuple of one gradient for each
    input. Without ``defbwd`` the cell can be called, but not differentiated.

    Args:
        fn (Callable): A function of positional inputs. Default: None, for a decorator that takes it.

    Raises:
        TypeError: If ``fn`` cannot be called.

    Examples:
        >>> import minispore as ms
        >>> from minispore.ops.function.grad.grad_func import custom_vjp
        >>> @custom_vjp
        ... def square(x):
        ...     return x * x
        >>> square.defbwd(lambda x, out, dout: (10 * dout,))
        >>> square(ms.Tensor(3.0)), ms.grad(square)(ms.Tensor(3.0))
        (Tensor(shape=[], dtype=Float32, value= 9), Tensor(shape=[], dtype=Float32, value= 10))
    """
    return custom_vjp if fn is None else CustomVjp(check_callable("custom_vjp", "fn", fn))
