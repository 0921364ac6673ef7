"""The desk: files are written once, hints come in steps, progress is kept."""

import pytest

from minispore.tools.course import desk
from minispore.tools.course.desk import Desk
from minispore.tools.course.exercise import exercise_of, exercises
from minispore.tools.course.verdict import Verdict

FILE = "06_1_unscaling.py"


@pytest.fixture
def verdicts(monkeypatch):
    """A list from which each check takes its verdict."""
    given = []
    monkeypatch.setattr(desk, "judged", lambda exercise, path: given.pop(0))
    return given


def test_start_writes_the_file_and_says_how_to_check(tmp_path):
    text = Desk(tmp_path / "new").start("6.1")
    assert (tmp_path / "new" / FILE).read_text() == exercise_of("6.1").start
    assert exercise_of("6.1").text in text and "minispore course check 6.1" in text


def test_start_overwrites_only_if_it_is_told_to(tmp_path):
    (tmp_path / FILE).write_text("mine")
    with pytest.raises(ValueError, match="must not exist unless '--again' is given"):
        Desk(tmp_path).start("6.1")
    assert (tmp_path / FILE).read_text() == "mine"
    Desk(tmp_path).start("6.1", again=True)
    assert (tmp_path / FILE).read_text() == exercise_of("6.1").start


def test_each_failed_try_shows_the_next_hint_and_the_last_all_again(tmp_path, verdicts):
    Desk(tmp_path).start("6.1")
    hints = exercise_of("6.1").hints
    for number, hint in enumerate(hints, 1):
        verdicts.append(Verdict(False, "it is wrong.", "print(1)\n\nprint(2)"))
        text, status = Desk(tmp_path).check("6.1")
        assert status == 1 and text.endswith(f"Hint {number} of {len(hints)}: {hint}")
        assert "6.1 is not solved yet: it is wrong.\n" in text and "\n    print(1)\n\n    print(2)\n" in text
    assert all(hint in Desk(tmp_path).hint("6.1") for hint in hints)
    assert Desk(tmp_path).states["6.1"].tries == len(hints)


def test_a_hint_is_shown_without_a_try(tmp_path):
    assert exercise_of("6.1").hints[0] in Desk(tmp_path).hint("6.1")
    assert exercise_of("6.1").hints[1] in Desk(tmp_path).hint("6.1")
    assert Desk(tmp_path).states["6.1"].tries == 0


def test_a_solved_exercise_stays_solved_and_is_listed(tmp_path, verdicts):
    Desk(tmp_path).start("6.1")
    verdicts += [Verdict(True, "30 cases hold"), Verdict(False, "no")]
    text, status = Desk(tmp_path).check("6.1")
    assert status == 0 and text.startswith("6.1 is solved: 30 cases hold.")
    Desk(tmp_path).check("6.1")
    listed = Desk(tmp_path).list()
    assert "solved, 1 failed try" in listed and f"1 of {len(exercises())} exercises are solved." in listed


def test_the_last_exercise_solved_is_the_end(tmp_path, verdicts):
    for each in exercises():
        Desk(tmp_path).start(each.number)
        verdicts.append(Verdict(True, "ok"))
        text, _ = Desk(tmp_path).check(each.number)
    assert text.endswith("All exercises are solved.")


def test_what_the_file_printed_is_shown_and_cut(tmp_path, verdicts):
    Desk(tmp_path).start("6.1")
    verdicts.append(Verdict(True, "ok", printed="line\n" * 25))
    text, _ = Desk(tmp_path).check("6.1")
    assert text.count("    line\n") == 20 and "... 5 more lines" in text


def test_a_check_without_a_file_says_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"must exist: minispore course start 6\.1"):
        Desk(tmp_path).check("6.1")
