"""Writes: the one door through which a Tensor gets another array.

A Tensor is a name for an array, and a write gives that name another array. Whoever must know of a write hears of it
before it happens: the tape, so that what was computed before keeps the values from before; the journal, which may undo
it; the recorder, which repeats it (both are layers). An update that finds its value by an operation with a gradient
also takes that operation's place on the tape (``take_over``).
"""

from minispore.core.running import running
from minispore.core.tensor import wrap

__all__ = []


def stand_in(x):
    """Another Tensor of the same values, which the same tape follows."""
    other = wrap(x.array)
    other._tape = x._tape
    return other


def snapshot_before_write(x):
    """Keep the present values of ``x`` for the records so far, in a stand-in for it there, which is returned.

    A gradient that reaches a stand-in of a weight counts for the weight: see ``Trace.stand_ins``.
    """
    tape = running.tape
    if tape is None:
        return x
    old = stand_in(x)
    tape.rename(x, old)
    if x._tape is tape and running.stand_ins is not None:
        running.stand_ins.setdefault(x, []).append(old)
    return old


def write(x, array):
    """Give a Tensor another array."""
    now = running.__dict__
    tape = now["tape"]
    if tape is not None and (x._tape is tape or tape.names(x)):
        snapshot_before_write(x)
    for layer_writes in now["writes"]:
        layer_writes(x, array)
    x.array = array  # after all have heard of it: an interrupt between the two loses nothing


def take_over(xs, outs):
    """Give each of ``xs`` the value of its counterpart in ``outs``, the latest results, and its place on the tape."""
    tape = running.tape
    recorded = tape is not None and outs[0]._tape is tape
    for x, out in zip(xs, outs, strict=True):
        write(x, out.array)
        if recorded:
            x._tape = tape
            tape.rename(out, x)
            if running.stand_ins is not None:
                running.stand_ins.setdefault(x, [])


def settle(x, array):
    """Let a Tensor hold the values that it has in another array; nobody need hear of that."""
    x.array = array
