"""Exercise 14.3: a recorded function that is replayed on other inputs, beside the function itself."""

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("Recording",)
EXPRESSIONS = ("x", "x + 1.0", "x + y", "x * y", "x * x", "x * 2.0 + y", "(x + y) * (y + x)", "(x * y + 1.0) * y")


def cases():
    """Expressions of x and y, the shortest first, each with a shape of the inputs of the replay."""
    for expression in EXPRESSIONS:
        yield expression, (3,)
    yield "x + y", (1,)
    yield "(x * y + 1.0) * y", (3, 3)
    yield "x * 2.0", ()


def check(mine, expression, shape):
    """Raise :class:`Wrong` unless replays give what the function gives, and other shapes are refused."""
    function = eval(f"lambda x, y: {expression}")
    first, rng = np.arange(3.0), np.random.default_rng(0)
    recording = mine.Recording(function, first, first + 1)
    for told in ("", " a second time"):
        inputs = [rng.integers(-4, 5, shape).astype(np.float64) for _ in "xy"]
        try:
            found = recording.replay(*inputs)
        except ValueError:
            if shape == (3,):
                raise
            continue
        if shape != (3,):
            raise Wrong(f"{expression}, recorded for the shape (3,), is replayed for {shape}: ValueError is missing")
        wished = function(*inputs)
        if not np.array_equal(found, wished):
            told = f"{expression} of {inputs[0]} and {inputs[1]}, replayed{told}"
            raise Wrong(f"{told}, is {found}, not {wished}")
    if not np.array_equal(recording.replay(first, first + 1), function(first, first + 1)):
        raise Wrong(f"{expression}, replayed on its first inputs, is no longer what was recorded")
