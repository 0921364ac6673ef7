"""Journal: the writes and draws of a call, so that a skipped call, or one that raises, leaves everything unchanged.

Tensors are values: a write replaces the array of a Tensor, so keeping the old array is as good as a copy.
"""

from functools import wraps

import numpy as np

from minispore.context import running, seed
from minispore.tracebacks import fold
from minispore.writes import write

__all__ = []


class Journal:
    """This thread's changes since the journal began: earlier arrays of Tensors, and how many random streams it took."""

    def __init__(self, outermost=True, owner=None):
        self.before, self.drawn, self._draws = {}, 0, None  # streams are counted from the first that it takes
        self.outermost = outermost  # whether no other journal is kept meanwhile
        self.owner = owner  # the object whose call it is, or None

    def writes(self, tensor, array):
        """Keep the present array of a Tensor that is about to get another one."""
        self.before.setdefault(tensor, tensor.array)

    def note_draws(self, before, count):
        """Count streams that the call takes, after ``before`` others."""
        if not self.drawn:
            self._draws = before
        self.drawn += count

    def undo(self, but=()):
        """Restore everything, except the values of the Tensors ``but``.

        The random streams are restored only if no other thread has taken one meanwhile: it would be given out twice.
        """
        for tensor, data in self.before.items():
            if not any(tensor is kept for kept in but):
                write(tensor, data)
        if self.drawn and seed.draws - self._draws == self.drawn:
            seed.draws, self.drawn = self._draws, 0

    def join(self, inner):
        """Merge the journal of a part of the call."""
        for tensor, data in inner.before.items():
            self.before.setdefault(tensor, data)
        self.note_draws(inner._draws, inner.drawn)


def noted(function, *args, **kwargs):
    """``(function's result, journal of its writes)``; if the function raises, nothing has changed.

    The outermost call also restores the thread's context: an interrupt may have come between two lines that restore it.
    """
    return _noted(None, function, args, kwargs)


def _noted(owner, function, args, kwargs):
    now = running.__dict__
    outer = now["journal"]
    journal = Journal(outer is None, owner)
    if outer is None:
        before, errors = {**now, "followed": dict(now["followed"])}, np.geterr()
    try:
        now["journal"] = journal
        return function(*args, **kwargs), journal
    except BaseException:
        journal.undo()
        if outer is None:
            now.update(before)
            np.seterr(**errors)
        raise
    finally:
        now["journal"] = outer
        if outer is not None:
            outer.join(journal)


def all_or_nothing(method):
    """Wrap a method so that, if it raises, Tensors and random streams are as they were."""

    @wraps(method)
    def call(*args, **kwargs):
        try:
            return _noted(args[0], method, args, kwargs)[0]
        except BaseException as error:
            fold(error)
            raise

    return call
