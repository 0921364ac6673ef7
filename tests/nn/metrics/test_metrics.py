"""Metrics: any batches give what one formula gives for all samples, and wrong inputs are refused by name."""

import numpy as np
import pytest

from minispore import nn

ARGUMENTS = {"topk": (3,), "confusion_matrix": (2,)}
METRICS = [name for name in nn.names() if name != "auc"]  # a function, which MindSpore lists, too


@pytest.mark.parametrize("name", METRICS)
def test_every_name_makes_a_new_metric(name):
    first, second = (nn.get_metric_fn(name, *ARGUMENTS.get(name, ())) for _ in range(2))
    assert isinstance(first, nn.Metric) and first is not second


def test_metrics_of_a_model_are_names_or_metrics():
    mine = {"mine": nn.Accuracy()}
    assert nn.get_metrics(mine) is mine and nn.get_metrics(None) is None
    found = nn.get_metrics({"acc", "loss"})
    assert {name: type(metric) for name, metric in found.items()} == {"acc": nn.Accuracy, "loss": nn.Loss}


X, Y = np.array([[0.2, 0.5], [0.3, 0.1]]), np.array([1, 0])
B = np.array([[1, 0], [1, 1]])


def twice(metric, *batches):
    for batch in batches:
        metric.update(*batch)


WRONG = [
    (TypeError, "For 'Accuracy', the 'eval_type' must be one of .* but got 'x'", lambda: nn.Accuracy("x")),
    (TypeError, "For 'Precision', the 'eval_type'", lambda: nn.Precision(1)),
    (ValueError, "shape without axis 1, or be one-hot", lambda: nn.Accuracy().update(X, Y[:1])),
    (ValueError, "shape without axis 1, or be one-hot", lambda: nn.Accuracy().update(Y, Y)),
    (ValueError, "shape without axis 1, or be one-hot", lambda: nn.Recall().update(X, X)),
    (ValueError, "must have 2 classes, as before, but got 3", lambda: twice(nn.Recall(), (X, Y), (np.ones((2, 3)), Y))),
    (ValueError, "the predictions' shape, of two axes", lambda: nn.Accuracy("multilabel").update(B, B[:1])),
    (ValueError, "the predictions' shape, of two axes", lambda: nn.Accuracy("multilabel").update(Y, Y)),
    (ValueError, "must be 0 or 1", lambda: nn.Precision("multilabel").update(X, B)),
    (ValueError, "class numbers below 2, but got 0 to 5", lambda: nn.F1().update(X, np.array([0, 5]))),
    (ValueError, "class numbers below 2, but got -1 to 0", lambda: nn.Recall().update(X, np.array([0, -1]))),
    (TypeError, "the 'average' must be a bool, but got 'a'", lambda: nn.Precision().eval("a")),
    (ValueError, "the 'beta' must be above 0", lambda: nn.Fbeta(0)),
    (TypeError, "the 'k' must be an int, but got 1.0", lambda: nn.TopKCategoricalAccuracy(1.0)),
    (ValueError, "the 'k' must be at least 1, but got 0", lambda: nn.TopKCategoricalAccuracy(0)),
    (ValueError, "at least k = 3 classes, but got 2", lambda: nn.TopKCategoricalAccuracy(3).update(X, Y)),
    (ValueError, r"\(N, C\) and \(N,\)", lambda: nn.Top1CategoricalAccuracy().update(X, Y[:1])),
    (ValueError, "the inputs must have one shape", lambda: nn.MAE().update(X, X[:1])),
    (ValueError, "the loss must have at most one axis", lambda: nn.Loss().update(X)),
    (ValueError, "the 'indexes' must be a list of ints", lambda: nn.Accuracy().set_indexes("a")),
    (ValueError, "the 'indexes' must be a list of ints", lambda: nn.Accuracy().set_indexes([1.0])),
    (ValueError, "the 'normalize' must be one of", lambda: nn.ConfusionMatrix(2, "x")),
    (TypeError, "the 'num_classes' must be an int", lambda: nn.ConfusionMatrix(2.0)),
    (ValueError, r"the classes must be in \[0, 2\)", lambda: nn.ConfusionMatrix(2).update(Y, Y + 1)),
    (ValueError, "with or without axis 1", lambda: nn.ConfusionMatrix(2).update(X, Y[:1])),
    (NotImplementedError, "the 'metric_name' must be one of", lambda: nn.ConfusionMatrixMetric(metric_name="x")),
    (ValueError, "the 'decrease' must be one of", lambda: nn.ConfusionMatrixMetric(decrease="x")),
    (ValueError, "must be 0 or 1", lambda: nn.ConfusionMatrixMetric().update(X, X)),
    (ValueError, "of two axes or more", lambda: nn.ConfusionMatrixMetric().update(Y, Y)),
    (TypeError, "the 'smooth' must be a float", lambda: nn.Dice(1)),
    (ValueError, "must have one shape", lambda: nn.Dice().update(X, Y)),
    (ValueError, "the 'n_gram' must be in", lambda: nn.BleuScore(5)),
    (ValueError, "references for each translation", lambda: nn.BleuScore().update([["a"]], [])),
    (ValueError, "the 'similarity' must be one of", lambda: nn.CosineSimilarity("x")),
    (ValueError, "must have two axes", lambda: nn.CosineSimilarity().update(Y)),
    (ValueError, "the 'distance_metric' must be one of", lambda: nn.HausdorffDistance("x")),
    (ValueError, "the 'percentile' must be in", lambda: nn.HausdorffDistance(percentile=101)),
    (ValueError, "the label must be in the prediction", lambda: nn.HausdorffDistance().update(B, B, 7)),
    (TypeError, "the label must be a number", lambda: nn.MeanSurfaceDistance().update(B, B, "a")),
    (ValueError, "must have one shape", lambda: nn.RootMeanSquareDistance().update(B, B[:1], 1)),
    (TypeError, "the 'ignore_label' must be an int", lambda: nn.Perplexity("a")),
    (RuntimeError, "must have the shapes", lambda: nn.Perplexity().update(X, Y[:1])),
    (ValueError, r"the labels must be in \[0, 2\)", lambda: nn.Perplexity().update(X, Y + 1)),
    (ValueError, "the 'class_num' must be 2", lambda: nn.ROC(3).update(X, Y)),
    (ValueError, "there must be positive labels", lambda: nn.ROC()(Y, Y * 0)),
    (TypeError, "must be NumPy arrays", lambda: nn.auc([0, 1], [0, 1])),
    (ValueError, "must rise or fall", lambda: nn.auc(np.array([0.5, 0, 1]), np.array([0.5, 0, 1]))),
    (KeyError, "For 'get_metric_fn', the 'name' must be one of", lambda: nn.get_metric_fn("x")),
    (KeyError, "the 'name' must be one of", lambda: nn.get_metrics({"x"})),
    (TypeError, "must be None, a set of names, or a dict", lambda: nn.get_metrics(["acc"])),
    (TypeError, "must be None, a set of names, or a dict", lambda: nn.get_metrics({"a": 3})),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG, ids=[f"{i}-{row[1][:40]}" for i, row in enumerate(WRONG)])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()


DISTANCES = ("hausdorff_distance", "mean_surface_distance", "root_mean_square_distance")


KIND_INPUTS = {"loss": ["a"], "cosine_similarity": ["a"], **{key: ["a", "a", 1] for key in DISTANCES}}


KIND_INPUTS["occlusion_sensitivity"] = [abs, "a", "a"]


@pytest.mark.parametrize("name", METRICS)
def test_no_samples_are_no_metric(name):
    metric = nn.get_metric_fn(name, *ARGUMENTS.get(name, ()))
    with pytest.raises(RuntimeError, match=f"For '{type(metric).__name__}', 'update' must take samples"):
        metric.eval()


@pytest.mark.parametrize("name", METRICS)
def test_wrong_counts_and_kinds_of_inputs_are_refused(name):
    metric = nn.get_metric_fn(name, *ARGUMENTS.get(name, ()))
    update = f"For '{type(metric).__name__}.update', "
    with pytest.raises(ValueError, match=f"{update}there must be . inputs, but got 4"):
        metric.update(X, Y, Y, Y)
    if name != "bleu_score":  # its inputs are texts
        with pytest.raises(TypeError, match=f"{update}the inputs must be Tensors, lists or NumPy arrays, but got str"):
            metric.update(*KIND_INPUTS.get(name, ["a", "a"]))
