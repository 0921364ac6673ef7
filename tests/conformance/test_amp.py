"""Mixed precision agrees with MindSpore 2.0.0 on 90 networks at every level and with custom lists (``record/amp.py``).

Agree must: the dtypes in which each leaf cell and each primitive runs, the cells and their classes, Parameters and
their dtypes, the output, the gradients. Where minispore differs on purpose the case stands in DIFFERENCES, with what
runs in which type here, and in the ledger, ``docs/reference/quirks.md``; its numbers are near MindSpore's all the same.
"""

import functools
import importlib
import json
import pathlib
import sys
from unittest import mock

import numpy as np
import pytest

import minispore

HERE = pathlib.Path(__file__).parent
EXACT = ("cells", "parameters", "out_dtype", "gradient_dtypes", "calls", "primitives")
# Of the norm: three units in float16's last place; in float32 what MindSpore's LayerNorm leaves out of its gradients.
TOLERANCE, FLOAT32_TOLERANCE = 3e-3, 1e-4

# By the ledger's reason: each case, and the dtype in and out of each leaf cell here.
DIFFERENCES = {
    "leaves directly in a container are converted": {
        "sequential/O1": "0 f32>f16, 1 f32>f32, 2 f32>f16",
        "sequential/white": "0 f32>f16, 1 f16>f16, 2 f16>f16",
        "sequential_with_norm/O1": "0 f32>f16, 1 f32>f32, 2 f32>f16",
        "sequential_with_norm/white": "0 f32>f16, 1 f16>f16, 2 f16>f16",
        "sequential_of_names/O1": "dense f32>f16, relu f32>f32, head f32>f16",
        "sequential_of_names/white": "dense f32>f16, relu f16>f16, head f16>f16",
        "sequential_inside/O1": "cell.0 f32>f16, cell.1 f32>f32",
        "sequential_inside/white": "cell.0 f32>f16, cell.1 f16>f16",
        "containers_in_containers/O1": "cell.0.conv f32>f16, cell.0.bn f32>f32, cell.0.relu f32>f32, "
        "cell.1.0.conv f32>f16, cell.1.0.bn f32>f32, cell.1.0.relu f32>f32, cell.1.1 f32>f32, cell.2 f32>f16",
        "containers_in_containers/white": "cell.0.conv f32>f32, cell.0.bn f32>f16, cell.0.relu f16>f16, "
        "cell.1.0.conv f32>f32, cell.1.0.bn f32>f16, cell.1.0.relu f16>f16, cell.1.1 f32>f32, cell.2 f32>f16",
    },
    # What Python code calls casts by itself, float16 inside and float32 out: its primitives tell, see below.
    "cells that loops and methods call are converted": {
        "list_in_a_loop/O1": "layers.0 f32>f32, layers.1 f32>f32",
        "list_in_a_loop/white": "layers.0 f32>f32, layers.1 f32>f32",
        "in_a_method/O1": "dense f32>f32, head f32>f16",
        "in_a_method/white": "dense f32>f32, head f32>f16",
    },
    "a listed network is converted itself": {"listed_root/O1": "", "listed_root/white": ""},
    "a user's subclass of a framework cell is converted": {
        "special_dense/O1": "",
        "special_dense/white": "",
        "special_norm/O1": "first f32>f16",
        "special_norm/white": "first f32>f16",
    },
    "a block that is called twice is edited once": {
        "block_called_twice/O1": "inner.dense f32>f16, inner.norm f32>f32, inner.dense f32>f16, inner.norm f32>f32",
    },
    "a variable that an if assigns is float32": {
        "if_taken/O1": "dense f32>f16, head f32>f16",
        "if_taken/white": "dense f32>f16, head f32>f16",
    },
    "only what was edited gets a new class": {
        "nested_twice/O1": "cell.cell.dense f32>f16, cell.cell.norm f32>f32",
        "nested_twice/white": "cell.cell.dense f32>f16, cell.cell.norm f16>f16",
        "user_float16_block/O1": "first.dense f32>f16, first.norm f16>f16, second f16>f16",
        "user_float16_block/white": "first.dense f32>f16, first.norm f16>f16, second f16>f16",
    },
    "a user's own to_float is respected": {
        "user_float32_child/O1": "first f32>f32, second f32>f16",
        "user_float32_child/O2": "_backbone.first f32>f32, _backbone.second f32>f16",
        "user_float32_child/O3": "_backbone.first f32>f32, _backbone.second f32>f16",
        "user_float32_child/white": "first f32>f32, second f32>f16",
        "user_float32_child/black": "_backbone.first f32>f32, _backbone.second._backbone f32>f32",
        "user_float32_block/O1": "first.dense f32>f32, first.norm f32>f32, second f32>f16",
        "user_float32_block/O2": "_backbone.first.dense f32>f32, _backbone.first.norm f32>f32, "
        "_backbone.second f32>f16",
        "user_float32_block/O3": "_backbone.first.dense f32>f32, _backbone.first.norm f32>f32, "
        "_backbone.second f32>f16",
        "user_float32_block/white": "first.dense f32>f32, first.norm f32>f32, second f32>f16",
        "user_float32_block/black": "_backbone.first.dense f32>f32, _backbone.first.norm f32>f32, "
        "_backbone.second._backbone f32>f32",
        "user_float16_child/black": "_backbone.first f32>f16, _backbone.second f16>f16",
        "user_float16_norm/O2": "_backbone.first f32>f16, _backbone.second f16>f16",
        "user_float16_norm/black": "_backbone.first._backbone f32>f32, _backbone.second f16>f16",
    },
    "a black-listed network keeps float32": {
        "black_listed_root/O2": "_backbone f32>f32",
        "black_listed_root/black": "_backbone f32>f32",
        "listed_root/black": "_backbone f32>f32",
    },
}
DIFFERENT = {case: calls for cases in DIFFERENCES.values() for case, calls in cases.items()}
# Where calls do not tell: what the primitives gave.
PRIMITIVES = {
    "list_in_a_loop/O1": ["MatMul Float16", "MatMul Float16"],
    "list_in_a_loop/white": ["MatMul Float16", "MatMul Float16"],
    "in_a_method/O1": ["MatMul Float16", "MatMul Float16"],
    "in_a_method/white": ["MatMul Float16", "MatMul Float16"],
    "listed_root/O1": ["MatMul Float16"],
    "listed_root/white": ["MatMul Float16"],
    "special_dense/O1": ["MatMul Float16"],  # the subclass is not listed, but the MatMul inside it is
    "special_dense/white": ["MatMul Float32"],
}


def as_mindspore(name):
    """A module of these tests with minispore as its ``mindspore``; it stays in sys.modules, to have a source."""
    package = minispore.__name__
    inside = [name for name in sys.modules if name.partition(".")[0] == package]
    renamed = {name.replace(package, "mindspore", 1): sys.modules[name] for name in inside}
    with mock.patch.dict(sys.modules, renamed), mock.patch.object(sys, "path", [str(HERE), *sys.path]):
        module = importlib.import_module(name)
        ours = {
            name: sys.modules[name]
            for name in ("conformance.amp.networks", "conformance.amp.measure", "conformance.amp.facts")
            if name in sys.modules
        }
    sys.modules.update(ours)
    return module


@functools.cache
def measuring():
    """What is measured, with minispore."""
    return as_mindspore("conformance.amp.measure")


@functools.cache
def record(name="amp.npz"):
    """A record as a dictionary, its metadata parsed."""
    with np.load(HERE / "vectors" / name) as file:
        return {key: json.loads(str(file[key])) if key == "meta" else file[key] for key in file.files}


@functools.cache
def ours(case):
    return measuring().measured(*case.split("/"))


CASES = sorted(set(record()["meta"]) - {"mindspore"})
SAME = [case for case in CASES if case not in DIFFERENT]


def short(calls):
    """``[path, in, out]`` as the table above writes it."""
    names = {"Float16": "f16", "Float32": "f32"}

    def types(found):
        return "+".join(names[dtype] for dtype in found)

    return ", ".join(f"{path} {types(into)}>{types(out)}" for path, into, out in calls)


def distance(found, expected):
    """The norm of the difference in units of the norm."""
    return np.linalg.norm(found - expected) / max(np.linalg.norm(expected), 1e-6) if expected.size else 0.0


def test_the_record_is_of_every_network_in_every_mode():
    networks = measuring().networks.NETWORKS
    assert len(networks) >= 60
    assert {f"{name}/{mode}" for name in networks for mode in measuring().MODES} == set(CASES)
    assert record()["meta"]["mindspore"] == "2.0.0"


@pytest.mark.parametrize("case", SAME)
def test_dtypes_structure_and_parameters_are_mindspores(case):
    found, expected = ours(case), record()["meta"][case]
    assert found.get("error") == expected.get("error")
    for part in EXACT if "error" not in expected else ():
        assert found[part] == expected[part], part


@pytest.mark.parametrize("case", DIFFERENT)
def test_a_difference_is_the_one_that_the_ledger_tells(case):
    found, expected = ours(case), record()["meta"][case]
    assert short(found["calls"]) == DIFFERENT[case]
    if case in PRIMITIVES:
        assert [" ".join(pair) for pair in found["primitives"]] == PRIMITIVES[case]
    assert any(found[part] != expected.get(part) for part in EXACT)


@pytest.mark.parametrize("case", [case for case in CASES if case != "user_float16_block/O0"])
def test_outputs_and_gradients_are_mindspores(case):
    found = ours(case)
    died = "error" in record()["meta"][case]  # then float32 is what it must be near to
    recorded = f"{case.split('/')[0]}/O0" if died else case
    whole = case.endswith("/O0") and "user_float16" not in case
    tolerance = FLOAT32_TOLERANCE if whole else TOLERANCE
    for part in ("out", "gradients"):
        assert found[part].shape == record()[f"{recorded}/{part}"].shape
        assert distance(found[part], record()[f"{recorded}/{part}"]) < tolerance, part


def test_mindspore_2_7_0_runs_each_leaf_in_the_dtypes_of_2_0_0_but_at_o1():
    """At O1, 2.7.0 makes new classes of leaves too, which its hooks do not see."""
    old, new = record()["meta"], record("amp_2.7.0.npz")["meta"]
    assert new["mindspore"] == "2.7.0"
    compared = [case for case in CASES if case.split("/")[1] not in ("O1", "white")]
    assert all(old[case].get("calls") == new[case].get("calls") for case in compared)
    assert all(old[case].get("error") == new[case].get("error") for case in compared)


CONVERTED = ["_OutputTo32", "Net", "Dense", "_OutputTo16", "BatchNorm1d"]
# Each fact here, and the releases that agree.
FACTS = {
    "the original computes as before after O1": (True, ()),
    "a black-listed cell under two names at O2": (["_OutputTo16", "_OutputTo16"], ()),
    "O2 of a network at O2": (CONVERTED, ()),
    "O3 of a network at O2": ("raises ValueError", ()),
    "O2 of a network at O1": ("raises ValueError", ()),
    "O0 of a network at O2": (CONVERTED, ("2.0.0", "2.7.0")),
    "O2 of the original handle of a network at O2": (CONVERTED[1:], ()),
    "O3 of a network at O1 in build_train_network": ("raises ValueError", ()),
    "the shape of gamma through a wrapper": ([2], ()),
    "the dtypes of a tuple at O3": (["Float32", "Float32"], ("2.0.0", "2.7.0")),
    "the dtypes of a tuple at O1": (["Float32", "Float32"], ("2.7.0",)),
    "the dtypes of an LSTMCell's state at O1": (["Float32", "Float32"], ()),
    "a matrix product as an operator stays at O1": (True, ("2.0.0", "2.7.0")),
    "O1 changes a Dense in a SequentialCell": (True, ("2.7.0",)),
    "O1 changes Dense cells that a loop calls": (True, ("2.7.0",)),
    "O1 changes a Dense that is the network": (True, ("2.7.0",)),
    "O1 changes a user's subclass of Dense": (True, ()),
    "a primitive on a black list": ("raises TypeError", ("2.7.0",)),
    "a dynamic scale on the CPU": ("raises ValueError", ("2.0.0", "2.7.0")),
    "a fixed scale that the optimizer does not have": ("raises ValueError", ()),
    "level auto on the CPU": ("raises ValueError", ("2.0.0",)),
    "a fourth keyword": ("raises ValueError", ("2.0.0", "2.7.0")),
    "1 in float16, unscaled by 2 ** 26": (2.0**-26, ()),
    "all_finite of a single Tensor": (True, ()),
    "nn.GradAccumulationCell": ("GradAccumulationCell", ("2.7.0",)),
}


@functools.cache
def recorded_facts():
    return json.loads((HERE / "vectors" / "amp_facts.json").read_text())


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_what_the_ledger_tells_of_each_release(fact):
    value, agreeing = FACTS[fact]
    assert as_mindspore("conformance.amp.facts").fact(fact) == value
    record = recorded_facts()
    assert tuple(version for version in ("2.0.0", "2.7.0") if record[version][fact] == value) == agreeing


def test_every_recorded_fact_is_looked_at():
    assert set(as_mindspore("conformance.amp.facts").FACTS) == set(FACTS)
    assert all(set(found) == set(FACTS) for found in recorded_facts().values())
