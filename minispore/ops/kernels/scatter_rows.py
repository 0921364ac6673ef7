"""Rows added to rows of an array that an index may name several times (NumPy only), as an embedding's gradient is.

``np.add.at`` adds number by number. Here a stable sort finds the rows that go to one place. In the first round every
place takes the first of its rows, all in a few calls; in the second round its second, and so on. The few places that
are named far more often than others, such as that of a filling word, add the rest of their rows one place at a time.
Each number is added in the order of the index, as ``np.add.at`` does it.
"""

import numpy as np

_ROUND = 4  # places whose rest is added in the time of one round
_SHORT = 1 << 16  # places up to which 16 bits sort several times as fast


def add_rows(out, index, x):
    """``out[index[i]] += x[i]`` for each i, in this order; index is (N,) of ints from 0 on.

    The rows of x (N, ...) have two numbers or more: NumPy would add a single column pairwise.
    """
    x = np.ascontiguousarray(x)  # `take` would copy all of another one each time
    order, places, starts, counts = _by_place(index, len(out))
    most = counts[0] if len(counts) else 0
    named = np.searchsorted(-counts, -np.arange(most + 1))  # how many places have more rows than so many rounds add
    rounds = np.argmin(named + _ROUND * np.arange(most + 1))
    for done, m in enumerate(named[:rounds].tolist()):
        rows = starts[:m] + done
        sums = out.take(places[rows], axis=0)
        sums += x.take(order[rows], axis=0)
        out[places[rows]] = sums
    for start, count in zip(starts[: named[rounds]], counts[: named[rounds]], strict=True):
        _add_rest(out, places[start], x.take(order[start + rounds : start + count], axis=0))


def _by_place(index, length):
    """A stable order of ``index``, the places in this order, and where each begins and how often it comes.

    The places that come most often are the first of these last two.
    """
    order = np.argsort(index.astype(np.uint16) if length <= _SHORT else index, kind="stable")
    places = index[order]
    starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))[: len(index)]
    counts = np.diff(starts, append=len(index))
    by_count = np.argsort(-counts, kind="stable")
    return order, places, starts[by_count], counts[by_count]


def _add_rest(out, place, rows):
    """Add ``rows`` to one row of ``out``, one after another."""
    out[place] = np.add.reduce(np.concatenate((out[place][None], rows.astype(out.dtype, copy=False))), axis=0)
