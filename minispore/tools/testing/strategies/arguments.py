"""Calls of operations with drawn arguments: axes, flags, negative indices, and numbers so large that formulas overflow.

An operation is a record: its formula in NumPy, how each API says it, and the arguments that are drawn for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.dialects import expression
from minispore.tools.testing.strategies.arrays import shapes
from minispore.tools.testing.strategies.calls import in_mindspore, in_torch

__all__ = ["ARGUED", "Argued", "argued"]


class Operation(NamedTuple):
    """An operation: ``formula(*inputs, **arguments)``, an expression for each API, what draws inputs and arguments.

    The braces of an expression hold the names of arguments. ``inside`` is the size of an inner term that the inputs do
    not show: the 1 of ``log(1 + exp(x))``. ``smooth`` is whether it has a derivative everywhere, by its floating
    inputs.
    """

    formula: Callable
    said: dict
    drawn: Callable
    inside: float = 0.0
    smooth: bool = True


@dataclass(frozen=True)
class Argued:
    """A call: the operation's name, its inputs, and its arguments by name."""

    name: str
    inputs: list
    arguments: dict
    size = 1  # the number of calls

    @property
    def label(self):
        """By which a deviation names it."""
        kind = next((x.dtype.name for x in self.inputs if x.dtype.kind == "f"), "whole")
        told = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.name}({told}) {kind}"

    def formula(self, *inputs):
        """The exact answer for inputs in float64."""
        return ARGUED[self.name].formula(*inputs, **self.arguments)

    def said_to(self, target):
        """The call as an expression that the target is given; None if it is unknown."""
        told = expression(target, self.name, ARGUED[self.name].said)
        return None if told is None else told.format(**self.arguments)

    def said_in(self, speaks):
        """The call as a program of an API."""
        told = ARGUED[self.name].said[speaks].format(**self.arguments)
        return (in_torch if speaks == "torch" else in_mindspore)(self.inputs, told)


KINDS = st.sampled_from([np.float32, np.float16])
SMALL = st.integers(-16, 16).map(lambda n: n / 8)
LARGE = st.sampled_from([0.0, 1.0, -1.0, 12.0, -12.0, 100.0, -100.0, 1000.0, -1000.0, 40000.0, -40000.0])


def _array(draw, shape, kind, elements=SMALL):
    count = int(np.prod(shape, dtype=int))
    return np.array(draw(st.lists(elements, min_size=count, max_size=count)), kind).reshape(shape)


def _axis(draw, shape):
    """An axis of a shape; counted from the end too."""
    return draw(st.integers(-len(shape), len(shape) - 1))


@st.composite
def _reduced(draw, kind, one=False):
    shape = draw(shapes(1, 3, 3).filter(len))
    axes = draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=1 if one else len(shape), unique=True))
    axes = tuple(axis - len(shape) if draw(st.booleans()) else axis for axis in axes)
    arguments = {"axis": axes[0] if one else axes, "keep": draw(st.booleans())}
    return [_array(draw, shape, kind)], arguments


def _one_axis(elements):
    @st.composite
    def drawn(draw, kind):
        shape = draw(shapes(1, 3, 3).filter(len))
        return [_array(draw, shape, kind, elements)], {"axis": _axis(draw, shape)}

    return drawn


def _elementwise(elements):
    return st.composite(lambda draw, kind: ([_array(draw, draw(shapes(1, 2, 3)), kind, elements)], {}))


WHOLE = st.sampled_from(["int8", "uint8", "int32"])


@st.composite
def _of_two_whole_types(draw, kind):
    """Whole numbers of two types, whose sum the type of both holds."""
    one, other = (draw(WHOLE) for _ in range(2))
    shape, numbers = draw(shapes(1, 2, 3)), st.integers(0, 100)
    return [_array(draw, shape, one, numbers), _array(draw, shape, other, numbers)], {}


@st.composite
def _logits_and_labels(draw, kind):
    shape = draw(shapes(1, 2, 3))
    labels = _array(draw, shape, kind, st.sampled_from([0.0, 1.0]))
    return [_array(draw, shape, kind, LARGE), labels], {}


@st.composite
def _logits_and_classes(draw, kind):
    rows, classes = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    of_rows = draw(st.lists(st.integers(0, classes - 1), min_size=rows, max_size=rows))
    wide = np.float32 if kind == np.float16 else kind
    return [_array(draw, (rows, classes), wide, LARGE), np.array(of_rows, np.int32)], {}


@st.composite
def _indexed(draw, kind):
    shape = draw(shapes(1, 3, 3).filter(len))
    axis = _axis(draw, shape)
    length = shape[axis]
    indices = draw(st.lists(st.integers(-length, length - 1), min_size=1, max_size=3))
    return [_array(draw, shape, kind), np.array(indices, np.int32)], {"axis": axis}


def _of_the_first(drawn):
    """The same, along the first axis alone."""
    return lambda kind: drawn(kind).filter(lambda told: told[1]["axis"] == 0).map(lambda told: (told[0], {}))


@st.composite
def _joined(draw, kind):
    shape = draw(shapes(1, 3, 3).filter(len))
    axis = _axis(draw, shape)
    other = list(shape)
    other[axis] = draw(st.integers(1, 3))
    return [_array(draw, shape, kind), _array(draw, tuple(other), kind)], {"axis": axis}


@st.composite
def _permuted(draw, kind):
    shape = draw(shapes(1, 3, 3).filter(len))
    return [_array(draw, shape, kind)], {"axes": tuple(draw(st.permutations(range(len(shape)))))}


def _softmax(x, axis):
    shifted = np.exp(x - x.max(axis, keepdims=True))
    return shifted / shifted.sum(axis, keepdims=True)


def _log_softmax(x, axis):
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def _logsumexp(x, axis):
    largest = x.max(axis, keepdims=True)
    return (np.log(np.exp(x - largest).sum(axis, keepdims=True)) + largest).squeeze(axis)


def _sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))


def _cross_entropy(x, y):
    return -np.take_along_axis(_log_softmax(x, -1), y[:, None], -1).mean()


def _sorted_from(x, axis, descending):
    """The positions in order; of equal elements the first comes first."""
    return np.argsort(-x if descending else x, axis, kind="stable").astype(np.int32)


TIES = st.sampled_from([0.0, 1.0, -1.0])  # few numbers, so that many are equal


@st.composite
def _with_ties(draw, kind):
    shape = draw(shapes(1, 3, 4).filter(len))
    return [_array(draw, shape, kind, TIES)], {"axis": _axis(draw, shape), "descending": draw(st.booleans())}


@st.composite
def _largest(draw, kind):
    shape = draw(shapes(1, 3, 4).filter(len))
    return [_array(draw, shape, kind, TIES)], {"k": draw(st.integers(1, shape[-1]))}


def _reduction(function, name, torch, one=False, smooth=True):
    said = {"mindspore": f"ops.{name}(keep_dims={{keep}})(x0, {{axis}})", "torch": torch}
    return Operation(lambda x, axis, keep: function(x, axis=axis, keepdims=keep), said,
                     lambda kind: _reduced(kind, one), smooth=smooth)  # fmt: skip


def _by_default(layer, formula):
    """A layer without arguments: MindSpore's defaults count, where another framework may have others."""
    return Operation(formula, {"mindspore": f"{layer}()(x0)"}, _elementwise(SMALL), smooth=False)


ARGUED = {
    "ReduceSum": _reduction(np.sum, "ReduceSum", "torch.sum(x0, {axis}, {keep})"),
    "ReduceMean": _reduction(np.mean, "ReduceMean", "torch.mean(x0, {axis}, {keep})"),
    "ReduceMax": _reduction(np.max, "ReduceMax", "torch.amax(x0, {axis}, {keep})", smooth=False),
    "ReduceMin": _reduction(np.min, "ReduceMin", "torch.amin(x0, {axis}, {keep})", smooth=False),
    "ReduceProd": _reduction(np.prod, "ReduceProd", "torch.prod(x0, {axis}, {keep})", one=True),
    "CumSum": Operation(
        np.cumsum, {"mindspore": "ops.CumSum()(x0, {axis})", "torch": "torch.cumsum(x0, {axis})"}, _one_axis(SMALL)
    ),
    "CumProd": Operation(
        np.cumprod, {"mindspore": "ops.CumProd()(x0, {axis})", "torch": "torch.cumprod(x0, {axis})"}, _one_axis(SMALL)
    ),
    "Sort": Operation(
        _sorted_from,
        {
            "mindspore": "ops.Sort({axis}, {descending})(x0)[1]",
            "torch": "torch.sort(x0, dim={axis}, descending={descending}, stable=True)[1].int()",
        },
        _with_ties,
        smooth=False,
    ),
    "TopK": Operation(
        lambda x, k: _sorted_from(x, -1, True)[..., :k],
        {"mindspore": "ops.TopK(sorted=True)(x0, {k})[1]"},
        _largest,
        smooth=False,
    ),
    "Softmax": Operation(
        _softmax, {"mindspore": "ops.Softmax({axis})(x0)", "torch": "torch.softmax(x0, {axis})"}, _one_axis(LARGE)
    ),
    "LogSoftmax": Operation(
        _log_softmax,
        {"mindspore": "ops.LogSoftmax({axis})(x0)", "torch": "torch.log_softmax(x0, {axis})"},
        _one_axis(LARGE),
        1.0,
    ),
    "logsumexp": Operation(
        _logsumexp,
        {"mindspore": "ops.logsumexp(x0, {axis})", "torch": "torch.logsumexp(x0, {axis})"},
        _one_axis(LARGE),
        1.0,
    ),
    "Sigmoid": Operation(
        _sigmoid, {"mindspore": "ops.Sigmoid()(x0)", "torch": "torch.sigmoid(x0)"}, _elementwise(LARGE)
    ),
    "Add": Operation(
        np.add,
        {"mindspore": "ops.Add()(x0, x1)", "torch": "torch.add(x0, x1)"},
        _of_two_whole_types,
        smooth=False,
    ),
    "nn.LeakyReLU": _by_default("nn.LeakyReLU", lambda x: np.where(x > 0, x, 0.2 * x)),
    "nn.ELU": _by_default("nn.ELU", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))),
    "nn.HShrink": _by_default("nn.HShrink", lambda x: np.where(np.abs(x) > 0.5, x, 0)),
    "nn.SoftShrink": _by_default("nn.SoftShrink", lambda x: x - np.clip(x, -0.5, 0.5)),
    "Tanh": Operation(np.tanh, {"mindspore": "ops.Tanh()(x0)", "torch": "torch.tanh(x0)"}, _elementwise(LARGE)),
    "Softplus": Operation(
        lambda x: np.logaddexp(0, x),
        {"mindspore": "ops.Softplus()(x0)", "torch": "torch.nn.functional.softplus(x0)"},
        _elementwise(LARGE),
        1.0,
    ),
    "BCEWithLogitsLoss": Operation(
        lambda x, y: (np.logaddexp(0, x) - x * y).mean(),
        {
            "mindspore": "nn.BCEWithLogitsLoss()(x0, x1)",
            "torch": "torch.nn.functional.binary_cross_entropy_with_logits(x0, x1)",
        },
        _logits_and_labels,
        1.0,
    ),
    "CrossEntropyLoss": Operation(
        _cross_entropy,
        {"mindspore": "nn.CrossEntropyLoss()(x0, x1)", "torch": "torch.nn.functional.cross_entropy(x0, x1.long())"},
        _logits_and_classes,
        1.0,
    ),
    "Gather": Operation(np.take, {"mindspore": "ops.Gather()(x0, x1, {axis})"}, _indexed),
    "x0[x1]": Operation(lambda x, i: x[i], {"mindspore": "x0[x1]", "torch": "x0[x1]"}, _of_the_first(_indexed)),
    "Concat": Operation(
        lambda x, y, axis: np.concatenate([x, y], axis),
        {"mindspore": "ops.Concat({axis})((x0, x1))", "torch": "torch.cat((x0, x1), {axis})"},
        _joined,
    ),
    "Transpose": Operation(
        np.transpose, {"mindspore": "ops.Transpose()(x0, {axes})", "torch": "torch.permute(x0, {axes})"}, _permuted
    ),
}


def argued(name, kinds=KINDS):
    """Calls of one operation with drawn inputs and arguments; they shrink to small ones.

    Args:
        name (str): The operation, one of ``ARGUED``.
        kinds (SearchStrategy): The dtype of its floating inputs. Default: float32 or float16.
    """
    drawn = kinds.flatmap(ARGUED[name].drawn)
    return drawn.map(lambda told: Argued(name, *told))
