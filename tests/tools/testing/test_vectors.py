"""Golden vectors: written from a target, read with NumPy alone, and held to their checksum and schema."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from minispore.tools.testing import vectors


@pytest.fixture
def golden(tmp_path):
    assert vectors.record(str(tmp_path / "golden"), only="-ReduceSum ") > 0
    return tmp_path / "golden"


def test_what_was_recorded_is_read_back(golden):
    cases = vectors.load(golden)
    assert {case["expression"].partition("(")[0] for case in cases} == {"ops.ReduceSum"}
    assert {case["outputs"][0].dtype.name for case in cases} == {"float32", "float16"}


def test_an_array_that_was_changed_is_noticed(golden):
    with np.load(f"{golden}.npz") as file:
        arrays = dict(file)
    arrays["a0"] = arrays["a0"] + np.ones((), arrays["a0"].dtype)
    np.savez(f"{golden}.npz", **arrays)
    with pytest.raises(ValueError, match="checksum"):
        vectors.load(golden)


def test_another_version_of_the_format_is_refused(golden):
    path = Path(f"{golden}.json")
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(ValueError, match="the format must be 1, but got 2"):
        vectors.load(golden)


def test_the_files_have_the_form_of_the_schema(golden):
    """As far as a checker of twenty lines can say."""
    schema = json.loads((Path(vectors.__file__).parent / "vectors.schema.json").read_text())
    told = json.loads(Path(f"{golden}.json").read_text())
    assert set(told) == set(schema["required"]) == set(schema["properties"])
    of_case = schema["properties"]["cases"]["items"]
    assert all(set(case) == set(of_case["required"]) == set(of_case["properties"]) for case in told["cases"])


def test_the_loader_needs_numpy_alone(golden, tmp_path):
    (tmp_path / "alone.py").write_text(Path(vectors.__file__).read_text())
    code = f"import sys, alone; print(len(alone.load({str(golden)!r})), 'minispore' in sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", _with_numpy(code)], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == [str(len(vectors.load(golden))), "False"], done.stderr


def _with_numpy(code):
    folder = str(Path(np.__file__).parents[1])
    return f"import sys; sys.path[:0] = ['.', {folder!r}]; {code}"


def recorded_in(folder, sources):
    np.savez(folder / "given.npz", **{"e4m3.torch": np.arange(3), "e4m3.x": np.ones(2)})
    (folder / "sources.json").write_text(json.dumps({"given": sources}))
    return folder / "given.npz"


def test_recorded_arrays_are_cases_with_their_sources(tmp_path, capsys):
    path = recorded_in(tmp_path, {"*.torch": "torch 2", "*": "mine 1"})
    found = {case["name"]: (case["source"], case["array"].tolist()) for case in vectors.recorded(path)}
    assert found == {"e4m3.torch": ("torch 2", [0, 1, 2]), "e4m3.x": ("mine 1", [1, 1])}
    vectors.main(["check", str(path)])
    assert capsys.readouterr().out.splitlines() == ["1 arrays of torch 2", "1 arrays of mine 1"]


def test_a_recorded_array_without_a_source_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"each array of 'given.npz' must have a source, but got none for 'e4m3.x'"):
        vectors.recorded(recorded_in(tmp_path, {"*.torch": "torch 2"}))
