"""MindSpore's checkpoint files: what 2.0.0 and 2.7.0 wrote is read here, and what is written here a real one reads."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import minispore as ms

VECTORS = Path(__file__).parent / "vectors"


def record(release):
    with np.load(VECTORS / f"checkpoints_{release}.npz") as record:
        arrays = dict(record)
    return arrays.pop("written").tobytes(), json.loads(str(arrays.pop("appended"))), arrays


def assert_same(found, arrays, appended):
    assert sorted(found) == sorted([*arrays, *appended])
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert found[name].tobytes() == array.tobytes()
    assert {name: found[name].item() if name != "note" else str(found[name]) for name in appended} == appended


@pytest.mark.parametrize("release", ["2.0.0", "2.7.0"])
def test_a_file_of_mindspore_is_read(tmp_path, release):
    written, appended, arrays = record(release)
    (tmp_path / "theirs.ckpt").write_bytes(written)
    found = ms.load_checkpoint(tmp_path / "theirs.ckpt")
    assert_same(
        {name: np.array(x) if isinstance(x, str) else x.asnumpy() for name, x in found.items()}, arrays, appended
    )


def test_the_bytes_are_those_that_mindspore_2_0_writes(tmp_path):
    written, appended, arrays = record("2.0.0")
    items = [{"name": name, "data": ms.Tensor(array)} for name, array in arrays.items()]
    appended["rate"] = ms.Tensor(np.float32(appended["rate"]))  # a float is float64 here
    ms.save_checkpoint(items, tmp_path / "ours.ckpt", append_dict=appended)
    assert sorted((tmp_path / "ours.ckpt").read_bytes()) == sorted(written)  # texts come last here


@pytest.mark.oracle
@pytest.mark.skipif("MINDSPORE_PYTHON" not in os.environ, reason="MINDSPORE_PYTHON names no real MindSpore")
def test_a_real_mindspore_reads_what_is_written_here(tmp_path):
    _, appended, arrays = record("2.0.0")
    items = [{"name": name, "data": ms.Tensor(array)} for name, array in arrays.items()]
    ms.save_checkpoint(items, tmp_path / "ours.ckpt", append_dict=appended)
    module = [os.environ["MINDSPORE_PYTHON"], "-B", "-m", "conformance.record.checkpoints"]
    arguments = ["--read", tmp_path / "ours.ckpt", tmp_path / "found.npz"]
    subprocess.run([*module, *arguments], check=True, capture_output=True, timeout=300, cwd=VECTORS.parent.parent)
    with np.load(tmp_path / "found.npz") as found:
        assert_same({name: found[name] for name in (*arrays, *appended)}, arrays, appended)
