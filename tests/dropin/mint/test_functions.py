"""``mint``'s functions: those of ``ops`` where the arguments are the same, and the same by PyTorch's arguments."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.dropin import mint

X = np.float32([[0.5, -1.0, 3.0], [2.0, 0.25, -0.5]])


PLACES = np.array([[2, 0, 1], [1, 1, 0]])


T, I = Tensor(X), Tensor(PLACES)  # noqa: E741 - the field's name for indices


ROWS = [
    ("cat((T, T), 1)", np.concatenate((X, X), 1)),
    ("concat((T, T))", np.concatenate((X, X))),
    ("stack((T, T), dim=1)", np.stack((X, X), 1)),
    ("split(T, 2, dim=1)[1]", X[:, 2:]),
    ("chunk(T, 2, 0)[1]", X[1:]),
    ("narrow(T, 1, 1, 2)", X[:, 1:]),
    ("index_select(T, 1, I[0])", X[:, [2, 0, 1]]),
    ("select(T, 1, 2)", X[:, 2]),
    ("gather(T, 1, I)", np.take_along_axis(X, PLACES, 1)),
    ("scatter_add(T, 1, I[:, :1], T[:, :1])", [[0.5, -1.0, 3.5], [2.0, 2.25, -0.5]]),
    ("flatten(T)", X.ravel()),
    ("transpose(T, 0, 1)", X.T),
    ("squeeze(T[:1], 0)", X[0]),
    ("squeeze(T, 0)", X),
    ("clone(T)", X),
    ("repeat_interleave(T, 2, dim=1)", X.repeat(2, 1)),
    ("where(T > 0, T, I)", np.where(X > 0, X, PLACES)),
    ("clamp(T, min=0, max=1)", X.clip(0, 1)),
    ("nonzero(I)", np.argwhere(PLACES)),
    ("nonzero(I, as_tuple=True)[1]", np.nonzero(PLACES)[1]),
    ("topk(T, 2)[0]", np.sort(X, 1)[:, :0:-1]),
    ("sort(T, dim=1)[1]", X.argsort(1)),
    ("argsort(T, descending=True)", (-X).argsort(1)),
    ("linspace(0, 1, 5)", np.linspace(0, 1, 5)),
    ("mean(T, dim=1, keepdim=True)", X.mean(1, keepdims=True)),
    ("mean(T)", X.mean()),
    ("prod(I + 1, 1)", (PLACES + 1).prod(1)),
    ("all(I, 1)", PLACES.all(1)),
    ("any(I, 0)", PLACES.any(0)),
    ("isneginf(T)", np.isneginf(X)),
    ("logsumexp(T, 1)", np.log(np.exp(X).sum(1))),
    ("max(T)", X.max()),
    ("max(T, 1)[0]", X.max(1)),
    ("min(T, 1)[1]", X.argmin(1)),
    ("max(T, I)", np.maximum(X, PLACES)),
    ("argmin(T, 1)", X.argmin(1)),
    ("cummax(T, 1)[0]", np.maximum.accumulate(X, 1)),
    ("cummin(T, 1)[0]", np.minimum.accumulate(X, 1)),
    ("var(T)", X.var(ddof=1)),
    ("var(T, 1, correction=0)", X.var(1)),
    ("std(T, 0, keepdim=True)", X.std(0, ddof=1, keepdims=True)),
    ("softmax(T, 1)", np.exp(X) / np.exp(X).sum(1, keepdims=True)),
    ("eq(T, T)", X == X),
    ("fix(T)", np.trunc(X)),
    ("linalg.norm(T)", np.linalg.norm(X)),
    ("nn.functional.softmax(T)", np.exp(X) / np.exp(X).sum(1, keepdims=True)),
    ("nn.functional.log_softmax(T, 0)", np.log(np.exp(X) / np.exp(X).sum(0))),
    ("nn.functional.linear(T, T, T[:, 0])", X @ X.T + X[:, 0]),
    ("nn.functional.one_hot(I, 4)", np.eye(4)[PLACES]),
    ("nn.functional.one_hot(I)", np.eye(3)[PLACES]),
    ("nn.functional.leaky_relu(T)", np.where(X > 0, X, 0.01 * X)),
    ("nn.functional.elu(T, 2.0)", np.where(X > 0, X, 2 * np.expm1(X))),
    ("nn.functional.relu6(2 * T)", (2 * X).clip(0, 6)),
    ("nn.functional.silu(T)", X / (1 + np.exp(-X))),
    ("nn.functional.dropout(T, 0.5, training=False)", X),
    ("nn.functional.max_pool2d(T[None, None], 2, 1)", [[[[2.0, 3.0]]]]),
    ("nn.functional.avg_pool2d(T[None, None], 2, 1)", [[[[0.4375, 0.4375]]]]),
    ("nn.functional.avg_pool2d(T[None, None], 2)", [[[[0.4375]]]]),
    ("nn.functional.binary_cross_entropy_with_logits(T, T * 0)", np.log1p(np.exp(X)).mean()),
    ("nn.functional.batch_norm(T, T[0], T[0] * 0 + 1, eps=0.0)", X - X[0]),
]


@pytest.mark.parametrize(("call", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_a_function_computes_its_formula(call, expected):
    found = eval(f"mint.{call}", {"mint": mint, "T": T, "I": I})
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_what_ops_has_with_the_same_arguments_is_the_same_function():
    assert mint.matmul is ops.matmul and mint.nn.functional.cross_entropy is ops.cross_entropy
    assert mint.nn.ReLU is nn.ReLU and mint.linalg.inv is ops.inverse
    assert mint.allclose(T, T + 1e-9) is True and [mint.rand(2, 3).shape, mint.randn_like(T).shape] == [(2, 3)] * 2
    for room in (mint, mint.linalg, mint.nn, mint.nn.functional):
        assert [name for name in room.__all__ if not hasattr(room, name)] == []


def test_layers_take_pytorchs_arguments():
    assert mint.nn.Linear(3, 4, bias=False)(T).shape == (2, 4) and mint.nn.Linear(3, 4).bias.shape == (4,)
    norm = mint.nn.BatchNorm1d(3, momentum=0.25).set_train()
    norm(T)
    np.testing.assert_allclose(norm.moving_mean.asnumpy(), 0.25 * X.mean(0), rtol=1e-5)
    loss = mint.nn.BCEWithLogitsLoss(reduction="sum")(T, T * 0).item()
    assert loss == pytest.approx(np.log1p(np.exp(X)).sum(), rel=1e-5)
    assert mint.nn.Dropout(p=0.25).p == 0.25 and mint.nn.SiLU()(T).shape == X.shape
    np.testing.assert_array_equal(mint.nn.GELU()(T).asnumpy(), ops.gelu(T, "none").asnumpy())


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: mint.nn.functional.relu(T, inplace=True), ValueError),
        (lambda: mint.nn.Dropout(0.5, inplace=True), ValueError),
        (lambda: mint.nn.Conv3d(4, 6, 3, padding_mode="reflect"), ValueError),
        (lambda: mint.nn.Conv2d(4, 6, 3, padding="full"), ValueError),
        (lambda: mint.rand(2, generator=1), TypeError),
        (lambda: mint.nn.GELU("exact"), ValueError),
        (lambda: mint.clone(3), TypeError),
        (lambda: mint.prod([1.0]), TypeError),
        (lambda: mint.squeeze([1.0], 0), TypeError),
        (lambda: mint.squeeze(T, None), TypeError),
        (lambda: mint.squeeze(T, 2), ValueError),
        (lambda: mint.var(T, correction=None), TypeError),
        (lambda: mint.max(T, keepdim="yes"), TypeError),
        (lambda: mint.min(T, keepdim=1.5), TypeError),
        (lambda: mint.nn.BCEWithLogitsLoss(weight=3), TypeError),
        (lambda: mint.nn.BatchNorm1d(3, momentum=None), TypeError),
        (lambda: mint.nn.BatchNorm2d(3, track_running_stats="yes"), TypeError),
        (lambda: mint.nn.functional.elu(T, np.ones(2)), TypeError),
        (lambda: mint.nn.functional.softmax(None), TypeError),
        (lambda: mint.nn.functional.log_softmax(3), TypeError),
        (lambda: mint.nn.functional.one_hot([1]), TypeError),
    ],
)
def test_what_cannot_be_done_here_is_refused(call, kind):
    with pytest.raises(kind, match=r"^For '\w+', the '"):
        call()


def test_gradients_flow_through_functions():
    by_x = ms.grad(lambda x: mint.max(x, 1)[0].sum() + mint.gather(x, 1, I).sum())(T)
    assert by_x.asnumpy().tolist() == [[1, 1, 2], [2, 2, 0]]
