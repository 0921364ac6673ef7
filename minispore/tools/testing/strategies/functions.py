"""Functions of one to three inputs with what their transformations take: directions, weights, and axes to map over.

A function is a record: its formula in NumPy, how each API says it, and the shapes that are drawn for its inputs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.strategies.arrays import broadcastable
from minispore.tools.testing.strategies.calls import in_mindspore, in_torch

__all__ = ["FUNCTIONS", "Mapped", "Pulled", "Pushed", "mapped", "pulled", "pushed"]


class Function(NamedTuple):
    """A smooth function: ``formula(*inputs)`` gives a list of outputs; ``shapes`` draws its inputs' shapes."""

    formula: Callable
    said: dict
    shapes: st.SearchStrategy


@st.composite
def _of_a_product(draw):
    rows, inner, columns = (draw(st.integers(1, 3)) for _ in range(3))
    return [(rows, inner), (inner, columns)]


FUNCTIONS = {
    "tanh": Function(
        lambda x: [np.tanh(x)], {"mindspore": "ops.tanh(x0)", "torch": "torch.tanh(x0)"}, broadcastable(1)
    ),
    "x0 * x1": Function(lambda x, y: [x * y], {"mindspore": "x0 * x1", "torch": "x0 * x1"}, broadcastable(2)),
    "x0 * x1 + x2": Function(
        lambda x, y, z: [x * y + z], {"mindspore": "x0 * x1 + x2", "torch": "x0 * x1 + x2"}, broadcastable(3)
    ),
    "two outputs": Function(
        lambda x, y: [x * y, np.tanh(x) - y],
        {"mindspore": "(x0 * x1, ops.tanh(x0) - x1)", "torch": "(x0 * x1, torch.tanh(x0) - x1)"},
        broadcastable(2),
    ),
    "matmul": Function(
        lambda x, y: [x @ y],
        {"mindspore": "ops.matmul(x0, x1)", "torch": "torch.matmul(x0, x1)"},
        _of_a_product(),
    ),
}
EIGHTHS = st.integers(-16, 16).map(lambda n: n / 8)


class _Said:
    """Base of the cases: the function by its name, and the program that prints its transformation."""

    size = 1  # how many calls it is

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} of {', '.join(str(list(x.shape)) for x in self.inputs)}"

    def formula(self, *inputs):
        """The outputs for inputs in float64."""
        return FUNCTIONS[self.name].formula(*inputs)

    def _program(self, speaks, transformation, *more):
        """A program that prints ``transformation``, of ``function`` and of the inputs and ``more``."""
        names = ", ".join(f"x{i}" for i in range(len(self.inputs)))
        function = f"function = lambda {names}: {FUNCTIONS[self.name].said[speaks]}\n"
        told = transformation.format(names=names)
        text = (in_torch if speaks == "torch" else in_mindspore)([*self.inputs, *more], told)
        return text.replace("print(", f"{function}print(")


@dataclass(frozen=True)
class Pushed(_Said):
    """A function with inputs, and a direction for each."""

    name: str
    said: str
    inputs: list
    ways: list

    def said_in(self, speaks):
        """The derivative along the directions as a program of an API."""
        count = len(self.inputs)
        ways = ", ".join(f"x{count + i}" for i in range(count))
        of = "torch.func" if speaks == "torch" else "ms"
        told = f"{of}.jvp(function, ({{names}},), ({ways},))"
        return self._program(speaks, told if speaks == "torch" or count > 1 else told.replace(",)", ")"), *self.ways)


@dataclass(frozen=True)
class Pulled(_Said):
    """A function with inputs, weights of its outputs, and directions along which the gradients are tried."""

    name: str
    said: str
    inputs: list
    weights: list
    ways: list

    def said_in(self, speaks):
        """The pulled-back weights as a program of an API."""
        count, of = len(self.inputs), "torch.func" if speaks == "torch" else "ms"
        given = ", ".join(f"x{count + i}" for i in range(len(self.weights)))
        given = f"({given})" if speaks == "torch" else given
        return self._program(speaks, f"{of}.vjp(function, {{names}})[1]({given})", *self.weights)


@dataclass(frozen=True)
class Mapped(_Said):
    """A function to map over an axis that some of its inputs have in addition; None: an input without one."""

    name: str
    said: str
    inputs: list
    axes: tuple
    out: int

    @property
    def label(self):
        """By which a deviation names it."""
        return f"{self.name} over {self.axes}, out {self.out}"

    def said_in(self, speaks):
        """The call of the mapped function as a program of an API."""
        of = "torch.func" if speaks == "torch" else "ms"
        return self._program(speaks, f"{of}.vmap(function, {self.axes}, {self.out})({{names}})")


@st.composite
def _numbers(draw, shape):
    count = int(np.prod(shape, dtype=int))
    return np.array(draw(st.lists(EIGHTHS, min_size=count, max_size=count)), np.float64).reshape(shape)


@st.composite
def pushed(draw, name, said):
    """Calls of one function with a direction for each input."""
    shapes = draw(FUNCTIONS[name].shapes)
    inputs, ways = ([draw(_numbers(shape)) for shape in shapes] for _ in range(2))
    return Pushed(name, said, inputs, ways)


@st.composite
def pulled(draw, name, said):
    """Calls of one function with weights of its outputs."""
    call = draw(pushed(name, said))
    weights = [draw(_numbers(y.shape)) for y in call.formula(*call.inputs)]
    return Pulled(name, said, call.inputs, weights, call.ways)


@st.composite
def mapped(draw, name, said):
    """Calls of one function that is mapped over a first, middle or last axis of some inputs, at least of one."""
    shapes, count = draw(FUNCTIONS[name].shapes), draw(st.integers(1, 3))
    without = draw(st.sets(st.integers(0, len(shapes) - 1), max_size=len(shapes) - 1))
    axes = tuple(None if i in without else draw(st.integers(0, len(shape))) for i, shape in enumerate(shapes))
    longer = [
        shape if axis is None else (*shape[:axis], count, *shape[axis:])
        for shape, axis in zip(shapes, axes, strict=True)
    ]
    rank = min(out.ndim for out in FUNCTIONS[name].formula(*map(np.zeros, shapes)))
    from_the_end = draw(st.booleans())  # an axis may be counted from the end
    axes = tuple(
        axis - len(shape) if from_the_end and axis is not None else axis
        for axis, shape in zip(axes, longer, strict=True)
    )
    return Mapped(name, said, [draw(_numbers(shape)) for shape in longer], axes, draw(st.integers(0, rank)))
