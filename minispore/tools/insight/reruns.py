"""Reruns of a training step under other conditions; after each one everything is restored."""

import math
from contextlib import contextmanager, nullcontext
from functools import cache

import numpy as np

from minispore.amp.policy.cast_cells import _OutputTo16
from minispore.amp.policy.self_casting import CastFloats
from minispore.core import backend, nest
from minispore.core.dtype import NARROW_FLOATS
from minispore.core.errors import runtime_error
from minispore.core.journal import noted
from minispore.core.observation import alone
from minispore.core.seeds import seed
from minispore.core.tensor import Tensor, wrap
from minispore.nn.optim.optimizer import Optimizer
from minispore.ops.casting import Cast
from minispore.ops.functional import assign, nan_to_num
from minispore.tools.hopeless_skips import trial
from minispore.tools.insight.counters import Counters, users_cells
from minispore.tools.insight.leader import elected, processes_of
from minispore.tools.insight.non_finite import NonFinite, Origin
from minispore.tools.insight.numerics import is_finite
from minispore.tools.insight.operation_sites import SiteObserver
from minispore.tools.observer import Observer

__all__ = []


class Reruns:
    """Reruns of one step; all processes run a data-parallel step together.

    The first run is the step itself, and its errors are the user's. An error of any other run means that this way does
    not help.

    Args:
        operation (str): The name in error messages.
        subject (Step): The step.
        inputs (tuple): Its inputs.
        scale (float): The initial loss scale, or None.
        bottom (frame): The frame at which the user's lines end.
        before (Before): The state before the step; None if the step has been restored already.

    Attributes:
        leader (Leader): The leader: the process that sends the origin to the others, after :meth:`origin`.
        found (str): The part of the step that was not finite in the first run: "gradients", "loss" or "parameters".
        runs (int): How often the step has run.
    """

    def __init__(self, operation, subject, inputs, scale, bottom, before=None):
        self.subject, self.inputs, self.scale, self._bottom, self._before = subject, inputs, scale, bottom, before
        self._operation, self._members, self.leader = operation, processes_of(subject), None
        self._counters = Counters(users_cells(subject.all_cells()))
        self._casts = None  # sites of overflowing casts, which reruns leave out; None while they keep them
        self.found, self.runs, self._order = None, 0, []
        at = "" if scale is None else f" at the loss scale {scale}"
        self._members.agree(operation, f"the step {subject.name}{at}")

    def origin(self, cells=(), scale=None):
        """The origin of the non-finite numbers, or None if the step is finite; ``cells`` compute in float32.

        The ``scale`` is another loss scale; None for its own.
        """
        observer, first = self._observer(NonFinite), not self.runs
        found = self._not_finite(observer, self.scale if scale is None else scale, self.inputs, cells)
        if first:
            self.found, self._order = found, [cell for cell in observer.order if cell is not self.subject.root]
            self.subject.settle([cell for cell in observer.order if cell in observer.roots])
        if found is None:
            return None
        origin = observer.origin() if found != "error" else Origin(None, None)
        self.leader = elected(self._operation, self._members, origin.arose_here)
        return origin

    def observed(self, observer):
        """Run the step again, seen by an observer."""
        self._not_finite(observer, self.scale, self.inputs, ())

    def cells_in_order(self):
        """The network's cells in the order of their first calls, in one process."""
        every = self.subject.cells()
        within = set(map(id, every))
        if self._members.size > 1 or not every:
            return every
        outside = set(map(id, self.subject.all_cells())) - within  # the optimizer's cells, and the scale's
        ran = [cell for cell in self._order if id(cell) not in outside and not isinstance(cell, Optimizer)]
        seen = set(map(id, ran))
        return ran + [cell for cell in every if id(cell) not in seen]

    def is_finite(self, scale=None, inputs=None, cells=(), changed=()):
        """True if the step is finite with another scale, other inputs, ``cells`` in float32, or changed Tensors.

        ``changed`` are pairs of a Tensor of the step and a function that returns its replacement.
        """
        scale = self.scale if scale is None else scale
        inputs = self.inputs if inputs is None else inputs
        observer = Observer() if self._casts is None else self._observer(SiteObserver, 1)
        return self._not_finite(observer, scale, inputs, cells, changed) is None

    def _not_finite(self, observer, scale, inputs, cells, changed=()):
        """The part that is not finite; "error" for a rerun that raises, here or in another process."""
        raised, now = None, None if self._before is None else seed.draws
        checks = _Checks(observer)
        try:
            with alone(), trial, _in_float32(cells):
                out, journal = noted(self._run, checks, scale, inputs, changed)
            try:
                found = self._found(out, journal, checks)
            finally:
                journal.undo()
        except Exception as error:
            found, raised = "error", error  # such as types that do not fit without the casts
        finally:
            self._counters.restore()
            if now is not None and seed.draws == self._before.draws:
                seed.draws = now
        found = self._agreed(found)
        self.runs += 1
        if found == "error" and self.runs == 1:
            raise raised or runtime_error(self._operation, "the step must run again in all processes", "an error")
        return found

    def _run(self, checks, scale, inputs, changed):
        """Run the step from its initial state."""
        if self._before is not None:
            self._before.restore()
        for x, function in changed:
            assign(x, function(x))
        with nullcontext() if scale is None else self.subject.at_scale(scale), checks.observer, checks:
            return self.subject.run(inputs)

    def _found(self, out, journal, checks):
        """The part that is not finite, looked for before the step's writes are undone."""
        failed = checks.failed or self.subject.reports(out)
        found = "gradients" if failed else self.subject.not_finite_in(out, journal)
        if found is not None and isinstance(checks.observer, NonFinite):
            checks.observer.end((out, *self.subject.weights(journal)))
        return found

    def _agreed(self, found):
        """The non-finite part of the first process with one; "error" if any process has an error."""
        if self._members.size == 1:
            return found
        texts = self._members.exchange_texts(self._operation, found or "")
        return "error" if "error" in texts else next((text for text in texts if text), None)

    def _observer(self, kind, *arguments):
        if self._casts is None:
            return kind(*arguments, self._bottom)
        return _leaving_out(kind)(self._casts, *arguments, self._bottom)

    def casts_left_out(self):
        """From now on leave out each overflowing cast to a narrow type; returns a dict that collects them.

        Its values are pairs: the site of a cast, and True if the white pass put it there.
        """
        self._casts = {}
        return self._casts

    def greatest_scale(self, cells=(), works=False):
        """The greatest power of two from 1 on, below the scale, at which the step is finite, or None.

        ``works`` is True if the step is known to be finite at 1.
        """
        if self.scale is None:
            return None
        low, high = 0, math.ceil(math.log2(self.scale)) if 0 < self.scale < math.inf else 128
        if low >= high or not (works or self.is_finite(1.0, cells=cells)):
            return None
        while high - low > 1:  # finite at low, not at high
            middle = (low + high) // 2
            low, high = (middle, high) if self.is_finite(2.0**middle, cells=cells) else (low, middle)
        return 2.0**low

    def weights(self):
        """Pairs of the Parameters that the step may write, and their initial arrays."""
        before = {} if self._before is None else self._before.arrays
        return [(p, before.get(p, p.array)) for p in self.subject.weights()]

    def without_non_finite(self, x):
        """The inputs, with zeros for the non-finite numbers of the Tensor ``x``, if it is among them."""
        array = None if x is None else x.array

        def mended(leaf):
            return zeroed(leaf) if isinstance(leaf, Tensor) and leaf.array is array else leaf

        return tuple(nest.map_leaves(mended, given) for given in self.inputs)


class Before:
    """The state before a call: the arrays that the call has replaced, and the number of random streams taken.

    Args:
        arrays (dict): Tensors, and their arrays before.
        draws (int): The random streams.
        counters (Counters): The cells' attributes.
    """

    def __init__(self, arrays, draws, counters):
        self.arrays, self.draws, self._counters = arrays, draws, counters

    @classmethod
    def of_journal(cls, journal, counters):
        """The state from the call's journal; a skipped step has given its random streams back already."""
        return cls(dict(journal.before), journal._draws if journal.drawn else seed.draws, counters)

    def restore(self):
        """Restore everything, until these writes are undone."""
        for tensor, array in self.arrays.items():
            assign(tensor, wrap(array))
        self._counters.restore()
        seed.draws = self.draws


class _Checks:
    """In a ``with`` block, notes if a check for an overflow fails, as in a user's own loop."""

    def __init__(self, observer):
        self.observer, self.failed, self._note = observer, False, observer.note

    def __enter__(self):
        self.observer.note = self._seen

    def __exit__(self, *error):
        del self.observer.note

    def _seen(self, primitive, args, arrays, made, *rest):
        if (primitive.name == "AllFinite" and not made[0]) or (primitive.name == "Unscale" and made[-1]):
            self.failed = True
        self._note(primitive, args, arrays, made, *rest)


def zeroed(x):
    """A copy of ``x`` with zeros for non-finite numbers."""
    return nan_to_num(x, 0.0, 0.0, 0.0)


@contextmanager
def _in_float32(cells):
    """Let the cells compute in float32, each for itself alone."""
    before = [(cell, cell._compute_dtype) for cell in cells]
    around = [cell for cell in cells if isinstance(cell, _OutputTo16)]  # wrappers of black-listed cells
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
    """The observer class ``kind``, a SiteObserver, extended: it leaves out overflowing casts to narrow types.

    A cast inside another operation's call stays: it lowers the inputs, as its cell is marked.
    """

    class LeavingOut(kind):
        def __init__(self, casts, *arguments):
            super().__init__(*arguments)
            self._casts, self._inside = casts, 0

        def within_operation(self, call, primitive, args):
            if not self._inside and _overflows_as_cast(primitive, args):
                site = self.site(primitive.name)
                self._casts[site.path, site.lines] = site, isinstance(primitive, CastFloats)
                return args[0]
            self._inside += 1
            try:
                return super().within_operation(call, primitive, args)
            finally:
                self._inside -= 1

    return LeavingOut


def _overflows_as_cast(primitive, args):
    """True if a call casts finite numbers to a narrow type without room for them."""
    if not isinstance(primitive, Cast) or not isinstance(args[0], Tensor):
        return False
    x, dtype = primitive.adapt(*args)
    if dtype not in NARROW_FLOATS or not is_finite(x.array):
        return False
    return not is_finite(primitive._computed(backend.xp, x.array, dtype))
