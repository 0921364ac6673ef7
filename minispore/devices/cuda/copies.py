"""Copies of many arrays by one launch, whatever their dtypes are; copies of results to an address on the device."""

import numpy as np

from minispore.devices.cuda.launch import THREADS, ceil_div, kernel
from minispore.devices.cuda.multi_tensor import Rule, launch

__all__ = []

_COPY = Rule("copy", ("y", "x"), (), (), "", "y[i] = x[i];")
_COPY_UNLESS = Rule("copy_unless", ("y", "x"), ("skip",), (), "if (skip) return;", "y[i] = x[i];")
_CAST = Rule("cast_all", ("y", "x"), (), (), "", "y[i] = y_t(x[i]);")
_MOST = 1024  # blocks of a launch


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


def into_slot(xp, slot, results, piece):
    """Copy results, pairs of a contiguous array and its place in a piece of ``piece`` bytes, and go on to the next."""
    for x, place in results:
        (words,) = _words(x)
        kind = "unsigned" if words.itemsize == 4 else "unsigned char"
        arguments = words, np.int64(words.size), np.int64(place), np.int64(piece), slot
        blocks = min(_MOST, ceil_div(words.size, THREADS))
        kernel(xp, "copies", "into_slot", kind)((blocks,), (THREADS,), arguments)
    kernel(xp, "copies", "next_piece", "long long")((1,), (1,), (slot,))


def set_words(xp, words, values):
    """Set an array of two uint64."""
    kernel(xp, "copies", "set_words", "unsigned long long")((1,), (1,), (words, *map(np.uint64, values)))


def add_unless(xp, words, count, skip):
    """Add to the second of two uint64, unless the 0-d bool ``skip`` is true; None for always."""
    arguments = words, np.uint64(count), np.uintp(0) if skip is None else skip
    kernel(xp, "copies", "add_unless", "unsigned long long")((1,), (1,), arguments)
