"""Layers: objects that see what a thread runs while they are put on, by a ``with``.

A recorder, a journal, an observer and the overflow register of a device are layers. A layer defines those of these
methods that it needs:

====================  ==================================================================================================
around_operation      ``(call, primitive, args)``: the call of an operation as it is written, before casts
around_compute        ``(call, primitive, args, arrays)``: its computation, after casts and checks
around_cell           ``(call, cell, args, kwargs)``: the call of a cell
around_region         ``(call, method, args, kwargs)``: a method of a cell without a branch on values
writes                ``(tensor, array)``: a Tensor is about to get another array
read                  ``(tensor)``: the host reads the values of a Tensor
drew                  ``(before, count)``: random streams are taken, or given back, after ``before`` others
refuse                ``(reason)``: what runs could not be replayed
skips                 ``(condition, journal, but)``: True if the layer undoes a step itself where the condition holds
====================  ==================================================================================================

The first four wrap the call: ``call`` takes the other arguments and continues with the layer below. The layer
that was put on last is the outermost. ``running`` holds one prepared field for each method: None or a function for the
first four, a tuple of functions for the others. So where no layer is put on, an operation asks one field more. Below
all layers is the bottom, of ``silence.py``.
"""

from functools import partial

from minispore.core.running import running

__all__ = []

AROUND = ("around_operation", "around_compute", "around_cell", "around_region")
HEARD = ("writes", "read", "drew", "refuse", "skips")

everywhere = ()  # layers in force in all threads, the innermost first; a silent block has those of its beginning


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


def install(layer):
    """Put a layer on in all threads, from their next silent block on."""
    global everywhere
    if layer not in everywhere:
        everywhere = (*everywhere, layer)


def remove(layer):
    """Take a layer off in all threads."""
    global everywhere
    everywhere = tuple([other for other in everywhere if other is not layer])


def refuse(reason):
    """Tell the layers that what runs cannot be replayed."""
    for layer_refuses in running.refuse:
        layer_refuses(reason)


def region(method, *args, **kwargs):
    """Call a cell's method without a Python branch on a Tensor's value, which a layer may replay.

    Regions nest: the outermost one that can be replayed is replayed; else those inside it may be.
    """
    around = running.around_region
    return method(*args, **kwargs) if around is None else around(method, args, kwargs)


# The bottom


def _region(method, args, kwargs):
    return method(*args, **kwargs)


BOTTOM = {"around_region": _region}  # ``primitive.py``, ``silence.py`` and ``lone_operations.py`` add the others


# The prepared fields: they must not hold themselves, or a journal would outlive its step in a circle of references

SILENT = {**dict.fromkeys(AROUND), **dict.fromkeys(HEARD, ()), "layers": (), "silent": True, "seen": False}
LOUD = {**SILENT, "silent": False, "seen": True}


def above(fields, layer):
    """The fields with one layer more, above the others."""
    fields = fields.copy()
    for name in layer.has:
        method = getattr(layer, name)
        fields[name] = (*fields[name], method) if name in HEARD else partial(method, fields[name] or BOTTOM[name])
    fields["layers"] = (*fields["layers"], layer)
    fields["seen"] = fields["around_operation"] is not None or fields["around_compute"] is not None
    return fields


def composed(layers, is_silent):
    """The fields for layers, the innermost first."""
    fields = SILENT if is_silent else LOUD
    for layer in layers:
        fields = above(fields, layer)
    return fields


def switch(before, after):
    """Put the fields ``after`` in force; an interrupt on the way leaves ``before``."""
    now = running.__dict__
    try:
        now.update(after)
        now["fields"] = after
    except BaseException:
        now.update(before)
        now["fields"] = before
        raise


def leave(before, mine, layers):
    """Take ``layers`` off, and go back to ``before``; layers that were put on meanwhile, and not taken off, stay."""
    now = running.fields
    if now is mine:
        switch(mine, before)
        return
    left = tuple([layer for layer in now["layers"] if not any(layer is other for other in layers)])
    switch(now, composed(left, before["silent"] if mine["silent"] != before["silent"] else now["silent"]))
