"""The page of strangers' programs is what its results say, and the results are of programs that are listed."""

import importlib.util
import json
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

CLONE = Path(__file__).resolve().parents[2]
FOLDER = CLONE / "benchmarks" / "strangers"
STOPPED = {"1_sequence.ipynb": "an array of shape (1, 1) in an element's place, which NumPy 2.4 refuses"}
SILENT = {  # they end, and print no number
    "contrib/application/Fixup-Initialization/model_build.py": "the shape of an output",
    "gumbel_softmax_mindspore/run.py": "a bar of progress",
    "mindarmour/examples/model_security/model_defenses/mnist_similarity_detector.py": "counts",
    "mindspore_crf/test.py": "whole numbers",
}
DIFFERS = {"infogan.py": 3e-3}  # its third number comes after two updates; the two before are equal to the last digit


@pytest.fixture(scope="module", autouse=True)
def beside():
    """The runner's neighbours, importable as where it runs."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))
    for name in ("makers", "cells", "run", "times"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def runner():
    spec = importlib.util.spec_from_file_location("strangers_run", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(kind):
    return {path.stem: json.loads(path.read_text()) for path in (FOLDER / kind).glob("*.json")}


def results():
    return {f"{name}/{program}": row for name, rows in read("results").items() for program, row in rows.items()}


def test_the_page_is_what_the_results_say(runner):
    assert (CLONE / "docs" / "reference" / "strangers.md").read_text(encoding="utf-8") == runner.page(
        runner.read("results")
    )


def test_each_result_is_of_a_listed_program(runner):
    listed = read("programs")
    titles = {f"{name}/{runner.title(each)}" for name, listing in listed.items() for each in listing["programs"]}
    assert results().keys() <= titles


def test_the_data_of_each_program_have_a_maker(runner):
    for repository in read("programs").values():
        wanted = [repository.get("data", {}), *(program.get("data", {}) for program in repository["programs"])]
        assert {name for each in wanted for name in each} <= runner.MAKERS.keys()


def test_what_mindspore_runs_is_run_with_its_numbers_at_first(runner):
    for name, row in results().items():
        last = Path(name).name.strip()
        if row["MindSpore"] == "ends" and name not in SILENT and last not in STOPPED:
            assert row["minispore"] == "ends", name
            assert row["numbers"][0] == row["numbers"][1] > 0, name
            assert row.get("first", 0.0) <= DIFFERS.get(last, 1e-3), name


def test_what_is_said_to_print_no_number_ends_without_one():
    rows = results()
    assert [(rows[name]["minispore"], rows[name]["numbers"]) for name in SILENT] == [("ends", [0, 0])] * len(SILENT)


def test_numpy_refuses_what_the_program_that_stops_asks():
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":
        pytest.skip("NumPy before 2.4 takes it, with a warning")
    with pytest.raises(ValueError, match="setting an array element with a sequence"):
        np.zeros(3)[0] = np.ones((1, 1))


def test_a_verdict_compares_numbers_one_by_one(runner):
    ours = {"code": 0, "numbers": [1.0, 2.0, float("nan")], "error": "", "seconds": 1.0}
    row = runner.verdict(ours, {**ours, "numbers": [1.0, 2.2, float("nan")]})
    assert (row["first"], row["largest"]) == (0.0, pytest.approx(0.091)) and row["minispore"] == "ends"
    other = runner.verdict(ours, {**ours, "numbers": [1.0], "error": "RuntimeError: no"})
    assert "largest" not in other and other["MindSpore"] == "RuntimeError: no"


def test_a_time_is_no_number_to_compare(runner):
    text = "loss is 1.25, epoch time: 3.5 ms, cost: 12.11s, -1e-3 2.5e-05 nan 4.0 steps"
    assert runner.NUMBER.findall(text) == ["1.25", "2.5e-05", "nan", "4.0"]


def sizes(folder):
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def test_the_data_are_files_of_mnist(runner, tmp_path):
    runner.write_data(tmp_path, {"mnist": "MNIST"}, {"mnist_splits": "two"})
    one, two = sizes(tmp_path / "MNIST"), sizes(tmp_path / "two")
    assert one["train-images-idx3-ubyte"] == 16 + 640 * 784 and one["t10k-labels-idx1-ubyte"] == 8 + 640
    assert len(two) == 4 and two["test/t10k-images-idx3-ubyte"] == 16 + 640 * 784


def test_the_data_are_files_of_cifar(runner, tmp_path):
    runner.write_data(tmp_path, {"cifar10": "bin"}, {"cifar10_pickled": "pickled"})
    assert sizes(tmp_path / "bin")["data_batch_1.bin"] == 128 * 3073
    batch = pickle.loads((tmp_path / "pickled" / "test_batch").read_bytes())
    assert batch[b"data"].shape == (640, 3072) and len(batch[b"labels"]) == 640


def test_the_drawn_data_are_as_many_rows_as_the_scripts_ask(runner, tmp_path):
    runner.write_data(tmp_path, {"iris": "flowers"}, {"cora": "papers"})
    flowers = (tmp_path / "flowers" / "iris.data").read_text().splitlines()
    assert len(flowers) == 150 and flowers[0].count(",") == 4 and flowers[50].endswith(",Iris-versicolor")
    papers = (tmp_path / "papers" / "cora.content").read_text().splitlines()
    cited = {int(x) for x in (tmp_path / "papers" / "cora.cites").read_text().split()}
    assert len(papers) == 1600 and len(papers[0].split()) == 66 and cited <= set(range(1600))


def test_the_cells_of_a_notebook_become_a_script(tmp_path):
    sources = [("code", ["%matplotlib inline\n", "a = 1"]), ("markdown", ["b"]), ("code", ["!ls\n", "print(a)"])]
    notebook = tmp_path / "one.ipynb"
    notebook.write_text(json.dumps({"cells": [{"cell_type": kind, "source": text} for kind, text in sources]}))
    cells = importlib.import_module("cells")
    script = Path(cells.as_script(notebook))
    assert script.name == "one.py" and script.read_text() == "\na = 1\n\nprint(a)"
    assert cells.as_script(script) == str(script)


def test_what_is_said_to_stop_here_does():
    rows = {Path(name).name: row for name, row in results().items()}
    assert {name: rows[name]["minispore"] == "ends" for name in STOPPED} == dict.fromkeys(STOPPED, False)


def test_a_program_is_timed_by_the_numbers_that_it_prints(tmp_path):
    times = importlib.import_module("times")
    (tmp_path / "nine.py").write_text("for i in range(9):\n    print(i + 0.5)\n")
    program, env = {"path": "nine.py", "arguments": ""}, {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", "import runpy, sys; runpy.run_path(sys.argv[2])"]
    found, code = times.stamps(command, tmp_path, program, env, 60)
    assert (len(found), code) == (9, 0) and found == sorted(found)
    compiled_first = [0.0, 9.0, *(10.0 + 0.5 * i for i in range(7))]
    assert times.per_number(compiled_first, 9) == 0.5
    assert np.isnan(times.per_number([1.0] * 9, 9)), "all at once: what it printed it had long before"
