"""Losses against their formulas in NumPy and float64, for every reduction, and the errors of their arguments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops

REDUCTIONS = ("mean", "sum", "none")
SEEDS = st.integers(0, 2**32 - 1)
SHAPES = st.sampled_from([(5, 4), (1, 4), (3, 4, 2), (2, 4, 2, 3)])


def smooth(d, beta):
    return np.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)


def bce(p, y):
    return -(y * np.log(p) + (1 - y) * np.log(1 - p))


def log_softmax(x):
    x = x - x.max(1, keepdims=True)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


def cosine(a, b):
    return (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def normal(rng, shape):
    return rng.normal(size=shape) * 2


def chance(rng, shape):
    return rng.uniform(0.01, 0.99, shape)


def without_classes(draw):
    return lambda rng, shape: draw(rng, (shape[0], *shape[2:]))


sign = without_classes(lambda rng, shape: rng.choice([-1, 1], shape))

ELEMENTS = {
    "SmoothL1Loss": (lambda r: nn.SmoothL1Loss(0.5, r), (normal, normal), lambda x, y: smooth(abs(x - y), 0.5)),
    "HuberLoss": (lambda r: nn.HuberLoss(r, 0.7), (normal, normal), lambda x, y: 0.7 * smooth(abs(x - y), 0.7)),
    "BCELoss": (lambda r: nn.BCELoss(reduction=r), (chance, chance), bce),
    "BCEWithLogitsLoss": (nn.BCEWithLogitsLoss, (normal, chance), lambda x, y: bce(sigmoid(x), y)),
    "CosineEmbeddingLoss": (
        lambda r: nn.CosineEmbeddingLoss(0.1, r),
        (normal, normal, sign),
        lambda a, b, y: np.where(y == 1, 1 - cosine(a, b), np.maximum(0, cosine(a, b) - 0.1)),
    ),
    "CrossEntropyLoss": (
        lambda r: nn.CrossEntropyLoss(reduction=r),
        (normal, chance),
        lambda x, y: -(log_softmax(x) * y).sum(1),
    ),
    "mse_loss": (lambda r: lambda x, y: ops.mse_loss(x, y, r), (normal, normal), lambda x, y: (x - y) ** 2),
    "l1_loss": (lambda r: lambda x, y: ops.l1_loss(x, y, r), (normal, normal), lambda x, y: abs(x - y)),
}


def reduced(x, reduction):
    return {"mean": x.mean(), "sum": x.sum(), "none": x}[reduction]


def tensors(arrays, kind=np.float32):
    return [ms.Tensor(x.astype(kind if x.dtype.kind == "f" else np.int32)) for x in arrays]


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", ELEMENTS)
@given(seed=SEEDS, shape=SHAPES)
def test_a_loss_follows_its_formula(name, reduction, seed, shape):
    make, draws, formula = ELEMENTS[name]
    rng = np.random.default_rng(seed)
    arrays = [draw(rng, shape) for draw in draws]
    found = make(reduction)(*tensors(arrays)).asnumpy()
    expected = reduced(formula(*(x.astype(np.float32).astype(np.float64) for x in arrays)), reduction)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


ROWS = np.array([[0.0, 2.0, 1.0], [1.0, 2.0, 3.0]], np.float32)
BY_CLASS = {
    "softmax, none": nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="none"),
    "softmax, sum": nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="sum"),
    "softmax, mean": nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
    "cross entropy": nn.CrossEntropyLoss(),
    "smoothed": nn.CrossEntropyLoss(label_smoothing=0.1, reduction="none"),
    "nll": nn.NLLLoss(),
    "one sample": lambda x, y: ops.cross_entropy(x[1], y[1], reduction="sum"),
}


@pytest.mark.parametrize("name", BY_CLASS)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@pytest.mark.parametrize("label", [3, -1, 100])
def test_a_label_outside_of_the_classes_is_refused_on_the_host_with_and_without_a_gradient(name, kind, label):
    x, y = ms.Tensor(ROWS), ms.Tensor(np.array([0, label], kind))
    for call in (BY_CLASS[name], ms.grad(BY_CLASS[name])):
        with pytest.raises(ValueError, match=rf"the 'labels' must be in \[0, 3\).* but got {label}\."):
            call(x, y)


@pytest.mark.parametrize("name", BY_CLASS)
def test_where_telling_would_mean_to_wait_a_label_outside_of_the_classes_has_no_loss(name, device):
    if device is np:
        pytest.skip("the host tells")
    x, y = ms.Tensor(ROWS), ms.Tensor(np.array([0, 3], np.int32))
    before = getattr(device, "synchronisations", 0)
    g = ms.grad(BY_CLASS[name])(x, y)
    assert getattr(device, "synchronisations", 0) == before
    if name != "smoothed":  # which spreads a part of every target over all classes
        assert not g.asnumpy()[1].any()


@pytest.mark.parametrize("name", sorted({*ELEMENTS} - {"mse_loss", "l1_loss"}))
def test_float16_losses_are_near_the_float32_ones(name):
    make, draws, _ = ELEMENTS[name]
    arrays = [draw(np.random.default_rng(1), (3, 4)) for draw in draws]
    narrow = make("mean")(*tensors(arrays, np.float16))
    assert narrow.dtype == ms.float16
    np.testing.assert_allclose(narrow.asnumpy(), make("mean")(*tensors(arrays)).asnumpy(), rtol=1e-2)


X, Y, HALF, CLASSES = ms.ops.ones((2, 3)), ms.ops.zeros((2, 3)), ms.ops.ones((2, 3), ms.float16), ms.Tensor([0, 1])
BAD = ms.ops.ones((2, 2))
WRONG = [
    (
        ValueError,
        "'reduction' must be 'mean', 'sum' or 'none', but got 'x'",
        lambda: nn.CrossEntropyLoss(reduction="x"),
    ),
    (ValueError, "For 'NLLLoss', the 'reduction'", lambda: nn.NLLLoss(reduction="x")),
    (ValueError, "For 'mse_loss', the 'reduction'", lambda: ops.mse_loss(X, Y, "x")),
    (TypeError, "the 'weight' must be a Tensor, but got list", lambda: nn.CrossEntropyLoss([1.0, 2.0])),
    (TypeError, "the 'ignore_index' must be an int, but got 1.0", lambda: nn.CrossEntropyLoss(ignore_index=1.0)),
    (TypeError, "the 'ignore_index' must be an int, but got True", lambda: nn.NLLLoss(ignore_index=True)),
    (TypeError, "the 'ignore_index' must be an int, but got '1'", lambda: ops.cross_entropy(X, Y, ignore_index="1")),
    (TypeError, "the 'ignore_index' must be an int, but got 1.0", lambda: ops.nll_loss(X, CLASSES, ignore_index=1.0)),
    (ValueError, r"'label_smoothing' must be in \[0.0, 1.0\]", lambda: nn.CrossEntropyLoss(label_smoothing=2.0)),
    (TypeError, "'label_smoothing' must be a float, but got 1", lambda: nn.CrossEntropyLoss(label_smoothing=1)),
    (TypeError, "the 'logits' must be a Tensor, but got list", lambda: nn.CrossEntropyLoss()([1.0], CLASSES)),
    (TypeError, "the 'labels' must be a Tensor, but got list", lambda: nn.CrossEntropyLoss()(X, [0, 1])),
    (ValueError, r"the 'labels' must have the shape \(2,\)", lambda: nn.CrossEntropyLoss()(X, ms.Tensor([0]))),
    (
        ValueError,
        r"or probabilities of shape \(2, 3\), but got Float32 of shape",
        lambda: nn.CrossEntropyLoss()(X, BAD),
    ),
    (TypeError, "the 'logits' must be floating", lambda: nn.CrossEntropyLoss()(X.astype(ms.int32), CLASSES)),
    (TypeError, "a Tensor of int32 or int64", lambda: nn.CrossEntropyLoss()(X, CLASSES.astype(ms.int8))),
    (TypeError, "class numbers, of int32 or int64", lambda: nn.NLLLoss()(X, Y)),
    (ValueError, r"\(N, C, ...\), but got \(3,\)", lambda: nn.NLLLoss()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor(1))),
    (ValueError, r"the 'weight' must have the shape \(3,\)", lambda: nn.NLLLoss(ms.ops.ones(2))(X, CLASSES)),
    (TypeError, "the 'beta' must be a float, but got 1", lambda: nn.SmoothL1Loss(1)),
    (ValueError, "the 'beta' must be finite and above 0, but got 0.0", lambda: nn.SmoothL1Loss(0.0)),
    (ValueError, "the 'beta' must be finite and above 0, but got -1.0", lambda: ops.smooth_l1_loss(X, Y, -1.0)),
    (TypeError, "For 'SmoothL1Loss', the type of 'target'", lambda: nn.SmoothL1Loss()(X, HALF)),
    (ValueError, "For 'SmoothL1Loss', the 'target' must have the shape", lambda: nn.SmoothL1Loss()(X, BAD)),
    (ValueError, "For 'huber_loss', the 'delta' must be above 0", lambda: nn.HuberLoss(delta=0.0)(X, Y)),
    (TypeError, "the 'delta' must be an int or a float", lambda: nn.HuberLoss(delta="a")(X, Y)),
    (ValueError, "must broadcast", lambda: nn.HuberLoss()(X, BAD)),
    (TypeError, "For 'BinaryCrossEntropy', the type of 'labels'", lambda: nn.BCELoss()(X, HALF)),
    (TypeError, "the type of 'weight'", lambda: nn.BCELoss(HALF)(X, Y)),
    (ValueError, "the 'labels' must have the shape", lambda: nn.BCELoss()(X, BAD)),
    (TypeError, "For 'BCELoss', the 'weight' must be a Tensor", lambda: nn.BCELoss([1.0])),
    (ValueError, "the 'label' must have the shape", lambda: nn.BCEWithLogitsLoss()(X, BAD)),
    (ValueError, "must broadcast", lambda: nn.BCEWithLogitsLoss("mean", ms.ops.ones(2))(X, Y)),
    (ValueError, "the 'weight' must broadcast to", lambda: nn.BCEWithLogitsLoss("mean", ms.ops.ones((4, 2, 3)))(X, Y)),
    (ValueError, r"the 'margin' must be in \[-1.0, 1.0\]", lambda: nn.CosineEmbeddingLoss(2.0)),
    (TypeError, "the 'margin' must be a float", lambda: nn.CosineEmbeddingLoss(1)),
    (TypeError, "the 'input2' must have the dtype", lambda: nn.CosineEmbeddingLoss()(X, HALF, CLASSES)),
    (ValueError, "the 'input2' must have the shape", lambda: nn.CosineEmbeddingLoss()(X, BAD, CLASSES)),
    (ValueError, "the 'target' must have the shape", lambda: nn.CosineEmbeddingLoss()(X, Y, ms.Tensor([1]))),
]


@pytest.mark.parametrize(("kind", "message", "make"), WRONG, ids=[row[1][:50] for row in WRONG])
def test_a_wrong_argument_is_refused_by_name(kind, message, make):
    with pytest.raises(kind, match=message):
        make()
