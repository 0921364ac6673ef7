"""Exercise 14.1: a step of several processes, which stay equal whatever overflows."""

import math

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("step",)


def cases():
    """A loss scale, and the scaled gradient of each process."""
    for gradients in ([1.0], [1.0, 3.0], [math.inf], [1.0, math.inf], [math.inf, 1.0], [math.nan, math.inf, 2.0]):
        yield 8.0, gradients
    yield 1.0, [math.inf, 0.0]
    yield 16384.0, [60000.0, 60000.0]
    yield 1024.0, [-512.0, 60000.0, 30000.0, 8.0]


def check(mine, scale, gradients):
    """Raise :class:`Wrong` unless all processes take the one step, or all skip it."""
    count = len(gradients)
    found = mine.step([2.0] * count, [scale] * count, [np.float16(g) for g in gradients])
    if all(map(math.isfinite, gradients)):
        weight, new = 2.0 - mine.RATE * sum(g / scale for g in gradients) / count, scale
    else:
        weight, new = 2.0, max(scale / 2, 1.0)
    told = f"with the scale {scale:g} and the gradients {gradients} the step gives"
    if not isinstance(found, tuple) or [len(part) for part in found] != [count, count]:
        raise Wrong(f"{told} {found}, not two lists of {count}")
    if not np.allclose(found[0], weight, rtol=1e-6, atol=0) or list(found[1]) != [new] * count:
        raise Wrong(f"{told} the weights {found[0]} and scales {found[1]}, not {weight:g} and {new:g} everywhere")
