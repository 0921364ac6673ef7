"""``minispore explain``: the receipt of a network in a file, and one sentence for what is wrong."""

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


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "explained_network.py"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize("name", ["Net", "small"])
def test_it_prints_the_table_and_the_difference(file, capsys, name):
    assert main(["explain", f"{file}:{name}"]) == 0
    out = capsys.readouterr().out
    assert "explained_network.py:11" in out
    assert "white list" in out
    assert "it is called as a function" in out
    assert "+++ after O1" in out


def test_another_level_has_no_difference(file, capsys):
    assert main(["explain", f"{file}:Net", "--level", "O3"]) == 0
    assert "+++" not in capsys.readouterr().out


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
