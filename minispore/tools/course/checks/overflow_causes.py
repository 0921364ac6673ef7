"""Exercise 12.2: the cause of an overflow among all numbers of a step."""

import math

import numpy as np

from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("verdict",)
PARTS = ("inputs", "parameters", "outputs", "gradients")
NAMES = (("x", "y"), ("weight", "bias"), ("dense", "exp", "loss"), ("weight", "bias"))
KINDS = ("data", "parameter", "forward", "scale")


def cases():
    """Steps as the numbers in them that are not finite, by part and name: none, one, then one with its followers."""
    yield ({},)
    for bad in (math.inf, math.nan, -math.inf):
        for part, names in zip(PARTS, NAMES, strict=True):
            for name in names:
                yield ({f"{part} {name}": bad, **{f"gradients {each}": math.nan for each in NAMES[3][1:]}},)
    followers = {"outputs exp": math.inf, "outputs loss": math.nan, "gradients weight": math.nan}
    yield (followers,)
    yield ({"inputs y": math.nan, **followers},)
    yield ({"inputs y": math.nan, "parameters weight": math.inf, **followers},)
    yield ({"parameters bias": math.inf, **followers},)
    yield ({"outputs exp": math.inf},)


def check(mine, bad):
    """Raise :class:`Wrong` unless the verdict names the cause."""
    step = [
        {name: np.array([1.0, bad.get(f"{part} {name}", 0.5)], np.float32) for name in names}
        for part, names in zip(PARTS, NAMES, strict=True)
    ]
    found, wished = mine.verdict(*step), _cause(bad)
    if found != wished:
        raise Wrong(f"of a step where {bad or 'nothing'} is not finite the verdict is {found}, not {wished}")


def _cause(bad):
    """The first bad name in the order of the parts and of the run; good where no gradient is among them."""
    if not any(name.startswith("gradients ") for name in bad):
        return "good", ""
    order = [
        (kind, f"{part} {name}", name) for kind, part, names in zip(KINDS, PARTS, NAMES, strict=True) for name in names
    ]
    return next((kind, name) for kind, address, name in order if address in bad)
