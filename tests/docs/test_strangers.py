"""The page of strangers' programs is what its results say, and the results are of programs that are listed."""

import importlib.util
import json
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[2]
FOLDER = CLONE / "benchmarks" / "strangers"
FIRST = {"infogan.py": 3e-3}  # its third number comes after two updates; the two before are equal to the last digit


@pytest.fixture(scope="module")
def runner():
    spec = importlib.util.spec_from_file_location("strangers_run", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def results():
    return json.loads((FOLDER / "results.json").read_text())


def test_the_page_is_what_the_results_say(runner):
    assert (CLONE / "docs" / "reference" / "strangers.md").read_text(encoding="utf-8") == runner.page(results())


def test_each_result_is_of_a_listed_program():
    listed = json.loads((FOLDER / "programs.json").read_text())
    titles = {
        f"{name}/{program['path']} {program.get('title', '')}".strip()
        for name, repository in listed.items()
        for program in repository["programs"]
    }
    assert results().keys() <= titles


def test_what_mindspore_runs_is_run_with_its_numbers_at_first():
    for name, row in results().items():
        if row["MindSpore"] == "ends":
            assert row["minispore"] == "ends", name
            assert row["numbers"][0] == row["numbers"][1] > 0, name
            assert row.get("first", 0.0) <= FIRST.get(Path(name).name.strip(), 1e-3), name


def test_a_verdict_compares_numbers_one_by_one(runner):
    ours = {"code": 0, "numbers": [1.0, 2.0, float("nan")], "error": "", "seconds": 1.0}
    row = runner.verdict(ours, {**ours, "numbers": [1.0, 2.2, float("nan")]})
    assert (row["first"], row["largest"]) == (0.0, pytest.approx(0.091)) and row["minispore"] == "ends"
    other = runner.verdict(ours, {**ours, "numbers": [1.0], "error": "RuntimeError: no"})
    assert "largest" not in other and other["MindSpore"] == "RuntimeError: no"


def test_the_data_are_files_of_mnist(runner, tmp_path):
    runner.write_data(tmp_path / "MNIST")
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "MNIST").iterdir()}
    assert sizes["train-images-idx3-ubyte"] == 16 + 640 * 784 and sizes["t10k-labels-idx1-ubyte"] == 8 + 640
