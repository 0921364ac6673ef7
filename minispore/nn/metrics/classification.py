"""Classification metrics: accuracy, precision, recall and F-scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import shown, type_error, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.ops.number_checks import check_number

__all__ = ["F1", "Accuracy", "EvaluationBase", "Fbeta", "Precision", "Recall"]

_TYPES = ("classification", "multilabel")


def _is_one_hot(y):
    return y.ndim > 1 and ((y == 0) | (y == 1)).all() and (y.sum(1) == 1).all()


class EvaluationBase(Metric):
    """Base of metrics of predictions ``(N, C, ...)`` against labels.

    Args:
        eval_type (str): "classification": labels are class numbers ``(N, ...)`` or one-hot, and the largest prediction
            along axis 1 is the class; "multilabel": predictions and labels are 0 or 1, of one shape.

    Raises:
        TypeError: If the type is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Accuracy("classification")
        >>> print(
        ...     isinstance(metric, ms.nn.EvaluationBase), metric(ms.Tensor([[0.1, 0.9], [0.8, 0.2]]), ms.Tensor([1, 1]))
        ... )
        True 0.5
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__()
        if not isinstance(eval_type, str) or eval_type not in _TYPES:
            raise type_error(type(self).__name__, f"the 'eval_type' must be one of {_TYPES}", shown(eval_type))
        self._type = eval_type
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._class_num = 0

    def _read(self, inputs):
        """Predictions and labels: class numbers of n samples, or n rows of C bits."""
        prediction, label = self._taken(inputs, 2)
        name = f"{type(self).__name__}.update"
        read = self._read_classes if self._type == "classification" else self._read_bits
        found = read(name, prediction, label)
        if self._class_num not in (0, prediction.shape[1]):
            got = prediction.shape[1]
            raise value_error(name, f"the predictions must have {self._class_num} classes, as before", got)
        self._class_num = prediction.shape[1]
        return found

    def _read_classes(self, name, prediction, label):
        if label.shape == prediction.shape and _is_one_hot(label):
            label = label.argmax(1)
        if prediction.ndim < 2 or label.shape != prediction.shape[:1] + prediction.shape[2:]:
            expected = "the labels must have the predictions' shape without axis 1, or be one-hot"
            raise value_error(name, expected, f"{label.shape} for {prediction.shape}")
        return prediction.argmax(1).ravel(), label.ravel()

    def _read_bits(self, name, prediction, label):
        if prediction.ndim < 2 or label.shape != prediction.shape:
            got = f"{label.shape} for {prediction.shape}"
            raise value_error(name, "the labels must have the predictions' shape, of two axes or more", got)
        if any(((x != 0) & (x != 1)).any() for x in (prediction, label)):
            raise value_error(name, "the predictions and the labels must be 0 or 1", None)
        return [np.moveaxis(x, 1, -1).reshape(-1, x.shape[1]) != 0 for x in (prediction, label)]


class Accuracy(EvaluationBase):
    """The share of samples whose prediction is right, in all its bits for "multilabel".

    Args:
        eval_type (str): "classification" or "multilabel". Default: "classification".

    Raises:
        TypeError: If the type is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Accuracy()
        >>> metric.update(ms.Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), ms.Tensor([1, 0, 1]))
        >>> print(round(metric.eval(), 4))
        0.6667
    """

    def clear(self) -> None:
        """Forget all batches."""
        super().clear()
        self._correct_num = self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or the shapes or values do not fit.
        """
        prediction, label = self._read(inputs)
        right = prediction == label
        right = right.all(1) if right.ndim > 1 else right
        self._correct_num += right.sum()
        self._total_num += right.size

    def eval(self) -> Any:
        """The accuracy.

        Raises:
            RuntimeError: If there were no samples.
        """
        return self._mean(self._correct_num, self._total_num)


class _Counting(EvaluationBase):
    """Base of ratios of counts: for each class, or for "multilabel" for each sample."""

    def clear(self) -> None:
        """Forget all batches."""
        super().clear()
        self._counts = None  # true positives, predicted, actual

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, or the shapes or values do not fit.
        """
        prediction, label = self._read(inputs)
        if self._type == "multilabel":
            counts = np.stack([(prediction & label).sum(1), prediction.sum(1), label.sum(1)])
            self._counts = counts if self._counts is None else np.concatenate([self._counts, counts], 1)
            return
        if label.size and not (label.min() >= 0 and label.max() < self._class_num):
            expected = f"the labels must be class numbers below {self._class_num}"
            raise value_error(f"{type(self).__name__}.update", expected, f"{label.min()} to {label.max()}")
        hits = prediction[prediction == label], prediction, label.astype(np.int64)
        counts = np.stack([np.bincount(x, minlength=self._class_num) for x in hits])
        self._counts = counts if self._counts is None else self._counts + counts

    def eval(self, average: bool = False) -> Any:
        """The ratios, 0 where the divisor is 0; with ``average`` their mean.

        Raises:
            TypeError: If ``average`` is not a bool.
            RuntimeError: If there were no samples.
        """
        name = type(self).__name__
        check_bool(name, "average", average)
        self._mean(0, self._counts is not None)
        ratios = self.ratio(*self._counts)
        return ratios.mean() if average else ratios


def _quotient(x, y):
    return x / np.where(y == 0, 1, y)


class Precision(_Counting):
    """``true positives / predicted positives``, of each class (for "multilabel" of each sample).

    Args:
        eval_type (str): "classification" or "multilabel". Default: "classification".

    Raises:
        TypeError: If the type is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Precision()
        >>> metric.update(ms.Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), ms.Tensor([1, 0, 1]))
        >>> print(metric.eval())
        [0.5 1. ]
    """

    def ratio(self, true, predicted, actual) -> Any:
        """The precision from the counts."""
        return _quotient(true, predicted)


class Recall(_Counting):
    """``true positives / actual positives``, of each class (for "multilabel" of each sample).

    Args:
        eval_type (str): "classification" or "multilabel". Default: "classification".

    Raises:
        TypeError: If the type is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Recall()
        >>> metric.update(ms.Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), ms.Tensor([1, 0, 1]))
        >>> print(metric.eval())
        [1.  0.5]
    """

    def ratio(self, true, predicted, actual) -> Any:
        """The recall from the counts."""
        return _quotient(true, actual)


class Fbeta(_Counting):
    """``(1 + beta ** 2) * precision * recall / (beta ** 2 * precision + recall)`` of each class.

    Args:
        beta (Union[int, float]): Above 0.

    Raises:
        ValueError: If beta is not above 0.
        TypeError: If ``beta`` is not a number, or ``average``, of ``eval``, is not a bool.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.Fbeta(beta=2.0)
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.7, 0.3], [0.4, 0.6]]), ms.Tensor([1, 0, 0]))
        >>> print(metric.eval().round(4), f"{metric.eval(average=True):.4f}")
        [0.5556 0.8333] 0.6944
    """

    def __init__(self, beta: int | float) -> None:
        super().__init__()
        if not check_number("Fbeta", "beta", beta) > 0:
            raise value_error("Fbeta", "the 'beta' must be above 0", beta)
        self.beta = beta

    def ratio(self, true, predicted, actual) -> Any:
        """The score from the counts."""
        square = self.beta**2
        return _quotient((1 + square) * true, square * actual + predicted)


class F1(Fbeta):
    """``2 * precision * recall / (precision + recall)`` of each class.

    Raises:
        TypeError: If ``average``, of ``eval``, is not a bool.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.F1()
        >>> metric.update(ms.Tensor([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), ms.Tensor([1, 0, 1]))
        >>> print(metric.eval(average=True).round(4))
        0.6667
    """

    def __init__(self) -> None:
        super().__init__(1)
