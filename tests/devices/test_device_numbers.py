"""Device numbers: a number that the host knows is not waited for, unless something writes into its array."""

import numpy as np
import pytest

from minispore.devices import device_numbers


class Array:
    """Memory of a device, of one element or more, that counts how often the host waits for it."""

    def __init__(self, value, size=1):
        self.value, self.size, self.waits = value, size, 0

    def get(self):
        self.waits += 1
        return np.full(self.size, self.value)

    def copy(self):
        return Array(self.value, self.size)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(device_numbers, "_known", {})
    monkeypatch.setattr(device_numbers, "_left_out", {})


def test_a_number_is_waited_for_once():
    x, many = Array(3.0), Array(3.0, 2)
    assert not device_numbers.is_known(x)
    assert [device_numbers.read(x).item() for _ in range(3)] == [3.0] * 3 and x.waits == 1
    assert device_numbers.is_known(x) and device_numbers.is_asked(x)
    for _ in range(2):
        device_numbers.read(many)
    assert many.waits == 2 and not device_numbers.is_known(many)


def test_what_the_reader_writes_does_not_change_what_is_known():
    x = Array(3.0)
    device_numbers.read(x)[:] = 7.0
    assert device_numbers.read(x).item() == 3.0


def test_a_number_that_the_host_sent_is_known_and_not_asked():
    x = Array(3.0)
    device_numbers.remember(x, np.array([3.0]))
    assert device_numbers.is_known(x) and not device_numbers.is_asked(x)
    assert device_numbers.read(x).item() == 3.0 and x.waits == 0 and device_numbers.is_asked(x)


@pytest.mark.parametrize("asked", [False, True])
def test_of_a_copy_the_same_is_known(asked):
    x = Array(3.0)
    assert not device_numbers.is_known(device_numbers.copied(x))
    device_numbers.remember(x, np.array([3.0]), asked)
    copy = device_numbers.copied(x)
    assert device_numbers.is_asked(copy) is asked and device_numbers.read(copy).item() == 3.0 and copy.waits == 0


@pytest.mark.parametrize("read_before", [False, True])
def test_an_array_that_is_written_in_place_is_read_each_time(read_before):
    x = Array(3.0)
    if read_before:
        device_numbers.read(x)
    device_numbers.leave_out(x)
    x.value = 4.0
    assert [device_numbers.read(x).item() for _ in range(2)] == [4.0, 4.0] and x.waits == 2 + read_before


def test_few_numbers_are_kept_and_none_of_an_array_that_is_gone():
    kept = [Array(float(n)) for n in range(40)]
    for x in kept:
        device_numbers.read(x)
    assert len(device_numbers._known) == 32 and device_numbers.is_known(kept[-1])
    assert not device_numbers.is_known(kept[0])
    device_numbers.leave_out(kept[-1])
    del kept[:], x
    assert not device_numbers._left_out
