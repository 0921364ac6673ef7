"""Reverse-mode differentiation: record operations on a tape, then visit them newest first.

A record is ``(rule, inputs, out)``: ``rule(*inputs, out, dout)`` gives one gradient for each input, as Tensors, or None
where none is needed. Rules are written with the library's own operations, so that differentiating while another tape
records gives derivatives of any order. The engine knows no operation by name, and does not recurse: a longer chain is
only a longer list. ``record_outputs`` makes the records; ``of_two`` holds a copy of it, because a further
function call is a noticeable cost for small Tensors.
"""

import numpy as np

from minispore.core import backend, dtype
from minispore.core.errors import memory_error
from minispore.core.nest import select
from minispore.core.running import running
from minispore.core.tensor import Tensor, wrap

__all__ = []


def needs_grad(x):
    """True if a tape follows ``x``; a rule gives None for the gradient of any other input."""
    try:
        return x._tape is not None
    except AttributeError:  # it is not a Tensor
        return False


def is_differentiable(x):
    """True if ``x`` is a Tensor of a floating type."""
    return isinstance(x, Tensor) and x.array.dtype in dtype.FLOATS


def record_outputs(rule, inputs, outputs):
    """Record a computed operation on the tape, if the tape follows any of its inputs.

    ``outputs`` is a Tensor, or a tuple of Tensors for an operation with several outputs.
    """
    tape = running.tape
    if tape is None:
        return
    for x in inputs:
        if getattr(x, "_tape", None) is tape:
            break
    else:
        return
    for y in outputs if type(outputs) is tuple else (outputs,):
        y._tape = tape
    tape.append((rule, inputs, outputs))


def flatten(tree):
    """The Tensors of a nest, in order."""
    return select(Tensor, tree)


def zeros_like(x):
    """A Tensor of zeros of the shape and dtype of ``x``."""
    return _filled(backend.xp.zeros, x.array)  # a third of the time of the module's own zeros_like


def ones_like(x):
    """A Tensor of ones of the shape and dtype of ``x``."""
    return _filled(backend.xp.ones, x.array)


def _filled(fill, like):
    try:
        return wrap(fill(like.shape, like.dtype))
    except MemoryError as error:
        raise memory_error("grad", error) from error


def constant(number):
    """A 0-d Tensor of one of Python's numbers."""
    return wrap(backend.from_host(np.asarray(number)))


def pass_through(x, out, dout):
    """The rule of an alias: the gradient as it is."""
    return dout


def alias(x):
    """Another Tensor of the same values, through which gradients pass unchanged."""
    other = wrap(x.array)
    record_outputs(pass_through, (x,), other)
    return other


class _Arrived(tuple):
    """The gradients of a record's outputs; one that has not arrived is zeros, which are made when a rule reads them."""

    def __getitem__(self, i):
        if not isinstance(i, int):
            return tuple([self[k] for k in range(*i.indices(len(self)))])
        g = super().__getitem__(i)
        return zeros_like(self.outs[i]) if g is None else g

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))


def _gradients_of(out, grads):
    """The gradients of a record's outputs, as a tuple; None if none has arrived."""
    found = tuple([grads.pop(y, None) for y in out])
    missing = sum([g is None for g in found])
    if missing in (0, len(out)):
        return None if missing else found
    arrived = _Arrived(found)
    arrived.outs = out
    return arrived


def _added(before, g, own, x):
    """``before + g``, in place if ``before`` is a sum in ``own``, which nothing else refers to; the gradient of x."""
    narrow = running.narrow_grads is not None and id(x) in running.narrow_grads
    if hasattr(g, "joined"):  # a gradient that is computed when it is read, with those that it was joined to
        sum_of_both = g.joined(before, x.array.dtype if narrow else None)
        if sum_of_both is not None:
            return sum_of_both
    if narrow:
        before, g = before.astype(x.dtype), g.astype(x.dtype)
    a, b = before.array, g.array
    if before in own and a.dtype == b.dtype and a.shape == b.shape and a.dtype not in dtype.NARROW_FLOATS:
        backend.xp.add(a, b, out=a)
        return before
    out = before + g
    if running.tape is None and not running.seen:
        own.add(out)
    return out


def sweep(records, grads):
    """Visit ``records`` newest first, consuming them: apply each rule to its outputs' gradients and sum the results.

    Args:
        records (list): The records, oldest first.
        grads (dict): Tensor to gradient, holding the seeds; on return, the gradients of all Tensors without a record.
    """
    pop, take, arrived = records.pop, grads.get, grads.pop
    own = set()
    while records:
        rule, inputs, out = pop()
        dout = _gradients_of(out, grads) if type(out) is tuple else arrived(out, None)
        if dout is None:
            continue
        if own:  # a rule may return its argument
            own.difference_update(tuple.__iter__(dout) if isinstance(dout, tuple) else (dout,))
        results = rule(*inputs, out, dout)
        if type(results) in (list, _Arrived):  # the latter if a rule hands on what it was given: without zeros
            results = tuple(results) if type(results) is list else tuple(tuple.__iter__(results))
        for i, g in enumerate(results if type(results) is tuple else (results,)):  # `zip(strict=...)` is far slower
            if g is not None and getattr(inputs[i], "_tape", None) is not None:
                before = take(inputs[i])
                grads[inputs[i]] = g if before is None else _added(before, g, own, inputs[i])
