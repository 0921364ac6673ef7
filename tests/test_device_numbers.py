"""Numbers that a device gave lately are not asked for again, unless something may have changed them."""

import numpy as np
import pytest

import minispore as ms
from minispore import device_numbers


class Array:
    """Memory of a device."""


class Number:
    """A Tensor of one element on a device: counts how often the host waits for it."""

    def __init__(self, value):
        self.array, self.value, self.waits = Array(), value, 0

    def item(self):
        """The number, once the device has come so far."""
        self.waits += 1
        return self.value


class Weight(Number, ms.Parameter):
    """A Parameter of one element on a device."""

    array = None


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(device_numbers, "_known", [])


def test_a_number_is_waited_for_once_until_it_is_written():
    x = Number(3.0)
    assert not device_numbers.is_known(x)
    assert [device_numbers.number_of(x) for _ in range(3)] == [3.0] * 3 and x.waits == 1 and device_numbers.is_known(x)
    x.array, x.value = Array(), 4.0
    assert not device_numbers.is_known(x)
    assert device_numbers.number_of(x) == 4.0 and x.waits == 2


def test_a_number_that_is_stored_is_known():
    x = Number(3.0)
    device_numbers.remember(x, 3.0)
    assert device_numbers.number_of(x) == 3.0 and x.waits == 0


@pytest.mark.parametrize("asked, filled, waits", [(False, False, 2), (True, False, 1), (True, True, 2)])
def test_what_a_graph_may_fill_is_read_each_time(monkeypatch, asked, filled, waits):
    monkeypatch.setattr(device_numbers, "WRITERS", [lambda tensor: filled])
    x = Weight(3.0)
    assert [device_numbers.number_of(x, asked) for _ in range(2)] == [3.0] * 2 and x.waits == waits


def test_the_hosts_own_numbers_are_read_anew():
    x = ms.Parameter(np.float32(3))
    device_numbers.remember(x, 5.0)
    assert device_numbers.number_of(x) == 3.0 and not device_numbers.is_known(x)


def test_few_numbers_are_kept_and_none_of_an_array_that_is_gone():
    kept = [Number(float(n)) for n in range(40)]
    for x in kept:
        device_numbers.number_of(x)
    assert len(device_numbers._known) == 32 and device_numbers.is_known(kept[-1])
    del kept[:], x
    device_numbers.number_of(last := Number(1.0))
    assert len(device_numbers._known) == 1 and device_numbers.is_known(last)
