"""Files of readers, graded in this process."""

from pathlib import Path

import pytest

from minispore.tools.course.grader import verdict_on

SOLUTIONS = Path(__file__).parent / "solutions"


@pytest.fixture
def solution():
    """``solution(exercise)``: the text of its solution."""
    return lambda exercise: (SOLUTIONS / exercise.file_name).read_text()


@pytest.fixture
def verdict(tmp_path, monkeypatch, restored):
    """``verdict(exercise, text)``: the verdict on a reader's file with this text."""
    monkeypatch.chdir(tmp_path)

    def verdict(exercise, text):
        Path(exercise.file_name).write_text(text)
        return verdict_on(exercise.number, exercise.file_name)

    return verdict
