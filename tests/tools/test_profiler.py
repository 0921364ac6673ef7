"""Profiler: what was called how often, in files and as JSON; no trace of it after its end."""

import csv
import json

import numpy as np
import pytest

import minispore as ms
from minispore import nn
from minispore.core.primitive import Primitive
from minispore.core.running import running

X = ms.Tensor(np.ones((2, 3), np.float32))
CALLS = nn.Cell.__call__, Primitive.__call__


@pytest.fixture(autouse=True)
def nothing_is_left():
    yield
    assert (nn.Cell.__call__, Primitive.__call__) == CALLS
    assert running.layers == ()


def network():
    return nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))


def test_cells_and_operations_are_counted(tmp_path, capsys):
    net = network()
    profiler = ms.Profiler(output_path=str(tmp_path))
    for _ in range(3):
        net(X)
    profiler.analyse()
    cells = list(csv.DictReader((tmp_path / "profiler" / "cells.csv").read_text().splitlines()))
    assert {row["cell"]: (row["class"], row["calls"]) for row in cells} == {
        "SequentialCell": ("SequentialCell", "3"),
        "SequentialCell.0": ("Dense", "3"),
        "SequentialCell.1": ("ReLU", "3"),
        "SequentialCell.2": ("Dense", "3"),
    }
    assert cells[0]["cell"] == "SequentialCell" and float(cells[0]["total_ms"]) >= float(cells[1]["total_ms"])
    operations = list(csv.DictReader((tmp_path / "profiler" / "operations.csv").read_text().splitlines()))
    assert ("MatMul", "SequentialCell.0", "3") in {(r["operation"], r["cell"], r["calls"]) for r in operations}
    assert "MatMul" in capsys.readouterr().err
    (matmul,) = json.loads(profiler.op_analyse(["ReLU"]))["ReLU"]
    assert matmul["op_occurrences"] == 3 and matmul["input_shape"] == "(2, 4)"


def test_the_trace_is_nested_in_time(tmp_path):
    net = network()
    profiler = ms.Profiler(output_path=str(tmp_path))
    net(X)
    profiler.analyse()
    events = json.loads((tmp_path / "profiler" / "trace.json").read_text())["traceEvents"]
    whole = next(e for e in events if e["name"] == "SequentialCell")
    assert all(e["ph"] == "X" and e["dur"] <= whole["dur"] for e in events)
    assert all(whole["ts"] <= e["ts"] for e in events)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_training_step_computes_as_without_a_profiler(tmp_path, mode, restored):
    ms.set_context(mode=mode)
    found = []
    for profiled in (False, True):
        ms.set_seed(1)
        net = network()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        profiler = ms.Profiler(output_path=str(tmp_path)) if profiled else None
        found.append([float(step(X, ms.ops.ones((2, 2)))) for _ in range(4)])
        if profiled:
            profiler.stop()
    assert found[0] == found[1]


def test_a_profiler_starts_and_stops_once(tmp_path):
    profiler = ms.profiler.Profiler(start_profile=False, output_path=str(tmp_path))
    for early in (profiler.stop, profiler.analyse):
        with pytest.raises(RuntimeError, match="'start'"):
            early()
    profiler.start()
    with pytest.raises(RuntimeError, match="another"):
        ms.Profiler()
    profiler.stop()
    for late in (profiler.start, profiler.stop):
        with pytest.raises(RuntimeError):
            late()
    with pytest.raises(RuntimeError, match="must have been called"):
        profiler.op_analyse("ReLU")
    with pytest.raises(TypeError):
        profiler.op_analyse(3)


def test_an_error_leaves_the_profiler_running(tmp_path):
    profiler = ms.Profiler(output_path=str(tmp_path))
    with pytest.raises(ValueError, match="in_channels"):
        network()(ms.ops.ones((2, 5)))
    network()(X)
    profiler.stop()
    assert "SequentialCell.2" in {event.name for event in profiler._watch.events}


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"output_path": 3}, TypeError),
        ({"profile_memory": 1}, TypeError),
        ({"start_profile": 1}, TypeError),
        ({"timeline_limit": 0}, ValueError),
        ({"aicore_metrics": 9}, ValueError),
        ({"profile_framework": "some"}, ValueError),
    ],
)
def test_wrong_options_are_refused(options, kind):
    with pytest.raises(kind):
        ms.Profiler(**options)
