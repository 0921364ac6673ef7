"""A recurrent cell's step is what its formula in elementary operations gives; so are its gradients of any inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.nn.layer.rnn_cells import RNNCellBase
from minispore.ops.operations.nn.rnn_composed import gru_cell, lstm_cell, relu_cell, tanh_cell

SIZES = st.integers(1, 5)
KINDS = {
    "lstm": (ops.LSTMStep, lstm_cell, 4, 2),
    "gru": (ops.GRUStep, gru_cell, 3, 1),
    "tanh": (ops.RNNStep, tanh_cell, 1, 1),
    "relu": (lambda: ops.RNNStep("relu"), relu_cell, 1, 1),
}


@pytest.mark.parametrize("kind", KINDS)
@given(samples=SIZES, length=SIZES, width=SIZES, has_bias=st.booleans(), seed=st.integers(0, 99), data=st.data())
def test_a_step_and_its_gradients_are_those_of_elementary_operations(
    kind, samples, length, width, has_bias, seed, data
):
    rng, (step, plain, gates, states) = np.random.default_rng(seed), KINDS[kind]
    rows = gates * width
    shapes = [(samples, length), *[(samples, width)] * states, (rows, length), (rows, width), *[(rows,)] * 2 * has_bias]
    inputs = [Tensor(rng.standard_normal(shape)) for shape in shapes]
    needed = tuple(sorted(data.draw(st.sets(st.integers(0, len(inputs) - 1), min_size=1))))
    seeds = [Tensor(rng.standard_normal((samples, width))) for _ in range(states)]

    def pulled(function):
        def of_needed(*chosen):
            given = dict(zip(needed, chosen, strict=True))
            return tuple(function(*[given.get(i, x) for i, x in enumerate(inputs)])[:states])

        out, pull = ms.vjp(of_needed, *[inputs[i] for i in needed])
        return *out, *pull(*seeds)

    for a, b in zip(pulled(step()), pulled(plain), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_one_bias_without_the_other_is_refused(kind):
    step, _, gates, states = KINDS[kind]
    ones = [ops.ones(s) for s in [(2, 3), *[(2, 3)] * states, (gates * 3, 3), (gates * 3, 3), (gates * 3,)]]
    with pytest.raises(TypeError, match=f"For '{step().name}', the inputs must be x, the states"):
        step()(*ones)


@pytest.mark.parametrize("cell", [nn.LSTMCell, nn.GRUCell, nn.RNNCell])
def test_frozen_weights_cost_no_product(cell, monkeypatch):
    net = cell(3, 4)
    for p in net.get_parameters():
        p.requires_grad = False
    x, h = ops.ones((2, 3)), ops.zeros((2, 4))
    shapes, matmul = [], np.matmul
    monkeypatch.setattr(np, "matmul", lambda a, b, **k: shapes.append((a.shape, b.shape)) or matmul(a, b, **k))
    ms.grad(lambda x: net(x, (h, h) if cell is nn.LSTMCell else h)[0].sum())(x)
    assert len(shapes) == 3, "two products forward, one back to x"


def test_a_users_cell_gets_its_weights_from_the_base():
    cell = RNNCellBase(3, 4, True, 2)
    found = [(p.name, p.shape) for p in cell.get_parameters()]
    assert found == [("weight_ih", (8, 3)), ("weight_hh", (8, 4)), ("bias_ih", (8,)), ("bias_hh", (8,))]
    assert RNNCellBase(3, 4, False, 2).bias_ih is None and isinstance(nn.GRUCell(3, 4), RNNCellBase)
    for wrong, kind in (((0, 4, True, 2), ValueError), ((3, 4, 1, 2), TypeError), ((3, 4, True, 0), ValueError)):
        with pytest.raises(kind, match=r"^For 'RNNCellBase', the '"):
            RNNCellBase(*wrong)
