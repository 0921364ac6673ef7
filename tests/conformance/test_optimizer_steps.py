"""Twenty steps of every optimizer, with drawn arguments, groups and schedules, are MindSpore's and PyTorch's.

The vectors are those of ``record/optimizer_steps.py`` and ``record/optimizer_steps_torch.py``.
"""

import functools
import json
import pathlib

import numpy as np
import pytest
from conformance.cases.optimizer_steps import ROWS, draw, flat, key, steps

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors"


@functools.cache
def record(file):
    with np.load(VECTORS / file) as vectors:
        return {name: vectors[name] for name in vectors.files}


TORCH = [row for row in ROWS if key(row) in record("optimizer_steps_torch.npz")]


@functools.cache
def shapes():
    return json.loads(str(record("optimizer_steps.npz")["meta"]))["state"]


@functools.cache
def found(row):
    return steps(ms, row)


def assert_near(values, expected):
    """Equal to a few rounding errors of float32, of the largest value or of one."""
    np.testing.assert_allclose(values, expected, rtol=5e-6, atol=5e-6 * max(np.abs(expected).max(), 1))


def told_apart(row, vector):
    """A vector of the record as the arrays that the optimizer holds, by name."""
    kinds = shapes()[key(row)]
    parts = np.split(vector, np.cumsum([int(np.prod(shape)) for shape in kinds.values()])[:-1])
    return {name: part.reshape(shape) for (name, shape), part in zip(kinds.items(), parts, strict=True)}


def compared(row, state):
    """The arrays that are compared, but for the moments of an SGD without momentum, which nothing reads."""
    idle = row[0] == "SGD" and draw(row)["arguments"]["momentum"] == 0
    return {name: x for name, x in state.items() if not (idle and name.startswith(("accum.", "stat.")))}


@pytest.mark.parametrize("row", ROWS, ids=key)
def test_the_parameters_are_mindspores(row):
    assert_near(found(row)[0], record("optimizer_steps.npz")[key(row)])


@pytest.mark.parametrize("row", ROWS, ids=key)
def test_the_state_has_mindspores_names_and_values(row):
    expected, state = told_apart(row, record("optimizer_steps.npz")[key(row) + "/state"]), found(row)[1]
    assert sorted(state) == sorted(expected)
    expected = compared(row, expected)
    assert_near(flat(compared(row, state)), flat(expected))
    wrong = {name: state[name].shape for name in expected if state[name].size != expected[name].size}
    assert wrong == {}


@pytest.mark.parametrize("row", TORCH, ids=key)
def test_the_parameters_are_pytorchs(row):
    assert_near(found(row)[0], record("optimizer_steps_torch.npz")[key(row)])


@pytest.mark.parametrize("row", ROWS[::9], ids=key)
def test_a_network_in_graph_mode_makes_the_same_steps(row, restored):
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_allclose(steps(ms, row)[0], found(row)[0], rtol=1e-6, atol=1e-6)


def test_pytorch_has_the_formula_of_most():
    assert len({name for name, *_ in TORCH}) == 11 and len(TORCH) == 189
