"""The precision report: what float16 keeps of each activation, weight and gradient, and which loss scales do."""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minispore.amp.policy.levels import level_of
from minispore.checks import check_real
from minispore.context import running
from minispore.dtype import FLOATS
from minispore.insight.exponents import Exponents
from minispore.insight.forms import checked_subject, run_at_greatest_scale, run_of
from minispore.insight.operator_stats import check_alone
from minispore.insight.places import place_of
from minispore.insight.shadow import Shadow
from minispore.insight.wide import on_host
from minispore.ops.primitive import Cast

__all__ = ["PrecisionRecord", "PrecisionReport", "precision_report"]

ACTIVATIONS, WEIGHTS = "activations", "weights"
ACTIVATION_GRADIENTS, WEIGHT_GRADIENTS = "activation gradients", "weight gradients"
_HALF = np.dtype(np.float16)
_NOISE = 2.0**-40  # of the greatest gradient: what float64 itself leaves where a sum is zero


class PrecisionRecord(NamedTuple):
    """What float16 keeps of some numbers: the shares are of those other than zero, before any loss scale."""

    place: str  # the path of the cell, the input, or the name of the Parameter
    kind: str  # "activations", "weights", "activation gradients" or "weight gradients"
    dtype: str  # in which the level computes them; the narrowest, where there are several
    numbers: int
    zeros: int
    flushed: float  # the share that float16 rounds to zero
    subnormal: float  # the share that float16 holds as subnormal numbers
    headroom: float  # the bits from the greatest up to 65504, below 0 beyond it; None if all are zero
    histogram: dict  # exponent e -> how many there are from 2**e to below 2**(e + 1)
    least_scale: float  # of gradients computed in float16: the least power of two that keeps enough of them, or None
    greatest_scale: float  # of gradients computed in float16: the greatest that overflows none of them, or None


@dataclass(frozen=True)
class PrecisionReport:
    """What a level of mixed precision keeps of a network's numbers: a sequence of :class:`PrecisionRecord`, a table.

    Attributes:
        level (str): The level.
        records (tuple): The records: of cells in the order of execution, and of the batch (``inputs[0]``), then of
            Parameters.
        most_flushed (float): The share of a record's gradients that a loss scale may let float16 round to zero.
        least_scale (float): The least power of two at which less than that share is lost of every cell's and
            Parameter's gradients; None where nothing that float16 computes has a gradient.
        greatest_scale (float): The greatest at which no gradient overflows, in any operation; None as above. Below
            ``least_scale`` if no scale does both.
        advised_scale (float): The loss scale to begin with: the greatest power of two up to 2**24 at which the
            gradients are finite, as a run has shown; 1 where nothing needs a scale; None if no scale makes them finite.
    """

    level: str
    records: tuple
    most_flushed: float
    least_scale: float
    greatest_scale: float
    advised_scale: float

    def __iter__(self):
        return iter(self.records)

    def __len__(self):
        return len(self.records)

    def __getitem__(self, index):
        return self.records[index]

    def __str__(self):
        width = max(len(record.place) for record in self.records)
        header = f"{'place':<{width}}  {'of':<20}  {'type':<8}  flushed  subnormal  headroom  loss scales"
        rows = [_line(record, width) for record in self.records]
        return "\n".join([header, *rows, self._sentence()])

    def _sentence(self):
        begin = f"At {self.level} "
        if self.advised_scale is None:
            return f"{begin}the gradients are not finite at any loss scale: explain_overflow says why."
        if self.greatest_scale is None:
            return f"{begin}no gradient is computed in float16: no loss scale is needed."
        advice = f"begin with {_power(self.advised_scale)}"
        if self.least_scale is None or self.least_scale <= self.greatest_scale:
            kept = f"loss scales of {_interval(self.least_scale, self.greatest_scale)} overflow nothing"
            return f"{begin}{kept} and lose less than {self.most_flushed:.3g} of any gradient: {advice}."
        above = f"no loss scale keeps all gradients: less than {self.most_flushed:.3g} of each is lost only from"
        return (
            f"{begin}{above} {_power(self.least_scale)} on, and {_power(self.greatest_scale)} is the greatest that "
            f"overflows none; {advice}."
        )


def _power(scale):
    return f"2**{int(math.log2(scale))}"


def _interval(least, greatest):
    if greatest is None:
        return ""
    return f"{_power(least)} to {_power(greatest)}" if least is not None else f"up to {_power(greatest)}"


def _line(record, width):
    headroom = "" if record.headroom is None else f"{record.headroom:.1f}"
    scales = _interval(record.least_scale, record.greatest_scale)
    if record.least_scale is not None and record.least_scale > record.greatest_scale:
        scales = f"none ({scales})"
    shares = f"{record.flushed:>7.2%}  {record.subnormal:>9.2%}  {headroom:>8}"
    return f"{record.place:<{width}}  {record.kind:<20}  {record.dtype:<8}  {shares}  {scales}".rstrip()


def precision_report(network, loss_fn, batch, level="O2", most_flushed=0.01):
    """What a level of mixed precision keeps of a network's activations, weights and gradients, at which loss scale.

    The network runs once on the batch, forward and backward, as the level has it, and beside each operation the same
    one in float64, whose numbers are judged. A cell's activations are the outputs of the operations that run in it, but
    for casts, and its activation gradients the gradients of the loss with respect to them. The shares and the headroom
    are float16's also for what the level computes in float32. A few more runs try the loss scale that is advised.
    Afterwards everything is as it was.

    Args:
        network (Cell): The network, not converted yet.
        loss_fn (Union[None, Cell]): The loss; None if the network's output is the loss.
        batch (tuple): The inputs: of ``network`` and ``loss_fn``, data and label.
        level (str): "O0", "O1", "O2" or "O3". Default: "O2".
        most_flushed (float): The share of gradients that may be rounded to zero, above 0. Default: 0.01.

    Returns:
        PrecisionReport: a sequence of :class:`PrecisionRecord`; ``str`` of it is a table.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the level is unknown, the network has been converted or has no Parameters to train, or
            ``most_flushed`` is not above 0 and at most 1.
        RuntimeError: If something else observes the operations, or graph mode records them.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", has_bias=False)
        >>> batch = ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))
        >>> report = ms.insight.precision_report(net, ms.nn.MSELoss(), batch, "O3")
        >>> [(row.place, row.dtype, row.histogram) for row in report if row.kind == "weight gradients"]
        [('weight', 'float16', {2: 2})]
        >>> report.greatest_scale, report.advised_scale
        (8192.0, 8192.0)
    """
    subject = checked_subject("precision_report", network, loss_fn, batch)
    name = level_of("precision_report", level).name
    check_real("precision_report", "most_flushed", most_flushed, 0, 1, above=True)
    check_alone("precision_report")
    form, seen = subject.at_level(name), _Seen(subject)
    run = run_of(form, subject, observer=seen)
    records = tuple(seen.records(subject, run, most_flushed))
    greatest = min((r.greatest_scale for r in records if r.greatest_scale is not None), default=None)
    least = max((r.least_scale for r in records if r.least_scale is not None), default=None)
    advised = 1.0
    if greatest is not None or not run.is_finite:
        tried = run_at_greatest_scale(form, subject, 0 if greatest is None else int(math.log2(greatest)))
        advised = tried.scale if tried.is_finite else None
    return PrecisionReport(name, records, most_flushed, least, greatest, advised)


class _Numbers:
    """What is known of the numbers of one place and kind."""

    def __init__(self):
        self.exponents, self.types = Exponents(), set()
        self.scaled = []  # the Exponents of what float16 computes of the gradients

    def record(self, place, kind, most_flushed, noise):
        """The record; of gradients that nowhere exceed ``noise`` nothing can be lost."""
        known = self.exponents
        if not known.numbers:  # none but casts
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
            None if least is None else 2.0**least,
            None if greatest is None else 2.0**greatest,
        )


class _Seen(Shadow):
    """Gathers the numbers of a run of a network by place and kind."""

    def __init__(self, subject):
        super().__init__()
        self._name = subject.network.cls_name
        self._given = {id(x.array): ((name, ACTIVATIONS), x.array) for name, x in subject.inputs()}
        owned = subject.network.parameters_and_names()
        self._given.update({id(p.array): ((name, WEIGHTS), p.array) for name, p in owned})
        self._casts = {}  # id of a cast of what is given -> ((its place, its kind), the cast)
        self._gradients_of_casts = {}  # id of the gradient of such a cast -> the Parameter's name
        self._found = defaultdict(_Numbers)  # (place, kind) -> its numbers
        self._computed = []  # of float16 arrays with the scale for a factor: (array, place, their Exponents)

    def begin_gradients(self, start):
        """The loss's own gradient is the scale."""
        super().begin_gradients(start)
        if start.array.dtype == _HALF:
            self._computed.append((start.array, self._name, _exponents(self.of(start.array))))

    def note(self, primitive, args, arrays, made, single, results):
        """Note what an operation made."""
        super().note(primitive, args, arrays, made, single, results)
        if not running.pulling_back:
            self._note_types(primitive, arrays, made)
        place = place_of(self.site(primitive.name), self._name)
        for y in made[len(primitive.writes) :]:
            if y.dtype not in FLOATS or not self.is_made(y):
                continue
            if running.pulling_back and self.is_scaled(y) and y.dtype == _HALF:
                self._computed.append((y, place, _exponents(self.of(y))))
            if self.cells and not running.pulling_back and not isinstance(primitive, Cast):
                self._add(place, ACTIVATIONS, y)

    def _note_types(self, primitive, arrays, made):
        """Note in which type an operation has what is given, before which a cast of it may come."""
        for a in arrays:
            key = self._casts.get(id(a), self._given.get(id(a), [None]))[0]
            if key is None:
                continue
            if isinstance(primitive, Cast):
                self._casts[id(made[0])] = key, made[0]
            else:
                self._found[key].types.add(a.dtype)

    def pull_back(self, rule, site, args):
        """What the gradient rule returns, after its outputs' gradients are noted."""
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
            self._add(place_of(site, self._name), ACTIVATION_GRADIENTS, g.array)

    def _add(self, place, kind, array):
        numbers = self._found[place, kind]
        numbers.types.add(array.dtype)
        numbers.exponents.add(self.of(array))

    def records(self, subject, run, most_flushed):
        """The records of what has been noted, those of Parameters last."""
        for key, array in self._given.values():
            if array.dtype in FLOATS:
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


def _exponents(array):
    found = Exponents()
    found.add(array)
    return found
