"""Checks of a loss's inputs in its own name, made once an error has come: a call without one pays nothing."""

import numpy as np

from minispore.core.errors import type_error, value_error
from minispore.core.tape import is_differentiable
from minispore.core.tensor import Tensor

__all__ = []


def _check_tensors(name, logits, labels):
    for argument, x in (("logits", logits), ("labels", labels)):
        if not isinstance(x, Tensor):
            raise type_error(name, f"the '{argument}' must be a Tensor", type(x).__name__)


def check_broadcast(name, logits, labels):
    """Raise ValueError unless the shapes of prediction and label broadcast."""
    _check_tensors(name, logits, labels)
    try:
        np.broadcast_shapes(logits.shape, labels.shape)
    except ValueError:
        expected = "the shapes of 'logits' and 'labels' must broadcast"
        raise value_error(name, expected, f"{logits.shape} and {labels.shape}") from None


def check_classes(name, logits, labels, probabilities=False):
    """Check logits, and labels that are class numbers, or ``probabilities`` of the logits' shape too.

    Raises:
        TypeError: If the logits are not floating, or class numbers are.
        ValueError: If floating labels cannot be probabilities, or the shapes do not fit.
    """
    _check_tensors(name, logits, labels)
    given = f"{labels.dtype} of shape {labels.shape}"
    if not is_differentiable(logits):
        got = f"{logits.dtype} of shape {logits.shape}; the prediction comes first, the label second"
        raise type_error(name, "the 'logits' must be floating", got)
    if is_differentiable(labels):
        if not probabilities:
            raise type_error(name, "the 'labels' must be class numbers, of int32 or int64", given)
        if labels.shape != logits.shape:
            expected = (
                f"the 'labels' must be class numbers, of int32 or int64, or probabilities of shape {logits.shape}"
            )
            raise value_error(name, expected, given)
        return
    shape = logits.shape[:1] + logits.shape[2:] if logits.ndim > 1 else ()
    if labels.shape != shape:
        raise value_error(
            name, f"the 'labels' must have the shape {shape}, a class number for each of the logits", given
        )
