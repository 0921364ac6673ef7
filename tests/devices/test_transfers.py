"""Transfers of arrays between the host and other memory."""

import copy
import pickle
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from tools.test_hopeless_skips import Told

from minispore import Tensor
from minispore.core import backend
from minispore.devices import transfers
from minispore.tools import hopeless_skips
from minispore.tools.hopeless_skips import HopelessSkips


def test_a_number_that_is_asked_for_again_is_kept_and_one_that_is_not_takes_no_memory(other_device, monkeypatch):
    monkeypatch.setattr(transfers, "_MOST_NUMBERS", 8)
    asked = [backend.from_host(np.array(0.25, np.float32)) for _ in range(3)]
    assert asked[1] is asked[2] and asked[0] is not asked[1]
    for step in range(7):
        backend.from_host(np.array(step, np.int64))
    assert backend.from_host(np.array(0.25, np.float32)) is asked[2]
    assert len(transfers.numbers()) == 1
    for step in range(7, 30):
        assert backend.from_host(np.array(0.25, np.float32)) is asked[2]  # the last one used is the last to go
        backend.from_host(np.array(step, np.int64))
    for step in range(8):
        backend.from_host(np.array(step + 0.5))
    assert len(transfers._numbers) == 8 and set(transfers._numbers.values()) == {None}


class OnDevice:
    """The number that the step just begun computes on a GPU; to read it earlier is an error."""

    def __init__(self, number, gpu):
        self.number, self.gpu, self.place = number, gpu, gpu.begun
        self.size, self.device = 1, SimpleNamespace(id=0)

    def get(self, stream):
        assert stream == "aside" and self.place <= self.gpu.done, "the host waits"
        self.gpu.reads += 1
        return np.asarray(self.number)


class Event:
    """What CuPy records in a stream: done when what was begun before is computed."""

    def __init__(self, gpu):
        self.gpu, self.place = gpu, gpu.begun

    @property
    def done(self):
        return self.place <= self.gpu.done


class Gpu:
    """Events and streams of CuPy, of a GPU that has computed the first ``done`` of the steps that are ``begun``."""

    def __init__(self):
        self.begun = self.done = self.reads = 0
        self.cuda = SimpleNamespace(get_current_stream=lambda: SimpleNamespace(record=lambda: Event(self)))
        self.cuda.Device, self.cuda.Stream = (lambda device: nullcontext()), (lambda non_blocking: "aside")


@pytest.fixture
def gpu(monkeypatch):
    gpu = Gpu()
    backend = SimpleNamespace(is_on_host=lambda array: False, other_memory=transfers, xp=gpu)
    monkeypatch.setattr(hopeless_skips, "backend", backend)
    return gpu


def results(gpu, skipped, scale):
    overflow, used = Tensor(True), Tensor(1.0)
    overflow.array, used.array = OnDevice(skipped, gpu), OnDevice(scale, gpu)
    return None, overflow, used


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("lag", [0, 1, 30])
@pytest.mark.parametrize("first, scale, by", [(1, 1.0, 16), (100, 1.0, 112), (1, 8.0, 35), (90, 8.0, 115)])
def test_a_gpu_is_read_late_and_never_waited_for(gpu, lag, first, scale, by):
    hook = HopelessSkips()
    with Told() as told:
        for gpu.begun in range(1, 200):
            gpu.done = gpu.begun - lag
            hook("", (), results(gpu, gpu.begun >= first, scale))
            if told.messages:
                break
    assert len(told.messages) == 1
    assert by <= gpu.begun <= by + 2 * lag + 1


@pytest.mark.usefixtures("restored")
def test_a_gpu_whose_steps_are_good_is_read_rarely(gpu):
    hook = HopelessSkips()
    for gpu.begun in range(1, 1601):
        gpu.done = gpu.begun - 2
        hook("", (), results(gpu, False, 1.0))
    assert gpu.reads <= 100


@pytest.mark.usefixtures("restored")
def test_a_step_whose_numbers_a_gpu_still_computes_can_be_copied(gpu):
    hook = HopelessSkips()
    gpu.begun = 1
    for _ in range(16):
        hook("", (), results(gpu, True, 8.0))
    assert pickle.loads(pickle.dumps(hook)).__dict__ == copy.deepcopy(hook).__dict__ == HopelessSkips().__dict__


@pytest.mark.usefixtures("restored")
def test_single_skips_on_a_gpu_are_no_run_of_them(gpu):
    hook = HopelessSkips()
    with Told() as told:
        for gpu.begun in range(1, 1601):
            gpu.done = gpu.begun
            hook("", (), results(gpu, gpu.begun % 16 == 0, 8.0))
    assert told.messages == []
