"""Groups of elementwise operations by one launch: the operations' texts, one after another, each with its rounding.

A product that ends an operation is written ``__fmul_rn``. Else the compiler would join it with the sum of the next one,
and round once for both.
"""

import math
import weakref
from typing import NamedTuple

from minispore.devices.cuda.activation import GELU_SLOPE, SIGMOID
from minispore.devices.cuda.launch import TYPES, elementwise
from minispore.ops.casting import Cast
from minispore.ops.operations.array.reshaping import Reshape
from minispore.ops.operations.linalg.matmul import BiasAdd
from minispore.ops.operations.math.arithmetic import Add, Mul, Sub
from minispore.ops.operations.math.roots import Square
from minispore.ops.operations.nn.activation import GeLU, GeLUGrad, ReLU, ReluGrad

__all__ = []

_BEFORE = "#include <cupy/float16.cuh>\n#include <cupy/bfloat16.cuh>"  # for types that no operand has
# {a} and {b} are the operands, {y} is the result, and {T} its type
_TEXTS = {
    Add: "{y} = {T}(float({a}) + float({b}));",
    Sub: "{y} = {T}(float({a}) - float({b}));",
    Mul: "{y} = {T}(__fmul_rn(float({a}), float({b})));",
    Square: "{y} = {T}(__fmul_rn(float({a}), float({a})));",
    Cast: "{y} = {T}(float({a}));",
    BiasAdd: "{y} = {T}(float({a}) + float({b}));",
    ReLU: "{y} = {a} > {T}(0.f) || {a} != {a} ? {a} : {T}(0.f);",
    ReluGrad: "{y} = {b} > {T}(0.f) ? {a} : {T}(0.f);",
    GeLU: f"{{{{ float x = float({{a}}); {SIGMOID} {{y}} = {{T}}(__fmul_rn(v, s)); }}}}",
    GeLUGrad: f"{{{{ float x = float({{b}}); {SIGMOID} {{y}} = {{T}}(__fmul_rn(float({{a}}) * s, {GELU_SLOPE})); }}}}",
}


def is_elementwise(step, memories):
    """True if a step of a plan has a text here, and takes and gives floats of 16 or 32 bits."""
    if type(step.primitive) not in _TEXTS:
        return False
    arrays = [memories[x.number] for x in (*step.arguments, *step.results) if hasattr(x, "number")]
    return all(x.dtype.name in TYPES and 0 not in x.shape for x in arrays)


class _Plan(NamedTuple):
    """A launch of a group: the kernel's texts, its operands, and its outputs."""

    texts: tuple  # name, inputs, outputs, body, and what comes before
    operands: list  # pairs of an input's index and the shape in which the kernel sees it
    shape: tuple  # of all the kernel's outputs
    dtypes: list  # of these
    made: list  # pairs for each output of the group: which of these it is, and its shape


_plans = weakref.WeakKeyDictionary()  # groups -> their plans


def computed(xp, group, arrays):
    """The outputs of an :class:`ElementwiseGroup`, a list."""
    plan = _plans.get(group)
    if plan is None:
        plan = _plans[group] = _Writer(group, arrays).plan()
    outs = [xp.empty(plan.shape, dtype) for dtype in plan.dtypes]
    elementwise(xp, *plan.texts)(*[arrays[i].reshape(shape) for i, shape in plan.operands], *outs)
    return [outs[i].reshape(shape) for i, shape in plan.made]


class _Writer:
    """Writes a group's text: each operand and each result has a name and a type."""

    def __init__(self, group, arrays):
        self.group, self.arrays = group, arrays
        self.shape = next(part.shape for part in group.parts if type(part.primitive) is not Reshape)
        self.names = {}  # number of a result -> its name
        self.operands, self.lines = {}, []
        self.dtypes = {}  # name -> dtype

    def plan(self):
        """The group's :class:`_Plan`."""
        for part in self.group.parts:
            self._say(part)
        shapes = {part.result: part.shape for part in self.group.parts}
        outs = list(dict.fromkeys(self.names[number] for number in self.group.made))
        ends = [f"y{i} = {name};" for i, name in enumerate(outs)]
        inputs = [f"{self.arrays[i].dtype.name} {name}" for (i, _), name in self.operands.items()]
        outputs = [f"{self.dtypes[name].name} y{i}" for i, name in enumerate(outs)]
        texts = "elementwise_group", ", ".join(inputs), ", ".join(outputs), "\n".join([*self.lines, *ends]), _BEFORE
        made = [(outs.index(self.names[number]), shapes[number]) for number in self.group.made]
        return _Plan(texts, list(self.operands), self.shape, [self.dtypes[name] for name in outs], made)

    def _say(self, part):
        operands = [self._operand(part, k) for k, (is_value, _) in enumerate(part.arguments) if is_value]
        if type(part.primitive) is Reshape:
            self.names[part.result] = operands[0]
            return
        name = self.names[part.result] = f"v{part.result}"
        self.dtypes[name] = part.dtype
        named = dict(zip("ab", operands, strict=False), y=name, T=TYPES[part.dtype.name])
        self.lines.append(f"{named['T']} {name}; " + _TEXTS[type(part.primitive)].format(**named))

    def _operand(self, part, k):
        number = part.arguments[k][1]
        if number in self.names:
            return self.names[number]
        key = self.group.given.index(number), self._seen(part, part.shapes[k])
        return self.operands.setdefault(key, f"a{len(self.operands)}")

    def _seen(self, part, shape):
        """The shape in which the kernel sees an operand: it is broadcast to the group's."""
        if math.prod(shape) == 1:
            return ()
        if part.shape == self.shape:
            return shape
        return self.shape if shape == part.shape else shape[-1:]
