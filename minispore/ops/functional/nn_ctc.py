"""The functional wrappers of connectionist temporal classification."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_int
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.functional.math_binary import maximum
from minispore.ops.functional.state import cast
from minispore.ops.operations.nn.cross_entropy import check_reduction
from minispore.ops.operations.nn.ctc import CTCGreedyDecoder, CTCLossV2

__all__ = ["ctc_greedy_decoder", "ctc_loss"]


def _lengths(argument, x):
    """Lengths as a Tensor: a tuple or list of ints is made one."""
    if isinstance(x, (tuple, list)):
        return Tensor([check_int("ctc_loss", argument, n) for n in x])
    if not isinstance(x, Tensor):
        raise type_error("ctc_loss", f"the '{argument}' must be a Tensor or a tuple of ints", type(x).__name__)
    return x


def ctc_loss(
    log_probs: Tensor, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False
) -> tuple[Tensor, Tensor]:
    """Loss of sequences without alignment (connectionist temporal classification).

    ``(loss, log_alpha)``: ``-log`` of the summed probability of all alignments of targets, and the forward variables.

    Source: Graves et al., 2006. The mean is taken of ``loss / max(target_lengths, 1)``.

    Args:
        log_probs (Tensor): (T, N, C), logarithms of probabilities, float32 or float64.
        targets (Tensor): (N, S), classes, int32 or int64.
        input_lengths (Union[tuple, Tensor]): (N,), how many steps count.
        target_lengths (Union[tuple, Tensor]): (N,), how many targets count.
        blank (int): The class of no label. Default: 0.
        reduction (str): "mean", "sum" or "none". Default: "mean".
        zero_infinity (bool): If True, an infinite loss and its gradient are 0. Default: False.

    Raises:
        TypeError: If an argument is of a wrong kind or dtype.
        ValueError: If shapes do not fit, the reduction is unknown, or ``blank`` or a target is not a class. On the CPU
            also if a sample has more targets than steps, or a length is out of range.

    Examples:
        >>> import minispore as ms
        >>> log_probs = ms.ops.log_softmax(ms.ops.zeros((2, 1, 2)))
        >>> print(ms.ops.ctc_loss(log_probs, ms.Tensor([[1]]), (2,), (1,))[0])
        0.2876821
    """
    check_tensors("ctc_loss", log_probs=log_probs, targets=targets)
    check_int("ctc_loss", "blank", blank)
    check_reduction("ctc_loss", reduction)
    check_bool("ctc_loss", "zero_infinity", zero_infinity)
    input_lengths, target_lengths = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    operation = make(CTCLossV2, blank, "none", zero_infinity)
    loss, log_alpha, _ = operation(log_probs, targets, input_lengths, target_lengths)
    if reduction == "mean":
        loss = (loss / cast(maximum(target_lengths, 1), loss.dtype)).mean()
    return loss.sum() if reduction == "sum" else loss, log_alpha


def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The labels of the likeliest class of each step, without blanks: ``CTCGreedyDecoder(merge_repeated)(...)``.

    Dtypes: floats; the answer is int64; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``inputs`` or ``sequence_length`` is not a Tensor, or ``merge_repeated`` is not a bool.
        ValueError: If ``inputs`` does not have 3 axes, or ``inputs`` has no step or no class. Also if
            ``sequence_length`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> scores = ms.Tensor([[[9.0, 0.0, 0.0]], [[9.0, 0.0, 0.0]], [[0.0, 0.0, 9.0]], [[0.0, 9.0, 0.0]]])
        >>> places, labels, shape, log_probability = ops.ctc_greedy_decoder(scores, ms.Tensor([4], ms.int32))
        >>> print(labels)
        [0 1]
    """
    return make(CTCGreedyDecoder, merge_repeated)(inputs, sequence_length)
