"""Journal: what a call writes and draws, so that a call that is skipped or that raises leaves everything as it was.

Tensors are values: a write puts another array in the place of the one before, which is as good as a copy of it.
"""

from functools import wraps

import numpy as np

from minispore.context import running, seed
from minispore.tracebacks import fold

__all__ = []


class Journal:
    """What this thread has changed since it began: the arrays that Tensors had, and how many random streams it took."""

    def __init__(self):
        self.before, self.drawn, self._draws = {}, 0, seed.draws

    def note(self, tensor):
        """Keep the array of a Tensor that is about to be given another one."""
        self.before.setdefault(tensor, tensor.array)

    def undo(self, but=None):
        """Put everything back, except the values of the Tensor ``but``.

        The random streams are put back only where no other thread has taken one meanwhile, which would then be given
        out twice.
        """
        for tensor, data in self.before.items():
            if tensor is not but:
                tensor.array = data
        if seed.draws - self._draws == self.drawn:
            seed.draws, self.drawn = self._draws, 0

    def join(self, inner):
        """Take over what a journal of a part of the call has noted."""
        for tensor, data in inner.before.items():
            self.before.setdefault(tensor, data)
        self.drawn += inner.drawn


def noted(function, *args, **kwargs):
    """The pair of what a function returns and the journal of what it wrote; where it raises, nothing has changed.

    What the thread runs under is put back too, by the outermost call: an interrupt may have come between two lines that
    restore it.
    """
    outer, journal = running.journal, Journal()
    if outer is None:
        before, errors = {**running.__dict__, "followed": dict(running.followed)}, np.geterr()
    try:
        running.journal = journal
        return function(*args, **kwargs), journal
    except BaseException:
        journal.undo()
        if outer is None:
            running.__dict__.update(before)
            np.seterr(**errors)
        raise
    finally:
        running.journal = outer
        if outer is not None:
            outer.join(journal)


def all_or_nothing(method):
    """A method that, where it raises, leaves Tensors and random streams as they were."""

    @wraps(method)
    def call(*args, **kwargs):
        try:
            return noted(method, *args, **kwargs)[0]
        except BaseException as error:
            fold(error)
            raise

    return call
