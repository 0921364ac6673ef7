"""A process and the others of its job."""

import pytest

from minispore.core import process
from minispore.parallel.data_parallel import SeveralProcesses


def test_a_process_is_alone_until_somebody_says_more(monkeypatch):
    monkeypatch.setattr(process, "job", process.OneProcess())
    assert (process.rank(), process.parts_before(), process.job.shares_gradients()) == (0, 0, False)


def test_the_job_that_is_put_there_is_asked(monkeypatch):
    class Second(process.OneProcess):
        def rank(self):
            return 1

        def parts_before(self):
            return 2

    monkeypatch.setattr(process, "job", Second())
    assert (process.rank(), process.parts_before()) == (1, 2)


def test_the_room_of_several_processes_has_put_its_own_there():
    assert type(process.job) is SeveralProcesses


@pytest.mark.parametrize("question", ["rank", "parts_before", "shares_gradients"])
def test_one_process_and_several_answer_the_same_questions(question):
    assert question in vars(process.OneProcess) and question in vars(SeveralProcesses)
