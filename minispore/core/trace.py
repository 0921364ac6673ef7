"""Trace: one recorded run of a function, and the gradients that a sweep over its records gives."""

import operator
from contextlib import contextmanager
from functools import reduce

from minispore.core.nest import map_leaves
from minispore.core.records import Tape
from minispore.core.running import running, under
from minispore.core.silence import silent
from minispore.core.tape import alias, flatten, sweep, zeros_like
from minispore.core.tensor import Tensor
from minispore.core.tracebacks import fold
from minispore.core.writes import write

__all__ = []


def own(x):
    """A Tensor of its own in the place of one that the caller may write into; anything else as it is."""
    return alias(x) if isinstance(x, Tensor) else x


def _origin(x):
    """A stand-in for input ``x`` at which differentiation starts, linked to ``x`` for an outer derivative."""
    if not isinstance(x, Tensor):
        return x
    origin = alias(x)
    origin._tape = running.tape
    return origin


@contextmanager
def _followed(weights, tape):
    """Let ``tape`` follow the Parameters ``weights`` during a ``with`` block."""
    marks = [w._tape for w in weights]
    try:
        for w in weights:
            w._tape = tape
        yield
    finally:
        for w, mark in zip(weights, marks, strict=False):
            w._tape = mark


class Trace:
    """One recorded run of a function: its output, the origins that stood in for its inputs, and the records.

    Inside a run that is itself recorded (a derivative of a derivative), the same tape continues and keeps the records.
    """

    def __init__(self, fn, args, positions=(), weights=()):
        outer, outer_stand_ins = running.tape, running.stand_ins
        self.tape = Tape() if outer is None else outer
        self.weights, args = weights, list(args)
        self.cast_cache = {} if running.cast_cache is None else running.cast_cache
        self.stand_ins = {}  # Tensor that the run writes -> stand-ins that keep its values from before each write
        run = under(tape=self.tape, cast_cache=self.cast_cache, stand_ins=self.stand_ins)
        with run, _followed(weights, self.tape), silent():
            self.inputs = [map_leaves(_origin, args[p]) for p in positions]
            start = len(self.tape)
            given = [(x, args[p]) for p, x in zip(positions, self.inputs, strict=True)]
            for p, x in zip(positions, self.inputs, strict=True):
                args[p] = map_leaves(own, x)  # what the function writes into it, the input's gradient must not see
            copies = [args[p] for p in positions]
            try:
                out = fn(*args)
                self._hand_back(given, copies)
                self.out = map_leaves(self._kept, out) if self.stand_ins else out
                self.records = self.tape[start:]
            except Exception as error:
                fold(error)
                raise
            finally:
                if outer is None:
                    del self.tape[start:]
                self._hand_on(outer_stand_ins)

    def _kept(self, y):
        """The output itself, or an alias of it if the run wrote it, which later writes do not reach."""
        return alias(y) if isinstance(y, Tensor) and y in self.stand_ins else y

    def _hand_back(self, given, copies):
        """Count the gradients of copies that the run wrote for their inputs; a Parameter takes the new values."""
        for (origins, xs), mine in zip(given, copies, strict=True):
            for origin, x, copy in zip(flatten(origins), flatten(xs), flatten(mine), strict=True):
                if copy.array is not origin.array:
                    self.stand_ins[origin] = [copy]
                    if x.is_state:
                        write(x, copy.array)

    def _hand_on(self, outer):
        """Report written Tensors to the enclosing run; without one, no tape follows them any more."""
        for x, stand_ins in self.stand_ins.items():
            if outer is None:
                x._tape = None
            else:
                outer.setdefault(x, []).extend(stand_ins)

    def gradients(self, seeds, keep=False, narrow=False, visit=None):
        """The gradients ``(of the inputs, of the weights)``, from pairs ``(output, gradient of the output)``.

        A Tensor without a path to the outputs gets zeros; an input that is not a Tensor gets None. Unless ``keep`` is
        True, the records are consumed, which frees their memory on the way. With ``narrow`` the gradient of a weight
        that was cast to float16 or bfloat16 may be of that dtype: the same numbers, which the caller widens.
        ``visit(trace, grads, narrow)`` may sweep and collect in its own way: several processes do.
        """
        grads, cast_cache = {}, None if keep else self.cast_cache
        narrow_grads = {id(w) for w in self.weights if w not in self.stand_ins} if narrow else None
        state = under(cast=None, cast_cache=cast_cache, narrow_grads=narrow_grads, pulling_back=True)
        with state, self._followed(), silent():
            for out, seed in seeds:
                if out._tape is self.tape:
                    grads[out] = grads[out] + seed if out in grads else seed
            if visit is not None:
                return visit(self, grads, narrow)
            sweep(list(self.records) if keep else self.records, grads)
            inputs = [map_leaves(lambda leaf: self.gradient_of(leaf, grads), x) for x in self.inputs]
            return inputs, tuple([self.gradient_of(w, grads, narrow) for w in self.weights])

    def named(self, x):
        """A Tensor, and the stand-ins that have its name in the records: the gradients of all are gradients of it."""
        return x, *self.stand_ins.get(x, ())

    def _followed(self):
        return _followed((*self.weights, *self.stand_ins), self.tape)

    def gradient_of(self, x, grads, narrow=False):
        """The gradient of an input or a weight, from those that a sweep has left; None if it is no Tensor."""
        if not isinstance(x, Tensor):
            return None
        several = [g for g in map(grads.get, self.named(x)) if g is not None]
        if not several:
            return zeros_like(x)
        found = several[0] if len(several) == 1 else reduce(operator.add, several)
        if found.array.dtype != x.array.dtype and not narrow:  # an integer input that was promoted to a floating type
            return found.astype(x.dtype)
        return alias(found)  # two inputs may share one gradient
