"""Memory of a GPU: the bytes in use, their peak, and an error with both if memory runs out.

CuPy's pool knows the bytes in use, and keeps freed memory for later arrays; it knows no peak. A :class:`Meter` stands
before the pool and finds the exact peak. Between two looks at the pool it adds up all allocations, as if nothing were
freed. It looks again only if this sum could exceed the peak. A captured graph computes in its own pool and needs all of
it at each launch: so the whole pool counts as in use.
"""

__all__ = ["Meter", "amount", "count_pool", "figures", "give_back", "meter_of", "release_pool", "reset_peaks"]

_UNITS = "B", "KiB", "MiB", "GiB", "TiB"
_ROUNDING = 512  # the pool's blocks are multiples of it


def amount(count):
    """Bytes as a person reads them: ``amount(1536)`` is "1.5 KiB"."""
    unit = min(max(0, (int(count).bit_length() - 1) // 10), len(_UNITS) - 1)
    return f"{count / 1024**unit:.{1 if unit else 0}f} {_UNITS[unit]}"


class Meter:
    """An allocator in front of a pool; it knows the peaks of used and of reserved bytes."""

    def __init__(self, pool, device_total):
        self._pool, self._device_total, self._room = pool, device_total, 0
        self._of_graphs, self._released = [], []  # pools: of graphs, and of graphs that are gone
        self.peak = self.peak_reserved = 0

    def __call__(self, size):
        """Memory of ``size`` bytes; MemoryError names the bytes in use."""
        try:
            memory = self._pool.malloc(size)
        except MemoryError as error:
            raise MemoryError(self._shortage(size)) from error
        self._room -= size + _ROUNDING
        if self._room < 0:
            self.look()
        return memory

    def look(self):
        """Read the bytes used and reserved now from the pool, and update the peaks."""
        used, reserved = self._now()
        self.peak, self.peak_reserved = max(self.peak, used), max(self.peak_reserved, reserved)
        self._room = self.peak - used
        return used, reserved

    def _now(self):
        for pool in self._released:
            pool.free_all_blocks()
        self._released = [pool for pool in self._released if pool.total_bytes()]
        graphs = sum(pool.total_bytes() for pool in (*self._of_graphs, *self._released))
        return self._pool.used_bytes() + graphs, self._pool.total_bytes() + graphs

    def count(self, pool):
        """Count a graph's pool from now on."""
        self._of_graphs.append(pool)

    def release(self, pool):
        """Give back the memory of a graph that is gone; the part still in use counts until it is freed."""
        pool.free_all_blocks()
        self._of_graphs.remove(pool)
        self._released.append(pool)

    def reset(self, used=True, reserved=True):
        """Begin the peaks anew, at the bytes used and reserved now."""
        self.look()
        now = self._now()
        self.peak = now[0] if used else self.peak
        self.peak_reserved = now[1] if reserved else self.peak_reserved
        self.look()

    def most_taken(self, run):
        """The most bytes that ``run()`` holds at once beyond those in use before it; the peaks go on as ever."""
        used, _ = self.look()
        earlier, self.peak, self._room = self.peak, used, 0
        try:
            run()
            self.look()
            return self.peak - used
        finally:
            self.peak = max(self.peak, earlier)
            self.look()

    def _shortage(self, size):
        used, reserved = self.look()
        total = self._pool.get_limit() or self._device_total()
        return (
            f"{amount(size)} are wanted, of {amount(total)} that the device has {amount(used)} are in use and "
            f"{amount(reserved - used)} kept for arrays of other sizes (a smaller batch needs less; "
            f"minispore.runtime.empty_cache() gives back what is kept)"
        )


_meters = {}  # CuPy's module -> its Meter


def meter_of(xp):
    """The meter of an array module's pool, set before it when first asked for; None for modules without a pool.

    A pool that a user chose by CuPy's ``set_allocator`` stays; its bytes are not counted.
    """
    if not hasattr(xp, "get_default_memory_pool"):
        return None
    if xp not in _meters:
        pool = xp.get_default_memory_pool()
        _meters[xp] = Meter(pool, lambda: xp.cuda.runtime.memGetInfo()[1])
        if getattr(xp.cuda.get_allocator(), "__self__", None) is pool:
            xp.cuda.set_allocator(_meters[xp])
    return _meters[xp]


def figures(xp):
    """Bytes ``(used, reserved, peak of used, peak of reserved)``: zeros where an array module has no pool."""
    meter = meter_of(xp)
    return (*meter.look(), meter.peak, meter.peak_reserved) if meter is not None else (0, 0, 0, 0)


def reset_peaks(xp, used=True, reserved=True):
    """Begin the peaks anew."""
    meter = meter_of(xp)
    if meter is not None:
        meter.reset(used, reserved)


def give_back(xp):
    """Give the memory that no array holds back to the device."""
    meter = meter_of(xp)
    if meter is not None:
        meter.look()  # before this comes the peak of reserved bytes
        xp.get_default_memory_pool().free_all_blocks()


def count_pool(xp, pool):
    """Count the pool that a graph computes in as memory in use, until :func:`release_pool`."""
    meter_of(xp).count(pool)


def release_pool(xp, pool):
    """Give the memory of a graph that is gone back to the device."""
    meter_of(xp).release(pool)
