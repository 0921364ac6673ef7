"""Metrics on drawn inputs: ``(name, arguments, updates)``, each update a list of arrays or texts."""

import numpy as np


def rows():
    """The cases."""
    draw = np.random.RandomState(1)
    scores, bits = draw.rand(12).astype(np.float32), draw.randint(0, 2, 12).astype(np.int32)
    classes, labels = draw.rand(10, 3).astype(np.float32), draw.randint(0, 3, 10).astype(np.int32)
    for normalize in ("no_norm", "target", "prediction", "all"):
        yield "ConfusionMatrix", {"num_classes": 2, "normalize": normalize}, [(scores, bits)]
    yield "ConfusionMatrix", {"num_classes": 2, "threshold": 0.3}, [(scores, bits)]
    yield "ConfusionMatrix", {"num_classes": 3}, [(classes, labels), (classes, labels)]
    yield "ConfusionMatrix", {"num_classes": 3}, [(labels, labels[::-1].copy())]
    yield from confusion_rates(draw)
    yield from texts()
    rowed = draw.rand(4, 3).astype(np.float32)
    for similarity in ("cosine", "dot"):
        for reduction in ("none", "sum", "mean"):
            for zero in (True, False):
                options = {"similarity": similarity, "reduction": reduction, "zero_diagonal": zero}
                yield "CosineSimilarity", options, [(rowed,)]
    yield from surfaces(draw)
    likely = draw.rand(6, 4).astype(np.float32)
    likely /= likely.sum(1, keepdims=True)
    words = draw.randint(0, 4, 6).astype(np.int32)
    yield "Perplexity", {}, [(likely, words), (likely[::-1].copy(), words)]
    yield "Perplexity", {"ignore_label": int(words[0])}, [(likely, words)]
    for positive in (None, 0, 1):
        yield "ROC", {"pos_label": positive}, [(scores, bits)]
    yield "ROC", {"pos_label": 1}, [(scores[:6], bits[:6]), (scores.round(1), bits)]


def confusion_rates(draw):
    """Rates of one-hot rows and of masks."""
    truth, guess = (np.eye(3, dtype=np.float32)[draw.randint(0, 3, 8)] for _ in range(2))
    masks = [draw.randint(0, 2, (2, 3, 4, 4)).astype(np.float32) for _ in range(4)]
    names = "sensitivity specificity precision negative_predictive_value miss_rate fall_out false_discovery_rate"
    names += " false_omission_rate prevalence_threshold threat_score accuracy balanced_accuracy f1_score"
    names += " matthews_correlation_coefficient fowlkes_mallows_index informedness markedness"
    for name in names.split():
        yield "ConfusionMatrixMetric", {"metric_name": name}, [(guess, truth)]
        yield "ConfusionMatrixMetric", {"metric_name": name, "calculation_method": True}, [masks[:2]]
    for skip in (True, False):
        for by_sample, decrease in ((True, "mean"), (True, "sum"), (False, "mean"), (False, "none")):
            options = {"skip_channel": skip, "calculation_method": by_sample, "decrease": decrease}
            yield "ConfusionMatrixMetric", options, [masks[:2], masks[2:]]
    yield "Dice", {}, [masks[:2]]
    yield "Dice", {"smooth": 1.0}, [masks[:2], masks[2:]]


def texts():
    """Translations."""
    pen = ["i", "have", "a", "pen", "on", "my", "desk"]
    references = [
        [["i", "have", "a", "pen", "in", "my", "desk"], ["there", "is", "a", "pen", "on", "the", "desk"]],
        [["a", "b", "c"]],
    ]
    for n in (1, 2, 3, 4):
        for smooth in (False, True):
            yield "BleuScore", {"n_gram": n, "smooth": smooth}, [([pen, ["a", "b"]], references)]
    yield "BleuScore", {}, [([pen, ["a", "b"]], references), ([pen], references[:1])]


def surfaces(draw):
    """Regions in a plane and in space."""
    flat, shifted = np.zeros((2, 8, 8), np.float32)
    flat[2:5, 2:6], shifted[3:7, 1:5] = 1, 1
    drawn = draw.randint(0, 3, (2, 5, 5)).astype(np.float32)
    solid, moved = np.zeros((2, 6, 6, 6), np.float32)
    solid[1:4, 1:5, 2:5], moved[2:5, 1:4, 1:5] = 1, 1
    empty = np.zeros_like(flat)
    for x, y, label in ((flat, shifted, 1), (*drawn, 0), (*drawn, 2), (solid, moved, 1), (flat, empty, 1)):
        for metric in ("euclidean", "chessboard", "taxicab"):
            for options in ({}, {"percentile": 50.0}, {"directed": True, "crop": False}):
                if not (options.get("percentile") and y is empty):  # a nan there
                    yield "HausdorffDistance", {"distance_metric": metric, **options}, [(x, y, label)]
            for symmetric in (False, True):
                options = {"distance_metric": metric, "symmetric": symmetric}
                yield "MeanSurfaceDistance", options, [(x, y, label)]
                yield "RootMeanSquareDistance", options, [(x, y, label)]


def value(ms, name, options, updates):
    """The value of a metric, as nested lists of floats."""
    metric = getattr(ms.train, name)(**options)
    for update in updates:
        metric.update(*(ms.Tensor(x) if isinstance(x, np.ndarray) else x for x in update))
    found = metric.eval()
    parts = found if isinstance(found, (tuple, list)) else [found]
    return [np.asarray(part, np.float64).tolist() for part in parts]
