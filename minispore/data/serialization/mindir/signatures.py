"""Names of the inputs and outputs of MindSpore's primitives, which a MINDIR file repeats; observed from 2.0.0.

MindSpore finds by them which input of a node is a constant that its kernel needs.
"""

__all__ = []

# kind: inputs -> outputs
_TABLE = """
    ACos: x -> y
    Abs: input_x -> output
    AccumulateNV2: inputs -> sum
    Acosh: x -> y
    AdaptiveAvgPool2D: x -> y
    Add: x y -> output
    AddN: inputs -> sum
    Addcdiv: input_data x1 x2 value -> y
    Addcmul: input_data x1 x2 value -> y
    ArgMaxWithValue: x -> index values
    ArgMinWithValue: x -> index values
    Asin: x -> y
    Asinh: x -> y
    Assign: ref value -> output
    AssignAdd: ref value -> ref
    AssignSub: val value -> val
    Atan: x -> output
    Atan2: x y -> output
    Atanh: x -> y
    AvgPool: x -> output
    BatchMatMul: x1 x2 -> output
    BatchNorm: x scale offset mean variance -> y batch_mean batch_variance reserve_space_1 reserve_space_2
    Bernoulli: x p -> y
    BesselI0: x -> y
    BesselI0e: x -> o u t p u t
    BesselI1e: x -> o u t p u t
    BesselJ0: x -> output
    BesselJ1: x -> output
    BesselY0: x -> output
    BesselY1: x -> output
    BiasAdd: x b -> output
    BitwiseAnd: x1 x2 -> y
    BitwiseOr: x1 x2 -> y
    BitwiseXor: x1 x2 -> y
    Cast: x dst_type -> output
    Cdist: input_x input_y -> output
    Ceil: x -> y
    CheckValid: bboxes img_metas -> output
    Cholesky: input_x -> output
    Conv2D: x w -> output
    Conv2DBackpropFilter: out_backprop input filter_sizes -> output
    Conv2DBackpropInput: out_backprop filter input_sizes -> output
    Conv2DTranspose: out_backprop filter input_sizes -> output
    Conv3D: x w -> output
    Conv3DBackpropFilter: x out_backprop filter_size -> y
    Conv3DBackpropInput: filter out_backprop input_size -> y
    Conv3DTranspose: x filter -> output
    Cross: x1 x2 -> y
    CumProd: x axis -> y
    CumSum: x axis -> y
    Cummax: x -> y indices
    CumulativeLogsumexp: x axis -> y
    DepthToSpace: x -> y
    Digamma: input -> output
    Div: x y -> output
    DivNoNan: x1 x2 -> y
    Eigh: A -> output_w output_v
    Elu: x -> output mask
    Eps: input_x -> y
    Equal: x y -> output
    EqualCount: x y -> output
    Erf: x -> y
    Erfc: x -> y
    Erfinv: input_x -> output
    Exp: x -> y
    ExpandDims: x axis -> output
    Expm1: x -> y
    Eye: n m t -> output
    FastGeLU: x -> output
    Fill: type shape value -> y
    FloatStatus: x -> output
    Floor: x -> y
    FloorDiv: x y -> output
    FloorMod: x y -> output
    Fmax: x1, x2 -> y
    Fmin: x1, x2 -> y
    Gather: params indices axis -> output
    GatherD: x dim index -> output
    GatherNd: input_x indices -> y
    Gcd: x1 x2 -> y
    GeLU: x -> output
    Ger: x1 x2 -> y
    Greater: x y -> output
    GreaterEqual: x y -> output
    HSigmoid: input_x -> output
    HSwish: x -> output
    Heaviside: x values -> y
    Hypot: x1 x2 -> y
    IOU: anchor_boxes gt_boxes -> overlap
    Igamma: a x -> z
    Igammac: a x -> z
    InTopK: x1 x2 k -> y
    IndexAdd: input_x indices input_y -> output
    InplaceAdd: x v -> y
    InplaceSub: x v -> y
    InplaceUpdate: x v -> y
    Invert: x -> y
    IsFinite: x -> output
    IsInf: x -> output
    IsNan: x -> output
    Lcm: x1 x2 -> y
    LeftShift: x1 x2 -> y
    Lerp: start end weight -> output
    Less: x y -> output
    LessEqual: x y -> output
    Lgamma: x -> y
    LinSpace: start stop num -> output
    Log: x -> y
    Log1p: x -> y
    LogMatrixDeterminant: x -> sign y
    LogicalAnd: x y -> output
    LogicalNot: x -> output
    LogicalOr: x y -> output
    LogicalXor: x y -> output
    LpNorm: input -> output
    MaskedFill: input mask value -> output
    MaskedSelect: x mask -> output
    MatMul: x1 x2 -> output
    MatrixBandPart: x lower upper -> y
    MatrixDeterminant: x -> y
    MatrixInverse: x -> y
    MaxPool: x -> output
    Maximum: x y -> output
    Median: x -> y indices
    Minimum: x y -> output
    MirrorPad: x paddings -> y
    Mish: x -> output
    Mod: x y -> output
    Mul: x y -> output
    MulNoNan: x y -> output
    MultinomialWithReplacement: x seed offset -> y
    NLLLoss: x target weight -> loss total_weight
    Neg: x -> y
    NonZero: x -> y
    NotEqual: x1 x2 -> output
    OneHot: indices depth on_value off_value -> output
    OnesLike: x -> y
    PReLU: x weight -> output
    Pad: x -> y
    ParameterizedTruncatedNormal: shape mean stdevs min max -> y
    Polygamma: a x -> y
    PopulationCount: input -> output
    Pow: x1 x2 -> y
    RandomGamma: shape alpha -> output
    RandomShuffle: input_x -> output
    Range: start limit delta -> output
    ReLU: x -> output
    ReLU6: x -> output
    RealDiv: x y -> output
    Reciprocal: x -> y
    ReduceAll: input_x axis -> y
    ReduceAny: input_x axis -> y
    ReduceMax: input_x axis -> y
    ReduceMean: input_x axis -> y
    ReduceMin: input_x axis -> y
    ReduceProd: input_x axis -> y
    ReduceStd: input_x -> output_std output_mean
    ReduceSum: input_x axis -> y
    Renorm: x -> y
    Reshape: tensor shape -> output
    ResizeNearestNeighbor: image_in -> image_out
    ReverseSequence: x seq_lengths -> y
    ReverseV2: x -> output
    RightShift: input_x input_y -> output
    Rint: x -> output
    Round: input_x -> output
    Rsqrt: x -> output
    SGD: parameters gradient learning_rate accum momentum stat -> output
    ScatterAdd: x indices updates -> y
    ScatterDiv: x indices updates -> y
    ScatterMax: x indices updates -> y
    ScatterMin: x indices updates -> y
    ScatterMul: x indices updates -> y
    ScatterNd: indices update shape -> output
    ScatterNdAdd: x indices updates -> y
    ScatterNdDiv: x indices updates -> y
    ScatterNdMax: x indices updates -> y
    ScatterNdMin: x indices updates -> y
    ScatterNdMul: x indices updates -> y
    ScatterNdSub: input_x indices updates -> y
    ScatterNdUpdate: input_x indices value -> y
    ScatterSub: input_x indices updates -> y
    ScatterUpdate: x indices updates -> y
    SeLU: input_x -> output
    Select: condition x y -> output
    Sigmoid: x -> output
    SigmoidCrossEntropyWithLogits: predict target -> loss
    Slice: x begin size -> output
    SmoothL1Loss: prediction target -> output
    Softmax: x -> output
    Softplus: x -> output
    Softsign: x -> output
    Sort: x -> y1 y2
    SpaceToDepth: x -> y
    Sqrt: x -> output
    Square: input_x -> output
    SquareSumAll: x y -> output_x output_y
    SquaredDifference: x y -> output
    Squeeze: x -> output
    Stack: x -> y
    StandardLaplace: shape -> output
    StandardNormal: shape -> output
    StridedSlice: x begin end strides -> output
    Sub: x y -> output
    Svd: a -> s u v
    Tan: x -> y
    Tanh: x -> y
    TensorScatterAdd: input_x indices updates -> y
    TensorScatterDiv: input_x indices updates -> y
    TensorScatterElements: data indices updates -> y
    TensorScatterMax: input_x indices updates -> y
    TensorScatterMin: input_x indices updates -> y
    TensorScatterMul: input_x indices updates -> y
    TensorScatterSub: input_x indices updates -> y
    TensorScatterUpdate: input_x indices updates -> y
    Tile: x multiples -> output
    TopK: input k -> values indices
    Transpose: x perm -> output
    Tril: x -> y
    Triu: x -> y
    Trunc: input -> output
    TruncateDiv: x y -> output
    TruncateMod: x y -> output
    UniformInt: shape minval maxval -> output
    UniformReal: shape -> output
    Unique: x -> output
    UnsortedSegmentMax: x segment_ids num_segments -> y
    UnsortedSegmentMin: x segment_ids num_segments -> y
    UnsortedSegmentProd: x segment_ids num_segments -> y
    UnsortedSegmentSum: x segment_ids num_segments -> y
    Unstack: x -> y
    Xdivy: x y -> output
    Xlogy: x y -> output
    ZerosLike: x -> y
"""


def names_of(kind):
    """The attributes with the names of a primitive's inputs and outputs; none if MindSpore gives it none."""
    return dict(_NAMES.get(kind, {}))


def _parsed(line):
    kind, _, names = line.partition(": ")
    inputs, _, outputs = names.partition(" -> ")
    return kind, {"input_names": inputs.split(), "output_names": outputs.split()}


_NAMES = dict(_parsed(line.strip()) for line in _TABLE.strip().splitlines())
