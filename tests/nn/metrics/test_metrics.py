"""Metrics: any batches give what one formula gives for all samples, and wrong inputs are refused by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn

SEEDS = st.integers(0, 2**32 - 1)
CUTS = st.lists(st.integers(1, 11), max_size=3).map(sorted)
N, C = 12, 4
FORMS = [ms.Tensor, lambda x: x, lambda x: x.tolist(), lambda x: ms.Tensor(x, ms.int32) if x.dtype.kind == "i" else x]


def fed(metric, cuts, *arrays, form=ms.Tensor):
    """The metric after all samples, cut into batches; what was before is forgotten."""
    metric.update(*map(ms.Tensor, arrays))
    metric.clear()
    for parts in zip(*(np.split(x, sorted(set(cuts))) for x in arrays), strict=True):
        metric.update(*map(form, parts))
    return metric


def scores_and_classes(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(N, C)).astype(np.float32), rng.integers(0, C, N)


def bits(seed):
    return np.random.default_rng(seed).integers(0, 2, (2, N, 3))


def quotient(x, y):
    return np.array([a / b if b else 0.0 for a, b in zip(x, y, strict=True)])


def test_calling_a_metric_forgets_what_was_before_and_tells_of_this_batch_alone():
    metric, scores = nn.Accuracy(), ms.Tensor([[0.2, 0.8], [0.9, 0.1]])
    assert [metric(scores, ms.Tensor(classes)) for classes in ([1, 1], [1, 0])] == [0.5, 1.0]
    assert metric.eval() == 1.0
    with pytest.raises(ValueError, match="there must be 2 inputs, but got 0"):
        metric()


@given(seed=SEEDS, cuts=CUTS, form=st.sampled_from(FORMS))
def test_the_accuracy_is_the_part_of_right_predictions(seed, cuts, form):
    scores, classes = scores_and_classes(seed)
    expected = (scores.argmax(1) == classes).mean()
    assert fed(nn.Accuracy(), cuts, scores, classes, form=form).eval() == expected
    assert fed(nn.Accuracy(), cuts, scores, np.eye(C, dtype=np.int32)[classes]).eval() == expected


@given(seed=SEEDS, cuts=CUTS)
def test_a_multilabel_prediction_is_right_in_all_its_bits(seed, cuts):
    prediction, label = bits(seed)
    expected = (prediction == label).all(1).mean()
    assert fed(nn.Accuracy("multilabel"), cuts, prediction, label).eval() == expected


@given(seed=SEEDS, cuts=CUTS)
def test_precision_recall_and_f1_count_each_class(seed, cuts):
    scores, classes = scores_and_classes(seed)
    chosen, label = np.eye(C)[scores.argmax(1)], np.eye(C)[classes]
    true, predicted, actual = (chosen * label).sum(0), chosen.sum(0), label.sum(0)
    expected = {
        nn.Precision(): quotient(true, predicted),
        nn.Recall(): quotient(true, actual),
        nn.F1(): quotient(2 * true, predicted + actual),
        nn.Fbeta(2): quotient(5 * true, predicted + 4 * actual),
    }
    for metric, ratios in expected.items():
        fed(metric, cuts, scores, classes)
        np.testing.assert_allclose(metric.eval(), ratios, rtol=1e-12)
        np.testing.assert_allclose(metric.eval(average=True), ratios.mean(), rtol=1e-12)


@given(seed=SEEDS, cuts=CUTS)
def test_multilabel_precision_and_recall_count_each_sample(seed, cuts):
    prediction, label = bits(seed)
    true = (prediction * label).sum(1)
    for kind, whole in ((nn.Precision, prediction), (nn.Recall, label)):
        found = fed(kind("multilabel"), cuts, prediction, label).eval()
        np.testing.assert_allclose(found, quotient(true, whole.sum(1)), rtol=1e-12)


@given(seed=SEEDS, cuts=CUTS, k=st.integers(1, C))
def test_the_label_is_among_the_k_largest(seed, cuts, k):
    scores, classes = scores_and_classes(seed)
    larger = (scores > scores[range(N), classes][:, None]).sum(1)
    metric = nn.TopKCategoricalAccuracy(k)
    assert fed(metric, cuts, scores, classes).eval() == (larger < k).mean()
    assert fed(metric, cuts, scores, np.eye(C)[classes]).eval() == (larger < k).mean()


def test_of_equal_predictions_the_first_classes_count():
    metric = nn.TopKCategoricalAccuracy(2)
    metric.update(np.ones((3, 4)), np.array([0, 1, 3]))
    assert metric.eval() == 2 / 3


def test_top_1_and_top_5_are_top_k():
    scores, classes = np.arange(12.0).reshape(2, 6), np.array([5, 1])
    found = [
        fed(kind(), [], scores, classes).eval() for kind in (nn.Top1CategoricalAccuracy, nn.Top5CategoricalAccuracy)
    ]
    assert found == [0.5, 1.0]


@given(seed=SEEDS, cuts=CUTS)
def test_errors_are_summed_over_a_sample_and_averaged_over_samples(seed, cuts):
    x, y = np.random.default_rng(seed).normal(size=(2, N, 3)).astype(np.float32)
    for metric, errors in ((nn.MAE(), abs(x - y)), (nn.MSE(), (x - y).astype(np.float64) ** 2)):
        np.testing.assert_allclose(fed(metric, cuts, x, y).eval(), errors.sum() / N, rtol=1e-6)


@given(losses=st.lists(st.floats(-10, 10, width=32), min_size=1, max_size=8))
def test_the_loss_is_the_mean_of_the_batches(losses):
    metric = nn.Loss()
    for i, loss in enumerate(losses):
        metric.update(ms.Tensor(loss, ms.float32) if i % 2 else [loss])
    np.testing.assert_allclose(metric.eval(), np.mean(losses), atol=1e-6)


def test_indexes_choose_the_inputs():
    scores, classes = scores_and_classes(0)
    metric = nn.Accuracy().set_indexes([2, 0])
    metric.update(classes, None, scores)
    assert metric.indexes == [2, 0] and metric.eval() == fed(nn.Accuracy(), [], scores, classes).eval()


def test_a_users_metric_is_made_of_three_methods():
    class Count(nn.Metric):
        def clear(self):
            self.seen = []

        @nn.rearrange_inputs
        def update(self, *inputs):
            self.seen = inputs

        def eval(self):
            return self.seen

    metric = Count().set_indexes([1, 0])
    metric.update(5, 6)
    assert metric.eval() == (6, 5)
    with pytest.raises(TypeError, match="abstract"):
        nn.Metric()


ARGUMENTS = {"topk": (3,), "confusion_matrix": (2,)}
DISTANCES = ("hausdorff_distance", "mean_surface_distance", "root_mean_square_distance")
KIND_INPUTS = {"loss": ["a"], "cosine_similarity": ["a"], **{key: ["a", "a", 1] for key in DISTANCES}}
KIND_INPUTS["occlusion_sensitivity"] = [abs, "a", "a"]
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


def test_the_area_under_a_falling_or_unordered_curve_is_that_under_the_rising_one():
    x, y = np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.7, 1.0])
    assert nn.auc(x, y) == nn.auc(x[::-1], y[::-1]) == nn.auc(x[[1, 0, 2]], y[[1, 0, 2]], reorder=True) == 0.6


def test_a_curve_for_each_class_ends_in_the_corner():
    draw = np.random.RandomState(0)
    rates = nn.ROC(class_num=3)(draw.rand(9, 3), np.arange(9) % 3)
    assert [(false[-1], true[-1]) for false, true in zip(*rates[:2], strict=True)] == [(1.0, 1.0)] * 3
