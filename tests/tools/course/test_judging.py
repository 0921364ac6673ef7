"""A reader's file in a process of its own: a limit of time, and files that end the process."""

import subprocess
import sys

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


def test_a_file_that_is_not_python_fails_with_its_line(verdict):
    assert verdict(exercise_of("6.1"), "x = 1\ny = = 2\n").words.startswith("line 2 is not Python: ")


def test_a_file_that_raises_fails_with_its_line(verdict):
    assert verdict(exercise_of("6.1"), "x = 1\nx / 0\n").words == "ZeroDivisionError: division by zero (line 2)"


def test_without_hypothesis_a_sentence_says_what_to_install(tmp_path):
    (tmp_path / "mine.py").write_text(exercise_of("6.1").start)
    code = "import sys; sys.modules['hypothesis'] = None; from minispore.tools.course.grader import verdict_on; "
    command = [sys.executable, "-c", f"{code}print(verdict_on('6.1', 'mine.py').words)"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == 'its cases need Hypothesis: pip install "hypothesis>=6.100"\n'
