"""Attempts: a training step run again under other conditions, after which everything is as it was."""

import math
import threading
from contextlib import contextmanager
from functools import cache, partial

import numpy as np

from minispore import backend, nest
from minispore.amp.loss_scale.rule import store
from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.amp.policy.self_casting import CastFloats
from minispore.dtype import NARROW_FLOATS
from minispore.errors import type_error
from minispore.insight.non_finite import NonFinite
from minispore.insight.numerics import is_finite
from minispore.insight.sites import SiteObserver
from minispore.insight.speaker import elected, processes_of
from minispore.journal import noted
from minispore.observer import Observer, observing
from minispore.ops.functional import assign, nan_to_num
from minispore.ops.primitive import Cast
from minispore.tensor import Tensor

__all__ = []

_MOST_PRUNED = 48  # cells, each of which costs a run


class _Again(threading.local):
    """Whether this thread runs a step again, in which no watch of it asks why."""

    runs = False

    def __enter__(self):
        self.runs = True

    def __exit__(self, *error):
        self.runs = False


again = _Again()


def overflowed(step, out):
    """Whether a step that returned ``out`` overflowed.

    Raises:
        TypeError: If ``out`` is not ``(loss, overflow, ...)``.
    """
    if not isinstance(out, tuple) or len(out) < 2:
        raise type_error(step.cls_name, "the step must return a tuple (loss, overflow, ...)", type(out).__name__)
    return bool(out[1])


class Attempts:
    """The ways in which one step can be run again; a data-parallel one by all processes together.

    Args:
        operation (str): The name that errors bear.
        step (TrainOneStepWithLossScaleCell): The step.
        inputs (tuple): Its inputs.
        scale (float): The loss scale that it starts from.
        bottom (frame): The frame at which the user's lines end.

    Attributes:
        speaker (Speaker): The process that tells the others where it comes from, after :meth:`origin`.
    """

    def __init__(self, operation, step, inputs, scale, bottom):
        self.step, self.inputs, self.scale, self._bottom = step, inputs, scale, bottom
        self._operation, self._members, self.speaker = operation, processes_of(step), None
        self._casts = None  # the sites of casts that overflow, which attempts leave out; None while they do not
        self._members.agree(operation, f"the step {step.cls_name} at the loss scale {scale}")

    def origin(self, cells=()):
        """The origin of what is not finite, or None if the step does not overflow; ``cells`` compute in float32."""
        observer = self._observer(NonFinite)
        if not self._overflows(observer, self.scale, self.inputs, cells):
            return None
        origin = observer.origin()
        self.speaker = elected(self._operation, self._members, origin.arose_here)
        return origin

    def is_finite(self, scale=None, inputs=None, cells=(), parameter=None):
        """Whether the step is finite at another scale, of other inputs, with ``cells`` in float32, or a mended one."""
        scale = self.scale if scale is None else scale
        inputs = self.inputs if inputs is None else inputs
        observer = Observer() if self._casts is None else self._observer(SiteObserver, 1)
        return not self._overflows(observer, scale, inputs, cells, parameter)

    def _overflows(self, observer, scale, inputs, cells, parameter=None):
        def run():
            store(self.step.scale_sense, scale)
            if parameter is not None:
                assign(parameter, _zeroed(parameter))
            return self.step(*inputs)

        with observing(observer), _in_float32(cells), again:
            try:
                out, journal = noted(run)
            except self._unfit:
                if self._casts is None:
                    raise
                return True  # without the casts the types do not fit one another, here or in another process
        journal.undo()
        return overflowed(self.step, out)

    @property
    def _unfit(self):
        return TypeError if self._members.size == 1 else (TypeError, RuntimeError)

    def _observer(self, kind, *arguments):
        if self._casts is None:
            return kind(*arguments, self._bottom)
        return _leaving_out(kind)(self._casts, *arguments, self._bottom)

    def casts_left_out(self):
        """From now on leave out each cast to a narrow type that overflows; returns a dict that gathers them.

        Its values are pairs: the site of a cast, and whether the white pass put it there.
        """
        self._casts = {}
        return self._casts

    def greatest_scale(self, cells=()):
        """The greatest power of two from 1 on, below the scale, at which the step is finite; None if there is none."""
        low, high = 0, math.ceil(math.log2(self.scale)) if 0 < self.scale < math.inf else 128
        if low >= high or not self.is_finite(1.0, cells=cells):
            return None
        while high - low > 1:  # finite at low, not at high
            middle = (low + high) // 2
            low, high = (middle, high) if self.is_finite(2.0**middle, cells=cells) else (low, middle)
        return 2.0**low

    def in_float32(self):
        """``(cells, scale)``: the step is finite if the cells compute in float32, and at the scale unless it is None.

        Cells are added where the first that is not finite comes from, and those that prove idle taken out again; None
        if no cells help.
        """
        every = [cell for _, cell in self.step.network.cells_and_names()]
        if not self.is_finite(1.0, cells=every):
            return None
        kept, scale = [], None
        while (origin := self.origin(kept)) is not None:
            scale = self.greatest_scale(kept) if kept else None
            if scale is not None:
                break
            further = self.speaker.chosen(partial(self._innermost, origin, kept), self._cells())
            if further is None:
                kept = [cell for cell in every if not isinstance(cell, _OutputTo16)]
                kept = kept if self.is_finite(1.0, cells=kept) else every
                scale = None if self.is_finite(cells=kept) else self.greatest_scale(kept)
                break
            kept.append(further)
        return self._without_idle(kept, scale), scale

    def _cells(self):
        return [cell for _, cell in self.step.cells_and_names()]

    def _innermost(self, origin, but):
        """The innermost of the cells in which the origin runs, ``but`` those that are named."""
        cells = [cell for cell, _ in origin.event.site.cells] if origin.event else []
        return next((cell for cell in reversed(cells) if cell is not self.step and cell not in but), None)

    def _without_idle(self, kept, scale):
        if len(kept) > _MOST_PRUNED:
            return kept
        for cell in list(kept):
            fewer = [other for other in kept if other is not cell]
            kept = fewer if fewer and self.is_finite(scale, cells=fewer) else kept
        return kept

    def without_non_finite(self, x):
        """The inputs with zeros for what is not finite in the Tensor ``x`` among them; as they are without one."""
        array = None if x is None else x.array

        def mended(leaf):
            return _zeroed(leaf) if isinstance(leaf, Tensor) and leaf.array is array else leaf

        return tuple(nest.map_leaves(mended, given) for given in self.inputs)


def _zeroed(x):
    """A Tensor like ``x`` with zeros for what is not finite."""
    return nan_to_num(x, 0.0, 0.0, 0.0)


@contextmanager
def _in_float32(cells):
    """Let the cells compute in float32, each for itself alone."""
    before = [(cell, cell._compute_dtype) for cell in cells]
    around = [cell for cell in cells if isinstance(cell, _OutputTo16)]  # what is around a cell of a black list
    try:
        for cell in cells:
            object.__setattr__(cell, "_compute_dtype", np.dtype(np.float32))
        for cell in around:
            object.__setattr__(cell, "construct", cell._backbone)
        yield
    finally:
        for cell, mark in before:
            object.__setattr__(cell, "_compute_dtype", mark)
        for cell in around:
            vars(cell).pop("construct", None)


@cache
def _leaving_out(kind):
    """The observer ``kind``, a SiteObserver, that leaves out casts to narrow types that overflow.

    A cast inside another operation's call, which lowers its inputs as its cell is marked, stays.
    """

    class LeavingOut(kind):
        def __init__(self, casts, *arguments):
            super().__init__(*arguments)
            self._casts, self._inside = casts, 0

        def around_operation(self, call, primitive, args):
            if not self._inside and _overflows_as_cast(primitive, args):
                site = self.site(primitive.name)
                self._casts[site.path, site.lines] = site, isinstance(primitive, CastFloats)
                return args[0]
            self._inside += 1
            try:
                return super().around_operation(call, primitive, args)
            finally:
                self._inside -= 1

    return LeavingOut


def _overflows_as_cast(primitive, args):
    """Whether a call is a cast of finite numbers to a narrow type that has no numbers for them."""
    if not isinstance(primitive, Cast) or not isinstance(args[0], Tensor):
        return False
    x, dtype = primitive.adapt(*args)
    if dtype not in NARROW_FLOATS or not is_finite(x.array):
        return False
    return not is_finite(primitive.compute(backend.xp, x.array, dtype))
