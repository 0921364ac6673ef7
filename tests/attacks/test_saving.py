"""Saving under attack: killed at random moments, on a full disk, by two at once. There is always one whole file."""

import os
import resource
import signal
import time
from contextlib import contextmanager

import numpy as np
import pytest

import minispore as ms

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


def items(number, size=10):
    """A checkpoint whose every value says which number it is."""
    return [{"name": name, "data": ms.Tensor(np.full(size, number, np.float32))} for name in ("a", "b")]


def number_in(path):
    """The number that all values of a checkpoint say."""
    (number,) = {value for p in ms.load_checkpoint(path).values() for value in p.asnumpy().ravel().tolist()}
    return number


@contextmanager
def child(work):
    """Another process that does ``work(0)``, ``work(1)``, ... until the block ends it by kill -9."""
    pid = os.fork()
    if pid == 0:
        try:
            for number in range(10**9):
                work(number)
        finally:
            os._exit(1)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status), "the child ended by itself, by an error"


@pytest.mark.parametrize("size", [10, 300_000])
def test_a_saver_killed_at_any_moment_leaves_a_whole_file_and_the_next_removes_the_rest(tmp_path, tries, dice, size):
    path = tmp_path / "x.ckpt"
    ms.save_checkpoint(items(-1, size), path)
    left, done = 0, 0
    while done < tries(12, 500) or (not left and done < 500):  # on a busy machine a saver may not have begun
        done += 1
        with child(lambda number: ms.save_checkpoint(items(number, size), path)):
            time.sleep(dice.uniform(0.001, 0.05))
        number_in(path)
        left += len(os.listdir(tmp_path)) - 1
        ms.save_checkpoint(items(-1, size), path)
        assert os.listdir(tmp_path) == ["x.ckpt"]
    assert left, "no saver was hit while it wrote"


def test_two_savers_of_one_path_and_a_reader_see_whole_files(tmp_path, tries):
    path = tmp_path / "x.ckpt"
    ms.save_checkpoint(items(-1, 20_000), path)
    with child(lambda number: ms.save_checkpoint(items(number, 20_000), path)):
        for number in range(tries(100, 3000)):
            ms.save_checkpoint(items(number, 20_000), path)
            number_in(path)


@pytest.mark.parametrize("room", [0, 100, 4096, 70_000])
def test_on_a_full_disk_the_old_file_stays_and_nothing_else(tmp_path, room):
    path = tmp_path / "x.ckpt"
    ms.save_checkpoint(items(7), path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            ms.save_checkpoint(items(8, 20_000), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert number_in(path) == 7 and os.listdir(tmp_path) == ["x.ckpt"]
