"""Sources of public data sets give the rows that the real MindSpore gives: names, sizes, types, values and order.

``cases/source_folders.py`` writes a small folder of each format, ``cases/sources.py`` has what reads it, and
``record/sources.py`` makes the record.
"""

import json
import os
import pathlib
import subprocess

import pytest
from conformance.cases import sources
from conformance.cases.source_folders import FOLDERS

from minispore import dataset

HERE = pathlib.Path(__file__).parent
RECORDED = json.loads((HERE / "vectors" / "sources.json").read_text(encoding="utf-8"))
BROKEN_THERE = {  # where MindSpore joins two fields of neighbouring lines to one
    f"ds.{name}Dataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)"
    for name in ("AGNews", "AmazonReview", "DBpedia", "SogouNews")
}


def differences(recorded, name, folder):
    """The expressions over a folder that give anything but what is recorded, with both."""
    FOLDERS[name](folder)
    found = []
    for kind, expression in sources.CASES:
        if kind != name or expression in BROKEN_THERE:
            continue
        mine, theirs = sources.read(dataset, expression, folder), recorded[f"{name}|{expression}"]
        one_sentence = mine.get("text", "For '").startswith("For '")
        # where MindSpore refuses, ours may give rows
        if not (one_sentence if "refused" in theirs else mine == theirs):
            found.append((expression, theirs, mine))
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_the_sources_give_the_rows_that_mindspore_gives(name, tmp_path):
    pytest.importorskip("PIL")
    assert differences(RECORDED, name, tmp_path) == []


def test_every_case_is_recorded():
    assert set(RECORDED) == {f"{name}|{expression}" for name, expression in sources.CASES}


@pytest.mark.oracle
@pytest.mark.skipif("MINDSPORE_PYTHON" not in os.environ, reason="MINDSPORE_PYTHON names no real MindSpore")
def test_the_record_is_what_mindspore_gives_now(tmp_path):
    command = [os.environ["MINDSPORE_PYTHON"], "-B", "-m", "conformance.record.sources", "--out", tmp_path / "new.json"]
    subprocess.run(command, check=True, capture_output=True, timeout=600, cwd=HERE.parent)
    assert json.loads((tmp_path / "new.json").read_text(encoding="utf-8")) == RECORDED
