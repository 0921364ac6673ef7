"""Rules for the operations of layers: convolution, pooling, normalisation, resizing, attention."""

import numpy as np

from minispore.data.serialization.mindir.arrays import number_like, padded, reshaped
from minispore.data.serialization.mindir.direct import said
from minispore.data.serialization.mindir.graph import Operand
from minispore.data.serialization.mindir.rules import rule_for
from minispore.data.serialization.mindir.values import NotSaidError
from minispore.ops import operations as primitives

__all__ = []


def _of(name):
    return Operand(name, (), None)


# Convolution and pooling


def _geometry(p, pads):
    """The attributes of a convolution in a plane."""
    sizes = {"stride": (1, 1, *p.stride), "dilation": (1, 1, *p.dilation), "groups": p.group}
    return {**sizes, "pad_list": tuple(int(n) for n in pads), "format": "NCHW", "data_format": "NCHW"}


@rule_for(primitives.Conv2D)
def _convolved(graph, step, arguments, outputs):
    _, pads, _, _ = step.primitive.geometry(arguments[0].shape)
    return said(graph, step, arguments, **_geometry(step.primitive, pads))


@rule_for(primitives.Conv2DTranspose, primitives.Conv2DBackpropInput)
def _transposed_convolution(graph, step, arguments, outputs):
    x, w, *_ = arguments
    p, shape = step.primitive, tuple(outputs[0].shape)
    _, pads, _, _ = p.geometry(shape)
    return said(graph, step, [x, w, shape], **_geometry(p, pads), pad_mode=p.pad_mode.upper())


@rule_for(primitives.Conv3D)
def _convolved_in_space(graph, step, arguments, outputs):
    p = step.primitive
    _, pads, _, _ = p.geometry(arguments[0].shape)
    sizes = {"strides": (1, 1, *p.stride), "dilations": (1, 1, *p.dilation), "groups": p.group, "offset_x": 0}
    sizes["pad_list"] = tuple(int(n) for n in pads)
    return said(graph, step, arguments, **sizes, format="NCDHW", data_format="NCDHW")


@rule_for(primitives.MaxPool)
def _largest_of_windows(graph, step, arguments, outputs):
    p, (x,) = step.primitive, arguments
    kernel, stride, pads = p.windows(x.shape)
    whole = any(pads) or p.ceil_mode or any(n != 1 for n in p.dilation)
    if p.pad_mode == "same" and not p.ceil_mode and all(n == 1 for n in p.dilation):
        return _pooled(graph, "MaxPool", x, kernel, stride, "SAME")
    return _largest_by_place(graph, p, x, outputs) if whole else _pooled(graph, "MaxPool", x, kernel, stride, "VALID")


def _pooled(graph, kind, x, kernel, stride, pad_mode):
    sizes = {"kernel_size": (1, 1, *kernel), "strides": (1, 1, *stride), "pad_mode": pad_mode}
    return graph.add(kind, x, **sizes, format="NCHW", data_format="NCHW")


def _largest_by_place(graph, p, x, outputs):
    """A primitive that pads with nothing: MindSpore's own layer takes it, with a depth of 1."""
    before, after = p.pad[::2], p.pad[1::2]
    if p.pad_mode == "same" or before != after:
        raise NotSaidError("its padding differs on the two sides")
    sizes = {"ksize": (1, *p.kernel_size), "strides": (1, *p.strides), "pads": (0, *before)}
    further = {"dilation": (1, *p.dilation), "ceil_mode": p.ceil_mode, "format": "NCDHW", "argmax_type": "int64"}
    deep = _of(graph.add("ExpandDims", x, 2))
    largest, _ = graph.add("MaxPool3DWithArgmax", deep, results=2, **sizes, **further)
    return reshaped(graph, _of(largest), outputs[0].shape)


@rule_for(primitives.AvgPool)
def _mean_of_windows(graph, step, arguments, outputs):
    """The means of zero-padded windows, each scaled to the number of elements that it is to be divided by."""
    p, (x,) = step.primitive, arguments
    kernel, stride, pads, counted, divisor = p.at(x.shape)
    pairs = [(0, 0), (0, 0), pads[:2], pads[2:]]
    around = _of(padded(graph, x, pairs)) if any(pads) else x
    means = _pooled(graph, "AvgPool", around, kernel, stride, "VALID")
    if divisor is None and (not any(pads) or counted == pads):
        return means
    ones = np.ones((1, 1, *x.shape[2:]), np.float64)
    plain = primitives.AvgPool(kernel, stride).compute(np, np.pad(ones, pairs))
    scale = np.divide(p.compute(np, ones), plain, out=np.ones_like(plain), where=plain != 0)
    return graph.add("Mul", _of(means), scale.astype(x.dtype))


@rule_for(primitives.AdaptiveAvgPool2D)
def _mean_of_shares(graph, step, arguments, outputs):
    return said(graph, step, arguments, output_size=tuple(outputs[0].shape[-2:]))


# Normalisation


@rule_for(primitives.BatchNorm)
def _normalised_by_channel(graph, step, arguments, outputs):
    if step.primitive.is_training:
        raise NotSaidError("it normalises by the batch, and changes its statistics")
    y, *_ = said(graph, step, arguments, format="NCHW", data_format="NCHW")
    return y, None, None, None, None  # MindSpore's statistics are other numbers outside of training


# Resizing and attention


@rule_for(primitives.ResizeBilinear)
def _resized(graph, step, arguments, outputs):
    p, size = step.primitive, tuple(outputs[0].shape[-2:])
    flags = {"align_corners": p.align_corners, "half_pixel_centers": p.half_pixel_centers}
    return graph.add("ResizeBilinearV2", arguments[0], size, **flags)


@rule_for(primitives.Resize)
def _resized_by_taps(graph, step, arguments, outputs):
    """The weighted sum of the elements at the taps, along one axis after the other."""
    (x,) = arguments
    y = x
    for axis, _, taps in step.primitive.plan(x.shape):
        terms = [_at_tap(graph, x, y, axis, *tap) for tap in taps]
        y = terms[0] if len(terms) == 1 else _of(graph.add("AddN", terms, n=len(terms)))
    return y.name


def _at_tap(graph, x, y, axis, indices, weights):
    """The elements of y, of the type and rank of x, at a tap of an axis, times its weights."""
    term = _of(graph.add("Gather", y, np.asarray(indices, np.int32), axis, batch_dims=0))
    if weights is None:
        return term
    return _of(graph.add("Mul", term, weights.astype(x.dtype).reshape((-1,) + (1,) * (len(x.shape) - axis - 1))))


@rule_for(primitives.AttentionWeights)
def _attention(graph, step, arguments, outputs):
    q, k, *mask = arguments
    scaled = _of(graph.add("Mul", q, number_like(q, step.primitive.scale)))
    flags = {"transpose_a": False, "transpose_b": True, "adj_x1": False, "adj_x2": True}
    scores = graph.add("BatchMatMul", scaled, k, **flags)
    if mask and mask[0] is not None:
        scores = graph.add("Add", _of(scores), mask[0])
    return graph.add("Softmax", _of(scores), axis=(-1,))
