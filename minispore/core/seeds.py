"""The seed, and the count of the random streams that were taken under it."""

from __future__ import annotations

from minispore.core.checks import check_int
from minispore.core.errors import value_error
from minispore.core.running import changes, running

__all__ = ["get_seed", "set_seed"]


class _Seed:
    """The current seed and how many random streams have been taken from it: the whole state of randomness.

    Restoring ``draws`` repeats the same random numbers: a skipped training step and a resumed run do so. Streams named
    by an operation's own seeds or by a dataset's epoch need no other state.
    """

    value = None
    times = 0  # how often it was set: what begins anew with the seed sees it here

    def __init__(self):
        self._draws, self._device_count = 0, None

    @property
    def draws(self):
        """The number of streams taken so far; a count that a device keeps is waited for."""
        if self._device_count is not None:
            self.draws = self._device_count()
        return self._draws

    @draws.setter
    def draws(self, count):
        self._draws, self._device_count = count, None

    def leave_to_device(self, count):
        """Let a device count until the host asks: ``count()`` returns how many streams have been taken then."""
        self._device_count = count

    def is_left_to(self, count):
        """True if the device counts by ``count``."""
        return self._device_count is count


seed = _Seed()
on_seed = []  # functions of the seed: what else begins anew with it


def set_seed(seed_value: int) -> None:
    """Start every random stream (initializers, random operations, shuffling) anew from ``seed_value``.

    The same seed gives the same numbers on every machine and device; a process without a seed uses seed 0, but
    shuffles differently each time. The modules ``random`` and ``numpy.random`` get the seed too, as by MindSpore.

    Args:
        seed_value (int): In [0, 2 ** 32).

    Raises:
        TypeError: If the seed is not an int.
        ValueError: If the seed is out of its range.
    """
    begin_streams(seed_value)
    begin_others(seed_value)


def begin_others(seed_value):
    """Start anew what else begins with the seed: ``dropin/python_seeds.py`` has its part here."""
    for begin in on_seed:
        begin(seed_value)


def begin_streams(seed_value):
    """Start minispore's own streams anew."""
    check_int("set_seed", "seed", seed_value)
    if not 0 <= seed_value < 2**32:
        raise value_error("set_seed", "the 'seed' must be at least 0 and below 2 ** 32", seed_value)
    seed.value, seed.draws, seed.times = seed_value, 0, seed.times + 1
    changes.count += 1  # a function that sets the seed cannot be replayed from its operations alone


def get_seed() -> int | None:
    """The seed last given to :func:`set_seed`, or None."""
    return seed.value


def rewind(draws):
    """Set the number of random streams taken back to ``draws``, the count at which this thread began."""
    take_streams(draws - seed.draws)


def take_streams(count):
    """Count random streams as taken, or given back; returns how many were taken before."""
    before = seed.draws
    seed.draws = before + count
    for layer_drew in running.drew:
        layer_drew(before, count)
    return before


def next_stream():
    """A pair ``(seed, number of the stream)`` that names the next independent random stream."""
    number = take_streams(1) + 1
    return (0 if seed.value is None else seed.value), number
