"""Tensor's methods under names of matrices and of NumPy, beside NumPy."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

from minispore import Tensor

M = np.arange(6.0, dtype=np.float32).reshape(2, 3)
X = Tensor(M)
V = Tensor([1.0, -2.0])

VALUES = [
    (X.H, M.T),
    (X.mT, M.T),
    (X.mH, M.T),
    (X.adjoint(), M.T),
    (X.t(), M.T),
    (V.t(), [1, -2]),
    (X.clamp(1, 2), M.clip(1, 2)),
    (X.reshape_as(Tensor(np.zeros((3, 2)))), M.reshape(3, 2)),
    (X.resize(2, 2), np.resize(M, (2, 2))),
    (X.resize((1, 8)), [[0, 1, 2, 3, 4, 5, 0, 0]]),
    (X.sum_to_size((1, 3)), M.sum(0, keepdims=True)),
    (X.sum_to_size(3), M.sum(0)),
    (X.ptp(), np.ptp(M)),
    (X.ptp(1, True), np.ptp(M, 1, keepdims=True)),
    (X.diff(), np.diff(M)),
    (X.diff(axis=0, prepend=Tensor(M[:1])), np.diff(M, axis=0, prepend=M[:1])),
    (V.diagflat(1), np.diagflat([1, -2], 1)),
    (V.diagflat(-1), np.diagflat([1, -2], -1)),
    (X.fill_diagonal(9), [[9, 1, 2], [3, 9, 5]]),
    (Tensor(np.zeros((5, 2))).fill_diagonal(1.0, True), [[1, 0], [0, 1], [0, 0], [1, 0], [0, 1]]),
    (Tensor([0, 1, 1]).choose([[1, 2, 3], [4, 5, 6]]), [1, 5, 6]),
    (Tensor([0, 3, -1]).choose([[1, 2, 3], [4, 5, 6]], "wrap"), [1, 5, 6]),
    (V.index_put((Tensor([0, 1]),), Tensor([5.0, 6.0])), [5, 6]),
    (V.index_put((Tensor([0, 0]),), Tensor([5.0, 6.0]), True), [12, -2]),
    (X.masked_scatter(X > 3, Tensor([8.0, 9.0, 7.0])), [[0, 1, 2], [3, 8, 9]]),
    (V.ger(V), np.outer([1, -2], [1, -2])),
    (X.argwhere(), np.argwhere(M)),
    (Tensor([[3], [1]]).msort(), [[1], [3]]),
    (Tensor([np.inf, -np.inf, 1]).isposinf(), [True, False, False]),
    (Tensor([np.inf, -np.inf, 1]).isneginf(), [False, True, False]),
    (V.hardshrink(1.5), [0, -2]),
    (V.soft_shrink(), [0.5, -1.5]),
]


@pytest.mark.parametrize(("found", "expected"), VALUES)
def test_a_method_gives_what_numpy_gives(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected)


WRONG = [
    lambda: V.H,
    lambda: V.mT,
    lambda: Tensor(np.zeros((1, 1, 1))).t(),
    lambda: X.sum_to_size((4,)),
    lambda: X.diff(2),
    lambda: V.fill_diagonal(1.0),
    lambda: Tensor([0, 2]).choose([[1, 1], [2, 2]], "raise"),
    lambda: X.masked_scatter(X > 3, V[:1]),
    lambda: X.masked_scatter(Tensor([True] * 5), V),
]


@pytest.mark.parametrize("call", WRONG)
def test_what_a_tensor_does_not_have_is_refused(call):
    with pytest.raises(ValueError, match=r"^For '"):
        call()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.diagflat(1),
        lambda x: x.resize(1, 3),
        lambda x: x.diff(),
        lambda x: x.index_put((Tensor([0, 0]),), x, True),
        lambda x: x.reshape((1, 2)).fill_diagonal(3.0),
    ],
)
def test_gradients_pass_through_a_method(function):
    def loss(values):
        out = function(values)
        return (out * Tensor(np.arange(1.0, out.size + 1).reshape(out.shape))).sum()

    assert_differentiated(loss, np.array([1.0, -2.0]))
