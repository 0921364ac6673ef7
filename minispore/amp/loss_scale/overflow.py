"""Overflow: a check of Tensors for inf and nan with one transfer to the host; on Ascend also the register."""

from __future__ import annotations

from typing import Any

from minispore.core import backend
from minispore.core.errors import type_error
from minispore.core.nest import select
from minispore.core.tape import constant
from minispore.core.tensor import Tensor
from minispore.ops.functional import depend
from minispore.ops.operations.overflow_status import (
    AllFinite,
    NPUAllocFloatStatus,
    NPUClearFloatStatus,
    NPUGetFloatStatus,
)

__all__ = ["all_finite"]

_all_finite = AllFinite()


class Checked(tuple):
    """Tensors and, in ``overflow``, the answer of the operation that made them: True if any holds an inf or a nan."""

    def __new__(cls, tensors, overflow=None):
        """The Tensors, and a Tensor of one bool, or None if the check is still to be made."""
        self = super().__new__(cls, tensors)
        self.overflow = overflow
        return self


_allocate, _clear, _get = NPUAllocFloatStatus(), NPUClearFloatStatus(), NPUGetFloatStatus()


def start(pre_cond, compute_input):
    """Start an overflow check after ``pre_cond`` and before ``compute_input`` is used: ``(status, compute_input)``.

    On Ascend the register is cleared in between; elsewhere :func:`status_of` inspects the outputs themselves.
    """
    if backend.register is None:
        return constant(False), compute_input
    # Only data flow orders operations in a graph: `depend` makes the clearing wait for the loss, and the backward pass
    # wait for the clearing.
    status = _clear(depend(_allocate(), pre_cond))
    return status, depend(compute_input, status) if isinstance(compute_input, Tensor) else compute_input


def status_of(status, compute_output):
    """A Tensor of one bool, True if anything has overflowed since :func:`start` returned ``status``.

    An inf or a nan in ``compute_output`` is an overflow on every device. On Ascend the register counts too, whichever
    operation set it. An inf that was there before, in the data or in the forward pass, does not set it.
    """
    # The unscaling has looked at every element already: its answer saves one more pass over all gradients.
    overflow = compute_output.overflow if type(compute_output) is Checked else None
    overflow = all_finite(compute_output).logical_not() if overflow is None else overflow
    if backend.register is None:
        return overflow
    first = select(Tensor, compute_output)[:1]
    raised = _get(depend(status, *first) if first else status)[0] > 0
    return raised.logical_or(overflow)


def all_finite(inputs: Tensor | tuple[Any, ...] | list[Any] | dict[str, Any]) -> Tensor:
    """A Tensor of one bool, shape (), True if every element of all Tensors is finite.

    Args:
        inputs (Union[Tensor, tuple, list, dict]): A Tensor, or a nest of Tensors. Integers are finite.

    Raises:
        TypeError: If ``inputs`` is anything else.

    Examples:
        >>> import minispore as ms
        >>> print(ms.amp.all_finite((ms.Tensor([1.0]), ms.Tensor([float("inf")]))))
        False
    """
    if not isinstance(inputs, (Tensor, tuple, list, dict)):
        raise type_error(
            "all_finite", "the 'inputs' must be a Tensor or a tuple, list or dict of Tensors", type(inputs).__name__
        )
    return _all_finite(tuple(select(Tensor, inputs)))
