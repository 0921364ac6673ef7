"""``minispore explain``: the receipt of a network in a file, and one sentence for what is wrong."""

import re
import sys

import pytest

from minispore.__main__ import main

SOURCE = """
from minispore import nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        return ops.relu(self.fc(x))


def small():
    return Net()


number = 3
"""


@pytest.fixture(autouse=True)
def same_search_path(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "explained_network.py"
    path.write_text(SOURCE)
    return path


def test_it_explains_bfloat16_and_the_level_auto(file, capsys):
    assert main(["explain", f"{file}:Net", "--level", "auto", "--dtype", "bfloat16"]) == 0
    out = capsys.readouterr().out
    assert "Dense  bfloat16       auto's white list: MatMul" in out
    assert "auto in bfloat16: 2 call sites" in out


@pytest.mark.parametrize("name", ["Net", "small"])
def test_it_prints_the_table_and_the_difference(file, capsys, name):
    assert main(["explain", f"{file}:{name}"]) == 0
    out = capsys.readouterr().out
    assert "explained_network.py:11" in out
    assert "white list" in out
    assert "it is called as a function" in out
    assert "+++ after O1" in out


def test_on_a_terminal_rows_and_changes_are_colored_and_the_text_is_the_same(file, capsys, monkeypatch):
    main(["explain", f"{file}:Net"])
    plain = capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    main(["explain", f"{file}:Net"])
    colored = capsys.readouterr().out
    (row,) = [line for line in colored.split("\n") if "white list" in line]
    assert row.startswith("\033[32m") and row.endswith("\033[0m")  # green: it computes in float16
    assert "\033[31m-" in colored and "\033[32m+" in colored and "\033[36m@@" in colored
    assert re.sub(r"\033\[\d+m", "", colored) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    main(["explain", f"{file}:Net"])
    assert capsys.readouterr().out == plain


def test_another_level_has_no_difference(file, capsys):
    assert main(["explain", f"{file}:Net", "--level", "O3"]) == 0
    assert "+++" not in capsys.readouterr().out


def test_an_explanation_can_be_a_page(file, tmp_path, capsys):
    for level in ("O0", "O1"):
        out = tmp_path / f"{level}.html"
        assert main(["explain", f"{file}:Net", "--level", level, "--html", str(out)]) == 0
        assert "Dense" in out.read_text(encoding="utf-8")
    assert "white list" in capsys.readouterr().out


def test_a_page_that_cannot_be_written_is_refused(file, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["explain", f"{file}:Net", "--html", str(tmp_path)])
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize("name", ["numpy", "json", "os", "minispore", "__main__", "no identifier"])
def test_a_file_called_like_a_module_takes_no_modules_place(tmp_path, capsys, name):
    (tmp_path / f"{name}.py").write_text(f"import numpy as np\n\nnp.zeros(1)\n{SOURCE}")
    before = {module: sys.modules.get(module) for module in ("numpy", "json", "os", "minispore", "__main__")}
    assert main(["explain", f"{tmp_path / name}.py:Net"]) == 0
    assert {module: sys.modules.get(module) for module in before} == before
    assert f"{name}.py:14" in capsys.readouterr().out


def test_a_file_imports_the_files_beside_it(tmp_path, capsys):
    (tmp_path / "beside_explained.py").write_text(SOURCE)
    (tmp_path / "importing.py").write_text("from beside_explained import Net\n")
    assert main(["explain", f"{tmp_path}/importing.py:Net"]) == 0
    assert "beside_explained.py:11" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\nclass Net(:\n", "line 2, must run, but raises SyntaxError"),
        ("x = 1\nx / 0\n", "line 2, must run, but raises ZeroDivisionError: division by zero"),
        ("import no_such_module_at_all", "line 1, must run, but raises ModuleNotFoundError"),
        ("raise SystemExit(3)", "line 1, must run, but raises SystemExit: 3"),
        ("def Net(size):\n    return size", "must run, but raises TypeError: Net() missing 1 required"),
        ("def Net():\n    x = 1\n    return x.y", "line 3, must run, but raises AttributeError"),
        ("def Net():\n    raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("Net = None", "must define 'Net'"),
    ],
)
def test_an_error_of_the_file_is_told_in_one_sentence_with_its_line(tmp_path, capsys, source, message):
    (tmp_path / "wrong.py").write_text(source)
    with pytest.raises(SystemExit) as caught:
        main(["explain", f"{tmp_path / 'wrong.py'}:Net"])
    error = capsys.readouterr().err
    assert caught.value.code == 2 and message in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("Net", "must be given as FILE:NAME"),
        ("no_such.py:Net", "'no_such.py' must exist"),
        ("{file}:Nut", "must define 'Nut'"),
        ("{file}:number", "not callable"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence_with_exit_code_2(file, capsys, reference, message):
    with pytest.raises(SystemExit) as caught:
        main(["explain", reference.format(file=file)])
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
