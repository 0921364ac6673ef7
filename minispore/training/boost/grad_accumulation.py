"""Gradient accumulation: the mean of the gradients of several steps, by which the optimizer then makes one update."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_positive_int
from minispore.core.errors import type_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.composite import HyperMap, MultitypeFuncGraph
from minispore.ops.functional import partial

__all__ = ["GradientAccumulation", "gradient_accumulation_op", "gradient_clear_op"]

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Int64", "Tensor", "Tensor")
def _accumulate(accumulation_step, cumulative_grad, grad):
    """``cumulative_grad += grad / accumulation_step``; returns the sum."""
    return F.assign_add(cumulative_grad, (grad / accumulation_step).astype(cumulative_grad.dtype))


@gradient_clear_op.register("Tensor")
def _clear(cumulative_grad):
    """``cumulative_grad = 0``; returns the zeros."""
    return F.assign(cumulative_grad, F.zeros_like(cumulative_grad))


class GradientAccumulation(Cell):
    """Sum ``gradient / max_accumulation_step``, and update by the sum in each ``max_accumulation_step``-th call.

    So an update uses the mean over a batch larger by that factor, in the memory of a small batch.
    Source: MindSpore 2.0.0, in graph mode.

    Args:
        max_accumulation_step (int): How many calls make an update, above 0.
        optimizer (Optimizer): The optimizer.

    Inputs:
        - **loss** (Tensor) - The loss.
        - **grads** (tuple[Tensor]) - A gradient for each of the optimizer's Parameters.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``max_accumulation_step`` is below 1.

    Examples:
        >>> import minispore as ms
        >>> w = ms.Parameter([0.0], name="w")
        >>> accumulate = ms.boost.GradientAccumulation(2, ms.nn.SGD([w], 1.0))
        >>> for g in (1.0, 3.0):
        ...     loss = accumulate(ms.Tensor(5.0), (ms.Tensor([g]),))
        >>> print(w.asnumpy())
        [-2.]
    """

    recordable = False  # the host decides whether a call updates

    def __init__(self, max_accumulation_step: int, optimizer) -> None:
        super().__init__(auto_prefix=False)
        name = "GradientAccumulation"
        self._max_accumulation_step = check_positive_int(name, "max_accumulation_step", max_accumulation_step)
        if not isinstance(getattr(optimizer, "parameters", None), (tuple, list)):
            raise type_error(name, "the 'optimizer' must be an Optimizer", type(optimizer).__name__)
        self.optimizer = optimizer
        self._grad_accumulation = ParameterTuple(optimizer.parameters).clone("grad_accumulation", "zeros")
        self._accumulation_step = Parameter(np.asarray(0, np.int32), name="_accumulation_step", requires_grad=False)
        self.hyper_map = HyperMap()

    def construct(self, loss: Tensor, grads: tuple[Tensor, ...]) -> Any:
        """Add the gradients; in the last call of a round update and start anew."""
        add = partial(gradient_accumulation_op, self._max_accumulation_step)
        self.hyper_map(add, self._grad_accumulation, tuple(grads))
        step = int(self._accumulation_step) + 1
        if step >= self._max_accumulation_step:
            self.optimizer(tuple(total.value() for total in self._grad_accumulation))
            self.hyper_map(gradient_clear_op, self._grad_accumulation)
            step = 0
        F.assign(self._accumulation_step, step)
        return loss

    def has_updated(self) -> Any:
        """True if the last call has updated, so that the next one begins a round."""
        return int(self._accumulation_step) == 0
