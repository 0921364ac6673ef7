"""Functions with some of their arguments given."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import type_error

__all__ = ["partial"]


class Partial:
    """A function with some arguments given: ``Partial()(f, 1)(2) == f(1, 2)``.

    Shapes and dtypes: those that the function takes.

    Raises:
        TypeError: If ``func`` cannot be called.

    Examples:
        >>> import minispore as ms
        >>> def scaled(scale, x):
        ...     return scale * x
        >>> print(ms.ops.functional.partial(scaled, 2.0)(ms.Tensor([1.0, 3.0])))
        [2. 6.]
    """

    def __init__(self, *unknown) -> None:
        if unknown:
            raise type_error("Partial", "it must be made without arguments, and called with the function", len(unknown))

    def __call__(self, func, *args, **kwargs) -> Any:
        """The function of the remaining arguments; MindSpore takes ``args`` only."""
        if not callable(func):
            raise type_error("Partial", "the 'func' must be a function", type(func).__name__)
        return lambda *more, **named: func(*args, *more, **{**kwargs, **named})


partial = Partial()
