"""What a process knows of the others of its job."""

import pytest

from minispore.core import process


@pytest.fixture
def answers(monkeypatch):
    monkeypatch.setattr(process, "_answers", {})


def test_a_process_is_alone_until_somebody_says_more(answers):
    assert (process.rank(), process.parts_before()) == (0, 0)


def test_the_last_who_answers_is_asked(answers):
    process.answered_by(rank=lambda: 3, parts_before=lambda: 2)
    process.answered_by(rank=lambda: 1)
    assert (process.rank(), process.parts_before()) == (1, 2)


def test_the_communication_answers():
    assert process._answers.keys() == {"rank", "parts_before"}
