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
that was put on last is the outermost. ``running`` holds one prepared field for each method: None or a function for the
first four, a tuple of functions for the others. So where no layer is put on, an operation asks one field more.

Below all layers is the bottom. It computes with NumPy's warnings off, since inf and nan are results here; once a block
is ``silent``, what runs in it needs no bottom.
"""

from functools import partial

import numpy as np

from minispore.core import backend
from minispore.core.context import running

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
        self._switched = fields, _above(fields, self)
        _switch(*self._switched)
        return self

    def __exit__(self, *error):
        _leave(*self._switched, [self])
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


class silent:  # noqa: N801 - it reads as a function, in `with silent()`
    """Compute without NumPy's warnings during a ``with`` block, under the layers that are in force everywhere."""

    def __enter__(self):
        before = running.fields
        if before["silent"]:
            self._switched = None
            return
        self._errors = np.errstate(all="ignore")
        self._errors.__enter__()
        try:
            self._ours = everywhere
            layers = self._ours + before["layers"]
            self._switched = before, _composed(layers, True) if layers else SILENT
            _switch(*self._switched)
        except BaseException:
            self._errors.__exit__(None, None, None)
            raise

    def __exit__(self, *error):
        if self._switched is None:
            return
        try:
            _leave(*self._switched, self._ours)
        finally:
            self._errors.__exit__(*error)


class alone:  # noqa: N801 - it reads as a function, in `with alone()`
    """Take this thread's layers off during a ``with`` block, so that what a layer computes is not seen."""

    def __enter__(self):
        before = running.fields
        self._switched = before, _composed(everywhere if before["silent"] else (), before["silent"])
        _switch(*self._switched)

    def __exit__(self, *error):
        _switch(self._switched[1], self._switched[0])


def install(layer):
    """Put a layer on in all threads, from their next silent block on."""
    global everywhere
    if layer not in everywhere:
        everywhere = (*everywhere, layer)


def remove(layer):
    """Take a layer off in all threads."""
    global everywhere
    everywhere = tuple([other for other in everywhere if other is not layer])


def in_force():
    """The layers that see what this thread runs next, the innermost first."""
    fields = running.fields
    return fields["layers"] if fields["silent"] else everywhere + fields["layers"]


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


# The bottom


def _operation(primitive, args):
    return primitive.call_below(*args)


def _compute(primitive, args, arrays):
    if running.silent:
        return primitive.computed(backend.xp, *arrays)
    if not everywhere:  # an operation outside of all cells needs no fields of its own
        with np.errstate(all="ignore"):
            return primitive.computed(backend.xp, *arrays)
    with silent():
        around = _composed(everywhere, True)["around_compute"]  # the thread's own are above this bottom
        return (around or _compute)(primitive, args, arrays)


def _cell(cell, args, kwargs):
    if running.silent:
        return cell._run(*args, **kwargs)
    with silent():
        around = running.around_region
        return cell._run(*args, **kwargs) if around is None else around(cell._run, args, kwargs)


def _region(method, args, kwargs):
    return method(*args, **kwargs)


_BOTTOM = dict(zip(AROUND, (_operation, _compute, _cell, _region), strict=True))


# The prepared fields: they must not hold themselves, or a journal would outlive its step in a circle of references

SILENT = {**dict.fromkeys(AROUND), **dict.fromkeys(HEARD, ()), "layers": (), "silent": True, "seen": False}
LOUD = {**SILENT, "around_compute": _compute, "around_cell": _cell, "silent": False, "seen": True}


def _above(fields, layer):
    """The fields with one layer more, above the others."""
    fields = fields.copy()
    for name in layer.has:
        method = getattr(layer, name)
        fields[name] = (*fields[name], method) if name in HEARD else partial(method, fields[name] or _BOTTOM[name])
    fields["layers"] = (*fields["layers"], layer)
    fields["seen"] = fields["around_operation"] is not None or fields["around_compute"] is not None
    return fields


def _composed(layers, is_silent):
    """The fields for layers, the innermost first."""
    fields = SILENT if is_silent else LOUD
    for layer in layers:
        fields = _above(fields, layer)
    return fields


def _switch(before, after):
    """Put the fields ``after`` in force; an interrupt on the way leaves ``before``."""
    now = running.__dict__
    try:
        now.update(after)
        now["fields"] = after
    except BaseException:
        now.update(before)
        now["fields"] = before
        raise


def _leave(before, mine, layers):
    """Take ``layers`` off, and go back to ``before``; layers that were put on meanwhile, and not taken off, stay."""
    now = running.fields
    if now is mine:
        _switch(mine, before)
        return
    left = tuple([layer for layer in now["layers"] if not any(layer is other for other in layers)])
    _switch(now, _composed(left, before["silent"] if mine["silent"] != before["silent"] else now["silent"]))


running.begin(LOUD)
