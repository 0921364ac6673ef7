"""Rules for the operations of layers: convolution, pooling, normalisation, resizing, attention, recurrence."""

from typing import NamedTuple

import numpy as np

from minispore.data.serialization.onnx.arrays import padded, turned
from minispore.data.serialization.onnx.elementwise import number_like
from minispore.data.serialization.onnx.graph import Operand
from minispore.data.serialization.onnx.rules import NoRuleError, rule_for
from minispore.ops import operations as primitives
from minispore.ops.windows import reach

__all__ = []


def _begins_and_ends(pads):
    """Pads by axis, ``(top, bottom, left, right)``, in ONNX's order."""
    return [*pads[::2], *pads[1::2]]


# Convolution and pooling


@rule_for(primitives.Conv2D, primitives.Conv3D)
def _convolved(graph, primitive, arguments, outputs):
    stride, pads, dilation, group = primitive.geometry(arguments[0].shape)
    sizes = {"strides": list(stride), "pads": _begins_and_ends(pads), "dilations": list(dilation), "group": group}
    return graph.add("Conv", *arguments, kernel_shape=list(primitive.kernel_size), **sizes)


@rule_for(
    primitives.Conv2DBackpropInput,
    primitives.Conv2DTranspose,
    primitives.Conv3DBackpropInput,
    primitives.Conv3DTranspose,
)
def _transposed_convolution(graph, primitive, arguments, outputs):
    x, w, *_ = arguments
    stride, pads, dilation, group = primitive.geometry(outputs[0].shape)
    margins = [a + b for a, b in zip(pads[::2], pads[1::2], strict=True)]
    axes = zip(x.shape[2:], outputs[0].shape[2:], primitive.kernel_size, stride, dilation, margins, strict=True)
    beyond = [n - ((length - 1) * s + reach(k, d) - margin) for length, n, k, s, d, margin in axes]
    sizes = {"strides": list(stride), "pads": _begins_and_ends(pads), "dilations": list(dilation), "group": group}
    return graph.add("ConvTranspose", x, w, output_padding=beyond, **sizes)


@rule_for(primitives.BiasAdd)
def _biased(graph, primitive, arguments, outputs):
    x, b = arguments
    return graph.add("Add", x, b if len(x.shape) == 2 else graph.reshaped(b, (-1, *(1,) * (len(x.shape) - 2))))


@rule_for(primitives.MaxPool)
def _largest_of_windows(graph, primitive, arguments, outputs):
    kernel, stride, pads = primitive.windows(arguments[0].shape)
    sizes = {"strides": list(stride), "pads": _begins_and_ends(pads), "dilations": list(primitive.dilation)}
    return graph.add("MaxPool", arguments[0], kernel_shape=list(kernel), **sizes)


@rule_for(primitives.AvgPool)
def _mean_of_windows(graph, primitive, arguments, outputs):
    """The means of zero-padded windows, each scaled to the number of elements that it is to be divided by."""
    (x,) = arguments
    kernel, stride, pads, counted, divisor = primitive.at(x.shape)
    sizes = {"kernel_shape": list(kernel), "strides": list(stride)}
    if divisor is None and (not any(counted) or counted == pads):
        included = int(any(counted))
        return graph.add("AveragePool", x, pads=_begins_and_ends(pads), count_include_pad=included, **sizes)
    pairs = [(0, 0), (0, 0), pads[:2], pads[2:]]
    means = graph.add("AveragePool", padded(graph, x, pairs, number_like(x, 0)), **sizes)
    ones = np.ones((1, 1, *x.shape[2:]), np.float64)
    plain = primitives.AvgPool(kernel, stride).compute(np, np.pad(ones, pairs))
    scale = np.divide(primitive.compute(np, ones), plain, out=np.ones_like(plain), where=plain != 0)
    return graph.add("Mul", means, scale.astype(x.dtype))


@rule_for(primitives.AdaptiveAvgPool2D)
def _mean_of_shares(graph, primitive, arguments, outputs):
    """A product with a matrix of weights along each of the last two axes."""
    (x,) = arguments
    if outputs[0].shape[-2:] == (1, 1):
        return graph.add("ReduceMean", x, np.array([-2, -1], np.int64), keepdims=1)
    rows, columns = [_shares(*n, x.dtype) for n in zip(x.shape[-2:], outputs[0].shape[-2:], strict=True)]
    return graph.add("MatMul", graph.add("MatMul", rows, x), columns.T)


def _shares(length, count, dtype):
    """The matrix that takes ``length`` elements to the means of ``count`` shares of them."""
    identity = np.eye(length, dtype=dtype).reshape(1, length, length, 1)
    return primitives.AdaptiveAvgPool2D((count, 1)).compute(np, identity).reshape(length, count).T


@rule_for(primitives.AdaptiveMaxPool2D)
def _largest_of_shares(graph, primitive, arguments, outputs):
    (x,) = arguments
    sizes = [divmod(n, m) for n, m in zip(x.shape[-2:], outputs[0].shape[-2:], strict=True)]
    if len(x.shape) != 4 or any(rest for _, rest in sizes):
        raise NoRuleError("its output does not divide its input evenly")
    kernel = [size for size, _ in sizes]
    return graph.add("MaxPool", x, kernel_shape=kernel, strides=kernel), None


# Normalisation


@rule_for(primitives.BatchNorm)
def _normalised_by_channel(graph, primitive, arguments, outputs):
    if primitive.is_training:
        raise NoRuleError("it normalises by the batch, which ONNX's does only in training")
    x, *others = arguments
    exact = [graph.cast(y, np.float32) if y.dtype == np.float16 else y for y in (x, *others)]
    y = graph.add("BatchNormalization", *exact, epsilon=float(primitive.epsilon))
    return (graph.cast(y, x.dtype) if x.dtype == np.float16 else y), None, None, None, None


@rule_for(primitives.LayerNorm)
def _normalised(graph, primitive, arguments, outputs):
    """Its mean and variance too, from which it is composed."""
    x, gamma, beta = arguments
    begin = primitive.begin_norm_axis % len(x.shape)
    axes = np.arange(begin, len(x.shape), dtype=np.int64)
    wide = graph.cast(x, np.float32) if x.dtype == np.float16 else x.name
    number = np.float32 if x.dtype == np.float16 else x.dtype.type
    mean = graph.add("ReduceMean", wide, axes, keepdims=1)
    off = graph.add("Sub", wide, mean)
    variance = graph.add("ReduceMean", graph.add("Mul", off, off), axes, keepdims=1)
    scale = graph.add("Sqrt", graph.add("Add", variance, np.asarray(primitive.epsilon, number)))
    gamma, beta = [graph.cast(y, number) if y.dtype != number else y for y in (gamma, beta)]
    y = graph.add("Add", graph.add("Mul", graph.add("Div", off, scale), gamma), beta)
    return (graph.cast(y, x.dtype) if x.dtype == np.float16 else y), mean, variance


# Resizing


@rule_for(primitives.Resize, primitives.ResizeBilinear, primitives.ResizeNearestNeighbor)
def _resized(graph, primitive, arguments, outputs):
    """The weighted sum of the elements at the taps, along one axis after the other."""
    (x,) = arguments
    y, shape = x, x.shape
    for axis, _, taps in primitive.plan(shape):
        terms = [_at_tap(graph, x, y, axis, tap) for tap in taps]
        y = terms[0] if len(terms) == 1 else graph.add("Sum", *terms)
    return y if isinstance(y, str) else graph.add("Identity", y)


def _at_tap(graph, x, y, axis, tap):
    """The elements of y, of the type and rank of x, at a tap of an axis, times its weights."""
    indices, weights = tap
    term = graph.add("Gather", y, np.asarray(indices, np.int64), axis=axis)
    if weights is None:
        return term
    return graph.add("Mul", term, weights.astype(x.dtype).reshape((-1,) + (1,) * (len(x.shape) - axis - 1)))


# Attention and recurrence


@rule_for(primitives.AttentionWeights)
def _attention(graph, primitive, arguments, outputs):
    q, k, *mask = arguments
    scores = graph.add("MatMul", graph.add("Mul", q, number_like(q, primitive.scale)), turned(graph, k))
    if mask and mask[0] is not None:
        scores = graph.add("Add", scores, mask[0])
    return graph.add("Softmax", scores, axis=-1)


class _Sequence(NamedTuple):
    """The inputs of a recurrent network: ``z`` is the inputs' part of the gates."""

    z: Operand
    states: tuple
    weights: tuple
    lengths: object


_ORDERS = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2), "RNN": (0,)}  # of the gates, as ONNX has them


def _recurrent(graph, operator, primitive, sequence, **attributes):
    """ONNX's recurrent operator on a sequence."""
    z, states, weights, lengths = sequence
    steps, samples, width = z.shape
    size = states[0].shape[1]
    rows = np.concatenate([np.arange(i * size, (i + 1) * size) for i in _ORDERS[operator]])
    by_input = np.eye(width, dtype=z.dtype)[rows][None]
    w, *b = weights
    by_state = graph.reshaped(graph.add("Gather", w, rows, axis=0), (1, width, size))
    bias = None
    if b:
        ours = graph.reshaped(graph.add("Gather", b[0], rows, axis=0), (1, width))
        bias = graph.add("Concat", np.zeros((1, width), z.dtype), ours, axis=1)
    lengths = graph.cast(lengths, np.int32) if isinstance(lengths, Operand) else None
    first = [graph.reshaped(x, (1, samples, size)) for x in states]
    direction = "reverse" if primitive.reverse else "forward"
    kinds = {"hidden_size": size, "direction": direction, "results": 1 + len(states), **attributes}
    y, *last = graph.add(operator, z, by_input, by_state, bias, lengths, *first, **kinds)
    return graph.reshaped(y, (steps, samples, size)), *[graph.reshaped(x, (samples, size)) for x in last]


@rule_for(primitives.LSTMSequence)
def _lstm(graph, primitive, arguments, outputs):
    z, h, c, w, lengths = arguments
    return *_recurrent(graph, "LSTM", primitive, _Sequence(z, (h, c), (w,), lengths)), None, None


@rule_for(primitives.GRUSequence)
def _gru(graph, primitive, arguments, outputs):
    z, h, w, b, lengths = arguments
    made = _recurrent(graph, "GRU", primitive, _Sequence(z, (h,), (w, b), lengths), linear_before_reset=1)
    return *made, None, None


@rule_for(primitives.RNNSequence)
def _rnn(graph, primitive, arguments, outputs):
    z, h, w, lengths = arguments
    function = "Relu" if primitive.nonlinearity == "relu" else "Tanh"
    return _recurrent(graph, "RNN", primitive, _Sequence(z, (h,), (w,), lengths), activations=[function])
