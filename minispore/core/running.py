"""The context in which a thread computes: its tape, the dtype of the running cell, and the layers that see it."""

import threading
from types import MappingProxyType

__all__ = []


class _Running(threading.local):
    """The context in which this thread computes; a new thread starts from these values."""

    _begin_with = MappingProxyType({})  # the fields of ``layers.py``

    def __init__(self):
        self.fields = self._begin_with
        self.__dict__.update(self.fields)
        self.tape = None  # the list that operations are recorded on, or None
        self.cast = None  # NumPy dtype to which floating inputs are cast in the running cell, an Autocast, or None
        self.narrowed = None  # NumPy dtype to which the only operation of the running layer is cast afterwards, or None
        self.stand_ins = None  # during a run on a tape: Tensor written -> stand-ins that keep its earlier values
        self.narrow_grads = None  # during a pull-back: ids of weights whose gradient may stay as narrow as their cast
        self.pulling_back = False  # whether a pull-back runs: what computes belongs to gradients
        self.cast_cache = None  # during a step: what was converted to another type: ``kernels/float16/cast.py``
        self.followed = {}  # Parameter -> the tape that follows it: threads share Parameters, but not tapes

    def begin(self, fields):
        """Have this thread, and each new one, begin with ``fields``."""
        type(self)._begin_with = self.fields = fields
        self.__dict__.update(fields)


running = _Running()


class _Changes:
    """Counts changes of settings and of attributes of cells and primitives in use; recordings depend on them."""

    count = 0


changes = _Changes()


class under:  # noqa: N801 - it reads as a function, in `with under(tape=None)`
    """Set fields of ``running`` during a ``with`` block, and restore them however it ends.

    A class rather than a generator, which an interrupt could leave suspended and restore much later.
    """

    def __init__(self, **changes):
        now = running.__dict__
        self._changes, self._before = changes, {name: now[name] for name in changes}

    def __enter__(self):
        try:
            running.__dict__.update(self._changes)
        except BaseException:  # an interrupt, after the update: `__exit__` is not called
            running.__dict__.update(self._before)
            raise

    def __exit__(self, *error):
        running.__dict__.update(self._before)
