"""Layers: objects that see what a thread runs while they are put on, by a ``with``.

A recorder, a journal, an observer and the overflow register of a device are layers. A layer defines those of these
methods that it needs:

====================  ==================================================================================================
around_operation      ``(call, primitive, args)``: the call of an operation as it is written, before casts
around_compute        ``(call, primitive, args, arrays)``: its computation, after casts and checks
around_cell           ``(call, cell, args, kwargs)``: the call of a cell
around_region         ``(call, method, args, kwargs)``: a method of a cell that decides nothing on the host
writes                ``(tensor, array)``: a Tensor is about to get another array
read                  ``(tensor)``: the host reads the values of a Tensor
drew                  ``(before, count)``: random streams are taken, or given back, after ``before`` others
refuse                ``(reason)``: what runs could not be replayed
skips                 ``(condition, journal, but)``: True if the layer undoes a step itself where the condition holds
====================  ==================================================================================================

The first four are around what runs: ``call`` takes the other arguments and continues with the layer below. The layer
that was put on last is the outermost. ``chains.py`` prepares for each method one field of ``running``. Below all layers
is the bottom, of ``silence.py``.
"""

from minispore.core import backend, chains
from minispore.core.chains import AROUND, HEARD, above, composed, leave, switch
from minispore.core.context import running

__all__ = []


class Layer:
    """Base of layers: a context manager, in force for the thread that enters it."""

    has = ()  # the methods above that the class defines

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.has = tuple([name for name in (*AROUND, *HEARD) if hasattr(cls, name)])

    def __enter__(self):
        fields = running.fields
        self._switched = fields, above(fields, self)
        switch(*self._switched)
        return self

    def __exit__(self, *error):
        leave(*self._switched, [self])
        del self._switched


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
        self._switched = before, composed(chains.everywhere if before["silent"] else (), before["silent"])
        switch(*self._switched)

    def __exit__(self, *error):
        switch(self._switched[1], self._switched[0])


def in_force():
    """The layers that see what this thread runs next, the innermost first."""
    fields = running.fields
    return fields["layers"] if fields["silent"] else chains.everywhere + fields["layers"]


def are_seen():
    """True if a layer sees the operations of this thread."""
    return any("around_operation" in layer.has or "around_compute" in layer.has for layer in in_force())


def refuse(reason):
    """Tell the layers that what runs cannot be replayed."""
    for layer_refuses in running.refuse:
        layer_refuses(reason)


def region(method, *args, **kwargs):
    """Call a cell's method that decides nothing on the host, which a layer may replay."""
    around = running.around_region
    return method(*args, **kwargs) if around is None else around(method, args, kwargs)
