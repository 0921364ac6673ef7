"""DynamicGRUV2: its formula in NumPy (MindSpore's CPU has no kernel of it), its gradient, and errors."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

from minispore import Tensor, ops

RNG = np.random.default_rng(2)
X, W, U, H = (RNG.normal(size=shape) for shape in ((3, 2, 4), (4, 15), (5, 15), (2, 5)))
B, D = RNG.normal(size=15), RNG.normal(size=15)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def formula(first_is_reset, reset_after, b, d):
    h, rows = H, []
    for x in X:
        z, s = np.split(x @ W + b, 3, 1), np.split(h @ U + d, 3, 1)
        gates = sigmoid(z[0] + s[0]), sigmoid(z[1] + s[1])
        reset, update = gates if first_is_reset else gates[::-1]
        by_state = s[2] if reset_after else (reset * h) @ U[:, 10:] + d[10:]
        new = np.tanh(z[2] + (reset * by_state if reset_after else by_state))
        h = (1 - update) * new + update * h
        rows.append((h, h, update, reset, new, by_state))
    return [np.stack(each) for each in zip(*rows, strict=True)]


def run(operation, x=X, w=W, u=U, b=B, d=D, h=H):
    inputs = (x, w, u, b, d, None, h)
    return operation(*[Tensor(value) if isinstance(value, np.ndarray) else value for value in inputs])


@pytest.mark.parametrize("reset_after", [True, False])
@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_the_outputs_are_those_of_the_formula(order, reset_after):
    operation = ops.DynamicGRUV2(gate_order=order, reset_after=reset_after)
    for found, expected in (
        (run(operation), formula(order == "rzh", reset_after, B, D)),
        (run(operation, b=None, d=None), formula(order == "rzh", reset_after, B * 0, D * 0)),
    ):
        for y, wished in zip(found, expected, strict=True):
            np.testing.assert_allclose(y.asnumpy(), wished, rtol=1e-10, atol=1e-12)


def test_the_gradient_is_the_quotient_of_differences():
    assert_differentiated(lambda u: run(ops.DynamicGRUV2(), u=u)[0].sum(), U)  # of the states' weights


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: ops.DynamicGRUV2("BIDIRECTIONAL"), ValueError, "'direction'"),
        (lambda: ops.DynamicGRUV2(gate_order="hzr"), ValueError, "'gate_order'"),
        (lambda: ops.DynamicGRUV2(cell_clip=1.0), ValueError, "'cell_clip'"),
        (lambda: run(ops.DynamicGRUV2(), w=W[:3]), ValueError, "'weight_input' must have the shape"),
        (lambda: run(ops.DynamicGRUV2(), h=H[None]), ValueError, "must have the shape"),
        (lambda: run(ops.DynamicGRUV2(), b=B.astype(np.float32)), TypeError, "'bias_input'"),
        (lambda: run(ops.DynamicGRUV2(), x=X[0]), ValueError, "'x' must have the shape"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For 'DynamicGRUV2', .*{part}"):
        call()
