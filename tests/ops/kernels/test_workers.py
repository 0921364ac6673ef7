"""Workers: every piece once, results in order, errors raised, pieces of pieces done alone."""

import os
import threading
import time
import warnings

import numpy as np
import pytest

import minispore as ms
from minispore.ops.kernels import workers


@pytest.fixture(params=[1, 2, 3])
def count(request):
    before = ms.get_context("runtime_num_threads")
    ms.set_context(runtime_num_threads=request.param)
    yield request.param
    ms.set_context(runtime_num_threads=before)


@pytest.mark.parametrize("pieces", [0, 1, 2, 7])
def test_every_piece_is_done_once_and_the_results_come_in_order(count, pieces):
    seen = []
    assert workers.share(lambda i: seen.append(i) or i * i, range(pieces)) == [i * i for i in range(pieces)]
    assert sorted(seen) == list(range(pieces))


def test_as_many_threads_work_as_the_context_says(count):
    meeting = threading.Barrier(count, timeout=300)  # breaks, rather than waits for ever, unless so many threads come
    names = workers.share(lambda _: meeting.wait() is not None and threading.current_thread().name, range(count))
    assert len(set(names)) == count


def test_the_first_error_is_raised_when_all_pieces_have_ended(count):
    ended = []

    def work(i):
        if i == 1:
            raise KeyError("the second piece")
        time.sleep(0.01)
        ended.append(i)

    with pytest.raises(KeyError, match="the second piece"):
        workers.share(work, range(4))
    assert sorted(ended) == ([0] if count == 1 else [0, 2, 3]), "alone, the first error ends the work"
    assert workers.share(abs, [-1, -2]) == [1, 2], "and the workers go on"


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_the_caller_waits_for_short_pieces_awake_and_for_long_ones_asleep(count, seconds):
    caller, began = threading.get_ident(), threading.Event()

    def work(i):
        if threading.get_ident() != caller:
            began.set()
            time.sleep(seconds)
        elif count > 1:
            began.wait(300)  # so that a worker has a piece, which ends after the caller's
        return i

    assert workers.share(work, range(count)) == list(range(count))


def with_all_threads(work, count):
    """``work`` as pieces of which each thread has one, as none begins before all threads have come."""
    meeting = threading.Barrier(count, timeout=300)

    def piece(i):
        meeting.wait()
        return work(i)

    return workers.share(piece, range(count))


def test_the_pieces_of_a_piece_are_done_by_the_thread_that_has_it(count):
    def inner(_):
        time.sleep(0.005)  # time enough for another thread to take the next piece
        return threading.get_ident()

    def outer(_):
        return {threading.get_ident()} == set(workers.share(inner, range(5)))

    assert all(with_all_threads(outer, count))
    assert all(workers.share(outer, range(2 * count))), "where other threads have nothing to do any more"
    assert with_all_threads(lambda _: workers.useful(1000, 1), count) == [1] * count, "there is nobody to spread over"
    assert not workers.at_work()


def test_an_overflow_in_a_piece_warns_nobody(count):
    big = np.full(4, 3e38, np.float32)
    with np.errstate(all="ignore"):
        assert np.isinf(with_all_threads(lambda _: big * big, count)).all()


def test_a_forked_process_has_workers_of_its_own(count):
    with_all_threads(abs, count)
    jobs = workers._jobs  # may hold what another thread of the parent shares at this moment
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of a fork where there are threads
        child = os.fork()
    if child == 0:
        code = 1
        try:
            own = len(set(with_all_threads(lambda _: threading.get_ident(), count))) == count
            code = not own or workers._jobs is jobs
        finally:
            os._exit(code)  # no child goes on with the tests, whatever was raised
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_work_is_spread_over_no_more_workers_than_it_keeps_busy(count):
    assert [workers.useful(size, 10) for size in (0, 9, 10, 29, 1000)] == [1, 1, 1, min(count, 2), count]


def test_no_number_of_workers_is_the_default(restored, monkeypatch):
    monkeypatch.setattr(workers, "DEFAULT", 3)
    ms.set_context(runtime_num_threads=0)
    assert (ms.get_context("runtime_num_threads"), workers.count()) == (0, 3)


@pytest.mark.parametrize("bad", [1025, -1, 1.0, True, "2"])
def test_a_number_of_workers_that_is_none_is_refused(bad):
    before = ms.get_context("runtime_num_threads")
    with pytest.raises((TypeError, ValueError), match="runtime_num_threads"):
        ms.set_context(runtime_num_threads=bad)
    assert ms.get_context("runtime_num_threads") == before
