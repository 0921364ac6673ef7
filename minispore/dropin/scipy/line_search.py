"""A step along a line that fulfils the strong Wolfe conditions (Nocedal and Wright, algorithms 3.5 and 3.6)."""

import math
from typing import NamedTuple

__all__ = []

_DECREASE, _CURVATURE = 1e-4, 0.9


class Point(NamedTuple):
    """A function along a line at a step: its value, its slope, and what else was computed there."""

    step: float
    value: float
    slope: float
    kept: object


def line_search(at, start, first, most):
    """The Point of a step that fulfils the conditions; None if ``most`` steps do not find it.

    Args:
        at (Callable): A step -> the Point there.
        start (Point): The Point of step 0, with a negative slope.
        first (float): The step that is tried first.
        most (int): How many steps are tried before, and after, an interval is found that has such a step.
    """
    before, step = start, first
    for i in range(most):
        here = at(step)
        if not math.isfinite(here.value):
            return None
        if _is_too_high(here, start) or (i and here.value >= before.value):
            return _zoom(at, start, before, here, most)
        if _is_flat(here, start):
            return here
        if here.slope >= 0:
            return _zoom(at, start, here, before, most)
        before, step = here, 2 * step
    return None


def _zoom(at, start, low, high, most):
    """A Point between two, of which ``low`` has the lower value."""
    for _ in range(most):
        here = at(_between(low, high))
        if _is_too_high(here, start) or here.value >= low.value:
            high = here
        elif _is_flat(here, start):
            return here
        else:
            high = low if here.slope * (high.step - low.step) >= 0 else high
            low = here
    return None


def _is_too_high(here, start):
    return here.value > start.value + _DECREASE * here.step * start.slope


def _is_flat(here, start):
    return abs(here.slope) <= -_CURVATURE * start.slope


def _between(low, high):
    """The lowest step of the parabola through ``low``, its slope and ``high``; the middle where that is near an end."""
    width = high.step - low.step
    bend = high.value - low.value - low.slope * width
    share = -low.slope * width / (2 * bend) if bend > 0 else 0.5
    return low.step + width * (share if 0.1 <= share <= 0.9 else 0.5)
