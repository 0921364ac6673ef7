"""A reader's file in a process of its own: a limit of time, and files that end the process."""

import pytest

from minispore.tools.course.exercise import exercise_of
from minispore.tools.course.judging import judged


@pytest.fixture
def judge(tmp_path):
    """``judge(text, seconds)``: the verdict on exercise 6.1."""

    def judge(text, **seconds):
        (tmp_path / "mine.py").write_text(text)
        return judged(exercise_of("6.1"), tmp_path / "mine.py", **seconds)

    return judge


def test_a_solution_passes_and_what_it_prints_is_kept(judge, solution):
    found = judge(f'print("hello")\n{solution(exercise_of("6.1"))}')
    assert found.passed and found.printed == "hello\n"


def test_a_file_that_does_not_end_is_ended(judge):
    found = judge("while True:\n    pass\n", seconds=3)
    assert not found.passed and found.words == "it did not end within 3 seconds"


def test_a_file_that_ends_the_process_fails(judge):
    found = judge("import sys\n\nsys.exit(0)\n")
    assert not found.passed and "ended the process before it was graded (status 0)" in found.words


def test_a_file_that_is_not_python_fails_with_its_line(judge):
    assert judge("x = 1\ny = = 2\n").words.startswith("line 2 is not Python: ")


def test_a_file_that_raises_fails_with_its_line(judge):
    assert judge("x = 1\nx / 0\n").words.endswith("ZeroDivisionError: division by zero (line 2)")
