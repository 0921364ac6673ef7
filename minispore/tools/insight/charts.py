"""Geometry of the report's charts: points, bars and the numbers on their axes, for a template to draw as SVG."""

import itertools
import math
from dataclasses import dataclass

from minispore.tools.insight.exponents import kind_of

__all__ = []

WIDTH, HEIGHT = 640, 200  # size of the drawing area, in the chart's own units
_POINTS = 600  # the largest number of points of a line
_TICKS = 4


@dataclass(frozen=True)
class Line:
    """A line over the steps of a training.

    Attributes:
        pieces (tuple[str]): The points of each unbroken piece, as SVG's ``points``.
        ticks (tuple): Pairs of a height and its label.
        marks (tuple[float]): The places of skipped steps.
        summary (str): The line in words.
        last (int): The number of the last step.
    """

    pieces: tuple
    ticks: tuple
    marks: tuple
    summary: str
    last: int
    name: str = ""


def line_of(name, values, skipped=(), as_powers=False):
    """The chart of a value at each step; None if no value is finite.

    ``as_powers`` draws exponents of two, and steps rather than slopes between them.
    """
    heights = [_power(v) if as_powers else v for v in values]
    finite = [v for v in heights if math.isfinite(v)]
    if not finite:
        return None
    low, high = (math.floor(min(finite)), math.ceil(max(finite))) if as_powers else (min(finite), max(finite))
    high = high if high > low else low + 1
    across = WIDTH / max(1, len(values) - 1)

    def height(v):
        return HEIGHT - HEIGHT * (v - low) / (high - low)

    def point(i, v):
        return i * across, height(v)

    chosen = _thinned(heights)
    pieces = [_text(_stairs(piece) if as_powers else piece) for piece in _unbroken(chosen, point)]
    ticks = tuple((height(v), _shown(v, as_powers)) for v in _ticks(low, high, as_powers))
    first, last, least, most = (_shown(v, as_powers) for v in (finite[0], finite[-1], min(finite), max(finite)))
    summary = f"{name}: {first} at first, {last} at last, between {least} and {most} in {len(values)} steps"
    marks = tuple(i * across for i in (number - 1 for number in skipped) if i < len(values))
    return Line(tuple(pieces), ticks, marks, f"{summary}; {_skipped(len(skipped))}.", len(values), name)


def _skipped(count):
    return "no step was skipped" if not count else f"{count} {'step was' if count == 1 else 'steps were'} skipped"


def _power(value):
    return math.log2(value) if value > 0 and math.isfinite(value) else math.nan


def _thinned(values):
    """Pairs of an index and a value: all, or the least and greatest of each of many short stretches."""
    pairs = list(enumerate(values))
    if len(pairs) <= _POINTS:
        return pairs
    length = math.ceil(2 * len(pairs) / _POINTS)
    kept = []
    for start in range(0, len(pairs), length):
        part = pairs[start : start + length]
        known = [pair for pair in part if math.isfinite(pair[1])]
        ends = {min(known, key=_value), max(known, key=_value)} if known else {part[0]}
        kept += sorted(ends)
    return kept


def _value(pair):
    return pair[1]


def _unbroken(pairs, point):
    """The points of each stretch of finite values."""
    piece = []
    for i, v in pairs:
        if math.isfinite(v):
            piece.append(point(i, v))
        elif piece:
            yield piece
            piece = []
    if piece:
        yield piece


def _stairs(points):
    """The points of a line that stays level until the next point."""
    stairs = points[:1]
    for (_, before), (x, y) in itertools.pairwise(points):
        stairs += [(x, before), (x, y)] if y != before else [(x, y)]
    return stairs


def _text(points):
    doubled = points if len(points) > 1 else [*points, (points[0][0] + 1, points[0][1])]  # makes one point visible
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in doubled)


def _ticks(low, high, whole):
    step = (high - low) / _TICKS
    step = max(1, math.ceil(step)) if whole else step
    count = int((high - low) / step + 1e-9)
    return [low + i * step for i in range(count + 1)]


def _shown(value, as_power):
    return f"2^{value:g}" if as_power else f"{value:.4g}"


@dataclass(frozen=True)
class Bars:
    """A histogram of exponents.

    Attributes:
        bars (tuple): For each exponent (x, y, width, height, the exponent, the count, the kind). The kind of such
            numbers in float16 is "zero", "subnormal", "normal" or "overflow".
        summary (str): The histogram in words.
    """

    bars: tuple
    summary: str


def bars_of(histogram, width, height):
    """The chart of ``{exponent: count}``, or None if it is empty."""
    if not histogram:
        return None
    first, last = min(histogram), max(histogram)
    each, most = width / (last - first + 1), max(histogram.values())
    bars = []
    for e, count in sorted(histogram.items()):
        high = max(1.0, height * count / most)
        bars.append(((e - first) * each, height - high, max(0.5, each - 0.5), high, e, count, kind_of(e)))
    return Bars(tuple(bars), f"{sum(histogram.values())} numbers from 2**{first} to below 2**{last + 1}")
