"""A process and the others of its job."""

from minispore.core import process


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
