"""Chains: for each method of layers the chain of those that define it, prepared in a field of ``running``.

Such a field is None or a function for the methods around what runs, and a tuple of functions for the others. So where
no layer is put on, an operation asks one field more. The fields must not hold themselves, or a journal would outlive
its step in a circle of references.
"""

from functools import partial

from minispore.core.context import running

__all__ = []

AROUND = ("around_operation", "around_compute", "around_cell", "around_region")
HEARD = ("writes", "read", "drew", "refuse", "skips")

everywhere = ()  # layers in force in all threads, the innermost first; a silent block has those of its beginning


def install(layer):
    """Put a layer on in all threads, from their next silent block on."""
    global everywhere
    if layer not in everywhere:
        everywhere = (*everywhere, layer)


def remove(layer):
    """Take a layer off in all threads."""
    global everywhere
    everywhere = tuple([other for other in everywhere if other is not layer])


# The bottom, below all layers


def _operation(primitive, args):
    return primitive.call_below(*args)


def _region(method, args, kwargs):
    return method(*args, **kwargs)


BOTTOM = {"around_operation": _operation, "around_region": _region}  # ``silence.py`` adds the other two

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
