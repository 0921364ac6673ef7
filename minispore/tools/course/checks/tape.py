"""Exercise 3.1: gradients of a tape, beside those of minispore."""

import minispore as ms
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("gradients",)
EXPRESSIONS = (
    *("x", "x + y", "x - y", "x * y", "x + x", "x - x", "x * x", "x * y * x", "x * (x + y)", "(x - y) * (x + y)"),
    *("x * x * x - y * y", "y * (x - y * x)", "(x * y + x) * (x * y - y)"),
)


def cases():
    """Expressions of x and y, the shortest first, at two places."""
    for expression in EXPRESSIONS:
        for place in ((3.0, 4.0), (2.0, -5.0)):
            yield expression, *place


def check(mine, expression, x, y):
    """Raise :class:`Wrong` unless the gradients of an expression by x and y are minispore's."""
    function = eval(f"lambda x, y: {expression}")
    found = list(mine.gradients(function, x, y))
    inputs = [ms.Tensor(each, ms.float64) for each in (x, y)]
    wished = [float(each.asnumpy()) for each in ms.grad(function, (0, 1))(*inputs)]
    if found != wished:
        raise Wrong(f"the gradients of {expression} at x={x:g}, y={y:g} are {found}, not {wished}")
