"""GraphCell: runs what ``load`` returned; its Parameters are those of the file, and can be trained."""

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops

X = ms.Tensor(np.random.RandomState(0).randn(2, 3).astype(np.float32))


@pytest.fixture
def dense(tmp_path):
    network = nn.Dense(3, 2)
    ms.export(network, X, file_name=str(tmp_path / "net"), file_format="MINDIR")
    return network, str(tmp_path / "net.mindir")


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_it_computes_what_the_network_does_for_other_inputs_too(dense, mode):
    network, path = dense
    ms.set_context(mode=mode)
    try:
        cell = nn.GraphCell(ms.load(path))
        for x in (X, X * 2, ops.cat((X, X))):
            np.testing.assert_allclose(cell(x).asnumpy(), network(x).asnumpy(), 1e-6)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_its_parameters_are_those_of_the_file(dense):
    network, path = dense
    cell = nn.GraphCell(ms.load(path))
    assert sorted(cell.parameters_dict()) == ["bias", "weight"] and repr(cell) == "GraphCell<>"
    np.testing.assert_array_equal(cell.parameters_dict()["weight"].asnumpy(), network.weight.asnumpy())


def test_other_initial_values_are_taken_by_name(dense):
    _, path = dense
    zeros = {"weight": ms.Tensor(np.zeros((2, 3), np.float32)), "bias": ms.Parameter(ms.Tensor([1.0, 2.0]), name="b")}
    cell = nn.GraphCell(ms.load(path), {**zeros, "unknown": X})
    np.testing.assert_array_equal(cell(X).asnumpy(), [[1, 2], [1, 2]])
    assert sorted(cell.parameters_dict()) == ["bias", "weight"]


def test_it_can_be_trained(dense):
    _, path = dense
    cell = nn.GraphCell(ms.load(path))
    optimizer = nn.SGD(cell.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss()), optimizer)
    losses = [float(step(X, ops.zeros((2, 2))).asnumpy()) for _ in range(5)]
    assert losses[-1] < losses[0]


def test_two_cells_of_one_graph_have_parameters_of_their_own(dense):
    graph = ms.load(dense[1])
    first, second = nn.GraphCell(graph), nn.GraphCell(graph)
    first.parameters_dict()["bias"].set_data(ms.Tensor([5.0, 5.0]))
    assert second.parameters_dict()["bias"].asnumpy().max() < 5


WRONG = [
    ((3,), {}, TypeError, "'graph' must be one that 'load' returned"),
    ((None, 3), {}, TypeError, "'params_init' must be a dict"),
    ((None, {3: X}), {}, TypeError, "Tensors by name"),
    ((None, {"weight": 3}), {}, TypeError, "Tensors by name"),
    ((None, {"weight": X.astype(ms.float16)}), {}, ValueError, "'weight' must have shape"),
    ((None,), {"obf_random_seed": 3}, NotImplementedError, "obfuscated"),
]


@pytest.mark.parametrize(("arguments", "options", "kind", "part"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_refused(dense, arguments, options, kind, part):
    first, *rest = arguments
    with pytest.raises(kind, match=part):
        nn.GraphCell(ms.load(dense[1]) if first is None else first, *rest, **options)


def test_another_number_of_inputs_is_refused(dense):
    with pytest.raises(RuntimeError, match="must be 1 inputs, but got 2"):
        nn.GraphCell(ms.load(dense[1]))(X, X)
