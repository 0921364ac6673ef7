"""CTCLoss, ops.ctc_loss: MindSpore 2.0.0's numbers, the sum over all alignments, gradients, and errors."""

import itertools

import numpy as np
import pytest

from minispore import Tensor, grad, nn, ops

X = np.random.RandomState(0).randn(5, 2, 4).astype(np.float32)
PLACES = Tensor(np.array([[0, 0], [0, 1], [1, 0]], np.int64))
VALUES = np.array([1, 2, 1], np.int32)
LENGTHS = np.array([5, 4], np.int32)
TARGETS = np.array([[1, 2], [3, 3]], np.int32)
COUNTS = np.array([2, 2], np.int32)
OF_X = [  # MindSpore's gradient of CTCLoss by the logits, sample 0
    [0.300967664, -0.147724897, 0.137234136, -0.290476918],
    [0.114954725, -0.284082115, 0.116948411, 0.0521786213],
    [0.630781710, -0.381854504, -0.196932584, -0.0519950986],
    [0.821013212, -0.0216147862, -0.607952714, -0.191445887],
    [0.169723526, 0.0568922982, -0.142436415, -0.0841798484],
]
OF_LOG_PROBS = [  # MindSpore's gradient of ctc_loss, sample 1
    [0.47565799, 0.03655758, 0.25120136, -0.76341676],
    [-0.48271182, 0.18143668, 0.25040882, 0.05086649],
    [-0.18853475, 0.39638191, 0.48940759, -0.69725459],
    [-0.20572990, 0.37454280, 0.10061434, -0.26942741],
    [0, 0, 0, 0],
]


def ints(values):
    return Tensor(np.array(values, np.int32))


def loss_of(x=X, values=VALUES, lengths=LENGTHS, places=PLACES, flags=()):
    return ops.CTCLoss(*flags)(Tensor(x), places, Tensor(values), Tensor(lengths))


def log_probs():
    return ops.log_softmax(Tensor(X))


def ctc(targets=TARGETS, lengths=LENGTHS, counts=COUNTS, **settings):
    return ops.ctc_loss(log_probs(), Tensor(targets), Tensor(lengths), Tensor(counts), **settings)


@pytest.mark.parametrize(
    ("flags", "values", "losses"),
    [
        ((), [1, 2, 1], [4.80309677, 4.70032358]),
        ((True, True), [1, 1, 2], [6.00879765, 4.32177591]),
        ((True, False), [1, 1, 2], [6.48406363, 6.07857847]),
        ((False, False), [1, 1, 2], [6.81148863, 6.07857847]),
    ],
)
def test_the_losses_are_those_of_mindspore(flags, values, losses):
    np.testing.assert_allclose(loss_of(values=np.array(values, np.int32), flags=flags)[0].asnumpy(), losses, rtol=1e-5)


def test_the_second_output_is_the_gradient():
    def weighed(x):
        return (ops.CTCLoss()(x, PLACES, Tensor(VALUES), Tensor(LENGTHS))[0] * Tensor([2.0, 3.0])).sum()

    gradient = loss_of()[1].asnumpy()
    np.testing.assert_allclose(gradient[:, 0], OF_X, atol=1e-6)
    found = grad(weighed)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(found, gradient * np.array([[[2.0], [3.0]]]), rtol=1e-6)


def test_a_sample_of_more_labels_than_steps_is_refused_or_ignored():
    lengths = np.array([1, 4], np.int32)
    with pytest.raises(ValueError, match="For 'CTCLoss', the 'sequence_length' must be at least the number of labels"):
        loss_of(lengths=lengths)
    loss, gradient = loss_of(lengths=lengths, flags=(False, True, True))
    np.testing.assert_allclose(loss.asnumpy(), [np.inf, 4.70032358], rtol=1e-6)
    assert not gradient.asnumpy()[:, 0].any() and gradient.asnumpy()[:, 1].any()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"reduction": "none"}, [3.8038671, 6.28735685]), ({}, 2.52281), ({"reduction": "sum"}, 10.0912)],
)
def test_ctc_loss_is_reduced_as_mindspore_does(settings, expected):
    np.testing.assert_allclose(ctc(**settings)[0].asnumpy(), expected, rtol=1e-5)
    layer = nn.CTCLoss(**settings)(log_probs(), Tensor(TARGETS), (5, 4), (2, 2))
    np.testing.assert_allclose(layer.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("settings", "losses"),
    [
        ({"targets": np.array([[1, 2], [0, 0]], np.int32), "blank": 3}, [4.80309677, 4.11622906]),
        ({"targets": np.array([[0, 2], [3, 3]], np.int64)}, [2.70902777, 6.28735685]),
        ({"counts": np.array([0, 2], np.int32)}, [5.79556561, 6.28735685]),
        ({"lengths": np.array([5, 2], np.int32)}, [3.803867, np.inf]),
    ],
)
def test_blanks_and_lengths_count_as_in_mindspore(settings, losses):
    np.testing.assert_allclose(ctc(reduction="none", **settings)[0].asnumpy(), losses, rtol=1e-5)


def test_the_forward_variables_are_those_of_mindspore():
    alpha = ctc()[1].asnumpy()
    assert alpha.shape == (2, 5, 5)
    last = [-5.79556561, -6.85146523, -4.71068382, -4.04251242, -5.35359478]
    np.testing.assert_allclose(alpha[0, -1], last, rtol=1e-5)
    assert (alpha[1, -1] == -np.inf).all()


def test_the_gradient_is_that_by_logits():
    found = grad(lambda x: ops.ctc_loss(x, Tensor(TARGETS), ints([5, 4]), ints([2, 2]), 0, "sum")[0])(log_probs())
    np.testing.assert_allclose(found.asnumpy()[:, 1], OF_LOG_PROBS, atol=1e-6)


@pytest.mark.parametrize(("zero_infinity", "loss", "gradient"), [(False, np.inf, np.nan), (True, 0.0, 0.0)])
def test_an_impossible_alignment_is_infinite_or_counts_nothing(zero_infinity, loss, gradient):
    def first(x):
        return nn.CTCLoss(0, "none", zero_infinity)(x, Tensor(TARGETS), (5, 2), (2, 2))

    assert float(first(log_probs())[1]) == loss
    np.testing.assert_array_equal(
        grad(lambda x: first(x).sum())(log_probs()).asnumpy()[:2, 1], np.full((2, 4), gradient)
    )


def test_the_loss_is_the_sum_over_all_alignments():
    p = np.exp(X.astype(np.float64)) / np.exp(X.astype(np.float64)).sum(-1, keepdims=True)

    def text(path):
        return [c for c, _ in itertools.groupby(path) if c != 0]

    paths = [path for path in itertools.product(range(4), repeat=4) if text(path) == [3, 1]]
    total = sum(np.prod([p[t, 1, c] for t, c in enumerate(path)]) for path in paths)
    found = ctc(np.array([[1, 2], [3, 1]], np.int32), reduction="none")[0].asnumpy()[1]
    assert found == pytest.approx(-np.log(total), rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "kind", "argument"),
    [
        ({"x": X.astype(np.int32)}, TypeError, "x"),
        ({"x": X[0]}, ValueError, "x"),
        ({"values": VALUES.astype(np.int64)}, TypeError, "labels_values"),
        ({"values": np.array([1, 3, 1], np.int32)}, ValueError, "labels_values"),
        ({"values": VALUES[:2]}, ValueError, "labels_indices"),
        ({"lengths": np.array([6, 4], np.int32)}, ValueError, "sequence_length"),
        ({"lengths": LENGTHS[:1]}, ValueError, "sequence_length"),
        ({"flags": (1,)}, TypeError, "preprocess_collapse_repeated"),
    ],
)
def test_wrong_inputs_of_the_operation_are_refused(changes, kind, argument):
    with pytest.raises(kind, match=f"For 'CTCLoss', the '{argument}' must"):
        loss_of(**changes)


@pytest.mark.parametrize(
    ("changes", "kind", "argument"),
    [
        ({"blank": 1.0}, TypeError, "blank"),
        ({"blank": 4}, ValueError, "blank"),
        ({"reduction": "all"}, ValueError, "reduction"),
        ({"zero_infinity": 1}, TypeError, "zero_infinity"),
        ({"targets": np.array([[4, 2], [3, 3]])}, ValueError, "targets"),
        ({"targets": TARGETS.astype(np.float32)}, TypeError, "targets"),
        ({"lengths": np.array([6, 4])}, ValueError, "input_lengths"),
        ({"lengths": np.array([1, 4])}, ValueError, "input_lengths"),
        ({"counts": np.array([3, 2])}, ValueError, "target_lengths"),
    ],
)
def test_wrong_inputs_of_ctc_loss_are_refused(changes, kind, argument):
    with pytest.raises(kind, match=f"For '(ctc_loss|CTCLossV2)', the '{argument}' must"):
        ctc(**changes)
