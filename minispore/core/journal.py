"""Journal: the writes and draws of a call, so that a skipped call, or one that raises, leaves everything unchanged.

Tensors are values: a write replaces the array of a Tensor, so keeping the old array is as good as a copy.
"""

from functools import wraps

import numpy as np

from minispore.core.layers import Layer
from minispore.core.running import running
from minispore.core.seeds import rewind, seed
from minispore.core.tracebacks import fold
from minispore.core.writes import write

__all__ = []


class Journal(Layer):
    """A thread's changes during a ``with`` block: earlier arrays of Tensors, and how many random streams it took.

    Args:
        owner (object): The object whose call it is. Default: None.
    """

    def __init__(self, owner=None):
        self.before, self.drawn, self._draws = {}, 0, None  # streams are counted from the first that it takes
        self.owner = owner

    def writes(self, tensor, array):
        """Keep the present array of a Tensor that is about to get another one."""
        self.before.setdefault(tensor, tensor.array)

    def drew(self, before, count):
        """Count streams that are taken, after ``before`` others, or given back."""
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
            rewind(self._draws)
            self.drawn = 0

    def undone_if(self, condition, but=()):
        """Undo where the condition, a bool or a Tensor of one, holds; returns True if it has done so.

        If a layer will undo the step itself, return False: the update that follows is then undone too.
        """
        if any(layer_skips(condition, self, but) for layer_skips in running.skips):
            return False
        if bool(condition):
            self.undo(but)
            return True
        return False


def journals():
    """The journals that this thread keeps, the outermost first."""
    return [layer for layer in running.layers if isinstance(layer, Journal)]


def noted(function, *args, **kwargs):
    """``(function's result, journal of its writes)``; if the function raises, nothing has changed.

    The outermost call also restores the thread's context: an interrupt may have come between two lines that restore it.
    """
    return _noted(None, function, args, kwargs)


def _noted(owner, function, args, kwargs):
    now, journal, outermost = running.__dict__, Journal(owner), not journals()
    if outermost:
        before, errors = {**now, "followed": dict(now["followed"])}, np.geterr()
    try:
        with journal:
            return function(*args, **kwargs), journal
    except BaseException:
        journal.undo()
        if outermost:
            now.update(before)
            np.seterr(**errors)
        raise


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
