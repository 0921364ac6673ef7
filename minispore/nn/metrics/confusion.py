"""The confusion matrix of labels and predictions, and the rates that follow from its counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool, check_int, check_text
from minispore.core.errors import runtime_error, shown, value_error
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.ops.number_checks import check_python_float

__all__ = ["ConfusionMatrix", "ConfusionMatrixMetric"]

_NORMALIZED = {"no_norm": None, None: None, "target": 1, "prediction": 0, "all": (0, 1)}


class ConfusionMatrix(Metric):
    """Counts of predictions: rows are the true classes, columns the predicted ones.

    Args:
        num_classes (int): The number of classes.
        normalize (str): "no_norm", or what each number is divided by: "target", the sum of its row; "prediction", of
            its column; "all", of all. Default: "no_norm".
        threshold (float): The probability above which a prediction of two classes is 1. Default: 0.5.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``normalize`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.train.ConfusionMatrix(2)
        >>> metric.update(ms.Tensor([0.2, 0.9, 0.7]), ms.Tensor([0, 1, 0]))
        >>> print(metric.eval())
        [[1. 1.]
         [0. 1.]]
    """

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5) -> None:
        super().__init__()
        name = "ConfusionMatrix"
        self.num_classes = check_int(name, "num_classes", num_classes, low=1)
        if normalize is not None and (not isinstance(normalize, str) or normalize not in _NORMALIZED):
            known = [key for key in _NORMALIZED if key]
            raise value_error(name, f"the 'normalize' must be one of {known}", shown(normalize))
        self.normalize = normalize
        self.threshold = check_python_float(name, "threshold", threshold)
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self.confusion_matrix, self._updated = np.zeros((self.num_classes, self.num_classes)), False

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``: class numbers ``(N, ...)``, and the like or probabilities.

        Probabilities are of class 1 ``(N, ...)``, or of each class ``(N, C, ...)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, the shapes do not fit, or there are more classes.
        """
        prediction, label = self._taken(inputs, 2)
        if prediction.ndim == label.ndim + 1:
            prediction = prediction.argmax(1)
        elif prediction.dtype.kind == "f":
            prediction = prediction > self.threshold
        pairs = [x.astype(np.int64).ravel() for x in (label, prediction)]
        if prediction.shape != label.shape:
            expected = "the labels must have the predictions' shape, with or without axis 1"
            raise value_error("ConfusionMatrix.update", expected, f"{label.shape} for {inputs[0].shape}")
        if pairs[0].size and not 0 <= min(map(np.min, pairs)) <= max(map(np.max, pairs)) < self.num_classes:
            expected = f"the classes must be in [0, {self.num_classes})"
            raise value_error("ConfusionMatrix.update", expected, sorted({*pairs[0].tolist(), *pairs[1].tolist()}))
        np.add.at(self.confusion_matrix, tuple(pairs), 1)
        self._updated = True

    def eval(self) -> Any:
        """The matrix, float64; 0 where its divisor is 0.

        Raises:
            RuntimeError: If there was no batch.
        """
        self._mean(0, self._updated)
        axis = _NORMALIZED[self.normalize]
        if axis is None:
            return self.confusion_matrix.copy()
        total = self.confusion_matrix.sum(axis, keepdims=True)
        return np.divide(self.confusion_matrix, total, out=np.zeros_like(self.confusion_matrix), where=total != 0)


def _rates(tp, fp, tn, fn):
    """The rates that several of the formulas are made of."""
    return tp / (tp + fn), tn / (tn + fp), tp / (tp + fp), tn / (tn + fn)


def _prevalence_threshold(tp, fp, tn, fn):
    tpr, tnr, _, _ = _rates(tp, fp, tn, fn)
    return (np.sqrt(tpr * (1 - tnr)) + tnr - 1) / (tpr + tnr - 1)


def _matthews(tp, fp, tn, fn):
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


_FORMULAS = {
    "sensitivity recall hit_rate true_positive_rate tpr": lambda tp, fp, tn, fn: tp / (tp + fn),
    "specificity selectivity true_negative_rate tnr": lambda tp, fp, tn, fn: tn / (tn + fp),
    "precision positive_predictive_value ppv": lambda tp, fp, tn, fn: tp / (tp + fp),
    "negative_predictive_value npv": lambda tp, fp, tn, fn: tn / (tn + fn),
    "miss_rate false_negative_rate fnr": lambda tp, fp, tn, fn: fn / (fn + tp),
    "fall_out false_positive_rate fpr": lambda tp, fp, tn, fn: fp / (fp + tn),
    "false_discovery_rate fdr": lambda tp, fp, tn, fn: fp / (fp + tp),
    "false_omission_rate for": lambda tp, fp, tn, fn: fn / (fn + tn),
    "prevalence_threshold pt": _prevalence_threshold,
    "threat_score critical_success_index ts csi": lambda tp, fp, tn, fn: tp / (tp + fn + fp),
    "accuracy acc": lambda tp, fp, tn, fn: (tp + tn) / (tp + fp + tn + fn),
    "balanced_accuracy ba": lambda *counts: (_rates(*counts)[0] + _rates(*counts)[1]) / 2,
    "f1_score f1": lambda tp, fp, tn, fn: 2 * tp / (2 * tp + fn + fp),
    "matthews_correlation_coefficient mcc": _matthews,
    "fowlkes_mallows_index fm": lambda *counts: np.sqrt(_rates(*counts)[0] * _rates(*counts)[2]),
    "informedness bookmaker_informedness bm": lambda *counts: _rates(*counts)[0] + _rates(*counts)[1] - 1,
    "markedness deltap mk": lambda *counts: _rates(*counts)[2] + _rates(*counts)[3] - 1,
}
_BY_NAME = {name: formula for names, formula in _FORMULAS.items() for name in names.split()}
_DECREASES = {  # name -> the reduction, and its axes of (sample, class)
    "none": (None, ()),
    "mean": ("mean", (1, 0)),
    "sum": ("sum", (1, 0)),
    "mean_batch": ("mean", (0,)),
    "sum_batch": ("sum", (0,)),
    "mean_channel": ("mean", (1,)),
    "sum_channel": ("sum", (1,)),
}


def _reduced(rates, how, axis):
    """The sum or mean along an axis, of the rates that are defined."""
    defined = ~np.isnan(rates)
    total = np.where(defined, rates, 0).sum(axis)
    return total if how == "sum" else total / np.maximum(defined.sum(axis), 1)


class ConfusionMatrixMetric(Metric):
    """A rate of the counts of true and false positives and negatives, of one-hot predictions and labels.

    Args:
        skip_channel (bool): If True, class 0, the background, counts; if False, it is left out. That is the reverse of
            what the name says, but what MindSpore computes. Default: True.
        metric_name (str): The rate: "sensitivity", "specificity", "precision", "f1_score", ... Default: "sensitivity".
        calculation_method (bool): If True, the rate of each sample and class is computed first, and then decreased;
            else that of the sums of all counts. Default: False.
        decrease (str): How the rates of samples and classes become one: "none", "mean", "sum", "mean_batch",
            "sum_batch", "mean_channel" or "sum_channel". Default: "mean".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``decrease`` is unknown.
        NotImplementedError: If ``metric_name`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> metric = ms.nn.ConfusionMatrixMetric(metric_name="sensitivity")
        >>> metric.update(ms.Tensor([[[0.0], [1.0]], [[1.0], [0.0]]]), ms.Tensor([[[0.0], [1.0]], [[0.0], [1.0]]]))
        >>> print(metric.eval())
        [0.5]
    """

    def __init__(
        self, skip_channel: bool = True, metric_name="sensitivity", calculation_method=False, decrease="mean"
    ) -> None:
        super().__init__()
        name = "ConfusionMatrixMetric"
        self.skip_channel = check_bool(name, "skip_channel", skip_channel)
        self.calculation_method = check_bool(name, "calculation_method", calculation_method)
        if not isinstance(decrease, str) or decrease not in _DECREASES:
            raise value_error(name, f"the 'decrease' must be one of {list(_DECREASES)}", shown(decrease))
        key = check_text(name, "metric_name", metric_name).strip().lower().replace(" ", "_")
        if key not in _BY_NAME:
            expected = f"the 'metric_name' must be one of {list(_BY_NAME)}"
            raise NotImplementedError(f"For '{name}', {expected}, but got {shown(metric_name)}.")
        self.metric_name, self.decrease, self._formula = metric_name, decrease, _BY_NAME[key]
        self.clear()

    def clear(self) -> None:
        """Forget all batches."""
        self._counts = []

    @rearrange_inputs
    def update(self, *inputs) -> Any:
        """Add the batch ``(predictions, labels)``, 0 or 1, of one shape ``(N, C, ...)``.

        Raises:
            TypeError: If an input is not a Tensor, list or array.
            ValueError: If there are not two inputs, the values are not 0 and 1, or the shapes differ.
        """
        prediction, label = self._taken(inputs, 2)
        name = "ConfusionMatrixMetric.update"
        if prediction.shape != label.shape or prediction.ndim < 2:
            got = f"{prediction.shape} and {label.shape}"
            raise value_error(name, "the inputs must have one shape, of two axes or more", got)
        if any(((x != 0) & (x != 1)).any() for x in (prediction, label)):
            raise value_error(name, "the predictions and the labels must be 0 or 1", None)
        if not self.skip_channel and label.shape[1] > 1:
            prediction, label = prediction[:, 1:], label[:, 1:]
        prediction, label = (x.reshape(*x.shape[:2], -1) != 0 for x in (prediction, label))
        parts = (prediction & label, prediction & ~label, ~prediction & ~label, ~prediction & label)
        self._counts.append(np.stack([part.sum(2) for part in parts]).astype(np.float64))

    def eval(self) -> Any:
        """The rate: a float, or an array if an axis is left.

        Raises:
            RuntimeError: If there was no batch.
        """
        if not self._counts:
            raise runtime_error("ConfusionMatrixMetric", "'update' must take samples in before 'eval' is called")
        with np.errstate(divide="ignore", invalid="ignore"):
            if not self.calculation_method:
                totals = sum(counts.sum((1, 2)) for counts in self._counts)
                return self._formula(*totals[:, None])
            return self._joined([self._decreased(self._formula(*counts)) for counts in self._counts])

    def _decreased(self, rates):
        how, axes = _DECREASES[self.decrease]
        for axis in axes:
            rates = _reduced(rates, how, axis)
        return rates

    def _joined(self, batches):
        """The result of all batches: their mean, or all rows if the samples are not reduced."""
        if 0 not in _DECREASES[self.decrease][1]:
            return np.concatenate(batches)
        mean = np.mean(batches, 0)
        return float(mean) if mean.ndim == 0 else mean
