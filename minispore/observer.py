"""Observer: what sees every cell and operation of a thread while it is in force; otherwise nothing costs anything.

While one observes, ``Cell.__call__`` and ``Primitive.__call__`` are replaced by calls that tell it what runs, and it is
``running.recorder``, so that every operation takes the way on which its arrays are shown. Graph mode runs operation by
operation meanwhile.
"""

from functools import partial

from minispore.context import running, under
from minispore.nn.cell import Cell
from minispore.nn.error_location import name_in
from minispore.ops.primitive import Primitive

__all__ = []

_calls = Cell.__call__, Primitive.__call__
_active = []  # the observers in force in all threads


class Observer:
    """Base of observers: it follows the running cells, and observes nothing."""

    def __init__(self):
        self.cells = []  # the running cells with their paths, the outermost first: (cell, "Net.backbone.fc")

    def note(self, primitive, args, arrays, made, single, results):
        """An operation has computed the arrays ``made`` from ``arrays``, those of its arguments ``args``."""

    def note_call(self, call, tensors):
        """Something is told of Tensors, and nothing computed."""

    def writes(self, tensor, array):
        """A Tensor is assigned to."""

    def skip_writes(self, condition, but):
        """What a step writes is undone after it where the Tensor ``condition`` is true."""

    def refuse(self, reason):
        """Something runs that could not be replayed."""

    def read(self, tensor):
        """The host reads a Tensor."""

    def around_cell(self, call, cell, args):
        """What ``call()``, the cell's call, returns."""
        return call()

    def around_operation(self, call, primitive, args):
        """What ``call()``, the primitive's call, returns."""
        return call()

    def path_of(self, cell):
        """Where the running cells have the cell: ``Net.backbone.fc``."""
        if not self.cells:
            return cell.cls_name
        holder, path = self.cells[-1]
        return path if holder is cell else f"{path}{name_in(holder, cell)}"


def _observed_cell(self, *args, **kwargs):
    observer, call = running.recorder, partial(_calls[0], self, *args, **kwargs)
    if not isinstance(observer, Observer):
        return call()
    observer.cells.append((self, observer.path_of(self)))
    try:
        return observer.around_cell(call, self, args)
    finally:
        observer.cells.pop()


def _observed_primitive(self, *args):
    observer, call = running.recorder, partial(_calls[1], self, *args)
    return observer.around_operation(call, self, args) if isinstance(observer, Observer) else call()


class observing:  # noqa: N801 - it reads as a function, in `with observing(observer)`
    """Have ``observer`` observe this thread during a ``with`` block, in the place of an observer that does."""

    def __init__(self, observer):
        self._observer, self._under = observer, under(recorder=observer, quiet=False)

    def __enter__(self):
        _active.append(self._observer)
        Cell.__call__, Primitive.__call__ = _observed_cell, _observed_primitive
        self._under.__enter__()
        return self._observer

    def __exit__(self, *error):
        self._under.__exit__()
        _active.remove(self._observer)
        if not _active:
            Cell.__call__, Primitive.__call__ = _calls
