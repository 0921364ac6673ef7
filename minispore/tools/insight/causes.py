"""Causes: an operation's inputs at its first non-finite result, and a remedy."""

import math
from typing import NamedTuple

import numpy as np

from minispore.core.dtype import FLOATS
from minispore.tools.insight.in_float64 import on_host

__all__ = []

_BY_ELEMENT = {"Add", "Sub", "Mul", "Div", "RealDiv", "Pow", "FloorDiv", "Mod", "FloorMod", "Atan2", "Xdivy", "Xlogy"}
_QUOTIENTS = {"Div", "RealDiv", "FloorDiv", "Mod", "FloorMod", "Xdivy"}
_SUMS = {"ReduceSum", "ReduceMean", "CumSum"}
_SOFTMAXES = {"Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits"}

_UNDER_A_ROOT = "Keep what is under the root at 0 or above: ops.sqrt(ops.relu(x))."
_ROOT_AT_ZERO = "The slope of a root at 0 is infinite: add an eps under it, ops.sqrt(x + eps)."
_OF_A_LOG = "A logarithm needs numbers above 0: ops.log(ops.relu(x) + eps)."
_DIVISOR = (
    "The divisor is 0: put ops.where(b == 0, 1, b) in its place, or add an eps to it. A where behind the division does "
    "not help: the gradient is 0 * inf."
)
_EMPTY = "The sum that it divides by is 0, as of an empty mask: divide by ops.maximum(count, 1)."
_DEVIATION = (
    "The divisor is the root of 0, as of a constant feature's variance: add an eps under it, ops.sqrt(v + eps)."
)
_BASE = "A number below 0 has no power of a fraction: ops.pow(ops.relu(x), p), or ops.sign(x) * ops.pow(ops.abs(x), p)."
_BASE_ZERO = "The base is 0, where a power below 1 has an infinite slope, and one below 0 no value: add an eps to it."
_MASKED = "A row of it is -inf everywhere, masked whole: leave one place open, or mask with a finite number, as -1e4."
_EXPONENTIAL = "Subtract the greatest number first, as ops.softmax and ops.logsumexp do."
_DOMAIN = {
    "ACos": (lambda x: np.abs(x) > 1, "It needs numbers from -1 to 1: ops.clamp(x, -1, 1)."),
    "Asin": (lambda x: np.abs(x) > 1, "It needs numbers from -1 to 1: ops.clamp(x, -1, 1)."),
    "Acosh": (lambda x: x < 1, "It needs numbers from 1 on: ops.clamp(x, 1)."),
    "Atanh": (lambda x: np.abs(x) >= 1, "It needs numbers between -1 and 1: ops.clamp(x, eps - 1, 1 - eps)."),
    "Erfinv": (lambda x: np.abs(x) >= 1, "It needs numbers between -1 and 1: ops.clamp(x, eps - 1, 1 - eps)."),
    "Log": (lambda x: x <= 0, _OF_A_LOG),
    "Log10": (lambda x: x <= 0, _OF_A_LOG),
    "Log2": (lambda x: x <= 0, _OF_A_LOG),
    "Log1p": (lambda x: x <= -1, "It needs numbers above -1: ops.log1p(ops.clamp(x, eps - 1))."),
    "Exp": (lambda x: x > 80, _EXPONENTIAL),
    "Expm1": (lambda x: x > 80, _EXPONENTIAL),
    "Reciprocal": (lambda x: x == 0, _DIVISOR),
    "Inv": (lambda x: x == 0, _DIVISOR),
    "Rsqrt": (lambda x: x <= 0, "It needs numbers above 0: ops.rsqrt(ops.relu(x) + eps)."),
    "Sqrt": (lambda x: x < 0, _UNDER_A_ROOT),
}
_SLOPES = {  # an operation -> a remedy if its gradient divides by 0
    "Sqrt": _ROOT_AT_ZERO,
    "Rsqrt": "It needs numbers above 0: ops.rsqrt(x + eps).",
    "LpNorm": "The slope of a norm at 0 is not known: add an eps under its root, ops.sqrt((x * x).sum() + eps).",
    "Log": _OF_A_LOG,
    "Pow": _BASE_ZERO,
    "ACos": "Its slope at -1 and 1 is infinite: ops.clamp(x, eps - 1, 1 - eps).",
    "Asin": "Its slope at -1 and 1 is infinite: ops.clamp(x, eps - 1, 1 - eps).",
    **dict.fromkeys(_QUOTIENTS | {"Reciprocal", "Inv"}, _DIVISOR),
}


class Place(NamedTuple):
    """The first non-finite number among an operation's results: its place, and the inputs there.

    Attributes:
        value (str): "nan", "inf" or "-inf".
        index (tuple): Its index.
        there (tuple): The inputs there, for an elementwise operation; else empty.
        counts (tuple): For each floating input three counts: numbers below 0, zeros, and all.
        bad (tuple): The number of non-finite results, and of all results.
    """

    value: str = None
    index: tuple = ()
    there: tuple = ()
    counts: tuple = ()
    bad: tuple = ()

    def __str__(self):
        if self.value is None:
            return ""
        count, size = self.bad
        at = f" at {list(self.index)}" if self.index else ""
        of = f" of {' and '.join(f'{x + 0.0:g}' for x in self.there)}" if self.there else ""
        share = f" ({count} of {size})" if size > 1 else ""
        return f"{self.value}{at}{of}{share}{self._signs()}"

    def _signs(self):
        """The counts of zeros and negative numbers in the last of one or two inputs: a quotient's divisor."""
        below, zero, size = self.counts[-1] if 0 < len(self.counts) < 3 else (0, 0, 0)
        found = [f"{zero} zero{'s' * (zero > 1)}"] if zero else []
        found += [f"{below} number{'s' * (below > 1)} below 0"] if below else []
        which = "input" if len(self.counts) == 1 else "last input"
        return f"; {' and '.join(found)} among the {size} of its {which}" if found and size > 1 else ""


NOWHERE = Place()  # for a verdict without an operation


def place_of(event):
    """The :class:`Place` of an event that makes a non-finite number."""
    numbers = on_host(event.spoilt[0])
    wrong = np.argwhere(~np.isfinite(numbers))
    index = tuple(map(int, wrong[0]))
    given = [on_host(a) if isinstance(a, np.ndarray) or hasattr(a, "get") else a for a in event.arrays]
    floats = [x for x, a in zip(given, event.arrays, strict=True) if getattr(a, "dtype", None) in FLOATS]
    counts = tuple((int((x < 0).sum()), int((x == 0).sum()), int(x.size)) for x in floats)
    value = numbers[index]
    name = "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"
    return Place(
        name, index, _there(event.primitive, given, numbers.shape, index), counts, (len(wrong), int(numbers.size))
    )


def _there(primitive, given, shape, index):
    """The input numbers of one result, if the operation uses one of each input for it."""
    arrays = [x for x in given if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    single = primitive.name in _BY_ELEMENT or (len(arrays) == 1 and primitive.name in _DOMAIN)
    if not single or len(arrays) != len(given):
        return ()
    return tuple(float(np.broadcast_to(x, shape)[index]) for x in arrays)


def advice_on(event, place):
    """The remedy for a non-finite number, as a sentence, or None."""
    reason = _of_optimizer(event) if event.phase == "update" else _of_operation(event, place)
    wraps = " ".join(f"Before it {wrap}" for wrap in event.wraps)
    return " ".join(filter(None, (wraps, reason if not wraps else None))) or None


def _of_operation(event, place):
    if event.primitive.name in _SOFTMAXES and _has_masked_row(event):
        return _MASKED
    if event.phase == "backward" and event.site.operation in _SLOPES:
        return _SLOPES[event.site.operation] if _meets_zero(place) else _of_inputs(event, place)
    return _of_inputs(event, place)


def _meets_zero(place):
    return not place.there or 0.0 in place.there


def _of_inputs(event, place):
    """The remedy for an operation that has no result for its inputs."""
    name, there = event.primitive.name, place.there
    if name in _DOMAIN:
        outside, reason = _DOMAIN[name]
        return reason if bool(outside(on_host(event.arrays[0])).any()) else None
    if len(there) != 2:
        return None
    if name in _QUOTIENTS and there[1] == 0:
        return _of_divisor(event)
    if name == "Pow" and there[0] <= 0:
        return _BASE if there[0] < 0 else _BASE_ZERO
    return None


def _of_divisor(event):
    """The remedy for a division by 0, by the operation that made the divisor."""
    maker = event.makers[1]
    if maker in _SUMS:
        return _EMPTY
    return _DEVIATION if maker == "Sqrt" else _DIVISOR


def _has_masked_row(event):
    x = on_host(event.arrays[0])
    return x.ndim > 0 and any(bool(np.isneginf(x).all(axis=axis).any()) for axis in range(x.ndim) if x.shape[axis])


def _of_optimizer(event):
    """The remedy for an optimizer that turns finite gradients into non-finite Parameters."""
    optimizer = event.optimizer
    for name in ("eps", "epsilon"):
        eps = getattr(optimizer, name, None)
        if isinstance(eps, float) and np.float32(eps) == 0:
            return f"The {name} of {type(optimizer).__name__}, {eps:g}, is 0 in float32: 1e-8 is not."
    rates = [float(np.max(on_host(p.array))) for p in optimizer._params.values() if p.name.startswith("learning_rate")]
    greatest = max(rates, default=math.nan)
    return f"The learning rate of {greatest:g} is too high: lower it." if greatest > 1 else None
