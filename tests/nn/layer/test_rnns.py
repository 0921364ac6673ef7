"""Recurrent layers step through a sequence as their cells do, and refuse what does not fit."""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.core.running import under

LAYERS = ["LSTM", "GRU", "RNN"]


def normal(*shape, dtype=np.float32, seed=0):
    return ms.Tensor(np.random.default_rng(seed).standard_normal(shape).astype(dtype))


def state_of(layer, *shape):
    return (normal(*shape, seed=1), normal(*shape, seed=2)) if isinstance(layer, nn.LSTM) else normal(*shape, seed=1)


def cell_of(layer, k):
    """A cell with the weights of the layer's direction ``k``."""
    name = type(layer).__name__
    cell = getattr(nn, name + "Cell")(layer.input_size, layer.hidden_size, layer.has_bias)
    lists = {"weight_ih": layer.w_ih_list, "weight_hh": layer.w_hh_list}
    if layer.has_bias:
        lists |= {"bias_ih": layer.b_ih_list, "bias_hh": layer.b_hh_list}
    for attribute, parameters in lists.items():
        getattr(cell, attribute).set_data(parameters[k])
    return cell


def stepped(cell, x, h, lengths, reverse):
    """The outputs and the last h of a cell, sample by sample and step by step."""
    samples = []
    for n, length in enumerate(lengths):
        state = tuple(s[n : n + 1] for s in h) if isinstance(h, tuple) else h[n : n + 1]
        y = np.zeros((x.shape[0], cell.hidden_size), np.float32)
        for t in range(length - 1, -1, -1) if reverse else range(length):
            state = cell(x[t, n : n + 1], state)
            y[t] = (state[0] if isinstance(state, tuple) else state).asnumpy()[0]
        samples.append((y, state))
    last = [(s[0] if isinstance(s, tuple) else s).asnumpy()[0] for _, s in samples]
    return np.stack([y for y, _ in samples], 1), np.stack(last)


@pytest.mark.parametrize("name", LAYERS)
@given(lengths=st.lists(st.integers(0, 4), min_size=1, max_size=4), has_bias=st.booleans())
def test_both_directions_step_as_the_cell_does_up_to_each_samples_length(name, lengths, has_bias):
    layer = getattr(nn, name)(3, 2, has_bias=has_bias, bidirectional=True)
    x, h = normal(4, len(lengths), 3), state_of(layer, 2, len(lengths), 2)
    y, last = layer(x, h, ms.Tensor(lengths, ms.int32))
    last = last[0] if name == "LSTM" else last
    for k, reverse in enumerate((False, True)):
        begin = tuple(s[k] for s in h) if name == "LSTM" else h[k]
        expected, end = stepped(cell_of(layer, k), x, begin, lengths, reverse)
        np.testing.assert_allclose(y.asnumpy()[..., 2 * k : 2 * k + 2], expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(last.asnumpy()[k], end, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_stacked_and_batch_first_is_a_transposition(name):
    two = getattr(nn, name)(3, 4, 2, batch_first=True)
    first, second = getattr(nn, name)(3, 4), getattr(nn, name)(4, 4)
    for kind in ("w_ih_list", "w_hh_list", "b_ih_list", "b_hh_list"):
        for k, one in enumerate((first, second)):
            getattr(one, kind)[0].set_data(getattr(two, kind)[k])
    x = normal(2, 5, 3)
    expected = second(first(x.transpose(1, 0, 2))[0])[0].asnumpy()
    np.testing.assert_allclose(two(x)[0].asnumpy().transpose(1, 0, 2), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", LAYERS)
def test_steps_beyond_a_length_may_hold_nan(name):
    layer = getattr(nn, name)(3, 4, bidirectional=True)
    x = np.random.default_rng(0).standard_normal((5, 2, 3)).astype(np.float32)
    clean, x[3:, 1] = layer(ms.Tensor(x), None, ms.Tensor([5, 3]))[0].asnumpy(), np.nan

    def total(x):
        return layer(x, None, ms.Tensor([5, 3]))[0].sum()

    np.testing.assert_array_equal(layer(ms.Tensor(x), None, ms.Tensor([5, 3]))[0].asnumpy(), clean)
    assert np.isfinite(ms.grad(total)(ms.Tensor(x)).asnumpy()).all()


@pytest.mark.usefixtures("restored")
def test_dropout_stands_between_layers_in_training_only():
    ms.set_seed(1)
    layer, x = nn.LSTM(3, 4, 2, dropout=0.5), normal(5, 2, 3)
    same = layer(x)[0].asnumpy()
    np.testing.assert_array_equal(layer(x)[0].asnumpy(), same)
    assert not np.array_equal(layer.set_train()(x)[0].asnumpy(), same)
    one = nn.LSTM(3, 4, 1, dropout=0.5).set_train()
    np.testing.assert_array_equal(one(x)[0].asnumpy(), one(x)[0].asnumpy())


def test_parameters_have_mindspores_names_shapes_and_order():
    found = {p.name: p.shape for p in nn.LSTM(3, 4, 2, bidirectional=True).get_parameters()}
    ends = ("l0", "l0_reverse", "l1", "l1_reverse")
    expected = {f"weight_ih_{e}": (16, 3 if "0" in e else 8) for e in ends}
    expected |= {f"weight_hh_{e}": (16, 4) for e in ends}
    expected |= {f"bias_{kind}_{e}": (16,) for kind in ("ih", "hh") for e in ends}
    assert list(found.items()) == list(expected.items())
    assert [p.name for p in nn.GRU(3, 4, has_bias=False).get_parameters()] == ["weight_ih_l0", "weight_hh_l0"]
    assert [p.shape for p in nn.GRU(3, 4).get_parameters()] == [(12, 3), (12, 4), (12,), (12,)]
    assert all(np.abs(p.asnumpy()).max() <= 0.5 for p in nn.RNN(3, 4).get_parameters())


@pytest.mark.parametrize(
    ("layer", "inner"),
    [
        (nn.LSTM(3, 4), "_DynamicLSTMCPUGPU"),
        (nn.GRU(3, 4), "_DynamicGRUCPUGPU"),
        (nn.RNN(3, 4), "_DynamicRNNTanh"),
        (nn.RNN(3, 4, nonlinearity="relu"), "_DynamicRNNRelu"),
    ],
)
def test_repr_is_mindspores(layer, inner):
    assert repr(layer) == f"{type(layer).__name__}<\n  (rnn): {inner}<>\n  (dropout_op): Dropout<p=0.0>\n  >"


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("kind", [np.float16, np.float64])
def test_outputs_have_the_dtype_of_x(name, kind):
    layer = getattr(nn, name)(3, 4)
    y, last = layer(normal(5, 2, 3, dtype=kind))
    assert {v.asnumpy().dtype for v in (y, *(last if name == "LSTM" else (last,)))} == {np.dtype(kind)}


@pytest.mark.parametrize("name", LAYERS)
def test_to_float_lowers_the_operations_and_keeps_the_outer_dtype(name):
    layer, x = getattr(nn, name)(3, 4), normal(5, 2, 3)
    full = layer(x)[0].asnumpy()
    lowered, (gradient,) = (
        layer.to_float(ms.float16)(x)[0],
        ms.grad(lambda: layer(x)[0].sum(), None, [layer.w_hh_list[0]])(),
    )
    assert lowered.dtype == ms.float32 and gradient.dtype == ms.float32
    np.testing.assert_array_equal(lowered.asnumpy().astype(np.float16), lowered.asnumpy())
    np.testing.assert_allclose(lowered.asnumpy(), full, atol=5e-3)


@pytest.mark.parametrize("name", LAYERS)
def test_a_sequence_is_few_operations_however_long_it_is(name):
    """One product for all inputs and one operation for the steps: nothing is recorded for each step."""
    layer = getattr(nn, name)(3, 4)

    def records(steps):
        tape = []
        with under(tape=tape):
            x = normal(steps, 2, 3)
            x._tape = tape
            layer(x)
        return len(tape)

    assert records(50) == records(2) < 20


X, F16, INTS = functools.partial(normal, 5, 2, 3), np.float16, ops.ones((5, 2, 3), ms.int32)
REFUSED = [
    (TypeError, "'input_size' must be an int, but got 3.0", lambda c: c(3.0, 4)),
    (TypeError, "'input_size' must be an int, but got True", lambda c: c(True, 4)),
    (ValueError, "'hidden_size' must be above 0, but got 0", lambda c: c(3, 0)),
    (ValueError, "'num_layers' must be above 0, but got 0", lambda c: c(3, 4, 0)),
    (TypeError, "'has_bias' must be a bool, but got 1", lambda c: c(3, 4, has_bias=1)),
    (TypeError, "'batch_first' must be a bool, but got 1", lambda c: c(3, 4, batch_first=1)),
    (TypeError, "'bidirectional' must be a bool, but got 1", lambda c: c(3, 4, bidirectional=1)),
    (TypeError, "'dropout' must be a float, but got 0", lambda c: c(3, 4, dropout=0)),
    (ValueError, r"'dropout' must be in \[0, 1\), but got 1.0", lambda c: c(3, 4, dropout=1.0)),
    (TypeError, "'x' must be a Tensor, but got ndarray", lambda c: c(3, 4)(X().asnumpy())),
    (TypeError, "'x' must be a Tensor of floats, but got Int32", lambda c: c(3, 4)(INTS)),
    (ValueError, r"'x' must have the shape \(T, N, 3\), but got \(5, 3\)", lambda c: c(3, 4)(normal(5, 3))),
    (ValueError, r"'x' must have the shape \(N, T, 3\)", lambda c: c(3, 4, batch_first=True)(normal(5, 2, 6))),
    (ValueError, "with T above 0", lambda c: c(3, 4)(normal(0, 2, 3))),
    (TypeError, "'seq_length' must be a Tensor, but got list", lambda c: c(3, 4)(X(), None, [3, 5])),
    (TypeError, "int32 or int64, but got Float32", lambda c: c(3, 4)(X(), None, normal(2))),
    (ValueError, r"the shape \(2,\), x's samples", lambda c: c(3, 4)(X(), None, ops.ones((3,), ms.int32))),
]


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize(("error", "sentence", "call"), REFUSED)
def test_what_does_not_fit_is_refused_in_a_sentence(name, error, sentence, call):
    with pytest.raises(error, match=f"For '{name}', .*{sentence}"):
        call(getattr(nn, name))


@pytest.mark.parametrize(
    ("error", "sentence", "call"),
    [
        (TypeError, r"'hx' must be a tuple \(h, c\), but got list", lambda: nn.LSTM(3, 4)(X(), [normal(1, 2, 4)] * 2)),
        (TypeError, r"\(h, c\), but got 3 elements", lambda: nn.LSTM(3, 4)(X(), (normal(1, 2, 4),) * 3)),
        (TypeError, r"'hx\[0\]' should be same as 'x'", lambda: nn.LSTM(3, 4)(X(), (normal(1, 2, 4, dtype=F16),) * 2)),
        (ValueError, r"'hx\[0\]' must have the shape \(1, 2, 4\)", lambda: nn.LSTM(3, 4)(X(), (normal(2, 4),) * 2)),
        (ValueError, r"the shape \(4, 2, 4\)", lambda: nn.GRU(3, 4, 2, bidirectional=True)(X(), normal(1, 2, 4))),
        (TypeError, "'hx' must be a Tensor, but got tuple", lambda: nn.GRU(3, 4)(X(), (normal(1, 2, 4),))),
        (TypeError, "'hx' should be same as 'x'", lambda: nn.RNN(3, 4)(X(), normal(1, 2, 4, dtype=F16))),
        (ValueError, "'nonlinearity' must be 'tanh' or 'relu'", lambda: nn.RNN(3, 4, nonlinearity=1)),
        (TypeError, "'nonlinearity' must be a str", lambda: nn.RNNCell(3, 4, nonlinearity=1)),
        (
            ValueError,
            r"'hx' must have the shape \(2, 4\), but got \(1, 4\)",
            lambda: nn.RNNCell(3, 4)(normal(2, 3), normal(1, 4)),
        ),
        (ValueError, r"'hx' must have the shape \(2, 4\)", lambda: nn.GRUCell(3, 4)(normal(2, 3), normal(2, 5))),
        (TypeError, "'x' must be a Tensor of floats", lambda: nn.GRUCell(3, 4)(INTS[0], normal(2, 4))),
    ],
)
def test_states_and_nonlinearities_that_do_not_fit_are_refused(error, sentence, call):
    with pytest.raises(error, match=sentence):
        call()
