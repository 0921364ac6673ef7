"""Workers: the same rows in the same order for any number of them, errors that name the row, and no worker left."""

import multiprocessing
import os
import signal
import threading

import numpy as np
import pytest

from minispore.data.dataset import config
from minispore.dataset import GeneratorDataset, NumpySlicesDataset

KINDS = pytest.mark.parametrize("processes", [False, True], ids=["threads", "processes"])


def numbers(n=12):
    return NumpySlicesDataset(list(range(n)), shuffle=False)


def read(dataset):
    return [row[0].tolist() for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def workers_at_work():
    named = [thread for thread in threading.enumerate() if thread.name.startswith("minispore data worker")]
    return named + multiprocessing.active_children()


def refuse_seven(x):
    if x == 7:
        raise KeyError("seven")
    return x


@KINDS
@pytest.mark.parametrize("workers", [1, 3])
def test_rows_and_order_do_not_depend_on_the_workers(processes, workers):
    options = {"num_parallel_workers": workers, "python_multiprocessing": processes}
    data = numbers().map(lambda x: x * 2, **options)
    data = data.batch(5, per_batch_map=lambda x, info: ([v + 1 for v in x],), input_columns=["column_0"], **options)
    assert read(data) == [[1, 3, 5, 7, 9], [11, 13, 15, 17, 19], [21, 23]]
    assert read(GeneratorDataset(list(range(9)), ["x"], shuffle=False, **options)) == list(range(9))
    assert workers_at_work() == []


def test_a_process_draws_the_same_random_numbers_whichever_it_is():
    def drawn(workers):
        data = numbers(6).map(lambda x: np.random.random(), num_parallel_workers=workers, python_multiprocessing=True)
        iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
        iterator.seed = 5
        return [float(x) for (x,) in iterator]

    assert drawn(2) == drawn(3) and len(set(drawn(2))) == 6


@pytest.mark.parametrize("workers, processes", [(1, False), (2, False), (2, True)])
def test_an_error_names_the_function_and_the_row_and_comes_after_the_rows_before_it(workers, processes):
    data = numbers().map(refuse_seven, num_parallel_workers=workers, python_multiprocessing=processes)
    rows, got = data.create_tuple_iterator(num_epochs=1, output_numpy=True), []
    expected = r"^For 'map', the 'operations' must work .* KeyError: 'seven' from 'refuse_seven' on row 7\.$"
    with pytest.raises(RuntimeError, match=expected):
        got.extend(int(row[0]) for row in rows)
    assert workers_at_work() == []


@KINDS
def test_a_source_that_fails_is_told_after_the_rows_before_it(processes):
    def fails():
        yield from (1, 2, 3)
        raise OSError("gone")

    data = GeneratorDataset(fails, ["x"]).map(abs, num_parallel_workers=2, python_multiprocessing=processes)
    rows, got = iter(data), []
    with pytest.raises(RuntimeError, match=r"OSError: gone from 'fails' on row 3"):
        while True:
            got.append(int(next(rows)[0]))
    assert got == [1, 2, 3] and workers_at_work() == []


@KINDS
def test_no_worker_is_left_when_an_iterator_is_dropped_half_way(processes):
    rows = iter(numbers(100).map(abs, num_parallel_workers=2, python_multiprocessing=processes).batch(2))
    next(rows)
    assert len(workers_at_work()) == 2
    del rows
    assert workers_at_work() == []


def test_ctrl_c_ends_all_processes():
    def interrupted(x):
        if x == 3:
            os.kill(parent, signal.SIGINT)
        return x

    parent = os.getpid()
    with pytest.raises(KeyboardInterrupt):
        read(numbers(1000).map(interrupted, num_parallel_workers=2, python_multiprocessing=True))
    assert workers_at_work() == []


def test_a_process_that_dies_is_told():
    with pytest.raises(
        RuntimeError, match=r"worker process must live until its work is done, but got its end with code 3"
    ):
        read(numbers().map(lambda x: os._exit(3), num_parallel_workers=2, python_multiprocessing=True))


def test_what_cannot_be_sent_by_a_process_is_told():
    data = numbers().map(lambda x: threading.Lock(), num_parallel_workers=2, python_multiprocessing=True)
    with pytest.raises(TypeError, match="must return arrays, numbers or strings, but got lock"):
        read(data)


def test_the_setting_holds_for_operations_without_a_number():
    assert numbers().map(abs).workers == 1
    config.set_num_parallel_workers(3)
    try:
        assert numbers().map(abs).workers == 3 and numbers().map(abs, num_parallel_workers=2).workers == 2
    finally:
        config.set_num_parallel_workers(1)
