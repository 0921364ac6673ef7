"""Observation: layers that note operations, who sees what a thread runs, and computing unseen."""

from minispore.core import backend, layers
from minispore.core.layers import Layer, composed, switch
from minispore.core.running import running

__all__ = []


class Noting(Layer):
    """Base of layers that note each operation with the arrays that it takes and makes; a subclass defines ``note``."""

    def around_compute(self, call, primitive, args, arrays):
        """Compute an operation, and note it."""
        result = call(primitive, args, arrays)
        made, single = backend.as_arrays(primitive.name, result), type(result) is not tuple
        self.note(primitive, args, arrays, (made,) if single else made, single, (result,) if single else result)
        return made

    def note(self, primitive, args, arrays, made, single, results):
        """An operation has computed the arrays ``made`` from ``arrays``, those of its arguments ``args``.

        ``results`` is what it returned, where NumPy may have made scalars; ``single`` is True for one that is no tuple.
        """


class alone:  # noqa: N801 - it reads as a function, in `with alone()`
    """Take this thread's layers off during a ``with`` block, so that what a layer computes is not seen."""

    def __enter__(self):
        before = running.fields
        self._switched = before, composed(layers.everywhere if before["silent"] else (), before["silent"])
        switch(*self._switched)

    def __exit__(self, *error):
        switch(self._switched[1], self._switched[0])


def in_force():
    """The layers that see what this thread runs next, the innermost first."""
    fields = running.fields
    return fields["layers"] if fields["silent"] else layers.everywhere + fields["layers"]


def are_seen():
    """True if a layer sees the operations of this thread."""
    return any("around_operation" in layer.has or "around_compute" in layer.has for layer in in_force())
