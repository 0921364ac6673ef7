"""Copies of many arrays by one launch, whatever their dtypes are; copies of results to an address on the device."""

import numpy as np

from minispore.devices.cuda.launch import THREADS, ceil_div, kernel
from minispore.devices.cuda.multi_tensor import Rule, launch

__all__ = []

_COPY = Rule("copy", ("y", "x"), (), (), "", "y[i] = x[i];")
_COPY_UNLESS = Rule("copy_unless", ("y", "x"), ("skip",), (), "if (skip) return;", "y[i] = x[i];")
_CAST = Rule("cast_all", ("y", "x"), (), (), "", "y[i] = y_t(x[i]);")
_MOST = 128  # blocks of a copy
_FIELDS, _ALWAYS, _UNLESS, _RESULT = 5, 0, 1, 2  # of a copy in ``copies.cu``, and its kinds


def copy_all(xp, pairs, skip=None):
    """``y = x`` for pairs (y, x) of contiguous arrays, or, where the 0-d bool ``skip`` is true, nothing."""
    lists = [_words(y, x) for y, x in pairs if y.size]
    if skip is None:
        launch(xp, _COPY, lists)
    else:
        launch(xp, _COPY_UNLESS, lists, (skip,))


def cast_all(xp, pairs):
    """``y = x``, rounded, for pairs (y, x) of a narrow array and one of float32."""
    launch(xp, _CAST, [pair for pair in pairs if pair[0].size])


def _words(*arrays):
    """The arrays' memory as numbers of 32 bits, or of 8 where one has another length or begins between two."""
    whole = all(x.nbytes % 4 == 0 and x.data.ptr % 4 == 0 for x in arrays)
    return [x.reshape(-1).view(np.uint32 if whole else np.uint8) for x in arrays]


# A slot is two numbers on the device: where a block of memory begins, and how many pieces of it have been used.


def begin_block(xp, slot, block):
    """Let the next results go into the first piece of ``block``, an array of bytes."""
    kernel(xp, "copies", "begin_block", "long long")((1,), (1,), (slot, np.int64(block.data.ptr)))


class Delivery:
    """One launch that copies results into a slot's piece, and new values to their places; then the piece is the next.

    What is copied stands in a table on the device. So a list of any length takes one launch, which a captured stream
    may record before the table is there.
    """

    def __init__(self, xp, count):
        self._table, self._rows = xp.zeros((count, _FIELDS), np.int64), None
        self._counter = xp.zeros(1, np.uint32)  # of the blocks that have ended; 0 before and after

    def launch(self, xp, slot, piece, results, always, unless, skip):
        """Copy ``results``, pairs of an array and its place in the piece, and ``always`` and ``unless``, pairs (y, x).

        ``unless`` is left out where the 0-d bool ``skip`` is true. A result may be a whole y: then it is read first.
        """
        self._rows = _rows(results, always, unless)
        blocks = max(1, min(_MOST, ceil_div(max(row[2] for row in self._rows), 16 * THREADS)))
        arguments = self._table, slot, np.int64(piece), np.uintp(0) if skip is None else skip, self._counter
        kernel(xp, "copies", "deliver", "long long")((blocks, len(self._rows)), (THREADS,), arguments)

    def send(self):
        """Bring the table of the last launch to the device, from where later runs of that launch read it."""
        if self._rows:
            self._table[: len(self._rows)].set(np.array(self._rows, np.int64))


def _rows(results, always, unless):
    kinds = (_ALWAYS, always), (_UNLESS, unless)
    rows = [[y.data.ptr, x.data.ptr, x.nbytes, kind, -1] for kind, pairs in kinds for y, x in pairs]
    written = {row[0]: row for row in rows}
    for x, place in results:
        row = written.get(x.data.ptr)
        if row is not None and row[2] == x.nbytes and row[4] < 0:
            row[4] = place
        else:
            rows.append([place, x.data.ptr, x.nbytes, _RESULT, -1])
    return rows


def set_words(xp, words, values):
    """Set an array of two uint64."""
    kernel(xp, "copies", "set_words", "unsigned long long")((1,), (1,), (words, *map(np.uint64, values)))


def add_unless(xp, words, count, skip):
    """Add to the second of two uint64, unless the 0-d bool ``skip`` is true; None for always."""
    arguments = words, np.uint64(count), np.uintp(0) if skip is None else skip
    kernel(xp, "copies", "add_unless", "unsigned long long")((1,), (1,), arguments)
