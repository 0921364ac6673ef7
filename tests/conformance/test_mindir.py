"""MINDIR files: what is written here MindSpore 2.0.0 ran with the same numbers, and what it wrote is run here."""

from pathlib import Path

import numpy as np
import pytest
from conformance.cases import mindir as cases

import minispore as ms
from minispore import nn
from minispore.core import nest
from minispore.data.serialization.mindir.model import decoded

with np.load(Path(__file__).parent / "vectors" / "mindir.npz") as _record:
    VECTORS = dict(_record)
THEIRS = sorted({name.split("/")[1] for name in VECTORS if name.startswith("theirs/")})


def record(name):
    """The bytes of a file, and the arrays of its inputs and of MindSpore's outputs."""
    found = {key.removeprefix(f"{name}/"): array for key, array in VECTORS.items() if key.startswith(f"{name}/")}
    arrays = [[found[f"{kind}{i}"] for i in range(sum(key[0] == kind for key in found))] for kind in "xy"]
    return found["file"].tobytes(), *arrays


def arrays_of(out):
    return [y.asnumpy() for y in nest.select(ms.Tensor, out)]


def agree(found, wanted, half=False):
    assert [(y.shape, y.dtype) for y in found] == [(y.shape, y.dtype) for y in wanted]
    for y, wish in zip(found, wanted, strict=True):
        np.testing.assert_allclose(y, wish, 5e-3 if half or wish.dtype == np.float16 else 1e-5, 2e-3 if half else 1e-5)


def run(data, path, inputs):
    path.write_bytes(data)
    return arrays_of(nn.GraphCell(ms.load(str(path)))(*[ms.Tensor(x) for x in inputs]))


@pytest.mark.parametrize("name", cases.NETWORKS)
def test_mindspore_computes_from_our_file_what_the_network_computes(name):
    _, inputs, outputs = record(f"ours/{name}")
    network, given = cases.made(name)
    agree([x.asnumpy() for x in nest.select(ms.Tensor, given)], inputs)
    agree(arrays_of(network.set_train(False)(*given)), outputs, name.startswith("half"))


@pytest.mark.parametrize("name", cases.NETWORKS)
def test_the_file_is_the_one_that_mindspore_ran(tmp_path, name):
    ran, _, _ = record(f"ours/{name}")
    network, given = cases.made(name)
    ms.export(network, *given, file_name=str(tmp_path / name), file_format="MINDIR")
    now, then = decoded((tmp_path / f"{name}.mindir").read_bytes()), decoded(ran)
    assert plain(now) == plain(then), "write the files anew and let MindSpore run them: record/mindir.py"
    for x, y in zip(constants(now), constants(then), strict=True):
        np.testing.assert_allclose(x, y, 1e-6)


def plain(model):
    """A model without the numbers in its arrays."""
    return nest.map_leaves(lambda x: (x.shape, x.dtype) if isinstance(x, np.ndarray) else x, tuple(model))


def constants(model):
    return [x for x in nest.leaves(tuple(model)) if isinstance(x, np.ndarray)]


@pytest.mark.parametrize("name", cases.NETWORKS)
def test_our_file_is_read_back(tmp_path, name):
    data, inputs, outputs = record(f"ours/{name}")
    agree(run(data, tmp_path / "a.mindir", inputs), outputs, name.startswith("half"))


@pytest.mark.parametrize("name", THEIRS)
def test_a_file_of_mindspore_is_run(tmp_path, name):
    data, inputs, outputs = record(f"theirs/{name}")
    agree(run(data, tmp_path / "a.mindir", inputs), outputs)


def test_parameters_have_mindspores_names(tmp_path):
    (tmp_path / "a.mindir").write_bytes(record("theirs/convolutions")[0])
    cell = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    assert {"layers.0.weight", "layers.1.gamma", "layers.5.weight"} <= cell.parameters_dict().keys()


def test_a_parameter_that_the_graph_changes_is_changed(tmp_path):
    data, (x,), _ = record("theirs/counter")
    (tmp_path / "a.mindir").write_bytes(data)
    cell = nn.GraphCell(ms.load(str(tmp_path / "a.mindir")))
    (before, _), (later, _) = cell(ms.Tensor(x)), cell(ms.Tensor(x))
    np.testing.assert_allclose(before.asnumpy(), [1, 2])
    np.testing.assert_allclose(later.asnumpy(), x + np.array([1, 2]), 1e-6)
