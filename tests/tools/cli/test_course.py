"""``minispore course``: the whole way of an exercise, from the command line."""

import pytest

from minispore.__main__ import main


@pytest.fixture
def course(tmp_path, monkeypatch, capsys):
    """``course("start 6.1")``: the command's exit status and what it prints."""
    monkeypatch.chdir(tmp_path)

    def course(line):
        status = main(["course", *line.split()])
        return status, capsys.readouterr().out

    return course


def test_an_exercise_is_started_checked_and_listed(course, tmp_path):
    assert course("start 6.1")[0] == 0
    status, text = course("check 6.1")
    assert status == 1 and "LAWS[" in text and "Hint 1 of " in text
    assert (tmp_path / "minispore-course" / "progress.json").exists()
    status, text = course("list")
    assert status == 0 and "1 failed try" in text
    assert "Hint 2 of " in course("hint 6.1")[1]


def test_another_folder_can_be_given(course, tmp_path):
    assert course("start 6.1 --dir other")[0] == 0
    assert (tmp_path / "other" / "06_1_unscaling.py").exists()


def test_without_a_part_the_parts_are_listed(course):
    status, text = course("")
    assert status == 0 and all(word in text for word in ("list", "start", "check", "hint"))


@pytest.mark.parametrize("line", ["start 99", "check 6.1", "start", "fly"])
def test_what_is_wrong_is_one_sentence(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["course", *line.split()])
    captured = capsys.readouterr()
    assert end.value.code == 2 and captured.out == "" and captured.err.count("\n") == 1
