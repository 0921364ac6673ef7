"""Drawn pipelines of fixed order give the rows that the real MindSpore gives: names, sizes, types, values and order.

``cases/pipelines.py`` draws them and ``record/pipelines.py`` makes the record. With MINDSPORE_PYTHON set, a record of
1,000 others is made now and judged as well.
"""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
from conformance.cases import pipelines

from minispore import dataset

HERE = pathlib.Path(__file__).parent


def recorded(path):
    """What was told of each pipeline, with its values."""
    with np.load(path) as file:
        told, arrays = json.loads(str(file["told"])), {kind: file[kind] for kind in file.files if kind != "told"}
    taken = dict.fromkeys(arrays, 0)
    for facts in told:
        facts["values"] = []
        for kind, shape in zip(facts["types"], facts["shapes"], strict=True):
            size = int(np.prod(shape))
            facts["values"].append(arrays[kind][taken[kind] : taken[kind] + size].reshape(shape))
            taken[kind] += size
    return told


def differences(told):
    """The pipelines for which something differs, with what."""
    found = []
    for facts in (facts for facts in told if "refused" not in facts):  # where MindSpore refuses, ours may give rows
        mine, values = pipelines.rows_of(dataset, facts["spec"])
        for key in ("names", "size", "rows"):
            if mine.get(key) != facts.get(key):
                found.append(
                    (facts["spec"], key, facts.get(key), mine.get(key), mine.get("refused"), facts.get("refused"))
                )
        pairs = list(zip(values, facts["values"], strict=False))
        if any(a.dtype != b.dtype or a.shape != b.shape or not np.array_equal(a, b) for a, b in pairs):
            found.append((facts["spec"], "values", facts["values"], values))
    return found


def test_the_recorded_pipelines_give_mindspores_rows_in_its_order():
    told = recorded(HERE / "vectors" / "pipelines.npz")
    assert len(told) >= 200
    assert [facts["spec"] for facts in told] == [pipelines.drawn(number) for number in range(len(told))]
    assert sum("refused" not in facts for facts in told) > 0.85 * len(told)
    assert differences(told) == []


def test_the_recorded_pipelines_give_mindspores_rows_in_any_order_when_they_are_shuffled():
    for facts in recorded(HERE / "vectors" / "pipelines.npz"):
        if "refused" in facts:
            continue
        shuffled = (
            pipelines.built(dataset, facts["spec"]).shuffle(3).create_tuple_iterator(num_epochs=1, output_numpy=True)
        )
        rows = [[np.asarray(value).tolist() for value in row] for row in shuffled]
        values, width = facts["values"], len(facts["names"])
        theirs = [[v.tolist() for v in values[i * width : (i + 1) * width]] for i in range(facts["rows"][0])]
        assert sorted(rows, key=repr) == sorted(theirs, key=repr), facts["spec"]


@pytest.mark.oracle
@pytest.mark.skipif("MINDSPORE_PYTHON" not in os.environ, reason="MINDSPORE_PYTHON names no real MindSpore")
def test_a_thousand_pipelines_side_by_side(tmp_path):
    command = [os.environ["MINDSPORE_PYTHON"], "-B", "-m", "conformance.record.pipelines"]
    command += ["--first", "1000", "--count", "1000", "--out", tmp_path / "pipelines.npz"]
    subprocess.run(command, check=True, capture_output=True, timeout=3600, cwd=HERE.parent)
    assert differences(recorded(tmp_path / "pipelines.npz")) == []
