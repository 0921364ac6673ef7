"""Rules for operations on whole arrays: shapes, choices of elements, reductions, products of matrices."""

import numpy as np

from minispore.data.serialization.onnx.elementwise import number_like, operand
from minispore.data.serialization.onnx.graph import Operand
from minispore.data.serialization.onnx.rules import NoRuleError, rule_for
from minispore.data.serialization.places import lists_of, places_of, step_of
from minispore.ops import operations as primitives

__all__ = []


# Shapes


@rule_for(primitives.Reshape, primitives.ExpandDims, primitives.Squeeze)
def _reshaped(graph, primitive, arguments, outputs):
    return graph.reshaped(arguments[0], outputs[0].shape)


@rule_for(primitives.Transpose)
def _transposed(graph, primitive, arguments, outputs):
    x, perm = arguments
    return graph.add("Transpose", x, perm=[int(i) % len(x.shape) for i in perm])


@rule_for(primitives.BroadcastTo)
def _broadcast(graph, primitive, arguments, outputs):
    return graph.add("Expand", arguments[0], np.array(outputs[0].shape, np.int64))


@rule_for(primitives.Tile)
def _tiled(graph, primitive, arguments, outputs):
    x, multiples = arguments
    multiples = (multiples,) if isinstance(multiples, int) else tuple(multiples)
    rank = max(len(multiples), len(x.shape))
    multiples = (1,) * (rank - len(multiples)) + multiples
    return graph.add("Tile", graph.reshaped(x, (1,) * (rank - len(x.shape)) + x.shape), np.array(multiples, np.int64))


@rule_for(primitives.Concat)
def _joined(graph, primitive, arguments, outputs):
    return graph.add("Concat", *arguments, axis=primitive.axis)


@rule_for(primitives.Stack)
def _stacked(graph, primitive, arguments, outputs):
    axis = primitive.axis % len(outputs[0].shape)
    longer = [graph.reshaped(x, (*x.shape[:axis], 1, *x.shape[axis:])) for x in arguments]
    return graph.add("Concat", *longer, axis=axis)


# Choices of elements


@rule_for(
    primitives.BatchToSpaceND,
    primitives.BorderPad,
    primitives.DepthToSpace,
    primitives.DiagPart,
    primitives.GetItem,
    primitives.MirrorPad,
    primitives.ReverseV2,
    primitives.Roll,
    primitives.Slice,
    primitives.SpaceToDepth,
    primitives.Split,
    primitives.StridedSlice,
    primitives.Unstack,
)
def _moved(graph, primitive, arguments, outputs):
    """Each result chooses elements of the first argument: those that a table of places shows."""
    x, *others = arguments
    if any(isinstance(a, Operand) and a.array is None for a in others):
        return _moved_by_values(graph, primitive, x, others)
    made = places_of(primitive, x, [a.array if isinstance(a, Operand) else a for a in others])
    if not isinstance(made, tuple):
        return chosen(graph, x, made)
    return tuple([chosen(graph, x, part) for part in made])


def chosen(graph, x, places):
    """The elements of ``x`` at ``places`` in its flat order: slices along its axes where these suffice."""
    lists = lists_of(places, x.shape)
    if lists is None:
        flat = graph.reshaped(x, (-1,))
        return graph.add("Gather", flat, places, axis=0)
    y = x
    for axis, (taken, length) in enumerate(zip(lists, x.shape, strict=True)):
        if not np.array_equal(taken, np.arange(length)):
            y = _along(graph, y, axis, taken)
    return graph.reshaped(y, places.shape)


def _along(graph, y, axis, taken):
    """``y`` at the places ``taken`` along an axis."""
    step = step_of(taken)
    if not step:
        return graph.add("Gather", y, taken, axis=axis)
    bounds = int(taken[0]), int(taken[-1]) + 1
    return graph.add("Slice", y, *[np.array([n], np.int64) for n in (*bounds, axis, step)])


def _moved_by_values(graph, primitive, x, others):
    """``x[:, i]``: one Tensor of ints along one axis, the others whole."""
    parts = primitive.key(others) if isinstance(primitive, primitives.GetItem) else ()
    axes = [i for i, part in enumerate(parts) if isinstance(part, Operand)]
    whole = all(isinstance(part, Operand) or (isinstance(part, slice) and part == slice(None)) for part in parts)
    if len(axes) != 1 or not whole or parts[axes[0]].dtype.kind not in "iu":
        raise NoRuleError("it indexes by values that depend on an input, by more than ints along one axis")
    return graph.add("Gather", x, graph.cast(parts[axes[0]], np.int64), axis=axes[0])


@rule_for(primitives.Gather)
def _gathered(graph, primitive, arguments, outputs):
    x, indices, axis = arguments
    axis = int(axis.array) if isinstance(axis, Operand) else int(axis)
    return graph.add("Gather", x, _as_index(graph, indices), axis=axis)


def _as_index(graph, indices):
    return graph.cast(indices, np.int64) if indices.dtype != np.int64 else indices


@rule_for(primitives.GatherD)
def _gathered_elements(graph, primitive, arguments, outputs):
    x, axis, indices = arguments
    return graph.add("GatherElements", x, _as_index(graph, indices), axis=int(axis))


@rule_for(primitives.GatherNd)
def _gathered_slices(graph, primitive, arguments, outputs):
    x, indices = arguments
    return graph.add("GatherND", x, _as_index(graph, indices))


@rule_for(
    primitives.TensorScatterUpdate,
    primitives.TensorScatterAdd,
    primitives.TensorScatterMul,
    primitives.TensorScatterMax,
    primitives.TensorScatterMin,
)
def _scattered(graph, primitive, arguments, outputs):
    x, indices, updates = arguments
    how = type(primitive).__name__.removeprefix("TensorScatter").lower().replace("update", "none")
    return graph.add("ScatterND", x, _as_index(graph, indices), updates, reduction=how)


@rule_for(primitives.OneHot)
def _one_hot(graph, primitive, arguments, outputs):
    indices, _, on, off = arguments
    rank = len(outputs[0].shape)
    axis = primitive.axis % rank
    shape = tuple(-1 if i == axis else 1 for i in range(rank))
    places = graph.constant(np.arange(outputs[0].shape[axis], dtype=np.int64).reshape(shape))
    wide = graph.reshaped(_as_index(graph, indices), (*indices.shape[:axis], 1, *indices.shape[axis:]))
    values = [operand(graph, value, outputs[0].dtype) for value in (on, off)]
    return graph.add("Where", graph.add("Equal", wide, places), *values)


@rule_for(primitives.Tril, primitives.Triu)
def _triangle(graph, primitive, arguments, outputs):
    diagonal = np.array(primitive.diagonal, np.int64)
    return graph.add("Trilu", arguments[0], diagonal, upper=int(isinstance(primitive, primitives.Triu)))


@rule_for(primitives.Pad, primitives.ConstantPad)
def _padded(graph, primitive, arguments, outputs):
    (x,) = arguments
    pairs = primitive.paddings if isinstance(primitive, primitives.Pad) else primitive.pads
    value = number_like(x, getattr(primitive, "value", 0))
    return padded(graph, x, pairs, value)


def padded(graph, x, pairs, value):
    """``x`` with ``value`` around it, or cut, by a pair of lengths for each axis."""
    pads = [before for before, _ in pairs] + [after for _, after in pairs]
    return graph.add("Pad", x, np.array(pads, np.int64), value)


# Reductions

_REDUCING = {
    primitives.ReduceMax: "ReduceMax",
    primitives.ReduceMean: "ReduceMean",
    primitives.ReduceMin: "ReduceMin",
    primitives.ReduceProd: "ReduceProd",
    primitives.ReduceSum: "ReduceSum",
}


def _axes(axis, rank):
    """The axes as an array; all axes for ``()`` and None."""
    if isinstance(axis, Operand):
        axis = tuple(axis.array.reshape(-1).tolist())
    axes = (axis,) if isinstance(axis, int) else tuple(axis or range(rank))
    return np.array([int(i) for i in axes], np.int64)


@rule_for(*_REDUCING)
def _reduced(graph, primitive, arguments, outputs):
    x, axis = arguments
    if not x.shape:
        return graph.add("Identity", x)
    axes = _axes(axis, len(x.shape))
    return graph.add(_REDUCING[type(primitive)], x, axes, keepdims=int(primitive.keep_dims))


@rule_for(primitives.ReduceAll, primitives.ReduceAny)
def _reduced_bools(graph, primitive, arguments, outputs):
    x, axis = arguments
    operator = "ReduceMin" if isinstance(primitive, primitives.ReduceAll) else "ReduceMax"
    ints, axes = graph.cast(x, np.int32), _axes(axis, len(x.shape))
    return graph.cast(graph.add(operator, ints, axes, keepdims=int(primitive.keep_dims)), np.bool_)


@rule_for(primitives.ReduceStd)
def _standard_deviation(graph, primitive, arguments, outputs):
    (x,) = arguments
    axes, keep = _axes(primitive.axis, len(x.shape)), int(primitive.keep_dims)
    off = graph.add("Sub", x, graph.add("ReduceMean", x, axes, keepdims=1))
    total = graph.add("ReduceSum", graph.add("Mul", off, off), axes, keepdims=keep)
    count = np.prod([x.shape[i] for i in axes]) - bool(primitive.unbiased)
    deviation = graph.add("Sqrt", graph.add("Div", total, number_like(x, count)))
    return deviation, graph.add("ReduceMean", x, axes, keepdims=keep)


@rule_for(primitives.Argmax, primitives.Argmin)
def _place_of_extreme(graph, primitive, arguments, outputs):
    operator = "ArgMax" if isinstance(primitive, primitives.Argmax) else "ArgMin"
    return graph.cast(graph.add(operator, arguments[0], axis=primitive.axis, keepdims=0), outputs[0].dtype)


@rule_for(primitives.ArgMaxWithValue, primitives.ArgMinWithValue)
def _extreme_and_place(graph, primitive, arguments, outputs):
    kind, axis, keep = type(primitive).__name__[3:6], primitive.axis, int(primitive.keep_dims)
    place = graph.add(f"Arg{kind}", arguments[0], axis=axis, keepdims=keep)
    value = graph.add(f"Reduce{kind}", arguments[0], np.array([axis], np.int64), keepdims=keep)
    return graph.cast(place, outputs[0].dtype), value


@rule_for(primitives.TopK)
def _largest(graph, primitive, arguments, outputs):
    x, _ = arguments
    count = np.array([outputs[0].shape[-1]], np.int64)
    values, places = graph.add("TopK", x, count, results=2, axis=-1, sorted=int(primitive.sorted))
    return values, graph.cast(places, outputs[1].dtype)


@rule_for(primitives.Sort)
def _sorted(graph, primitive, arguments, outputs):
    count = np.array([outputs[0].shape[primitive.axis]], np.int64)
    how = {"axis": primitive.axis, "largest": int(primitive.descending)}
    values, places = graph.add("TopK", arguments[0], count, results=2, **how)
    return values, graph.cast(places, outputs[1].dtype)


@rule_for(primitives.LpNorm)
def _length(graph, primitive, arguments, outputs):
    (x,) = arguments
    if primitive.p not in (1, 2):
        raise NoRuleError(f"its 'p' is {primitive.p}, and ONNX has 1 and 2")
    keep = int(primitive.keep_dims)
    length = graph.add(f"ReduceL{primitive.p}", x, _axes(primitive.axis, len(x.shape)), keepdims=keep)
    return graph.add("Max", length, number_like(x, primitive.epsilon))


@rule_for(primitives.CumSum)
def _running_sum(graph, primitive, arguments, outputs):
    x, axis = arguments
    axis = np.array(axis.array if isinstance(axis, Operand) else axis, np.int64)
    return graph.add("CumSum", x, axis, exclusive=int(primitive.exclusive), reverse=int(primitive.reverse))


@rule_for(primitives.L2Normalize)
def _unit_length(graph, primitive, arguments, outputs):
    (x,) = arguments
    total = graph.add("ReduceSum", graph.add("Mul", x, x), _axes(primitive.axis, len(x.shape)), keepdims=1)
    return graph.add("Div", x, graph.add("Sqrt", graph.add("Max", total, number_like(x, primitive.epsilon))))


# Products


@rule_for(primitives.MatMul)
def _product(graph, primitive, arguments, outputs):
    if outputs[0].dtype.kind != "f":
        return _products(graph, primitive, arguments, outputs)
    turned = {"transA": int(primitive.transpose_a), "transB": int(primitive.transpose_b)}
    return graph.add("Gemm", *arguments, **turned)


@rule_for(primitives.BatchMatMul)
def _products(graph, primitive, arguments, outputs):
    flags = primitive.transpose_a, primitive.transpose_b
    return graph.add("MatMul", *[turned(graph, x) if t else x for x, t in zip(arguments, flags, strict=True)])


def turned(graph, x):
    """``x`` with its last two axes exchanged."""
    *kept, row, column = range(len(x.shape))
    return graph.add("Transpose", x, perm=[*kept, column, row])
