"""Precision records: activations, weights and gradients lost in float16, from one run and its reference."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from minispore.core.dtype import FLOATS
from minispore.core.running import running
from minispore.ops.casting import Cast
from minispore.tools.insight.cell_paths import path_of
from minispore.tools.insight.exponents import Exponents
from minispore.tools.insight.float64_reference import Float64Reference
from minispore.tools.insight.in_float64 import on_host
from minispore.tools.insight.numerics import power_text

__all__ = ["PrecisionRecord"]

ACTIVATIONS, WEIGHTS = "activations", "weights"
ACTIVATION_GRADIENTS, WEIGHT_GRADIENTS = "activation gradients", "weight gradients"
_HALF = np.dtype(np.float16)
_NOISE = 2.0**-40  # share of the greatest gradient: float64's own rounding of a sum that is zero


class PrecisionRecord(NamedTuple):
    """The numbers of one place that float16 loses, before any loss scale: shares of those that are not zero.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> report = ms.insight.precision_report(
        ...     net, ms.nn.MSELoss(), (ms.Tensor([[1e-8, 1.0]]), ms.Tensor([[0.0]])), "O3"
        ... )
        >>> print(report[0].place, report[0].kind, report[0].flushed)
        inputs[0] activations 0.5
    """

    place: str  # the path of the cell, the input, or the name of the Parameter
    kind: str  # "activations", "weights", "activation gradients" or "weight gradients"
    dtype: str  # the level's type for them; the narrowest of several
    numbers: int
    zeros: int
    flushed: float  # the share that float16 rounds to zero
    subnormal: float  # the share that float16 holds as subnormal numbers
    headroom: float | None  # the bits from the greatest up to 65504, negative beyond it; None if all are zero
    histogram: dict  # exponent e -> the count from 2**e to below 2**(e + 1)
    least_scale: float | None  # for gradients in float16: the least power of two that keeps enough of them, or None
    greatest_scale: float | None  # for gradients in float16: the greatest power of two without an overflow, or None

    @property
    def scales(self) -> Any:
        """The loss scales that fit both bounds, as text."""
        return interval(self.least_scale, self.greatest_scale)


def interval(least, greatest):
    """The loss scales from one to another as text; "none", and the two, if the first is the greater."""
    if greatest is None:
        return ""
    if least is None:
        return f"up to {power_text(greatest)}"
    found = f"{power_text(least)} to {power_text(greatest)}"
    return found if least <= greatest else f"none ({found})"


class _Numbers:
    """The counts for the numbers of one place and kind."""

    def __init__(self):
        self.exponents, self.types = Exponents(), set()
        self.scaled = []  # the Exponents of gradients computed in float16

    def record(self, place, kind, most_flushed, noise):
        """The record; of gradients that nowhere exceed ``noise`` nothing can be lost."""
        known = self.exponents
        if not known.numbers:  # casts only
            for each in self.scaled:
                known.join(each)
        powers = [e.least_power(most_flushed) for e in self.scaled if e.greatest > noise]
        least = max((power for power in powers if power is not None), default=None)
        powers = [e.greatest_power() for e in self.scaled]
        greatest = min((power for power in powers if power is not None), default=None)
        return PrecisionRecord(
            place,
            kind,
            min(self.types, key=lambda dtype: (dtype.itemsize, dtype.name)).name,
            known.numbers,
            known.zeros,
            known.flushed(),
            known.subnormal,
            known.headroom,
            dict(sorted(known.histogram.items())),
            _two_to(least),
            _two_to(greatest),
        )


class SeenNumbers(Float64Reference):
    """Collects the numbers of a network's run by place and kind."""

    def __init__(self, subject):
        super().__init__()
        self._name = subject.network.cls_name
        given = [((name, ACTIVATIONS), x.array) for name, x in subject.inputs()]
        given += [((name, WEIGHTS), p.array) for name, p in subject.network.parameters_and_names()]
        self._given = {id(array): (key, array) for key, array in given if array.dtype in FLOATS}
        self._casts = {}  # id of a cast of an input -> ((its place, its kind), the cast)
        self._gradients_of_casts = {}  # id of the gradient of such a cast -> the Parameter's name
        self._found = defaultdict(_Numbers)  # (place, kind) -> its numbers
        self._computed = []  # of float16 arrays with the scale for a factor: (array, place, their Exponents)

    def begin_gradients(self, start):
        """Note the loss's own gradient: the scale."""
        super().begin_gradients(start)
        if start.array.dtype == _HALF:
            self._computed.append((start.array, self._name, _exponents(self.of(start.array))))

    def note(self, primitive, args, arrays, made, single, results):
        """Note an operation's results."""
        super().note(primitive, args, arrays, made, single, results)
        if not running.pulling_back:
            self._note_types(primitive, arrays, made)
        place = path_of(self.site(primitive.name), self._name)
        for y in made[len(primitive.writes) :]:
            if y.dtype not in FLOATS or not self.is_made(y):
                continue
            if running.pulling_back and self.is_scaled(y) and y.dtype == _HALF:
                self._computed.append((y, place, _exponents(self.of(y))))
            if self.cells and not running.pulling_back and not isinstance(primitive, Cast):
                self._add(place, ACTIVATIONS, y)

    def _note_types(self, primitive, arrays, made):
        """Note the type of a given Tensor in an operation, perhaps after a cast."""
        for a in arrays:
            key = self._casts.get(id(a), self._given.get(id(a), [None]))[0]
            if key is None:
                continue
            if isinstance(primitive, Cast):
                self._casts[id(made[0])] = key, made[0]
            else:
                self._found[key].types.add(a.dtype)

    def pull_back(self, rule, site, args):
        """Run the gradient rule, after its outputs' gradients are noted."""
        out, dout = args[-2:]
        several = isinstance(out, tuple)
        pairs = zip(out, tuple.__iter__(dout), strict=True) if several else [(out, dout)]
        for y, g in pairs:
            self._note_gradient(rule, site, y, g)
        return super().pull_back(rule, site, args)

    def _note_gradient(self, rule, site, y, g):
        if g is None or y.array.dtype not in FLOATS:
            return
        if id(y.array) in self._casts:
            self._gradients_of_casts[id(g.array)] = self._casts[id(y.array)][0][0]
        elif not isinstance(getattr(rule, "__self__", None), Cast):
            self._add(path_of(site, self._name), ACTIVATION_GRADIENTS, g.array)

    def _add(self, place, kind, array):
        numbers = self._found[place, kind]
        numbers.types.add(array.dtype)
        numbers.exponents.add(self.of(array))

    def records(self, subject, run, most_flushed):
        """The records of all noted numbers, Parameters last."""
        for key, array in self._given.values():
            numbers = self._found[key]
            numbers.exponents.add(on_host(array))
            numbers.types.add(array.dtype)
        for p, g in zip(subject.weights, run.gradients, strict=True):
            self._add(_name_of(p, subject.network), WEIGHT_GRADIENTS, g.array)
        for array, place, exponents in self._computed:
            name = self._gradients_of_casts.get(id(array))
            numbers = self._found[(place, ACTIVATION_GRADIENTS) if name is None else (name, WEIGHT_GRADIENTS)]
            numbers.types.add(array.dtype)
            numbers.scaled.append(exponents)
        largest = [numbers.exponents.greatest for (_, kind), numbers in self._found.items() if kind == WEIGHT_GRADIENTS]
        noise = max(largest) * _NOISE
        order = sorted(self._found, key=lambda key: key[1] in (WEIGHTS, WEIGHT_GRADIENTS))
        return [self._found[key].record(*key, most_flushed, noise) for key in order]


def _name_of(parameter, network):
    return next(name for name, p in network.parameters_and_names() if p is parameter)


def _two_to(power):
    """The power of two; inf if it is too large for a float: no loss scale brings such numbers into float16's range."""
    return None if power is None else 2.0**power if power < 1024 else math.inf


def _exponents(array):
    found = Exponents()
    found.add(array)
    return found
