"""The fused kernels of recurrent networks compute what their steps compute one by one, and so do their gradients."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import Tensor, ops, vjp
from minispore.ops.kernels import rnn_sequence
from minispore.ops.operations.nn.rnn_composed import gru_step, lstm_step, over_steps, relu_step, tanh_step

KINDS = {
    "lstm": (ops.LSTMSequence, lstm_step, 4),
    "gru": (ops.GRUSequence, gru_step, 3),
    "tanh": (ops.RNNSequence, tanh_step, 1),
    "relu": (lambda reverse: ops.RNNSequence(reverse, "relu"), relu_step, 1),
}
SIZES = st.integers(1, 4)


@pytest.mark.parametrize("kind", KINDS)
@given(steps=SIZES, samples=SIZES, width=SIZES, reverse=st.booleans(), even=st.booleans(), seed=st.integers(0, 99))
def test_a_sequence_and_its_gradients_are_those_of_its_steps(kind, steps, samples, width, reverse, even, seed):
    rng, (make, step, gates) = np.random.default_rng(seed), KINDS[kind]
    sequence = make(reverse)
    shapes = {"w": (gates * width, width), "b": (gates * width,)}
    shapes = [shapes.get(n, (samples, width)) for n in (*sequence.states, *sequence.weights)]
    inputs = [Tensor(rng.standard_normal(s)) for s in [(steps, samples, gates * width), *shapes]]
    seq_length = None if even else Tensor(rng.integers(0, steps + 2, samples))
    count = 1 + len(sequence.states)

    def fused(*inputs):
        return sequence(*inputs, seq_length)[:count]

    def plain(z, *others):
        return over_steps(step, z, others[: count - 1], others[count - 1 :], seq_length, reverse)

    (found, pulled), (expected, pulled_plainly) = vjp(fused, *inputs), vjp(plain, *inputs)
    seeds = [Tensor(rng.standard_normal(y.shape)) for y in expected]
    for a, b in zip((*found, *pulled(*seeds)), (*expected, *pulled_plainly(*seeds)), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("reverse", [False, True])
def test_an_lstm_in_pieces_of_a_few_steps_is_the_same_and_its_states_are_arrays_of_their_own(reverse, monkeypatch):
    rng = np.random.default_rng(3)
    z, h, c, w = (rng.standard_normal(shape) for shape in ((7, 3, 20), (3, 5), (3, 5), (20, 5)))
    alive = (np.arange(7)[:, None] < [7, 2, 5])[:, :, None]

    def computed():
        y, last_h, last_c, gates, cells = rnn_sequence.lstm(np, z, h, c, w, alive, reverse)
        assert not any(np.shares_memory(a, b) for a in (y, cells) for b in (last_h, last_c))
        grads = rnn_sequence.lstm_grad(np, y, h, c, h, c, w, y, gates, cells, alive, reverse)
        return y, last_h, last_c, gates, cells, *grads

    whole = computed()
    for size in (1, 60, 130):
        monkeypatch.setattr(rnn_sequence, "_IN_CACHE", size)
        for found, expected in zip(computed(), whole, strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
