"""What operations on the CPU's CUDA move through memory: the bytes of each array that an operation is given, once.

An operation that reads an array counts all of it, also where it uses a part: a view of a few rows of a large array is
taken for the whole one, but in a matrix product, of which the driver knows the numbers. An array that is read and
written by one operation counts once.
"""

import bisect
import contextlib
import os
import tempfile
from typing import NamedTuple

from cpucuda import device

__all__ = ["Operation", "moved", "watched"]


class Operation(NamedTuple):
    """One thing that the device was asked to do: its kind, its name, the bytes moved, multiplications for a product."""

    kind: str
    name: str
    bytes: int
    multiplications: int


class _Blocks:
    """CuPy's blocks of memory, by hooks: which were there at each byte of the trace's file."""

    def __init__(self, cupy):
        self.events = []  # (bytes of the trace before it, place, size; 0 where the block was freed)
        self.path = None
        blocks = self

        class Hook(cupy.cuda.MemoryHook):
            name = "traffic"

            def malloc_postprocess(self, **told):
                blocks.note(told["mem_ptr"], told["size"])

            def free_postprocess(self, **told):
                blocks.note(told["mem_ptr"], 0)

        self.hook = Hook()

    def note(self, place, size):
        """A block was taken or freed."""
        if place:
            self.events.append((os.path.getsize(self.path) if self.path else -1, place, size))


@contextlib.contextmanager
def watched(cupy):
    """Know every block of memory that is allocated in the ``with`` block; gives what :func:`moved` needs."""
    blocks = _Blocks(cupy)
    with blocks.hook:
        yield blocks


def moved(blocks, function):
    """Call a function; the list of its :class:`Operation`. What it uses must have been allocated while ``watched``."""
    with tempfile.TemporaryDirectory() as folder:
        blocks.path = os.path.join(folder, "trace")
        try:
            with device.traced(blocks.path):
                function()
            with open(blocks.path, "rb") as file:
                lines = file.read()
        finally:
            blocks.path = None
    return list(_operations(lines, blocks.events))


def _operations(lines, events):
    live, upcoming, at = _Live(), iter([*events, (len(lines) + 1, 0, 0)]), 0
    event = next(upcoming)
    for line in lines.splitlines(keepends=True):
        while event[0] <= at:
            live.note(*event[1:])
            event = next(upcoming)
        kind, name, size, *places = line.decode().split()
        at += len(line)
        if kind in ("launch", "gemm", "memset", "copy"):
            used = _bytes(live, places) if places else int(size)
            yield Operation(kind, name, used, int(size) if kind == "gemm" else 0)


def _bytes(live, places):
    pairs = [(int(place, 16), int(size)) for place, size in (text.split(":") for text in places)]
    if any(size for _, size in pairs):
        return sum(size for _, size in pairs)
    found = {live.around(place) for place, _ in pairs}
    return sum(size for _, size in found - {None})


class _Live:
    """The blocks that are there, found by any place in them."""

    def __init__(self):
        self.begins, self.sizes = [], {}

    def note(self, place, size):
        """A block begins, or is no more."""
        if place in self.sizes:
            del self.begins[bisect.bisect_left(self.begins, place)], self.sizes[place]
        if size:
            bisect.insort(self.begins, place)
            self.sizes[place] = size

    def around(self, place):
        """The block (begin, size) that a place lies in; None if it lies in none."""
        index = bisect.bisect_right(self.begins, place) - 1
        begin = self.begins[index] if index >= 0 else 0
        size = self.sizes.get(begin, 0)
        return (begin, size) if begin <= place < begin + size else None
