"""Exercise 9.1: gradient descent on float16 weights with float32 masters, beside ``nn.SGD``."""

import numpy as np

import minispore as ms
from minispore import nn
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("Sgd",)


def cases():
    """A start, a gradient, a rate and a number of steps: an ordinary step, then updates that vanish one by one."""
    yield 1.0, 0.5, 0.25, 1
    yield 1.0, 1.0, 2.0**-12, 1
    yield 1.0, 1.0, 2.0**-12, 8
    yield 1.0, -0.25, 2.0**-12, 100
    yield 3.0, 2.0**-24, 1e5, 3
    yield -0.75, 0.3, 0.00137, 20


def check(mine, start, gradient, rate, steps):
    """Raise :class:`Wrong` unless the weights after all steps are those of ``nn.SGD`` in float32, rounded."""
    given, weight = np.float16([gradient]), ms.Parameter(ms.Tensor([start], ms.float32), name="w")
    mine_step, optimizer = mine.Sgd(np.float16([start]), rate), nn.SGD([weight], rate)
    for _ in range(steps):
        found = mine_step.step(given)
        optimizer((ms.Tensor(given.astype(np.float32)),))
    wished = weight.asnumpy().astype(np.float16)
    told = f"from {start:g}, by {steps} steps of {rate:g} times {gradient:g}, the weight"
    if getattr(found, "dtype", None) != np.float16:
        raise Wrong(f"{told} is {getattr(found, 'dtype', found)}, not float16")
    if not np.array_equal(found, wished):
        raise Wrong(f"{told} is {float(found[0])!r}, not {float(wished[0])!r}")
