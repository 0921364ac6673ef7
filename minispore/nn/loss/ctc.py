"""CTCLoss: the loss of sequences that are not aligned with their labels."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_int, check_switch
from minispore.core.tensor import Tensor
from minispore.nn.loss.loss import LossBase
from minispore.ops import functional as F  # noqa: N812 - the conventional name

__all__ = ["CTCLoss"]


class CTCLoss(LossBase):
    """``-log p(targets)`` over all alignments (Graves et al., 2006): the first output of ``ops.ctc_loss``.

    Args:
        blank (int): The class of no label. Default: 0.
        reduction (str): "mean" (of ``loss / max(target_lengths, 1)``), "sum" or "none". Default: "mean".
        zero_infinity (bool): If True, an infinite loss and its gradient are 0. Default: False.

    Inputs:
        - **log_probs** (Tensor) - (T, N, C), logarithms of probabilities.
        - **targets** (Tensor) - (N, S), ints.
        - **input_lengths** (Union[tuple, Tensor]) - (N,), how many steps count.
        - **target_lengths** (Union[tuple, Tensor]) - (N,), how many targets count.

    Raises:
        TypeError, ValueError: As ``ops.ctc_loss``.

    Examples:
        >>> import minispore as ms
        >>> log_probs = ms.ops.log_softmax(ms.ops.zeros((2, 1, 2)))
        >>> print(ms.nn.CTCLoss()(log_probs, ms.Tensor([[1]]), (2,), (1,)))
        0.2876821
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = check_int("CTCLoss", "blank", blank)
        self.zero_infinity = check_switch("CTCLoss", "zero_infinity", zero_infinity)

    def construct(
        self, log_probs: Tensor, targets: Tensor, input_lengths: tuple[Any, ...] | Tensor, target_lengths
    ) -> Tensor:
        """The loss."""
        lengths = input_lengths, target_lengths
        return F.ctc_loss(log_probs, targets, *lengths, self.blank, self.reduction, self.zero_infinity)[0]
