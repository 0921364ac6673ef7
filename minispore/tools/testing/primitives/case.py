"""Lines of the table: an instance of a primitive, its inputs, and its formula in NumPy.

An input is a function of a NumPy generator, or of what stands in for one (``strategies/generator.py``); or a plain
value.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minispore import Tensor

# Inputs: the distributions of arrays


def reals(*shape, low=-2.0, high=2.0):
    """Between two numbers."""
    return lambda rng: rng.uniform(low, high, shape)


def positive(*shape):
    """Above 0."""
    return reals(*shape, low=0.3)


def nonzero(*shape):
    """Away from 0 on both sides, and from 6, where activations have their kinks."""
    return lambda rng: rng.uniform(0.3, 2.0, shape) * rng.choice([-1.0, 1.0, 4.0], shape)


def distinct(*shape):
    """No two values closer than 0.2, so that the largest of several stays the largest."""
    count = int(np.prod(shape))
    return lambda rng: (rng.permutation(count).reshape(shape) - count // 2 + rng.uniform(-0.1, 0.1, shape)) * 0.25


def between_wholes(*shape):
    """Near a half, away from every integer."""
    return lambda rng: rng.integers(-3, 3, shape) + 0.5 + rng.uniform(-0.1, 0.1, shape)


def wholes(*shape):
    """Near 1, 2 and their negatives; ``between_wholes`` divided by it is away from every integer."""
    return lambda rng: rng.choice([-2.0, -1.0, 1.0, 2.0], shape) * rng.uniform(0.99, 1.01, shape)


def below(limit, *shape):
    """Integers from 0 to below a limit."""
    return lambda rng: rng.integers(0, limit, shape)


def bools(*shape):
    """True and False."""
    return lambda rng: rng.random(shape) < 0.5


def shares(*shape):
    """Rows that are above 0 and sum to 1."""
    return lambda rng: (lambda x: x / x.sum(-1, keepdims=True))(rng.uniform(0.1, 1.0, shape))


_SHAPES = [(3,), (), (1,), (2, 1, 3), (2, 3), (0,), (2, 0)]
_PAIRS = [((3,), (3,)), ((), ()), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 1, 3), (1,)), ((0, 2), (1, 2))]


def _shape(rng):
    """A shape: NumPy's generator chooses one of a few, a generator of shapes draws any."""
    return rng.shape() if hasattr(rng, "shape") else _SHAPES[rng.integers(len(_SHAPES))]


def _pair(rng):
    """Two shapes that broadcast."""
    if not hasattr(rng, "shapes"):
        return _PAIRS[rng.integers(len(_PAIRS))]
    return rng.shapes()


def unary(domain):
    """The input of an elementwise operation: any shape, 0-d and empty ones included."""
    return lambda rng: (domain(*_shape(rng))(rng),)


def binary(first, second):
    """The inputs of an elementwise operation on two Tensors: any shapes that broadcast."""

    def draw(rng):
        x, y = _pair(rng)
        return first(*x)(rng), second(*y)(rng)

    return draw


def alike(first, second):
    """The inputs of an elementwise operation on two Tensors of one shape."""

    def draw(rng):
        shape = _shape(rng)
        return first(*shape)(rng), second(*shape)(rng)

    return draw


def number(value):
    """An array of one number, without axes."""
    return lambda rng: np.asarray(value)


def _drawn(inputs):
    return lambda rng: tuple(x(rng) if callable(x) else x for x in inputs)


@dataclass(frozen=True, repr=False)
class Line:
    """One primitive as the laws meet it.

    ``oracle`` is its formula in NumPy. ``slack`` is the error that float16 may have beside one ulp: a number, or a
    function of the float64 inputs; ``call`` feeds it where it is not called with the inputs as they are; ``wrong`` has
    inputs that it refuses: ``(exception, part of the sentence, call)``. The rest are exemptions, each with its reason:
    ``only`` (the inputs with gradients), ``through`` (the outputs that pass gradients), ``waits`` (it waits for the
    device).
    """

    primitive: Any
    draw: Callable
    oracle: Callable = None
    elementwise: bool = False
    slack: Any = 0.0
    call: Callable = None
    only: tuple = None
    through: tuple = None
    waits: bool = False
    reason: str = ""
    wrong: tuple = ()

    def __call__(self, *inputs):
        return self.call(self.primitive, *inputs) if self.call else self.primitive(*inputs)


def old(kind, *args):
    """An instance of a primitive under its old name, made without the warning."""
    log = logging.getLogger("minispore")
    before, log.disabled = log.disabled, True
    try:
        return kind(*args)
    finally:
        log.disabled = before


def line(primitive, *inputs, oracle=None, **rest):
    """A line of a primitive with such inputs."""
    return Line(primitive, _drawn(inputs), oracle, **rest)


def each(primitive, draw, oracle=None, **rest):
    """A line of an elementwise primitive."""
    return Line(primitive, draw, oracle, elementwise=True, **rest)


def products(terms):
    """The slack of a contraction: ``terms * 2**-24 * sum |a| |b|``, by the operation itself on absolute values."""

    def slack(line, inputs):
        absolute = [Tensor(np.abs(x)) if isinstance(x, np.ndarray) else x for x in inputs]
        return terms * 2.0**-24 * line(*absolute).asnumpy()

    return slack
