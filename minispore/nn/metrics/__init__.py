"""Metrics, and their names: ``get_metric_fn("accuracy")``, ``Model(metrics={"acc", "loss"})``.

Reading order: ``metric``, ``error``, ``classification``, ``top_k``, ``confusion``, ``dice``, ``text``,
``cosine_similarity``, ``surface_distance``, ``roc``, ``occlusion_sensitivity``.
"""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_text
from minispore.core.errors import shown, type_error
from minispore.nn.metrics.classification import F1, Accuracy, EvaluationBase, Fbeta, Precision, Recall
from minispore.nn.metrics.confusion import ConfusionMatrix, ConfusionMatrixMetric
from minispore.nn.metrics.cosine_similarity import CosineSimilarity
from minispore.nn.metrics.dice import Dice
from minispore.nn.metrics.error import MAE, MSE, Loss
from minispore.nn.metrics.metric import Metric, rearrange_inputs
from minispore.nn.metrics.occlusion_sensitivity import OcclusionSensitivity
from minispore.nn.metrics.roc import ROC, auc
from minispore.nn.metrics.surface_distance import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from minispore.nn.metrics.text import BleuScore, Perplexity
from minispore.nn.metrics.top_k import Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy

__all__ = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "EvaluationBase",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "get_metrics",
    "names",
    "rearrange_inputs",
]

_BY_NAME = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "hausdorff_distance": HausdorffDistance,
    "loss": Loss,
    "mae": MAE,
    "mean_surface_distance": MeanSurfaceDistance,
    "mse": MSE,
    "occlusion_sensitivity": OcclusionSensitivity,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "root_mean_square_distance": RootMeanSquareDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> Any:
    """The names of all metrics, in order.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.names()[:3], "accuracy" in ms.nn.names())
        ['F1', 'acc', 'accuracy'] True
    """
    return sorted(_BY_NAME)


def get_metric_fn(name, *args, **kwargs) -> Any:
    """A new metric by its name.

    Raises:
        KeyError: If the name is unknown.
        TypeError: If ``eval_type``, of a metric that takes it, is not "classification" or "multilabel".

    Examples:
        >>> import minispore as ms
        >>> type(ms.nn.get_metric_fn("precision", eval_type="classification")).__name__
        'Precision'
    """
    if check_text("get_metric_fn", "name", name) not in _BY_NAME:
        raise KeyError(f"For 'get_metric_fn', the 'name' must be one of {names()}, but got {shown(name)}.")
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics) -> Any:
    """Metrics by name: a dict is returned as it is, a set of names gives new ones, None gives None.

    Raises:
        TypeError: If ``metrics`` is of another kind, or a dict holds anything but Metrics.
        KeyError: If a name of a set is unknown.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.get_metrics({"mae", "mse"})["mae"], ms.nn.get_metrics({"top": ms.nn.F1()}))
        MAE() {'top': F1()}
    """
    if metrics is None or (isinstance(metrics, dict) and all(_is_entry(*entry) for entry in metrics.items())):
        return metrics
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in sorted(metrics)}
    expected = "the 'metrics' must be None, a set of names, or a dict of names to Metrics"
    raise type_error("get_metrics", expected, shown(metrics))


def _is_entry(name, metric):
    return isinstance(name, str) and isinstance(metric, Metric)
