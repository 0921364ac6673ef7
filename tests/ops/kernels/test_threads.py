"""Cores: the least of all that limits them. BLAS: one thread, in any import order, and whenever workers begin."""

import os
import threading
from queue import SimpleQueue

import pytest
from core.test_startup import run

from minispore.ops.kernels import threads
from minispore.ops.kernels.threads import cores

NAMES = threads._NEIGHBOURS + threads._LIMITS


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine of 8 cores, with no limit but those that a test sets; the folder of its control groups."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    monkeypatch.setattr(threads, "_GROUPS", tmp_path)
    monkeypatch.setattr(threads, "_OWN_GROUP", tmp_path / "own")
    return tmp_path


def limit(machine, own, **files):
    """Write the process's group, and files by their paths with ``__`` for the folder's sign and ``_`` for a dot."""
    (machine / "own").write_text(own)
    for name, text in files.items():
        path = machine / name.replace("__", "/").replace("_", ".", 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_all_cores_where_nothing_limits_them(machine):
    assert cores() == (8, "cores of the machine")


def test_the_affinity_counts(machine, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 5, 6}, raising=False)
    assert cores() == (3, "cores of this process (affinity)")


@pytest.mark.parametrize("quota, number", [("200000 100000", 2), ("150000 100000", 2), ("10000 100000", 1)])
def test_the_quota_of_a_container_counts(machine, quota, number):
    limit(machine, "0::/\n", cpu_max=quota)
    assert cores() == (number, "cores of its control group (cgroup)")


def test_the_least_quota_around_the_process_counts(machine):
    limit(
        machine, "0::/job/step\n", job__step__cpu_max="max 100000", job__cpu_max="300000 100000", cpu_max="max 100000"
    )
    assert cores()[0] == 3


@pytest.mark.parametrize("quota, number", [("-1", 8), ("400000", 4)])
def test_the_quota_of_the_first_version_counts(machine, quota, number):
    limit(machine, "3:cpuset:/\n1:cpu,cpuacct:/a\n0::/\n")
    folder = machine / "cpu,cpuacct" / "a"
    folder.mkdir(parents=True)
    (folder / "cpu.cfs_quota_us").write_text(quota)
    (folder / "cpu.cfs_period_us").write_text("100000")
    assert cores()[0] == number


@pytest.mark.parametrize("text", ["", "max", "nonsense 1 2", "5"])
def test_a_file_that_says_nothing_limits_nothing(machine, text):
    limit(machine, "no groups here", cpu_max=text)
    assert cores()[0] == 8


@pytest.mark.parametrize("name", threads._NEIGHBOURS)
@pytest.mark.parametrize("count, number", [("4", 2), ("9", 1), ("0", 8), ("many", 8)])
def test_processes_of_one_job_share_the_cores(machine, name, count, number, monkeypatch):
    monkeypatch.setenv(name, count)
    assert cores()[0] == number


@pytest.mark.parametrize("name", threads._LIMITS)
@pytest.mark.parametrize("text, number", [("2", 2), ("3,2", 3), ("99", 8), ("0", 8), ("-1", 8), ("all", 8)])
def test_an_environment_that_names_a_number_is_obeyed(machine, name, text, number, monkeypatch):
    monkeypatch.setenv(name, text)
    assert cores()[0] == number


# BLAS

THREADS = "from threadpoolctl import threadpool_info; "
THREADS += "found = [each['num_threads'] for each in threadpool_info() if each['user_api'] == 'blas']; "
ASK = "from minispore.ops.kernels import workers; " + THREADS + "print(json.dumps([found, workers.count()]))"
KERNELS = "from minispore.ops.kernels.threads import blas_kernels; print(json.dumps(list(blas_kernels())))"
PRODUCT = "ms.ops.matmul(ms.ops.ones((512, 512)), ms.ops.ones((512, 512))); "


@pytest.mark.parametrize("order", ["import numpy, json; import minispore; ", "import json, minispore; "])
def test_one_thread_in_either_order_and_as_many_workers_as_the_environment_grants(order):
    (number,), workers = run(order + ASK, OPENBLAS_NUM_THREADS="2", PYTEST_XDIST_WORKER_COUNT="1")
    assert number == 1
    assert workers == min(2, run("import json, os; print(json.dumps(len(os.sched_getaffinity(0))))"))


def test_nothing_is_touched_where_the_set_up_is_off():
    begun = run("import numpy, json; " + THREADS + "print(json.dumps(found))", OPENBLAS_NUM_THREADS="2")
    program = "import numpy, json, minispore as ms; " + PRODUCT + ASK
    assert run(program, MINISPORE_STARTUP="0", OPENBLAS_NUM_THREADS="2") == [begun, 1]


def test_workers_that_begin_later_set_one_thread_too():
    program = "import numpy, json, minispore as ms; ms.set_context(runtime_num_threads=2); " + PRODUCT + ASK
    (number,), workers = run(program, MINISPORE_STARTUP="0", OPENBLAS_NUM_THREADS="2")
    assert (number, workers) == (1, 2)


@pytest.mark.parametrize("name", ["Haswell", "Sandybridge"])
def test_blas_tells_which_kernels_it_took(name):
    found = run("import json, minispore; " + KERNELS, OPENBLAS_CORETYPE=name)
    assert found in ([name], []) or None in found  # another BLAS takes no notice


@pytest.mark.parametrize("seconds", [0.0, 0.1])
def test_all_items_of_a_queue_are_taken_whether_they_come_at_once_or_late(seconds):
    queue = SimpleQueue()
    late = threading.Timer(seconds, lambda: [queue.put(i) for i in range(3)])
    late.start()
    assert threads.take_all(queue, 3) == [0, 1, 2]
    assert threads.take_all(queue, 0) == []
    late.join()
