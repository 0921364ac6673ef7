"""Laws of transformed functions: derivatives along directions, weights pulled back, functions mapped over an axis."""

import numpy as np

from minispore.tools.testing.dialects import expression
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.laws.operations import SHARE_ELSEWHERE, along, assert_quotient
from minispore.tools.testing.strategies.functions import FUNCTIONS, mapped, pulled, pushed
from minispore.tools.testing.targets import has

__all__ = ["jvp", "vjp", "vmap"]

STEP = 1e-5


def _functions(drawn):
    def groups(target, profile):
        for name, function in FUNCTIONS.items():
            said = expression(target, name, function.said)
            if has(target, said):
                yield name, drawn(name, said)

    return groups


def _slopes(case):
    """The difference quotient of each output along the case's directions."""
    above, below = (along(lambda xs: case.formula(*xs), case.inputs, case.ways, sign * STEP) for sign in (1, -1))
    return [(y - z) / (2 * STEP) for y, z in zip(above, below, strict=True)]


def _hold(case, what, found, exact):
    """Raise unless arrays are the exact ones, within the error of a difference quotient."""
    for i, (got, wished) in enumerate(zip(found, exact, strict=True)):
        told = f"{case.label}: {what} {i}"
        if got.shape != wished.shape:
            raise Broken(f"{told} has the shape {got.shape}, not {wished.shape}")
        wrong = ~(np.abs(got - wished) <= SHARE_ELSEWHERE * (1 + np.abs(wished)))
        if wrong.any():
            at = int(wrong.argmax())
            raise Broken(f"{told} is {got.flat[at]:.9g}, not {wished.flat[at]:.9g}")


@law("jvp", "jvp", _functions(pushed), refusable=True)
def jvp(target, case):
    """The derivative along directions is the difference quotient along all of them at once."""
    outputs, slopes = target.jvp(case.said, case.inputs, case.ways)
    _hold(case, "output", outputs, case.formula(*case.inputs))
    _hold(case, "the derivative along the directions, of output", slopes, _slopes(case))


@law("vjp", "vjp", _functions(pulled), refusable=True)
def vjp(target, case):
    """Weights of the outputs are pulled back to the gradient of the weighted sum, by every input."""
    outputs, gradients = target.vjp(case.said, case.inputs, case.weights)
    _hold(case, "output", outputs, case.formula(*case.inputs))
    expected = sum(float((w * slope).sum()) for w, slope in zip(case.weights, _slopes(case), strict=True))
    products = [g * way for g, way in zip(gradients, case.ways, strict=True)]
    scale = sum(float(np.abs(product).sum()) for product in products)
    found = sum(float(product.sum()) for product in products)
    assert_quotient(case.label, found, expected, scale, SHARE_ELSEWHERE)


@law("vmap", "vmap", _functions(mapped), refusable=True)
def vmap(target, case):
    """A function that is mapped over axes gives its single results, stacked along the given axis."""
    count = next(x.shape[axis] for x, axis in zip(case.inputs, case.axes, strict=True) if axis is not None)
    each = [case.formula(*_taken(case, number)) for number in range(count)]
    exact = [np.stack(parts, case.out) for parts in zip(*each, strict=True)]
    _hold(case, "output", target.vmap(case.said, case.inputs, case.axes, case.out), exact)


def _taken(case, number):
    """The inputs of one of the calls."""
    pairs = zip(case.inputs, case.axes, strict=True)
    return [x if axis is None else np.take(x, number, axis) for x, axis in pairs]
