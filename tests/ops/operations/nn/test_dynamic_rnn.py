"""DynamicRNN: its formula in NumPy (MindSpore's CPU has no kernel of it), its gradient, and errors."""

import numpy as np
import pytest
from support.differentiated import assert_differentiated

from minispore import Tensor, ops

RNG = np.random.default_rng(1)
X, W, B = RNG.normal(size=(3, 2, 4)), RNG.normal(size=(9, 20)), RNG.normal(size=20)
H, C = RNG.normal(size=(1, 2, 5)), RNG.normal(size=(1, 2, 5))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def formula(forget_bias=0.0):
    h, c, rows = H[0], C[0], []
    for x in X:
        i, j, f, o = np.split(np.concatenate([x, h], 1) @ W + B, 4, axis=1)
        i, j, f, o = sigmoid(i), np.tanh(j), sigmoid(f + forget_bias), sigmoid(o)
        c = f * c + i * j
        h = o * np.tanh(c)
        rows.append((h, h, c, i, j, f, o, np.tanh(c)))
    return [np.stack(each) for each in zip(*rows, strict=True)]


def run(operation=None, **changes):
    inputs = {"x": X, "w": W, "b": B, "init_h": H, "init_c": C}
    tensors = {name: Tensor(x) for name, x in inputs.items()}
    return (operation or ops.DynamicRNN())(**{**tensors, "seq_length": None, **changes})


@pytest.mark.parametrize("forget_bias", [0.0, 1.5])
def test_the_outputs_are_those_of_the_formula(forget_bias):
    found = run(ops.DynamicRNN(forget_bias=forget_bias))
    for y, expected in zip(found, formula(forget_bias), strict=True):
        np.testing.assert_allclose(y.asnumpy(), expected, rtol=1e-10)


def test_the_gradient_is_the_quotient_of_differences():
    assert_differentiated(lambda w: run(w=w)[0].sum(), W)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"cell_type": "GRU"}, ValueError),
        ({"direction": "BIDIRECTIONAL"}, ValueError),
        ({"cell_depth": 1.0}, TypeError),
        ({"use_peephole": True}, ValueError),
        ({"keep_prob": "a"}, TypeError),
        ({"cell_clip": 1.0}, ValueError),
        ({"num_proj": 1}, ValueError),
        ({"time_major": False}, ValueError),
        ({"activation": "relu"}, ValueError),
        ({"forget_bias": 1}, TypeError),
        ({"is_training": 1}, TypeError),
    ],
)
def test_wrong_arguments_are_refused(arguments, kind):
    with pytest.raises(kind, match=f"For 'DynamicRNN', the '{next(iter(arguments))}' must"):
        ops.DynamicRNN(**arguments)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"x": X}, TypeError),
        ({"w": Tensor(W.astype(np.float32))}, TypeError),
        ({"w": Tensor(W[:8])}, ValueError),
        ({"b": Tensor(B[:3])}, ValueError),
        ({"seq_length": Tensor([1, 2])}, ValueError),
        ({"init_c": Tensor(C[0])}, ValueError),
    ],
)
def test_wrong_inputs_are_refused(changes, kind):
    with pytest.raises(kind, match=f"For 'DynamicRNN', the '{next(iter(changes))}' must"):
        run(**changes)
