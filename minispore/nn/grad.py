"""Cells that compute a function and its derivative along a vector: Jvp forwards, Vjp backwards."""

from __future__ import annotations

from typing import Any

from minispore.core.errors import type_error
from minispore.nn.cell import Cell
from minispore.ops.functional.gradient_arguments import bare
from minispore.ops.functional.jacobian_products import jvp, vjp
from minispore.ops.object_checks import check_callable

__all__ = ["Jvp", "Vjp"]


class _Along(Cell):
    """A cell around a function; the cell's last input is a vector."""

    def __init__(self, fn) -> None:
        super().__init__()
        self.fn = check_callable(type(self).__name__, "fn", fn)

    def _split(self, inputs):
        """The function's inputs, and the vector."""
        if len(inputs) < 2:
            raise type_error(type(self).__name__, "the inputs must be the function's, then a vector", len(inputs))
        return inputs[:-1], inputs[-1]


class Jvp(_Along):
    """The output of a function and its derivative along ``v``: ``(fn(*inputs), J v)``.

    Dtypes: those that ``fn`` takes, kept.

    Args:
        fn (Union[Cell, Callable]): The function.

    Inputs:
        - **inputs** (Tensor) - The function's inputs.
        - **v** (Union[Tensor, tuple[Tensor]]) - A direction of the input's shape, or a tuple of one for each input.

    Raises:
        TypeError: If ``fn`` cannot be called, or an input is not a Tensor.
        ValueError: If a direction has another shape than its input.

    Examples:
        >>> import minispore as ms
        >>> out, along = ms.nn.Jvp(lambda x: x * x)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 10.0]))
        >>> print(along)
        [ 2. 40.]
    """

    def construct(self, *args) -> Any:
        """``(fn(*inputs), J v)``."""
        inputs, v = self._split(args)
        return jvp(self.fn, inputs, v)


class Vjp(_Along):
    """The output of a function and the gradients that ``v`` gives its inputs: ``(fn(*inputs), v^T J)``.

    Dtypes: those that ``fn`` takes, kept.

    Args:
        fn (Union[Cell, Callable]): The function.

    Inputs:
        - **inputs** (Tensor) - The function's inputs.
        - **v** (Union[Tensor, tuple[Tensor]]) - The gradient of the output, a tuple for several outputs.

    Outputs:
        The pair of the output and the gradient; a tuple of gradients where there are several inputs.

    Raises:
        TypeError: If ``fn`` cannot be called, or an input is not a Tensor.
        ValueError: If ``v`` has another shape than the output.

    Examples:
        >>> import minispore as ms
        >>> out, gradient = ms.nn.Vjp(lambda x: x * x)(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 10.0]))
        >>> print(gradient)
        [ 2. 40.]
    """

    def construct(self, *args) -> Any:
        """``(fn(*inputs), v^T J)``."""
        inputs, v = self._split(args)
        out, pull_back = vjp(self.fn, *inputs)
        return out, bare(pull_back(v))
