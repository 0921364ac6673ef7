"""Operations that came after MindSpore 2.0.0: against PyTorch's, and values of 2.7.0."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

torch = pytest.importorskip("torch", reason="attention is compared with PyTorch's")
RNG = np.random.RandomState(4)


def drawn(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def test_buckets_are_those_of_mindspore_2_7():
    x = Tensor([[1, 9], [3, 5]])
    np.testing.assert_array_equal(ops.bucketize(x, [0, 3, 5, 7]), [[1, 4], [1, 2]])
    np.testing.assert_array_equal(ops.bucketize(x, (0.0, 3.0, 5.0, 7.0), right=True), [[1, 4], [2, 3]])
    assert ops.bucketize(x, []).dtype == ms.int32 and not ops.bucketize(x, []).asnumpy().any()
    for wrong in (lambda: ops.bucketize([1], [1]), lambda: ops.bucketize(x, 1), lambda: ops.bucketize(x, ["a"])):
        with pytest.raises(TypeError, match=r"^For 'bucketize'"):
            wrong()


def test_eq_is_equal():
    np.testing.assert_array_equal(ops.eq(Tensor([1, 2]), 1), [True, False])


LAYOUTS = {"BNSD": (0, 1, 2, 3), "BSND": (0, 2, 1, 3), "BSH": (0, 2, 1, 3), "SBH": (2, 0, 1, 3)}


def laid_out(x, layout):
    x = x.transpose(LAYOUTS[layout])
    return x if layout in ("BNSD", "BSND") else x.reshape(*x.shape[:2], -1)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("heads", [4, 2, 1])
@pytest.mark.parametrize("mask", ["none", "given", "shift", 2, 3])
def test_attention_is_pytorchs(layout, heads, mask):
    q, k, v = drawn(2, 4, 5, 3), drawn(2, heads, 7, 3), drawn(2, heads, 7, 3)
    hidden, shift = RNG.random((2, 1, 5, 7)) < 0.4, drawn(2, 4, 5, 7)
    added = {
        "none": np.zeros((5, 7)),
        "given": np.where(hidden, -np.inf, 0),
        "shift": shift,
        2: np.where(np.tri(5, 7), 0, -np.inf),
        3: np.where(np.tri(5, 7, 2), 0, -np.inf),
    }[mask]
    options = {"given": {"attn_mask": Tensor(hidden)}, "shift": {"real_shift": Tensor(shift)}}.get(mask, {})
    options |= {"sparse_mode": mask} if mask in (2, 3) else {}
    options["scalar_value"] = factor = 1.0 if mask == "shift" else 0.5
    x, y, z = (torch.tensor(a, requires_grad=True) for a in (q, k, v))
    y4, z4 = (a.repeat_interleave(4 // heads, 1) for a in (y, z))
    expected = torch.nn.functional.scaled_dot_product_attention(
        x, y4, z4, torch.tensor(np.broadcast_to(added, (2, 4, 5, 7)), dtype=torch.float32), scale=factor
    )
    (expected**2).sum().backward()

    def loss(*inputs):
        out = ops.flash_attention_score(*inputs, 4, input_layout=layout, **options)
        return (out**2).sum(), out

    inputs = [Tensor(laid_out(a, layout)) for a in (q, k, v)]
    (_, out), grads = ms.value_and_grad(loss, (0, 1, 2), has_aux=True)(*inputs)
    np.testing.assert_allclose(out, laid_out(expected.detach().numpy(), layout), rtol=1e-4, atol=1e-5)
    for grad, theirs in zip(grads, (x, y, z), strict=True):
        np.testing.assert_allclose(grad, laid_out(theirs.grad.numpy(), layout), rtol=1e-3, atol=1e-5)


def test_attention_drops_weights_and_keeps_float16():
    x = Tensor(drawn(1, 6, 8), ms.float16)
    assert ops.flash_attention_score(x, x, x, 2).dtype == ms.float16
    assert (ops.flash_attention_score(x, x, x, 2, keep_prob=0.01) == 0).sum() > 10


X = Tensor(np.ones((1, 2, 4), np.float32))
WRONG = [
    (lambda: ops.flash_attention_score(X, X, X, 3), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 0), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2.0), TypeError),
    (lambda: ops.flash_attention_score(X, X, X.astype("int32"), 2), TypeError),
    (lambda: ops.flash_attention_score(X, X, X[0], 2), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, input_layout="TND"), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, prefix=X), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, drop_mask=X), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, sparse_mode=4), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, pre_tokens=3), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, keep_prob=0.0), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, scalar_value="a"), TypeError),
    (lambda: ops.flash_attention_score(X, X, X, 2, attn_mask=1), TypeError),
    (lambda: ops.flash_attention_score(X, X, X, 2, real_shift=X, scalar_value=0.5), ValueError),
    (lambda: ops.flash_attention_score(X, X, X, 2, real_shift=1), TypeError),
]


@pytest.mark.parametrize(("call", "kind"), WRONG)
def test_attention_refuses_what_it_has_not(call, kind):
    with pytest.raises(kind, match=r"^For 'flash_attention_score'"):
        call()
