"""Non-finite numbers on their way through a step, back to their source: an operation, or an input."""

import math
import weakref
from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend
from minispore.core.dtype import FLOATS
from minispore.core.nest import select
from minispore.core.running import running
from minispore.core.tensor import Tensor
from minispore.graph.facts import waits
from minispore.nn.optim.optimizer import Optimizer
from minispore.tools.insight.in_float64 import computed_in_float64, on_host
from minispore.tools.insight.numerics import is_finite, power_range
from minispore.tools.insight.operation_sites import SiteObserver
from minispore.tools.insight.wraps import Wrap, wrapped_by

__all__ = []

_UNSCALING_CHECKS = {"Unscale", "UnscaleAndAdvance"}  # they unscale the gradients and check them

# These operations only pass numbers on: the numbers' maker is the operation before.
_HANDS_ON = {"Cast", "CastFloats", "Reshape", "BroadcastTo", "ExpandDims", "Squeeze"}


class Event(NamedTuple):
    """An operation with a nan or an inf among its inputs or outputs."""

    primitive: Any
    phase: str
    site: Any
    arrays: tuple  # its arguments' arrays
    bad: tuple  # pairs (Tensor, array) of its non-finite inputs
    spoilt: tuple  # its non-finite outputs
    written: tuple  # the names of the Parameters that it writes these outputs to
    makers: tuple  # for each of its arrays the name of the operation that made it, or None
    wraps: tuple  # the integer wraps on the way to its inputs
    optimizer: Any  # its optimizer, or None

    @property
    def name(self):
        """The operation's name; for many updates in one operation, the name of one update."""
        return getattr(self.primitive, "step", self.primitive).name

    @property
    def bears_nan(self):
        """True if it makes a nan of inputs without one. A mask's infinities are harmless until then."""
        return _any_nan(self.spoilt) and not _any_nan(x for _, x in self.bad)


class _Call(NamedTuple):
    """An operation's call: its arguments as written, their arrays, and the arrays that it made."""

    primitive: Any
    args: tuple
    arrays: tuple
    made: tuple

    def names_written(self, spoilt):
        """The names of the Parameters that receive arrays of ``spoilt``."""
        indices = [w for w, y in zip(self.primitive.writes, self.made, strict=False) if any(y is x for x in spoilt)]
        return tuple(self.args[w].name for w in indices if hasattr(self.args[w], "name"))


class Origin(NamedTuple):
    """Origin of the first nan or inf: an operation with finite inputs, or a Tensor.

    Without an event, no operation has read it, or no nan or inf exists.
    """

    event: Event
    given: Any  # the Tensor that no operation made; None if the operation's inputs are finite
    number: float = None  # a nan or inf written in the code as a number, and read by ``event``
    birth: Event = None  # the first operation that makes a nan of infinities

    @property
    def arose_here(self):
        """True if it comes from this process, not from another one or from a common sum."""
        return self.given is not None or (self.event is not None and not waits(self.event.primitive))

    @property
    def input_range(self):
        """The range of each floating input, as exponents of two; None for one of zeros."""
        if self.event is None:
            return ()
        arrays = [a for a in self.event.arrays if getattr(a, "dtype", None) in FLOATS]
        return tuple(power_range(a) for a in arrays)


class NonFinite(SiteObserver):
    """Follows non-finite numbers by the identity of their arrays; it keeps these arrays.

    Only numbers that reach the gradients, the loss or the Parameters count. An inf of a mask does not, if no result
    depends on it.

    Attributes:
        order (list): The cells that ran, in the order of their calls.
        roots (list): The outermost of them.
    """

    def __init__(self, bottom):
        super().__init__(1, bottom)
        self.order, self.roots, self._began = [], [], set()
        self._made = {}  # id of a non-finite array -> the number of the event that made it
        self._events, self._kept = [], []
        self._checked = ()  # pairs (Tensor, array) found non-finite by the overflow check
        self._results = ()  # non-finite pairs (Tensor, array) that the step returned or wrote
        self._makers = {}  # id of an array -> (a weak reference to it, the name of the operation that made it)
        self._wraps = {}  # id of an array -> (the array, the integer wraps on the way to it)

    def within_cell(self, call, cell, args):
        """Run the call, and note the cell at its first."""
        if id(cell) not in self._began:
            self._began.add(id(cell))
            self.order.append(cell)
            self.roots += [cell] if len(self.cells) == 1 else []
        return super().within_cell(call, cell, args)

    def note(self, primitive, args, arrays, made, single, results):
        """Note an operation with an input or an output that is not finite."""
        arrays = self.numbers(arrays)
        wraps = self._followed_wraps(primitive, arrays, made)
        pairs = zip(args, arrays, strict=True)
        bad = tuple((a, x) for a, x in pairs if isinstance(a, Tensor) and not _is_finite(x))
        if primitive.name == "AllFinite":
            self._checked = bad or self._checked
            return
        given = {id(x) for _, x in bad}
        spoilt = [y for y in made if id(y) not in given and not is_finite(y)]
        if spoilt:
            for y in spoilt:
                self._made.setdefault(id(y), len(self._events))
            self._kept.append((spoilt, bad))
            call = _Call(primitive, args, arrays, made)
            self._events.append(self._event(call, bad, tuple(spoilt), wraps))
            if primitive.name in _UNSCALING_CHECKS:
                self._checked = tuple((None, y) for y in spoilt)
        name = (self._maker(arrays[0]) if primitive.name in _HANDS_ON else None) or primitive.name
        self._makers.update((id(y), (weakref.ref(y), name)) for y in made)

    def _event(self, call, bad, spoilt, wraps):
        optimizer = next((cell for cell, _ in self.cells if isinstance(cell, Optimizer)), None)
        phase = "backward" if running.pulling_back else "forward" if optimizer is None else "update"
        given = tuple(np.asarray(a) if isinstance(a, float) else a for a in call.arrays)
        makers, site = tuple(map(self._maker, call.arrays)), self.site(call.primitive.name)
        written = call.names_written(spoilt)
        return Event(call.primitive, phase, site, given, bad, spoilt, written, makers, wraps, optimizer)

    def _maker(self, array):
        known, name = self._makers.get(id(array), (None, None))
        return name if known is not None and known() is array else None

    def _followed_wraps(self, primitive, arrays, made):
        """The integer wraps behind the outputs: on the way to the inputs, and in the operation itself."""
        found = [wrap for a in arrays for wrap in self._wraps.get(id(a), (None, ()))[1]]
        wrong = wrapped_by(primitive, arrays, made)
        if wrong is not None:
            site = self.site(primitive.name)
            line = f"{site.lines[0][0]}:{site.lines[0][1]}" if site.lines else site.path
            found.append(Wrap(primitive.name, made[0].dtype.name, line, *wrong))
        found = tuple(dict.fromkeys(found))
        if found:
            self._wraps.update((id(y), (y, found)) for y in made)
        return found

    def end(self, results):
        """The end of the step: it has returned, or written, the Tensors ``results``."""
        self._results = tuple((x, x.array) for x in select(Tensor, results) if not is_finite(x.array))

    def origin(self):
        """The :class:`Origin` of the non-finite results; without one, of any operation's non-finite numbers."""
        if self._checked or self._results:
            return self._first_ancestor()
        return Origin(next((event for event in self._events if not event.bad), None), None)

    def _first_ancestor(self):
        """The first event, or given Tensor, that the non-finite results derive from."""
        found, seen = [], set()
        waiting = [(pair, math.inf) for pair in (*self._checked, *self._results)]
        while waiting:
            (tensor, array), reader = waiting.pop()
            number = self._made.get(id(array))
            if number is None:
                found.append((reader, tensor, array))
            elif number not in seen:
                seen.add(number)
                bad = self._events[number].bad
                found += [(number, None, None)] if not bad else []
                waiting += [(pair, number) for pair in bad]
        birth = next((self._events[n] for n in sorted(seen) if self._events[n].bears_nan), None)
        number, tensor, array = min(found, key=lambda one: one[0])
        event = self._events[number] if number < math.inf else None
        if isinstance(array, float):
            return Origin(event, None, array, birth)
        return Origin(event, tensor, None, birth)


def _is_finite(x):
    """True if an array, or the number behind a Tensor, is finite."""
    return math.isfinite(x) if isinstance(x, float) else is_finite(x)


def _any_nan(arrays):
    return any(np.isnan(x) if isinstance(x, float) else bool(np.isnan(on_host(x)).any()) for x in arrays)


def is_finite_in_float64(event):
    """True if the event's operation has finite results for its inputs in the widest type that it supports."""
    given = [on_host(a) if isinstance(a, backend.array_type) else a for a in event.arrays]
    found = computed_in_float64(event.primitive, given)
    return found is not None and all(np.isfinite(y).all() for y in found)
