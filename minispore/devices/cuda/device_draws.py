"""A count, on the GPU too, of the random streams that have been taken: a graph draws by its count.

A skipped step takes no streams, and only the device knows which steps are skipped. So after the launch of a step that
may be skipped the host does not know the count. It reads the count, and waits, when something else takes a stream.
"""

from functools import cache

import numpy as np

from minispore.core import seeds
from minispore.devices import cuda
from minispore.devices.cuda.device_words import counted_on_device, state_of_draws

__all__ = []


class DeviceDraws:
    """The seed and the count in a device's memory, for all graphs of the device."""

    def __init__(self, xp):
        self._xp, self._known = xp, None  # the host's copy of the array
        self.array = xp.zeros(2, np.uint64)
        self._count = self._read  # one object, compared by identity

    def _read(self):
        return int(self.array.get()[1])

    def hand_over(self):
        """Let the array hold the present seed and count; nothing to do if the device has counted last."""
        value = seeds.seed.value or 0
        if seeds.seed.is_left_to(self._count) and self._known == (value, None):
            return
        now = tuple(map(int, state_of_draws()))
        if now != self._known:
            cuda.copies.set_words(self._xp, self.array, now)
        self._known = now

    def take(self, count):
        """Count the streams that a launch takes; the host counts them, too."""
        seeds.take_streams(count)
        self._known = seeds.seed.value or 0, seeds.seed.draws

    def leave(self):
        """Leave the count to the device: a launch moves it on, or its step is skipped."""
        self._known = seeds.seed.value or 0, None
        seeds.seed.leave_to_device(self._count)

    def counting(self):
        """A ``with`` block whose launches take their streams by the array; see ``counted_on_device``."""
        return counted_on_device(self.array)

    def advance(self, count, skip):
        """Count streams on the device, unless the 0-d bool ``skip`` is true."""
        cuda.copies.add_unless(self._xp, self.array, count, skip)


@cache
def draws_of(xp, device):
    """The count of a device."""
    return DeviceDraws(xp)
