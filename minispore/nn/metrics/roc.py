"""The receiver operating characteristic, and the area under a curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.errors import type_error, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["ROC", "auc"]


def _curve(scores, positive):
    """False positive rates, true positive rates and thresholds of binary labels, from the highest threshold down."""
    for kind, some in (("positive", positive.any()), ("negative", not positive.all())):
        if not some:
            raise value_error("ROC.eval", f"there must be {kind} labels", "none")
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], positive[order]
    last = np.append(np.flatnonzero(np.diff(scores)), scores.size - 1)  # of each run of equal scores
    # Equal scores cannot be separated by a threshold: they make one step of the curve.
    true = np.cumsum(positive, dtype=np.float64)[last]
    false = last + 1 - true
    thresholds = np.append(scores[:1] + 1, scores[last]).astype(scores.dtype)
    return np.append(0, false) / false[-1], np.append(0, true) / true[-1], thresholds


class ROC(Metric):
    """False positive rate, true positive rate and thresholds of the last batch.

    Args:
        class_num (int): The number of classes; None for labels of two classes. Default: None.
        pos_label (int): The label that is positive; None for 1, and with more classes for each in turn. Default: None.

    Raises:
        TypeError: If an argument is not an int.
        ValueError: If ``class_num`` is not above 0.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.ROC(pos_label=1)
        >>> metric.update(ms.Tensor([0.1, 0.4, 0.6, 0.9]), ms.Tensor([0, 1, 0, 1]))
        >>> false_positives, true_positives, thresholds = metric.eval()
        >>> print(false_positives, true_positives)
        [0.  0.  0.5 0.5 1. ] [0.  0.5 0.5 1.  1. ]
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        super().__init__()
        self.class_num = None if class_num is None else check_int("ROC", "class_num", class_num, low=1)
        self.pos_label = None if pos_label is None else check_int("ROC", "pos_label", pos_label)
        self.clear()

    def clear(self) -> None:
        """Forget the batch."""
        self._batch = None

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Take the batch ``(scores, labels)`` in the place of the one before: ``(N, ...)``, or ``(N, C, ...)`` scores.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or the shapes do not fit each other and ``class_num``.
        """
        scores, label = self._taken(inputs, 2)
        if scores.shape == label.shape:
            if self.class_num not in (None, 1):
                raise value_error("ROC.update", "the 'class_num' must be 1 for inputs of one shape", self.class_num)
            scores, label = scores.ravel(), label.ravel()
        elif scores.ndim == label.ndim + 1 and scores.shape[:1] + scores.shape[2:] == label.shape:
            if self.class_num != scores.shape[1]:
                expected = f"the 'class_num' must be {scores.shape[1]}, the length of the scores' axis 1"
                raise value_error("ROC.update", expected, self.class_num)
            scores, label = np.moveaxis(scores, 1, -1).reshape(-1, self.class_num), label.ravel()
        else:
            got = f"{scores.shape} and {label.shape}"
            raise value_error("ROC.update", "the inputs must have one shape, or (N, C, ...) and (N, ...)", got)
        self._batch = scores, label

    def eval(self) -> Any:
        """``(fpr, tpr, thresholds)``: arrays, or with classes lists of an array for each.

        Raises:
            RuntimeError: If there was no batch.
            ValueError: If a class has no label, or all.
        """
        self._mean(0, self._batch is not None)
        scores, label = self._batch
        if scores.ndim == 1:
            return _curve(scores, label == (1 if self.pos_label is None else self.pos_label))
        curves = [_curve(scores[:, i], label == i) for i in range(scores.shape[1])]
        return tuple(map(list, zip(*curves, strict=True)))


def auc(x, y, reorder: bool = False) -> Any:
    """The area under the curve through the points ``(x, y)``, by the trapezoidal rule.

    Shapes: two rows of one length, (N,); the answer is a float.

    Args:
        x (numpy.ndarray): The x coordinates, rising or falling.
        y (numpy.ndarray): The y coordinates.
        reorder (bool): If True, the points are sorted by x first. Default: False.

    Raises:
        TypeError: If ``x`` or ``y`` is not an array.
        ValueError: If they differ in length, there are fewer than two points, or ``x`` neither rises nor falls.

    Examples:
        >>> import numpy as np
        >>> from minispore import train
        >>> train.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0]))
        0.75
    """
    if not isinstance(x, np.ndarray) or not isinstance(y, np.ndarray):
        raise type_error("auc", "the 'x' and 'y' must be NumPy arrays", f"{type(x).__name__} and {type(y).__name__}")
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise value_error("auc", "the 'x' and 'y' must be of one axis and one length above 1", f"{x.shape}, {y.shape}")
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if (steps < 0).any() and (steps > 0).any():
        raise value_error("auc", "the 'x' must rise or fall unless 'reorder' is True", x)
    area = float((steps * (y[1:] + y[:-1]) / 2).sum())
    return -area if (steps < 0).any() else area
