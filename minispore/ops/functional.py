"""Functional faces of the operations: ``ops.relu(x)`` is ``ops.ReLU()(x)``."""

from functools import lru_cache

import numpy as np

from minispore.autograd import is_differentiable
from minispore.dtype import as_dtype, float32
from minispore.errors import type_error, value_error
from minispore.ops import activation, arithmetic, array, comparison, linear, math, pooling, random, reduction, state
from minispore.ops import convolution as _convolution
from minispore.ops.normalization import LayerNorm
from minispore.ops.primitive import cast, of_two
from minispore.tensor import Tensor

abs = math.Abs()
ceil = math.Ceil()
cos = math.Cos()
erf = math.Erf()
exp = math.Exp()
floor = math.Floor()
log = math.Log()
reciprocal = math.Reciprocal()
round = math.Round()
rsqrt = math.Rsqrt()
sign = math.Sign()
sin = math.Sin()
sqrt = math.Sqrt()
square = math.Square()

neg = arithmetic.Neg()
relu = activation.ReLU()
relu6 = activation.ReLU6()
sigmoid = activation.Sigmoid()
tanh = activation.Tanh()
prelu = activation.PReLU()
isfinite = comparison.IsFinite()
isinf = comparison.IsInf()
isnan = comparison.IsNan()
logical_not = comparison.LogicalNot()
zeros_like = array.ZerosLike()
ones_like = array.OnesLike()
assign = state.Assign()
assign_add = state.AssignAdd()
assign_sub = state.AssignSub()
depend = state.Depend()
stop_gradient = state.StopGradient()
ger = linear.Ger()
bias_add = linear.BiasAdd()
select = math.Select()


def _binary(primitive):
    """The functional face of an operation on two Tensors: a plain function, so that it can be a method of Tensor."""
    function = of_two(primitive)
    function.__name__ = primitive.name.lower()
    function.__doc__ = type(primitive).__doc__
    return function


add = _binary(arithmetic.Add())
sub = _binary(arithmetic.Sub())
mul = _binary(arithmetic.Mul())
div = _binary(arithmetic.Div())
floor_div = _binary(arithmetic.FloorDiv())
floor_mod = _binary(arithmetic.FloorMod())
pow = _binary(arithmetic.Pow())
maximum = _binary(arithmetic.Maximum())
minimum = _binary(arithmetic.Minimum())
equal = _binary(comparison.Equal())
not_equal = _binary(comparison.NotEqual())
less = _binary(comparison.Less())
less_equal = _binary(comparison.LessEqual())
greater = _binary(comparison.Greater())
greater_equal = _binary(comparison.GreaterEqual())
logical_and = _binary(comparison.LogicalAnd())
logical_or = _binary(comparison.LogicalOr())
logical_xor = _binary(comparison.LogicalXor())
bitwise_and = _binary(arithmetic.BitwiseAnd())
bitwise_or = _binary(arithmetic.BitwiseOr())
bitwise_xor = _binary(arithmetic.BitwiseXor())

make = lru_cache(maxsize=1024)(lambda kind, *arguments: kind(*arguments))  # one primitive for equal attributes


def add_n(x):
    """Sum of several Tensors of one shape: ``out = x[0] + x[1] + ...``."""
    total = x[0]
    for other in x[1:]:
        total = total + other
    return total


def matmul(input, other):
    """Matrix product with NumPy's rules for axes: vectors count as a row or a column, leading axes broadcast.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If the lengths do not fit, or an input is 0-d.
    """
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor):
            raise type_error("matmul", f"the '{name}' must be a Tensor", type(x).__name__)
        if x.ndim == 0:
            raise value_error("matmul", f"the '{name}' must have at least one axis", "a 0-d Tensor")
    if input.ndim == 2 and other.ndim == 2:
        return _matmul(input, other)
    x = input.reshape(1, -1) if input.ndim == 1 else input
    y = other.reshape(-1, 1) if other.ndim == 1 else other
    out = _batch_matmul(x, y)
    if input.ndim == 1:
        out = out.reshape(out.shape[:-2] + out.shape[-1:])
    return out.reshape(out.shape[:-1]) if other.ndim == 1 else out


_matmul, _batch_matmul = linear.MatMul(), linear.BatchMatMul()


def batch_matmul(x, y):
    """Matrix products over leading axes: ``BatchMatMul()(x, y)``."""
    return _batch_matmul(x, y)


def dense(x, weight, bias=None):
    """Linear layer: ``out = x @ weight.T + bias``, on the last axis of x."""
    out = make(linear.MatMul, False, True)(x.reshape(-1, x.shape[-1]), weight)
    out = out if bias is None else bias_add(out, bias)
    return out.reshape((*x.shape[:-1], weight.shape[0]))


def reduce_sum(x, axis=None, keep_dims=False):
    """Sum over axes: ``ReduceSum(keep_dims)(x, axis)``."""
    return make(reduction.ReduceSum, keep_dims)(x, () if axis is None else axis)


def reduce_mean(x, axis=None, keep_dims=False):
    """Mean over axes: ``ReduceMean(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMean, keep_dims)(x, () if axis is None else axis)


def reduce_max(x, axis=None, keep_dims=False):
    """Largest over axes: ``ReduceMax(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMax, keep_dims)(x, () if axis is None else axis)


def reduce_min(x, axis=None, keep_dims=False):
    """Smallest over axes: ``ReduceMin(keep_dims)(x, axis)``."""
    return make(reduction.ReduceMin, keep_dims)(x, () if axis is None else axis)


def reduce_prod(x, axis=None, keep_dims=False):
    """Product over axes: ``ReduceProd(keep_dims)(x, axis)``."""
    return make(reduction.ReduceProd, keep_dims)(x, () if axis is None else axis)


def reduce_all(x, axis=None, keep_dims=False):
    """Whether all are true over axes: ``ReduceAll(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAll, keep_dims)(x, () if axis is None else axis)


def reduce_any(x, axis=None, keep_dims=False):
    """Whether any is true over axes: ``ReduceAny(keep_dims)(x, axis)``."""
    return make(reduction.ReduceAny, keep_dims)(x, () if axis is None else axis)


mean = reduce_mean


def sum(x, axis=None, keepdim=False):
    """Sum over axes: :func:`reduce_sum`."""
    return reduce_sum(x, axis, keepdim)


def argmax(x, axis=-1):
    """Position of the first largest element along an axis, as int64."""
    return make(reduction.Argmax, axis, np.dtype(np.int64))(x)


def argmin(x, axis=-1):
    """Position of the first smallest element along an axis, as int64."""
    return make(reduction.Argmin, axis, np.dtype(np.int64))(x)


def reshape(x, shape):
    """The same elements in another shape: ``Reshape()(x, shape)``."""
    return _reshape(x, shape)


def transpose(x, input_perm):
    """The axes in another order: ``Transpose()(x, input_perm)``."""
    return _transpose(x, input_perm)


def expand_dims(x, axis):
    """A new axis of length 1: ``ExpandDims()(x, axis)``."""
    return _expand_dims(x, axis)


_reshape, _transpose, _expand_dims = array.Reshape(), array.Transpose(), array.ExpandDims()
_tile, _gather, _identity = array.Tile(), array.Gather(), state.Identity()


def squeeze(x, axis=()):
    """Without axes of length 1: ``Squeeze(axis)(x)``."""
    return make(array.Squeeze, tuple(axis) if isinstance(axis, list) else () if axis is None else axis)(x)


def flatten(x, order="C", *, start_dim=1, end_dim=-1):
    """The axes from ``start_dim`` to ``end_dim`` as one; by default all but the first."""
    rank = x.ndim
    if rank < 2:
        return x.reshape(-1)
    for name, dim in (("start_dim", start_dim), ("end_dim", end_dim)):
        if not -rank <= dim < rank:
            raise value_error("flatten", f"the '{name}' must be in [-{rank}, {rank})", dim)
    start, end = start_dim % rank, end_dim % rank
    if start > end:
        raise value_error("flatten", "the 'start_dim' must not come after the 'end_dim'", f"{start_dim} and {end_dim}")
    return x.reshape((*x.shape[:start], int(np.prod(x.shape[start : end + 1])), *x.shape[end + 1 :]))


def broadcast_to(x, shape):
    """``x`` stretched to ``shape``: ``BroadcastTo(shape)(x)``."""
    return make(array.BroadcastTo, tuple(shape))(x)


def tile(x, multiples):
    """``x`` repeated along its axes: ``Tile()(x, multiples)``."""
    return _tile(x, multiples)


def concat(tensors, axis=0):
    """Tensors joined along an axis: ``Concat(axis)(tensors)``."""
    return make(array.Concat, axis)(tensors)


def stack(tensors, axis=0):
    """Tensors joined along a new axis: ``Stack(axis)(tensors)``."""
    return make(array.Stack, axis)(tensors)


def split(x, split_size_or_sections, axis=0):
    """``x`` cut along an axis: into pieces of one length (the last may be shorter), or of the lengths in a list."""
    length = x.shape[axis]
    if isinstance(split_size_or_sections, int):
        if split_size_or_sections < 1:
            raise value_error("split", "the 'split_size_or_sections' must be above 0", split_size_or_sections)
        stops = range(split_size_or_sections, length + split_size_or_sections, split_size_or_sections)
    else:
        stops = np.cumsum(split_size_or_sections).tolist()
        if not stops or stops[-1] != length:
            raise value_error("split", f"the sections must add up to {length}", tuple(split_size_or_sections))
    before, start, pieces = (slice(None),) * (axis % x.ndim), 0, []
    for stop in stops:
        pieces.append(x[(*before, slice(start, min(stop, length)))])
        start = stop
    return tuple(pieces)


def gather(input_params, input_indices, axis):
    """Elements at indices along an axis: ``Gather()(input_params, input_indices, axis)``."""
    return _gather(input_params, input_indices, axis)


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """``on_value`` at each index along a new axis: ``OneHot(axis)(indices, depth, on_value, off_value)``."""
    return make(array.OneHot, axis)(indices, depth, on_value, off_value)


def zeros(size, dtype=None):
    """A Tensor of zeros, float32 where no dtype is given."""
    return make(array.Zeros)(size, float32 if dtype is None else dtype)


def ones(shape, dtype=None):
    """A Tensor of ones, float32 where no dtype is given."""
    return make(array.Ones)(shape, float32 if dtype is None else dtype)


def full(size, fill_value, *, dtype=None):
    """A Tensor of one value, float32 where no dtype is given."""
    return make(array.Fill)(float32 if dtype is None else dtype, size, fill_value)


def eye(n, m=None, dtype=None):
    """Ones on the diagonal of n rows and m columns, float32 where no dtype is given."""
    return make(array.Eye)(n, n if m is None else m, float32 if dtype is None else dtype)


def arange(start, end=None, step=1, *, dtype=None):
    """``start, start + step, ...`` below ``end``; ints give int64, floats float32."""
    start, end = (0, start) if end is None else (start, end)
    values = np.arange(start, end, step)
    default = np.float32 if values.dtype.kind == "f" else np.int64
    return Tensor(values.astype(default) if dtype is None else values, dtype)


def masked_fill(x, mask, value):
    """``value`` where the mask is True, else x."""
    return select(mask, value if isinstance(value, Tensor) else Tensor(value, x.dtype), x)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """``min(max(x, clip_value_min), clip_value_max)``."""
    x = x if clip_value_min is None else maximum(x, clip_value_min)
    return x if clip_value_max is None else minimum(x, clip_value_max)


def softmax(x, axis=-1):
    """``Softmax(axis)(x)``."""
    return make(activation.Softmax, tuple(axis) if isinstance(axis, list) else axis)(x)


def log_softmax(logits, axis=-1):
    """``LogSoftmax(axis)(logits)``."""
    return make(activation.LogSoftmax, axis)(logits)


def gelu(x, approximate="tanh"):
    """Gaussian error linear unit, in the tanh form or exactly (``approximate="none"``)."""
    if approximate == "tanh":
        return make(activation.GeLU)(x)
    return x * 0.5 * (erf(x * 0.7071067811865476) + 1)


def max_pool2d(x, kernel_size, stride=None, padding=0):
    """Largest of each window: ``MaxPool``."""
    stride = kernel_size if stride is None else stride
    mode = "pad" if padding else "valid"
    return make(pooling.MaxPool, kernel_size, stride, mode, padding)(x)


def avg_pool2d(x, kernel_size=1, stride=1):
    """Mean of each window: ``AvgPool``."""
    return make(pooling.AvgPool, kernel_size, stride, "valid")(x)


def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """2-D convolution: ``Conv2D``, and the bias added."""
    arguments = (weight.shape[0], tuple(weight.shape[2:]), 1, pad_mode, padding, stride, dilation, groups)
    out = make(_convolution.Conv2D, *arguments)(input, weight)
    return out if bias is None else bias_add(out, bias)


def layer_norm(x, gamma, beta, begin_axis, epsilon=1e-5):
    """Normalization over the axes from ``begin_axis`` on: the first output of ``LayerNorm``."""
    return make(LayerNorm, begin_axis, begin_axis, epsilon)(x, gamma, beta)[0]


def dropout(input, p=0.5, training=True):
    """Zero each element with probability ``p`` in training, and scale the others by ``1 / (1 - p)``."""
    if not 0 <= p < 1:
        raise value_error("dropout", "the 'p' must be in [0, 1)", p)
    return make(random.Dropout, 1 - p)(input)[0] if training and p else input


def identity_copy(x):
    """Another Tensor of the same values."""
    return _identity(x)


def mixed_precision_cast(dst_type, x):
    """Cast the floating Tensors of a Tensor, or of nested tuples and lists, to ``dst_type``; hand on all else.

    Source: ``F.mixed_precision_cast``, which MindSpore's amp casts networks' outputs and labels with.
    """
    if isinstance(x, (tuple, list)):
        return type(x)(mixed_precision_cast(dst_type, part) for part in x)
    numpy_type = as_dtype(dst_type, "mixed_precision_cast", "dst_type").np
    return x if not is_differentiable(x) or x._data.dtype == numpy_type else cast(x, numpy_type)


__all__ = sorted(
    name
    for name, value in globals().items()
    if callable(value)
    and not name.startswith("_")
    and name
    not in ("Tensor", "LayerNorm", "as_dtype", "is_differentiable", "lru_cache", "make", "type_error", "value_error")
)
