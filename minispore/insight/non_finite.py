"""Non-finite numbers on their way through a step: from which operation, or from what was given, they come."""

import math
from typing import Any, NamedTuple

import numpy as np

from minispore import backend
from minispore.context import running
from minispore.dtype import FLOATS
from minispore.insight.numerics import is_finite, power_range
from minispore.insight.sites import SiteObserver
from minispore.insight.wide import computed_wide, on_host
from minispore.tensor import Tensor

__all__ = []

_UNSCALING_CHECKS = {"Unscale", "UnscaleAndAdvance"}  # on a GPU, one launch unscales the gradients and checks them


class Event(NamedTuple):
    """An operation that was given a nan or an inf, or made one."""

    primitive: Any
    phase: str
    site: Any
    arrays: tuple  # what it was given
    bad: tuple  # of pairs (Tensor, array) of inputs that are not finite


class Origin(NamedTuple):
    """Where the first nan or inf comes from: an operation of finite inputs, or the Tensor that holds it.

    Without an event no operation read it, or there is none.
    """

    event: Event
    given: Any  # the Tensor that no operation made; None if the operation's inputs are finite

    @property
    def arose_here(self):
        """Whether it comes from this process, rather than from another one, or from what they compute together."""
        return self.given is not None or (self.event is not None and not self.event.primitive.communicates)

    @property
    def input_range(self):
        """The range of each floating input, as exponents of two; None for one of zeros."""
        if self.event is None:
            return ()
        arrays = [a for a in self.event.arrays if getattr(a, "dtype", None) in FLOATS]
        return tuple(power_range(a) for a in arrays)


class NonFinite(SiteObserver):
    """Follows what is not finite, by the identity of arrays, which it keeps.

    Only what leads to the gradients counts: an inf that a mask is made of, and that no result depends on, does not.
    """

    def __init__(self, bottom):
        super().__init__(1, bottom)
        self._made = {}  # id of an array that is not finite -> the number of the event that made it
        self._events, self._kept = [], []
        self._checked = ()  # pairs (Tensor, array) that the check for an overflow found not finite

    def note(self, primitive, args, arrays, made, single, results):
        """Note an operation with an input or an output that is not finite."""
        arrays = self.numbers(arrays)
        pairs = zip(args, arrays, strict=True)
        bad = tuple((a, x) for a, x in pairs if isinstance(a, Tensor) and not _is_finite(x))
        if primitive.name == "AllFinite":
            self._checked = bad or self._checked
            return
        given = {id(x) for _, x in bad}
        spoilt = [y for y in made if id(y) not in given and not is_finite(y)]
        if spoilt:
            phase = "backward" if running.pulling_back else "forward"
            for y in spoilt:
                self._made.setdefault(id(y), len(self._events))
            self._kept.append((spoilt, bad))
            given = tuple(np.asarray(a) if isinstance(a, float) else a for a in arrays)
            self._events.append(Event(primitive, phase, self.site(primitive.name), given, bad))
            if primitive.name in _UNSCALING_CHECKS:
                self._checked = tuple((None, y) for y in spoilt)

    def origin(self):
        """The :class:`Origin` of what is not finite among the gradients, else of what any operation made."""
        if self._checked:
            return self._first_ancestor()
        return Origin(next((event for event in self._events if not event.bad), None), None)

    def _first_ancestor(self):
        """The first event, or given Tensor, from which the gradients have what is not finite."""
        found, seen = [], set()
        waiting = [(pair, math.inf) for pair in self._checked]
        while waiting:
            (tensor, array), reader = waiting.pop()
            number = self._made.get(id(array))
            if number is None:
                found.append((reader, tensor))
            elif number not in seen:
                seen.add(number)
                bad = self._events[number].bad
                found += [(number, None)] if not bad else []
                waiting += [(pair, number) for pair in bad]
        number, tensor = min(found, key=lambda pair: pair[0])
        return Origin(self._events[number] if number < math.inf else None, tensor)


def _is_finite(x):
    """Whether an array, or a number that a Tensor was made of, is finite."""
    return math.isfinite(x) if isinstance(x, float) else is_finite(x)


def is_finite_when_wide(event):
    """Whether the event's operation has finite results, of the inputs that it had, in the widest type that it takes."""
    given = [on_host(a) if isinstance(a, backend.array_type) else a for a in event.arrays]
    found = computed_wide(event.primitive, given)
    return found is not None and all(np.isfinite(y).all() for y in found)
