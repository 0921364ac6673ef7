"""Basic layers: Flatten, Dropout, Identity, Roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import check_number
from minispore.ops.operations.array import slicing
from minispore.ops.operations.random.dropout import Dropout as DropoutOperation

__all__ = ["Dropout", "Flatten", "Identity", "Roll"]


class Flatten(Cell):
    """The axes from ``start_dim`` to ``end_dim`` as one; by default all but the first.

    Shapes: (N, ...) gives (N, product of the others); with other axes, those from ``start_dim`` to ``end_dim`` become
    one. Dtypes: any, kept.

    Raises:
        TypeError: If ``start_dim`` or ``end_dim`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``start_dim`` is no axis of the input.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.Flatten()(ms.ops.ones((2, 3, 4))).shape
        (2, 12)
        >>> print(ms.nn.Flatten()(ms.Tensor([[[1, 2], [3, 4]]])))
        [[1 2 3 4]]
    """

    def __init__(self, start_dim=1, end_dim=-1) -> None:
        super().__init__()
        self.start_dim = check_int("Flatten", "start_dim", start_dim)
        self.end_dim = check_int("Flatten", "end_dim", end_dim)

    def construct(self, x) -> Tensor:
        """Reshape."""
        if not -x.ndim <= self.start_dim < x.ndim:
            raise value_error("Flatten", f"the 'start_dim' must be in [-{x.ndim}, {x.ndim})", self.start_dim)
        return F.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Identity(Cell):
    """``out = x``.

    Shapes: any, kept. Dtypes: any, kept.

    Raises:
        TypeError: If ``flags`` is not a dict.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Identity()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def construct(self, x) -> Tensor:
        """Hand x on."""
        return x


class Dropout(Cell):
    """In training, zero each element with probability ``p`` and scale the others by ``1 / (1 - p)``; else hand x on.

    Shapes: any, kept. Dtypes: any, kept.

    Args:
        keep_prob (float): ``1 - p``, in (0, 1]; MindSpore's older name, used if ``p`` is None.
        p (float): The probability of zero, in [0, 1). Default: None, which is ``1 - keep_prob``.

    Raises:
        TypeError: If the probability is not a number.
        ValueError: If it is out of its range.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Dropout(p=0.5)(ms.Tensor([1.0, 2.0])))  # in training some would be 0, others twice as large
        [1. 2.]
    """

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype=None) -> None:
        super().__init__()
        name, value = ("keep_prob", keep_prob) if p is None else ("p", p)
        check_number("Dropout", name, value, "a float")
        if p is None and not 0 < keep_prob <= 1:
            raise value_error("Dropout", "the 'keep_prob' must be in (0, 1]", keep_prob)
        if p is not None and not 0 <= p < 1:
            raise value_error("Dropout", "the 'p' must be in [0, 1)", p)
        self.keep_prob, self.p = keep_prob, p
        self.dropout = DropoutOperation(keep_prob if p is None else 1 - p)

    def construct(self, x) -> Tensor:
        """Drop in training."""
        if not self.training or self.dropout.keep_prob == 1:
            return x
        return self.dropout(x)[0]

    def extend_repr(self) -> Any:
        """The probability."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class Roll(Cell):
    """Moves elements along axes; those that leave at one end enter at the other.

    Args:
        shift (Union[int, tuple[int], list[int]]): By how many places; a negative number moves towards the front.
        axis (Union[int, tuple[int], list[int]]): Along which axis, one for each shift.

    Inputs:
        input_x (Tensor): Of any shape and dtype.

    Outputs:
        Tensor of the input's shape and dtype.

    Raises:
        TypeError: If ``shift`` or ``axis`` holds anything but ints.
        ValueError: If they are not of one length, or the input lacks an axis.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.Roll(shift=1, axis=0)(ms.Tensor([1, 2, 3])))
        [3 1 2]
    """

    def __init__(
        self, shift: int | tuple[int, ...] | Sequence[int], axis: int | tuple[int, ...] | Sequence[int]
    ) -> None:
        super().__init__()
        self.shift, self.axis = shift, axis
        self._roll = slicing.Roll(shift, axis)

    def construct(self, input_x: Tensor) -> Tensor:
        return self._roll(input_x)
