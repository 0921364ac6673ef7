"""Rules for the primitives that are MindSpore's own: the same inputs, and attributes as MindSpore keeps them."""

import numpy as np

from minispore.amp.policy.self_casting import CastFloats
from minispore.data.serialization.mindir.graph import Operand
from minispore.data.serialization.mindir.rules import rule_for
from minispore.data.serialization.mindir.values import NotSaidError
from minispore.ops import operations as primitives

__all__ = []

# Each was written, and run by MindSpore 2.0.0 with the same numbers
_SAME = """
        ACos Abs Acosh AdaptiveMaxPool2D Add Addcdiv Addcmul ApproximateEqual Argmax Argmin Asin Asinh Atan Atan2
    Atanh BatchToSpaceND BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0     BesselK0e BesselK1
    BesselK1e BesselY0 BesselY1 BinaryCrossEntropy BitwiseAnd BitwiseOr BitwiseXor     BoundingBoxDecode
    BoundingBoxEncode BroadcastTo Cdist CeLU CheckValid Cholesky CompareAndBitpack Cos     Cosh Cross CumProd
    CumSum Cummax Cummin Diag DiagPart Div DivNoNan Elu Equal     EqualCount Erf Erfc Erfinv Exp ExpandDims Expm1
    Eye FastGeLU Fill Flatten Floor FloorDiv FloorMod Fmax     Gather GatherNd GatherV2 Gcd GeLU Gelu Ger Greater
    GreaterEqual HShrink HSigmoid HSwish Heaviside     Hypot IOU Identity Igamma Igammac InTopK InplaceAdd
    InplaceSub InplaceUpdate Inv Invert IsClose IsFinite     IsInf IsNan KLDivLoss L2Loss LayerNorm Lcm LeftShift
    Lerp Less LessEqual Lgamma Log Log1p     LogMatrixDeterminant LogicalAnd LogicalNot LogicalOr LogicalXor
    MaskedFill MatrixBandPart     MatrixDeterminant MatrixInverse MatrixSolve Maximum Minimum Mish Mod Mul MulNoNan
    NanToNum     Neg NotEqual OneHot Ones OnesLike PReLU Pad PopulationCount Pow Qr ReLU ReLU6 RealDiv Reciprocal
    ReduceAll     ReduceAny ReduceMax ReduceMean ReduceMin ReduceProd ReduceStd Reshape ResizeNearestNeighbor
    ReverseSequence ReverseV2 RightShift Rint Round Rsqrt ScatterNd SeLU Sigmoid     SigmoidCrossEntropyWithLogits
    Sign Sin Sinh Slice SmoothL1Loss SoftShrink SoftmaxCrossEntropyWithLogits     Softplus Softsign Sort
    SpaceToBatchND SparseSoftmaxCrossEntropyWithLogits Sqrt Square SquareSumAll     SquaredDifference Squeeze Sub
    Svd Tan Tanh TensorAdd TensorScatterAdd TensorScatterDiv     TensorScatterElements TensorScatterMax
    TensorScatterMin TensorScatterMul TensorScatterSub     TensorScatterUpdate Tile TopK Trace Transpose Tril Triu
    Trunc TruncateDiv TruncateMod     UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd UnsortedSegmentSum
    Unstack Xdivy Xlogy Zeros     ZerosLike
"""
# An older name -> the newer one, which MindSpore's kernels have
_NEWER = {"Gelu": "GeLU", "GatherV2": "Gather", "Pack": "Stack", "TensorAdd": "Add"}
_OF_TUPLES = primitives.AddN, primitives.Concat, primitives.IdentityN, primitives.Meshgrid, primitives.Stack


def said(graph, step, inputs, **attributes):
    """The primitive with its own attributes and further ones, which MindSpore derives from them."""
    name = step.primitive.name
    results = None if step.single else len(step.results)
    return graph.add(_NEWER.get(name, name), *inputs, results=results, **{**step.primitive.init_attrs, **attributes})


@rule_for(*[getattr(primitives, name) for name in _SAME.split()])
def _same(graph, step, arguments, outputs):
    return said(graph, step, arguments)


@rule_for(*_OF_TUPLES)
def _of_a_tuple(graph, step, arguments, outputs):
    return said(graph, step, [arguments], N=len(arguments), inputNums=len(arguments))


@rule_for(primitives.StopGradient)
def _handed_on(graph, step, arguments, outputs):
    return graph.name(arguments[0])


@rule_for(primitives.MatMul)
def _product(graph, step, arguments, outputs):
    p = step.primitive
    return said(graph, step, arguments, transpose_x1=p.transpose_a, transpose_x2=p.transpose_b)


@rule_for(primitives.BatchMatMul)
def _products(graph, step, arguments, outputs):
    p, batch = step.primitive, outputs[0].shape[:-2]
    same = [spread(graph, x, (*batch, *x.shape[-2:])) for x in arguments]
    return said(graph, step, same, adj_x1=p.transpose_a, adj_x2=p.transpose_b)


@rule_for(primitives.Select)
def _choice(graph, step, arguments, outputs):
    return said(graph, step, [spread(graph, x, outputs[0].shape) for x in arguments])


def spread(graph, x, shape):
    """``x``, broadcast to a shape if it has another."""
    if tuple(x.shape) == tuple(shape):
        return x
    return Operand(graph.add("BroadcastTo", x, shape=tuple(int(n) for n in shape)), tuple(shape), x.dtype)


@rule_for(primitives.Cast, CastFloats)
def _cast(graph, step, arguments, outputs):
    x, dtype = arguments[0], outputs[0].dtype
    return graph.add("Cast", x, dtype, SrcT=x.dtype, DstT=dtype)


@rule_for(primitives.Softmax, primitives.LogSoftmax)
def _softmax(graph, step, arguments, outputs):
    axis = step.primitive.axis
    if isinstance(step.primitive, primitives.LogSoftmax):
        return said(graph, step, arguments)
    return said(graph, step, arguments, axis=tuple(axis) if isinstance(axis, (tuple, list)) else (axis,))


@rule_for(primitives.Split)
def _split(graph, step, arguments, outputs):
    axis = step.primitive.axis
    sizes = tuple(y.shape[axis] for y in outputs)
    return said(graph, step, arguments, num_split=len(outputs), size_splits=sizes)


@rule_for(primitives.LpNorm)
def _length(graph, step, arguments, outputs):
    axis = step.primitive.axis
    return said(graph, step, arguments, axis=list(axis) if isinstance(axis, (tuple, list)) else [axis])


@rule_for(primitives.L2Normalize)
def _unit_length(graph, step, arguments, outputs):
    axis = step.primitive.axis
    return said(graph, step, arguments, axis=list(axis) if isinstance(axis, (tuple, list)) else [axis])


@rule_for(primitives.ReduceSum)
def _sum(graph, step, arguments, outputs):
    return said(graph, step, arguments, skip_mode=False)


@rule_for(primitives.ArgMaxWithValue, primitives.ArgMinWithValue)
def _extreme_and_place(graph, step, arguments, outputs):
    return said(graph, step, arguments, dimension=step.primitive.axis)


@rule_for(primitives.NLLLoss)
def _loss(graph, step, arguments, outputs):
    p = step.primitive
    if len(arguments[0].shape) != 2 or p.ignore_index != -100:
        raise NotSaidError("MindSpore 2.0 has it for logits of two axes, and ignores no label")
    x, y, *w = arguments
    w = w[0] if w and w[0] is not None else np.ones(x.shape[1], x.dtype)
    return graph.add("NLLLoss", x, y, w, results=len(step.results), reduction=p.reduction)


@rule_for(primitives.BiasAdd)
def _biased(graph, step, arguments, outputs):
    if step.primitive.data_format != "NCHW":
        raise NotSaidError(f"its 'data_format' is {step.primitive.data_format}, and MindSpore's CPU has NCHW")
    return said(graph, step, arguments, format="NCHW")
