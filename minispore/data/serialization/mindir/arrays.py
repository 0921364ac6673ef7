"""Rules for operations on whole arrays: choices of elements, padding, functions that MindSpore composes."""

import numpy as np

from minispore.data.serialization.mindir.graph import Operand
from minispore.data.serialization.mindir.rules import rule_for
from minispore.data.serialization.mindir.values import NotSaidError
from minispore.data.serialization.places import lists_of, places_of, step_of
from minispore.ops import operations as primitives

__all__ = []


def number_like(x, value):
    """A number of the dtype of ``x``, as a constant."""
    return np.asarray(value, x.dtype)


def reshaped(graph, x, shape):
    """The name of ``x`` in another shape."""
    return graph.add("Reshape", x, tuple(int(n) for n in shape))


# Choices of elements


@rule_for(
    primitives.BorderPad,
    primitives.GetItem,
    primitives.MirrorPad,
    primitives.Roll,
    primitives.StridedSlice,
    primitives.DepthToSpace,
    primitives.SpaceToDepth,
)
def _moved(graph, step, arguments, outputs):
    """Each result chooses elements of the first argument: those that a table of places shows."""
    x, *others = arguments
    if any(isinstance(a, Operand) and a.array is None for a in others):
        return _moved_by_values(graph, step.primitive, x, others)
    made = places_of(step.primitive, x, [a.array if isinstance(a, Operand) else a for a in others])
    return chosen(graph, x, made)


def chosen(graph, x, places):
    """The elements of ``x`` at ``places`` in its flat order: slices along its axes where these suffice."""
    lists = lists_of(places, x.shape)
    if lists is None:
        return graph.add("Gather", _operand(reshaped(graph, x, (-1,))), places, 0, batch_dims=0)
    sliced, shape = _sliced(graph, x, lists)
    for axis, taken in enumerate(lists):
        if not step_of(taken):
            sliced = graph.add("Gather", _operand(sliced), taken, axis, batch_dims=0)
            shape = (*shape[:axis], len(taken), *shape[axis + 1 :])
    return sliced if shape == places.shape else reshaped(graph, _operand(sliced), places.shape)


def _operand(name):
    return Operand(name, (), None)


_MASKS = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)


def _sliced(graph, x, lists):
    """The name and shape of ``x`` cut along the axes whose places are at equal distances."""
    equal = [bool(step_of(taken)) for taken in lists]
    begins = tuple(int(taken[0]) if cut else 0 for taken, cut in zip(lists, equal, strict=True))
    ends = tuple(int(t[-1]) + 1 if cut else n for t, cut, n in zip(lists, equal, x.shape, strict=True))
    steps = tuple(step_of(taken) or 1 for taken in lists)
    shape = tuple(len(t) if cut else n for t, cut, n in zip(lists, equal, x.shape, strict=True))
    if shape == x.shape:
        return x.name, shape
    return graph.add("StridedSlice", x, begins, ends, steps, **_MASKS), shape


def _moved_by_values(graph, primitive, x, others):
    """``x[:, i]``: one Tensor of ints along one axis, the others whole."""
    parts = primitive.key(others) if isinstance(primitive, primitives.GetItem) else ()
    axes = [i for i, part in enumerate(parts) if isinstance(part, Operand)]
    whole = all(isinstance(part, Operand) or (isinstance(part, slice) and part == slice(None)) for part in parts)
    if len(axes) != 1 or not whole or parts[axes[0]].dtype.kind not in "iu":
        raise NotSaidError("it indexes by values that depend on an input, by more than ints along one axis")
    return graph.add("Gather", x, parts[axes[0]], axes[0], batch_dims=0)


@rule_for(primitives.GatherD)
def _gathered_elements(graph, step, arguments, outputs):
    """The other axes of x, cut to the lengths that the indices have, as MindSpore wants them."""
    x, axis, indices = arguments
    axis = int(axis) % len(x.shape)
    lists = [np.arange(n if i == axis else indices.shape[i]) for i, n in enumerate(x.shape)]
    return graph.add("GatherD", _operand(_sliced(graph, x, lists)[0]), axis, indices)


# Padding


@rule_for(primitives.ConstantPad)
def _padded(graph, step, arguments, outputs):
    (x,) = arguments
    if any(n < 0 for pair in step.primitive.pads for n in pair):
        raise NotSaidError("it cuts elements off")
    return padded(graph, x, step.primitive.pads, step.primitive.value)


def padded(graph, x, pairs, value=0):
    """``x`` with ``value`` around it, by a pair of lengths for each axis: zeros, and the value added around ``x``."""
    made = graph.add("Pad", x, paddings=tuple((int(before), int(after)) for before, after in pairs))
    if not value:
        return made
    around = np.pad(np.zeros(x.shape, x.dtype), pairs, constant_values=value)
    return graph.add("Add", _operand(made), around)


# Functions of one variable that MindSpore's CPU has no kernel for


@rule_for(primitives.Ceil)
def _ceiling(graph, step, arguments, outputs):
    return graph.add("Neg", _operand(graph.add("Floor", _operand(graph.add("Neg", arguments[0])))))


@rule_for(primitives.LogSigmoid)
def _log_sigmoid(graph, step, arguments, outputs):
    return graph.add("Neg", _operand(graph.add("Softplus", _operand(graph.add("Neg", arguments[0])))))


@rule_for(primitives.Log2, primitives.Log10)
def _logarithm(graph, step, arguments, outputs):
    (x,) = arguments
    base = 2 if isinstance(step.primitive, primitives.Log2) else 10
    return graph.add("RealDiv", _operand(graph.add("Log", x)), number_like(outputs[0], np.log(base)))


@rule_for(primitives.Exp2)
def _power_of_two(graph, step, arguments, outputs):
    (x,) = arguments
    return graph.add("Pow", number_like(x, 2), x)
