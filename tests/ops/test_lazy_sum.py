"""Gradients that wait for those of other steps."""

import numpy as np
import pytest

import minispore as ms
from minispore.core import kernel_table
from minispore.core.observation import Noting
from minispore.ops.kernels import rnn_step as kernels
from minispore.ops.lazy_sum import Late, Sums
from minispore.ops.operations.nn.rnn_composed import gru_cell, lstm_cell, relu_cell, tanh_cell
from minispore.ops.operations.nn.rnn_step import GRUStepSlopes, LSTMStepSlopes, RNNStepSlopes
from minispore.ops.operations.nn.sums_over_steps import SumOfColumns, SumOfProducts


def totals(dtype, *terms):
    """The sums of a * b and of a over pairs, and a note of the call."""
    totals.calls.append(len(terms))
    sums = sum((a * b).asnumpy() for a, b in terms), sum(a.asnumpy() for a, _ in terms)
    return tuple([ms.Tensor(y.astype(dtype)) for y in sums])


def late(*numbers, totals=totals):
    """The two gradients of one step."""
    totals.calls = []
    sums = Sums(totals, (tuple([ms.Tensor(x) for x in numbers]),), np.dtype(np.float16))
    return Late(sums, 0), Late(sums, 1)


def test_sums_of_late_gradients_are_computed_once_and_together_when_one_is_read():
    steps = zip(late(4.0, 5.0), late(2.0, 3.0), strict=True)
    products, factors = [g.joined(before, np.dtype(np.float32)) for g, before in steps]
    assert totals.calls == []
    assert (products + 1).asnumpy() == 27
    assert factors.asnumpy() == 6
    assert products.dtype == ms.float32
    assert totals.calls == [2]


def test_a_late_gradient_is_joined_only_with_its_kind_and_place():
    product, factor = late(2.0, 3.0)
    assert product.joined(ms.Tensor(1.0), None) is None
    assert product.joined(factor, None) is None
    assert product.joined(late(2.0, 3.0, totals=lambda dtype, *terms: ())[0], None) is None


def test_a_late_gradient_that_was_read_is_joined_no_more_and_keeps_no_terms():
    read, _ = late(2.0, 3.0)
    assert read.asnumpy() == 6
    assert read.sums.terms is None
    other, _ = late(2.0, 3.0)
    assert read.joined(other, None) is None
    assert other.joined(read, None) is None


def test_a_late_gradient_has_no_other_attributes_than_a_tensor():
    with pytest.raises(AttributeError, match="wings"):
        _ = late(2.0, 3.0)[0].wings


CELLS = {
    "lstm": (ms.ops.LSTMStep, lstm_cell, 4, 2),
    "gru": (ms.ops.GRUStep, gru_cell, 3, 1),
    "tanh": (ms.ops.RNNStep, tanh_cell, 1, 1),
    "relu": (lambda: ms.ops.RNNStep("relu"), relu_cell, 1, 1),
}


def _unrolled(step, states, xs, h):
    """The state h after all steps over ``xs`` (N, T, I), as a function of the weights."""

    def last(*weights):
        state = (h,) * states
        for k in range(xs.shape[1]):
            state = tuple(step(xs[:, k], *state, *weights)[:states])
        return state[0]

    return last


def _weights(gates, dtype):
    rng = np.random.default_rng(0)
    shapes = (gates * 4, 5), (gates * 4, 4), gates * 4, gates * 4
    return [rng.standard_normal(s).astype(dtype) / 2 for s in shapes]


@pytest.fixture(params=[False, True], ids=["by compute", "by kernels"])
def kernels_of_its_own(request, monkeypatch):
    """Whether the device has kernels of its own for the parts of a gradient, as a GPU has: here ``compute`` again."""
    if request.param:
        parts = GRUStepSlopes, LSTMStepSlopes, RNNStepSlopes, SumOfColumns, SumOfProducts
        monkeypatch.setattr(kernel_table, "_found", {})
        for part in parts:
            monkeypatch.setitem(kernel_table.kernels, (part, "numpy"), lambda op, xp, *arrays: None)


@pytest.mark.usefixtures("kernels_of_its_own")
@pytest.mark.parametrize(("dtype", "limit"), [(np.float32, 1e-5), (np.float16, 4e-3)])
@pytest.mark.parametrize("kind", CELLS)
def test_the_weights_gradients_over_several_steps_are_those_of_elementary_operations(device, kind, dtype, limit):
    step, plain, gates, states = CELLS[kind]
    x, weights = np.random.default_rng(1).standard_normal((3, 6, 5)).astype(dtype), _weights(gates, dtype)

    def gradients(cell, dtype):
        last = _unrolled(cell, states, ms.Tensor(x.astype(dtype)), ms.Tensor(np.zeros((3, 4), dtype)))
        return ms.grad(last, (0, 1, 2, 3))(*[ms.Tensor(w.astype(dtype)) for w in weights])

    for g, exact in zip(gradients(step(), dtype), gradients(plain, np.float32), strict=True):
        assert np.abs(g.asnumpy() - exact.asnumpy()).max() <= limit * np.abs(exact.asnumpy()).max()


class Names(Noting):
    """Notes the names of operations."""

    def __init__(self):
        self.names = []

    def note(self, primitive, args, arrays, made, single, results):
        self.names.append(primitive.name)


@pytest.mark.parametrize("needed", [(0, 1, 2, 3), (1,), (0, 3), (2,)])
@pytest.mark.parametrize("kind", CELLS)
def test_the_weights_gradients_of_all_steps_are_one_operation_in_blocks_of_any_length(kind, needed, monkeypatch):
    step, _, gates, states = CELLS[kind]
    x, weights = np.random.default_rng(1).standard_normal((3, 7, 5)).astype(np.float32), _weights(gates, np.float32)
    last = _unrolled(step(), states, ms.Tensor(x), ms.Tensor(np.zeros((3, 4), np.float32)))

    def gradients(length):
        monkeypatch.setattr(kernels, "_BLOCK", length * 3 * gates * 4)
        with Names() as notes:
            found = ms.grad(last, needed)(*[ms.Tensor(w) for w in weights])
            found = [g.asnumpy() for g in (found if len(needed) > 1 else (found,))]
        assert notes.names.count("SumsOverSteps") == 1
        return found

    whole, *cut = [gradients(length) for length in (7, 1, 2, 3)]
    assert [g.shape for g in whole] == [weights[i].shape for i in needed]
    for found in cut:
        for g, expected in zip(found, whole, strict=True):
            np.testing.assert_allclose(g, expected, rtol=1e-5, atol=1e-6)


def test_second_derivatives_wait_for_no_other_step():
    x, h, weights = ms.ops.ones((2, 5)), ms.ops.zeros((2, 4)), [ms.Tensor(w) for w in _weights(3, np.float32)]
    with Names() as notes:
        ms.grad(lambda w: ms.grad(lambda w: ms.ops.GRUStep()(x, h, w, *weights[1:])[0])(w).sum())(weights[0])
    assert "GRUStepGrad" in notes.names
    assert "SumsOverSteps" not in notes.names
