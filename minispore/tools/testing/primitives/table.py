"""One line for each primitive: an instance, its inputs, and its formula in NumPy.

``test_every_primitive.py`` holds every line to its laws. A large family has a file of its own, added at the end.
"""

import math

import numpy as np

from minispore import Tensor, ops
from minispore.ops import of_functions
from minispore.tools.testing.primitives.activation import LINES as LINES_OF_ACTIVATIONS
from minispore.tools.testing.primitives.array import HELD as HELD_OF_ARRAYS
from minispore.tools.testing.primitives.array import LINES as LINES_OF_ARRAYS
from minispore.tools.testing.primitives.attention import LINES as LINES_OF_ATTENTION
from minispore.tools.testing.primitives.case import (
    alike,
    below,
    between_wholes,
    binary,
    bools,
    distinct,
    each,
    line,
    nonzero,
    number,
    old,
    positive,
    products,
    reals,
    shares,
    unary,
    wholes,
)
from minispore.tools.testing.primitives.collective import LINES as LINES_OF_COLLECTIVES
from minispore.tools.testing.primitives.linalg import LINES as LINES_OF_MATRICES
from minispore.tools.testing.primitives.math import LINES as LINES_OF_MATHEMATICS
from minispore.tools.testing.primitives.normalization import LINES as LINES_OF_NORMALIZATION
from minispore.tools.testing.primitives.random import LINES as LINES_OF_RANDOM
from minispore.tools.testing.primitives.resize import LINES as LINES_OF_RESIZING
from minispore.tools.testing.primitives.rnn_sequence import LINES as LINES_OF_SEQUENCES
from minispore.tools.testing.primitives.rnn_step import LINES as LINES_OF_RECURRENT_STEPS


def _axes(function, **kwargs):
    return lambda x, axis=(): function(x, axis=axis or None, **kwargs)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _softmax(x, axis=-1):
    return np.exp(x) / np.exp(x).sum(axis, keepdims=True)


def _gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def _gelu_slope(x):
    scale = np.sqrt(2 / np.pi)
    t = np.tanh(scale * (x + 0.044715 * x**3))
    return (1 + t + x * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x)) / 2


def _erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def _assigned(x, value, at):
    out = np.array(x)
    out[at] = value
    return out


def _added(x, shape, at):
    out = np.zeros(shape)
    np.add.at(out, at, x)
    return out


def _adam(w, m, v, power1, power2, lr, beta1, beta2, epsilon, g):
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    return w - lr * np.sqrt(1 - power2) / (1 - power1) * m / (np.sqrt(v) + epsilon), m, v


def _moments(m, v, beta1, beta2, g):
    return beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g


def _shrunk(x, bound):
    return np.sign(x) * np.maximum(np.abs(x) - bound, 0)


def _proximal_adagrad(w, a, lr, l1, l2, g):
    a = a + g * g
    rate = lr / np.sqrt(a)
    return _shrunk(w - rate * g, rate * l1) / (1 + rate * l2), a


def _ftrl(w, a, linear, g, lr, l1, l2, k):
    power = (a + g * g) ** -k
    linear = linear + g - (power - a**-k) / lr * w
    return -_shrunk(linear, l1) / (power / lr + 2 * l2)


def _adagrad_da(w, sums, squares, g, lr, l1, l2, step):
    sums, squares = sums + g, squares + g * g
    return -lr * _shrunk(sums, l1 * step) / (l2 * step * lr + np.sqrt(squares)), sums, squares


def _by_sign(factor, w, m, lr, base, decay, beta, g):
    m = beta * m + (1 - beta) * g
    return w - lr * factor(base, decay * np.sign(g) * np.sign(m)) * g, m


def _amsgrad(w, m, v, most, power1, power2, lr, g):
    m, v = _moments(m, v, 0.75, 0.5, g)
    most = np.maximum(most, v)
    return w - lr * np.sqrt(1 - power2) / (1 - power1) * m / (np.sqrt(most) + 0.25), m, v, most


def _adam_weight_decay(w, m, v, lr, beta1, beta2, epsilon, decay, g):
    m, v = _moments(m, v, beta1, beta2, g)
    return w - lr * (m / (np.sqrt(v) + epsilon) + decay * w), m, v


def _lamb(w, m, v, lr, beta1, beta2, epsilon, decay, t, g):
    m, v = _moments(m, v, beta1, beta2, g)
    u = m / (1 - beta1**t) / (np.sqrt(v / (1 - beta2**t)) + epsilon) + decay * w
    return w - lr * np.linalg.norm(w) / np.linalg.norm(u) * u


def _adamax(w, m, v, power, lr, beta1, beta2, epsilon, g):
    m, v = beta1 * m + (1 - beta1) * g, np.maximum(beta2 * v, np.abs(g))
    return w - lr / (1 - power) * m / (v + epsilon), m, v


def _rms_prop(w, s, m, lr, g, decay, momentum, epsilon, a=0.0):
    return w - (momentum * m + lr * g / np.sqrt(decay * s + (1 - decay) * g * g - a * a + epsilon))


def _adadelta(w, a, b, lr, rho, epsilon, g):
    of_gradients = rho * a + (1 - rho) * g * g
    u = g * np.sqrt((b + epsilon) / (of_gradients + epsilon))
    return w - lr * u, of_gradients, rho * b + (1 - rho) * u * u


def _bce(p, y, w=1.0):
    return -w * (y * np.log(p) + (1 - y) * np.log(1 - p))


def _sigmoid_bce(x, y):
    return _bce(_sigmoid(x), y)


def _kl(x, y):
    return y * (np.log(y) - x)


def _weighted_bce(x, y, weight, positive):
    p = _sigmoid(x)
    return -weight * (positive * y * np.log(p) + (1 - y) * np.log(1 - p))


def _nll(x, y, w):
    loss, total = -(np.moveaxis(x, 1, -1) * w)[(*np.indices(y.shape), y)], w[y]
    return loss, total.sum()


def _smooth_l1(d):
    d = np.abs(d)
    return np.where(d < 1, d * d / 2, d - 0.5)


def _normal(x, axes, epsilon):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def _batch_statistics(grad, dy, x, scale):
    """Feed a gradient of a normalization with the statistics of x, as the normalization itself does."""
    axes = (0, *range(2, x.ndim))
    host = x.asnumpy().astype(np.float64)
    kind = np.float64 if x.itemsize == 8 else np.float32
    return grad(dy, x, scale, *(Tensor(s.astype(kind)) for s in (host.mean(axes), host.var(axes))))


def _row_statistics(grad, dy, x, gamma):
    host = x.asnumpy().astype(np.float64)
    kind = np.float64 if x.itemsize == 8 else np.float32
    statistics = host.mean(-1, keepdims=True), host.var(-1, keepdims=True)
    return grad(dy, x, gamma, *(Tensor(s.astype(kind)) for s in statistics))


def _pooled_first(grad, x, v):
    """Feed a rule of MaxPool with the pooled x; it looks for the first winner there."""
    return grad(x, grad.like(ops.MaxPool)(x), v)


def _boxes(count):
    def draw(rng):
        low = rng.uniform(0.0, 3.0, (count, 2))
        return np.concatenate([low, low + rng.uniform(0.5, 4.0, (count, 2))], axis=1)

    return draw


def _sides(low, high):
    return np.maximum(high - low + 1, 0).prod(-1)


def _overlaps(a, g, of_truth=False):
    a, g = a[None], g[:, None]
    shared = _sides(np.maximum(a[..., :2], g[..., :2]), np.minimum(a[..., 2:], g[..., 2:]))
    own = _sides(g[..., :2], g[..., 2:])
    return shared / (own + 0 * shared if of_truth else own + _sides(a[..., :2], a[..., 2:]) - shared)


def _middle(x):
    return (x[:, :2] + x[:, 2:]) / 2, x[:, 2:] - x[:, :2] + 1


def _offsets(a, g):
    (p, size), (q, goal) = _middle(a), _middle(g)
    return np.concatenate([(q - p) / size, np.log(goal / size)], axis=1)


def _decoded(a, d):
    p, size = _middle(a)
    q, goal = p + size * d[:, :2], size * np.exp(d[:, 2:])
    return np.concatenate([q - goal / 2 + 0.5, q + goal / 2 - 0.5], axis=1).clip(0, [8, 9, 8, 9])


def _inside(boxes, metas):
    height, width, ratio = metas
    return (boxes[:, :2] >= 0).all(1) & (boxes[:, 2] <= width * ratio - 1) & (boxes[:, 3] <= height * ratio - 1)


def _first_largest(x, tile):
    """The place in its plane of the largest element of each tile."""
    n, c, height, width = x.shape
    tiles = x.reshape(n, c, height // tile, tile, width // tile, tile).swapaxes(3, 4)
    at = tiles.reshape(*tiles.shape[:4], -1).argmax(-1)
    rows, columns = np.ogrid[0:height:tile, 0:width:tile]
    return (rows + at // tile) * width + columns + at % tile


_POSITIONS = "the other output says where the largest stand, in whole numbers"
_NOT_TO_X = "x and y only say where the gradient goes, by y's being equal to an x: moving one alone means nothing"
_SIGMOID_LOSS = ops.SigmoidCrossEntropyWithLogits()
_LABELS = "the labels are constants of the gradient, as in MindSpore"
_NO_WEIGHTS = "the weights of classes are constants of the gradient, as in MindSpore, and so is their sum"
_SAVED = "the other outputs are statistics that the gradient rule saves; no gradient is defined through them"
_TERM = 2.0**-21  # what is left of numbers of size 1 to 8, computed in float32, where they cancel

# A line each, to be read as a table.
# fmt: off
TABLE = [
    # arithmetic
    each(ops.Add(), binary(reals, reals), np.add),
    each(ops.Sub(), binary(reals, reals), np.subtract),
    each(ops.Mul(), binary(reals, reals), np.multiply),
    each(ops.Div(), binary(reals, nonzero), np.divide),
    each(ops.RealDiv(), binary(reals, nonzero), np.divide),
    each(ops.FloorDiv(), binary(between_wholes, wholes), np.floor_divide),
    each(ops.FloorMod(), binary(between_wholes, wholes), np.mod),
    each(ops.Mod(), binary(between_wholes, wholes), np.fmod),
    each(ops.Pow(), binary(positive, reals), np.power),
    each(ops.Maximum(), binary(between_wholes, wholes), np.maximum),
    each(ops.Minimum(), binary(between_wholes, wholes), np.minimum),
    each(ops.Neg(), unary(reals), np.negative),
    # functions
    each(ops.Abs(), unary(nonzero), np.abs),
    each(ops.Ceil(), unary(between_wholes), np.ceil),
    each(ops.Cos(), unary(reals), np.cos),
    each(ops.Erf(), unary(reals), _erf),
    each(ops.Exp(), unary(reals), np.exp),
    each(ops.Floor(), unary(between_wholes), np.floor),
    each(ops.Log(), unary(positive), np.log),
    each(ops.Reciprocal(), unary(nonzero), lambda x: 1 / x),
    each(ops.Round(), unary(wholes), np.rint),
    each(ops.Rsqrt(), unary(positive), lambda x: 1 / np.sqrt(x)),
    each(ops.Sign(), unary(nonzero), np.sign),
    each(ops.Sin(), unary(reals), np.sin),
    each(ops.Sqrt(), unary(positive), np.sqrt),
    each(ops.Square(), unary(reals), np.square),
    line(ops.Select(), bools(2, 3), reals(3), reals(2, 1), oracle=np.where),
    each(ops.Cast(), unary(reals), np.float64, call=lambda cast, x: cast(x, np.dtype(np.float64))),
    # activations
    each(ops.ReLU(), unary(nonzero), lambda x: np.maximum(x, 0)),
    each(ops.ReluGrad(), alike(reals, nonzero), lambda dy, y: np.where(y > 0, dy, 0)),
    each(ops.ReLU6(), unary(nonzero), lambda x: np.clip(x, 0, 6)),
    line(ops.PReLU(), nonzero(2, 3, 2), reals(3), oracle=lambda x, w: np.where(x > 0, x, x * w[:, None])),
    line(ops.PReLU(), nonzero(4), reals(1), oracle=lambda x, w: np.where(x > 0, x, x * w)),
    each(ops.Sigmoid(), unary(reals), _sigmoid),
    each(ops.Tanh(), unary(reals), np.tanh),
    each(ops.GeLU(), unary(reals), _gelu),
    line(ops.GeLUGrad(), reals(2, 3), reals(2, 3), oracle=lambda dy, x: dy * _gelu_slope(x)),
    line(ops.Softmax(), reals(2, 5), oracle=_softmax),
    line(ops.Softmax(0), reals(3, 2), oracle=lambda x: _softmax(x, 0)),
    line(ops.LogSoftmax(), reals(2, 5), oracle=lambda x: np.log(_softmax(x))),
    line(old(ops.Gelu), reals(2, 3), oracle=_gelu),
    line(_SIGMOID_LOSS, reals(2, 3), shares(2, 3), oracle=_sigmoid_bce, only=(0,), reason=_LABELS),
    *(
        line(ops.KLDivLoss(r), reals(2, 3), shares(2, 3), oracle=f, only=(0,), reason=_LABELS)
        for r, f in {
            "none": _kl,
            "mean": lambda x, y: _kl(x, y).mean(),
            "batchmean": lambda x, y: _kl(x, y).sum() / 2,
        }.items()
    ),
    # boxes
    line(ops.IOU(), _boxes(3), _boxes(2), oracle=_overlaps),
    line(ops.IOU("iof"), _boxes(3), _boxes(2), oracle=lambda a, g: _overlaps(a, g, True)),
    line(ops.BoundingBoxEncode(), _boxes(3), _boxes(3), oracle=_offsets),
    line(ops.BoundingBoxDecode((9, 8)), _boxes(3), reals(3, 4), oracle=_decoded),
    line(ops.CheckValid(), _boxes(3), positive(3), oracle=_inside),
    # comparison and logic
    each(ops.Equal(), binary(wholes, wholes), np.equal),
    each(ops.NotEqual(), binary(wholes, wholes), np.not_equal),
    each(ops.Less(), binary(wholes, wholes), np.less),
    each(ops.LessEqual(), binary(wholes, wholes), np.less_equal),
    each(ops.Greater(), binary(wholes, wholes), np.greater),
    each(ops.GreaterEqual(), binary(wholes, wholes), np.greater_equal),
    each(ops.LogicalAnd(), binary(bools, bools), np.logical_and),
    each(ops.LogicalOr(), binary(bools, bools), np.logical_or),
    each(ops.LogicalXor(), binary(bools, bools), np.logical_xor),
    each(ops.LogicalNot(), unary(bools), np.logical_not),
    each(ops.IsFinite(), unary(reals), np.isfinite),
    each(ops.IsInf(), unary(reals), np.isinf),
    each(ops.IsNan(), unary(reals), np.isnan),
    # arrays
    line(ops.Reshape(), reals(2, 6), (3, -1), oracle=np.reshape),
    line(ops.Transpose(), reals(2, 3, 4), (2, 0, -2), oracle=np.transpose),
    line(ops.ExpandDims(), reals(2, 3), -2, oracle=np.expand_dims),
    line(ops.Squeeze(), reals(1, 3, 1), oracle=np.squeeze),
    line(ops.Squeeze(-1), reals(1, 3, 1), oracle=lambda x: np.squeeze(x, -1)),
    line(ops.BroadcastTo((2, -1, 3)), reals(4, 1), oracle=lambda x: np.broadcast_to(x, (2, 4, 3))),
    line(ops.Tile(), reals(2, 3), (2, 1, 3), oracle=np.tile),
    line(ops.Concat(-1), reals(2, 3), reals(2, 1), oracle=lambda *xs: np.concatenate(xs, -1)),
    line(ops.Stack(1), reals(2, 3), reals(2, 3), oracle=lambda *xs: np.stack(xs, 1)),
    line(ops.Split(1, 3), reals(2, 6), oracle=lambda x: tuple(np.split(x, 3, 1))),
    line(ops.Gather(), reals(4, 3), below(4, 2, 2), 0, oracle=np.take),
    line(ops.OneHot(), below(3, 4), 3, 1.0, 0.0, oracle=lambda i, depth, on, off: np.eye(depth)[i]),
    line(ops.Zeros(), (2, 3), np.dtype(np.float32), oracle=np.zeros),
    line(ops.Ones(), (2, 0), np.dtype(np.float32), oracle=np.ones),
    line(ops.Fill(), np.dtype(np.int32), (2,), 7, oracle=lambda dtype, *rest: np.full(*rest)),
    line(ops.Eye(), 2, 3, np.dtype(np.float32), oracle=lambda n, m, dtype: np.eye(n, m)),
    line(ops.ZerosLike(), reals(2, 3), oracle=np.zeros_like),
    line(ops.OnesLike(), reals(), oracle=np.ones_like),
    line(ops.Eps(), reals(2), slack=2.0**-14, oracle=lambda x: np.full(2, 2.0**-52)),
    line(ops.Pad(((1, 0), (2, 1))), reals(2, 3), oracle=lambda x: np.pad(x, ((1, 0), (2, 1)))),
    # indexing, by templates of all parts: an int, a slice, Ellipsis, None, and Tensors of ints and of bools
    line(ops.GetItem((1, ("slice", None, None, -2))), reals(2, 5), oracle=lambda x: x[1, ::-2]),
    line(ops.GetItem((None, Ellipsis, 0)), reals(2, 3), oracle=lambda x: x[None, ..., 0]),
    line(ops.GetItem(("tensor",)), reals(4, 3), below(4, 2, 3), oracle=lambda x, i: x[i]),
    line(ops.GetItem(("tensor",)), reals(3, 2), bools(3),
         oracle=lambda x, m: x[m], waits=True, reason="a mask's count is data"),
    line(ops.SetItem((0,)), reals(2, 3), reals(3), oracle=lambda x, v: _assigned(x, v, 0)),
    line(ops.SetItem((("slice", 0, 2, None),)), reals(3, 2), reals(), oracle=lambda x, v: _assigned(x, v, slice(0, 2))),
    line(ops.ScatterTo(("tensor",), (4, 2)), reals(3, 2), below(4, 3), oracle=lambda x, i: _added(x, (4, 2), i)),
    line(ops.ScatterTo((("slice", None, 2, None),), (3,)), reals(2), oracle=lambda x: _added(x, 3, slice(2))),
    # reductions
    line(ops.ReduceSum(), reals(3, 4), (), oracle=_axes(np.sum), slack=_TERM),
    line(ops.ReduceSum(True), reals(2, 3, 2), (0, -1), oracle=_axes(np.sum, keepdims=True), slack=_TERM),
    line(ops.ReduceMean(), reals(3, 4), (1,), oracle=_axes(np.mean), slack=_TERM),
    line(ops.ReduceMean(True), reals(3, 4), (), oracle=_axes(np.mean, keepdims=True), slack=_TERM),
    line(ops.ReduceMax(), distinct(3, 4), (), oracle=_axes(np.max)),
    line(ops.ReduceMin(True), distinct(3, 4), (1,), oracle=_axes(np.min, keepdims=True)),
    line(ops.ReduceProd(), nonzero(2, 3), (1,), oracle=_axes(np.prod)),
    line(ops.ReduceAll(), bools(2, 2), (0,), oracle=_axes(np.all)),
    line(ops.ReduceAny(), bools(2, 2), (), oracle=_axes(np.any)),
    line(ops.Argmax(), distinct(3, 4), oracle=lambda x: x.argmax(-1)),
    line(ops.Argmin(0), distinct(3, 4), oracle=lambda x: x.argmin(0)),
    line(ops.ArgMaxWithValue(1), distinct(3, 4), oracle=lambda x: (x.argmax(1), x.max(1))),
    line(ops.ArgMaxWithValue(-1, True), distinct(3, 4), oracle=lambda x: (x.argmax(1)[:, None], x.max(1)[:, None])),
    # products
    line(ops.MatMul(), reals(3, 4), reals(4, 2), oracle=np.matmul, slack=products(4)),
    line(ops.MatMul(True, True), reals(4, 3), reals(2, 4), oracle=lambda a, b: a.T @ b.T, slack=products(4)),
    line(ops.MatMul(False, True), reals(0, 4), reals(2, 4), oracle=lambda a, b: a @ b.T),
    line(ops.BatchMatMul(), reals(2, 1, 2, 3), reals(4, 3, 2), oracle=np.matmul, slack=products(3)),
    line(ops.BatchMatMul(True), reals(2, 3, 2), reals(2, 3, 1),
         oracle=lambda a, b: a.swapaxes(1, 2) @ b, slack=products(3)),
    line(ops.BiasAdd(), reals(2, 3, 2), reals(3), oracle=lambda x, b: x + b[:, None]),
    line(ops.BiasAdd("NHWC"), reals(2, 2, 3), reals(3), oracle=np.add),
    line(ops.Ger(), reals(3), reals(2), oracle=np.outer),
    # convolution: tests/ops/kernels has the formula
    line(ops.Conv2D(4, 3, pad_mode="same", stride=2), reals(2, 3, 5, 6), reals(4, 3, 3, 3), slack=products(27)),
    line(ops.Conv2D(4, (2, 3), pad_mode="pad", pad=1, group=2), reals(1, 4, 4, 3), reals(4, 2, 2, 3),
         slack=products(12)),
    line(ops.Conv2DBackpropInput(2, 2, dilation=2), reals(1, 2, 3, 2), reals(2, 3, 2, 2), (1, 3, 5, 4),
         slack=products(8)),
    line(ops.Conv2DBackpropFilter(2, 2), reals(2, 2, 3, 2), reals(2, 3, 4, 3), (2, 3, 2, 2), slack=products(12)),
    line(ops.Conv2DTranspose(2, 3, "pad", (0, 1, 1, 2), stride=2), reals(1, 2, 3, 2), reals(2, 2, 3, 3), (1, 2, 6, 2),
         slack=products(8)),
    line(ops.Conv2DTranspose(4, 2, "same", stride=3, group=2), reals(1, 4, 2, 1), reals(4, 1, 2, 2), (1, 2, 6, 3),
         slack=products(8)),
    line(ops.Conv3D(4, 2, pad_mode="same", stride=2), reals(1, 2, 3, 4, 2), reals(4, 2, 2, 2, 2), slack=products(16)),
    line(ops.Conv3D(2, (2, 1, 3), pad_mode="pad", pad=(1, 0, 0, 1, 2, 1), dilation=(2, 1, 1), group=2),
         reals(2, 2, 3, 2, 2), reals(2, 1, 2, 1, 3), slack=products(6)),
    line(ops.Conv3DBackpropInput(2, 2, stride=(2, 1, 1)), reals(1, 2, 1, 2, 1), reals(2, 2, 2, 2, 2), (1, 2, 3, 3, 2),
         slack=products(16)),
    line(ops.Conv3DBackpropFilter(2, 2, dilation=(2, 1, 1)), reals(1, 2, 1, 2, 2), reals(1, 3, 3, 3, 3),
         (2, 3, 2, 2, 2), slack=products(4)),
    line(ops.Conv3DTranspose(2, 2, 2, pad_mode="pad", pad=(1, 0, 0, 0, 0, 1), stride=2, output_padding=(1, 0, 1)),
         reals(1, 2, 2, 1, 2), reals(2, 2, 2, 2, 2), slack=products(16)),
    line(ops.Conv3DTranspose(2, 4, 2, pad_mode="pad", dilation=(1, 3, 2), output_padding=(0, 2, 1), group=2),
         reals(1, 2, 1, 2, 1), reals(2, 2, 2, 2, 2), slack=products(8)),
    line(ops.Conv3DTranspose(2, 1, 1, stride=2), reals(1, 2, 1, 2, 1), reals(2, 1, 1, 1, 1), slack=products(2)),
    # pooling
    line(ops.MaxPool(2, 2), distinct(2, 2, 4, 5)),
    line(ops.MaxPool(3, 2, "same"), distinct(1, 2, 5, 4)),
    line(ops.MaxPoolGrad(2, 2), distinct(1, 2, 4, 4), reals(1, 2, 2, 2),
         call=_pooled_first, only=(1,), reason=_NOT_TO_X),
    line(ops.MaxPoolGather(3, 2, "same"), distinct(1, 2, 4, 3), reals(1, 2, 4, 3),
         call=_pooled_first, only=(1,), reason=_NOT_TO_X),
    line(ops.MaxPool(2, 2, "pad", pad=(1, 0, 1, 1), ceil_mode=True, dilation=(2, 1)), distinct(1, 2, 5, 4)),
    line(ops.MaxPool(2, 1, dilation=2), distinct(1, 1, 4, 5)),
    line(ops.MaxPoolArgmax(2, 2), distinct(1, 2, 4, 4), call=lambda op, x: op(x, op.like(ops.MaxPool)(x)),
         oracle=lambda x: _first_largest(x, 2)),
    line(ops.AvgPool(2, 2), reals(2, 2, 4, 5), slack=_TERM),
    line(ops.AvgPool(3, 2, "same"), reals(1, 2, 5, 4), slack=_TERM),
    line(ops.AvgPool(3, 2, "pad", pad=(1, 0, 1, 1), ceil_mode=True, count_include_pad=True), reals(1, 2, 5, 4),
         slack=_TERM),
    line(ops.AvgPool(2, 2, divisor_override=3), reals(1, 2, 4, 5), slack=_TERM),
    line(ops.AvgPoolGrad(3, 2, "same"), reals(1, 2, 3, 2), (1, 2, 5, 4), slack=_TERM),
    line(ops.AdaptiveAvgPool2D((2, 3)), reals(1, 2, 5, 4), slack=_TERM),
    line(ops.AdaptiveAvgPool2D((None, 1)), reals(2, 3, 4), oracle=lambda x: x.mean(2, keepdims=True), slack=_TERM),
    line(ops.AdaptiveAvgPool2DGrad((2, 3)), reals(1, 2, 2, 3), (1, 2, 5, 4), slack=_TERM),
    line(ops.AdaptiveMaxPool2D((2, 3)), distinct(1, 2, 3, 4), through=(0,), reason=_POSITIONS),
    line(ops.AdaptiveMaxPool2D(2), distinct(2, 4, 4), through=(0,), reason=_POSITIONS,
         oracle=lambda x: (x.reshape(2, 2, 2, 2, 2).max((2, 4)), _first_largest(x[None], 2)[0])),
    # normalization
    line(ops.BatchNorm(True), reals(4, 2, 3), reals(2), reals(2), reals(2), positive(2), only=(0, 1, 2), through=(0,),
         slack=_TERM, reason=_SAVED),
    line(ops.BatchNorm(), reals(4, 2), reals(2), reals(2), reals(2), positive(2), only=(0, 1, 2), through=(0,),
         slack=_TERM,
         reason="moving statistics are constants of the gradient; " + _SAVED),
    line(ops.BatchNormGrad(), reals(4, 2, 3), reals(4, 2, 3), reals(2), call=_batch_statistics, slack=8 * _TERM),
    line(ops.LayerNorm(1, 1), reals(3, 4), reals(4), reals(4), through=(0,), slack=_TERM, reason=_SAVED,
         oracle=lambda x, g, b: (_normal(x, 1, 1e-7) * g + b, x.mean(1, keepdims=True), x.var(1, keepdims=True))),
    line(ops.LayerNormGrad(), reals(3, 4), reals(3, 4), reals(4), call=_row_statistics, slack=8 * _TERM),
    # losses
    line(ops.SoftmaxCrossEntropyWithLogits(), reals(3, 4), shares(3, 4), through=(0,), slack=_TERM, reason=_SAVED,
         oracle=lambda x, y: (-(np.log(_softmax(x)) * y).sum(1), _softmax(x) - y)),
    line(ops.SparseSoftmaxCrossEntropyWithLogits(), reals(3, 4), below(4, 3),
         oracle=lambda x, i: -np.log(_softmax(x))[range(3), i].mean()),
    line(ops.SparseSoftmaxCrossEntropyWithLogits(True), reals(3, 4), below(4, 3), slack=_TERM,
         oracle=lambda x, i: (_softmax(x) - np.eye(4)[i]) / 3),
    line(ops.NLLLoss(), reals(3, 4), below(4, 3), positive(4), only=(0,), through=(0,), slack=_TERM, reason=_NO_WEIGHTS,
         oracle=lambda x, y, w: (lambda loss, total: (loss.sum() / total, total))(*_nll(x, y, w))),
    line(ops.NLLLoss("none"), reals(2, 3, 2), below(3, 2, 2), positive(3), only=(0,), through=(0,), slack=_TERM,
         reason=_NO_WEIGHTS, oracle=_nll),
    line(ops.NLLLoss("sum", 1), reals(3, 4), below(4, 3), through=(0,), slack=_TERM, reason=_NO_WEIGHTS,
         oracle=lambda x, y: (-x[range(3), y][y != 1].sum(), (y != 1).sum())),
    line(ops.BinaryCrossEntropy(), reals(2, 3, low=0.1, high=0.9), reals(2, 3, low=0.0, high=1.0), slack=_TERM,
         oracle=lambda p, y: _bce(p, y).mean()),
    line(ops.BinaryCrossEntropy("none"), reals(4, low=0.1, high=0.9), reals(4, low=0.0, high=1.0), positive(4),
         slack=_TERM, oracle=_bce),
    line(ops.BCEWithLogitsLoss(), nonzero(2, 3), reals(2, 3, low=0.0, high=1.0), slack=_TERM,
         oracle=lambda x, y: _bce(_sigmoid(x), y).mean()),
    line(ops.BCEWithLogitsLoss("none"), nonzero(2, 3), reals(2, 3, low=0.0, high=1.0), positive(2, 1), positive(3),
         slack=8 * _TERM, oracle=_weighted_bce),
    line(ops.SmoothL1Loss(), between_wholes(2, 3), reals(2, 3, low=-0.1, high=0.1), slack=_TERM,
         oracle=lambda x, y: _smooth_l1(x - y)),
    line(ops.SmoothL1Loss(2.0, "mean"), wholes(4), reals(4, low=2.5, high=2.9), slack=_TERM,
         oracle=lambda x, y: 2 * _smooth_l1((x - y) / 2).mean()),
    # state and flow
    line(ops.Assign(), reals(2, 3), reals(2, 3), oracle=lambda w, v: v),
    line(ops.AssignAdd(), reals(3), reals(3), oracle=np.add),
    line(ops.AssignSub(), reals(), reals(), oracle=np.subtract),
    line(ops.ApplyMomentum(), reals(3), reals(3), positive(), reals(3), positive(), slack=_TERM,
         oracle=lambda w, m, lr, g, mu: w - lr * (mu * m + g)),
    line(ops.ApplyMomentum(True, gradient_scale=0.5), reals(3), reals(3), positive(), reals(3), positive(), slack=_TERM,
         oracle=lambda w, m, lr, g, mu: w - lr * (mu * (mu * m + g / 2) + g / 2)),
    line(ops.SGD(0.2, 0.1), reals(3), reals(3), positive(), reals(3), positive(), number(0.0), slack=_TERM,
         oracle=lambda w, g, lr, a, mu, stat: w - lr * (mu * a + 0.8 * (g + 0.1 * w))),
    line(ops.SGD(0.2, nesterov=True), reals(3), reals(3), positive(), reals(3), positive(), number(1.0), slack=_TERM,
         oracle=lambda w, g, lr, a, mu, stat: w - lr * (mu * (mu * a + g) + g)),
    line(ops.Adam(), reals(3), reals(3), positive(3), *map(number, (0.9, 0.99, 0.1, 0.9, 0.99, 1e-3)), reals(3),
         oracle=_adam, slack=_TERM),
    line(ops.AdamWeightDecay(), reals(3), reals(3), positive(3), *map(number, (0.1, 0.9, 0.99, 1e-3, 0.1)), reals(3),
         oracle=_adam_weight_decay, slack=_TERM),
    line(ops.ApplyAdaMax(), reals(3), reals(3), positive(3), *map(number, (0.9, 0.1, 0.9, 0.99, 1e-3)), reals(3),
         oracle=_adamax, slack=_TERM),
    line(ops.ApplyGradientDescent(), reals(3), positive(), reals(3), slack=_TERM,
         oracle=lambda w, lr, g: w - lr * g),
    line(ops.ApplyProximalGradientDescent(), reals(3), positive(), positive(), positive(), reals(3), slack=_TERM,
         oracle=lambda w, lr, l1, l2, g: _shrunk(w - lr * g, lr * l1) / (1 + lr * l2)),
    line(ops.ApplyProximalAdagrad(), reals(3), positive(3), positive(), positive(), positive(), reals(3), slack=_TERM,
         oracle=_proximal_adagrad),
    line(ops.ApplyFtrl(), reals(3), positive(3), reals(3), reals(3), positive(), positive(), positive(), number(-0.6),
         slack=2.0**-16, oracle=_ftrl),
    line(ops.ApplyAdagradV2(0.5), reals(3), positive(3), positive(), reals(3), slack=_TERM,
         oracle=lambda w, a, lr, g: (w - lr * g / (np.sqrt(a + g * g) + 0.5), a + g * g)),
    line(ops.ApplyAdagradV2(0.5, False), reals(3), positive(3), positive(), reals(3), slack=_TERM,
         oracle=lambda w, a, lr, g: (w - lr * g / (np.sqrt(a) + 0.5), a)),
    line(ops.ApplyAdagradDA(), reals(3), reals(3), positive(3), reals(3), positive(), number(0.25), positive(),
         number(2.0), slack=_TERM, oracle=_adagrad_da),
    line(ops.ApplyKerasMomentum(), reals(3), reals(3), positive(), reals(3), positive(), slack=_TERM,
         oracle=lambda w, a, lr, g, m: (w + m * a - lr * g, m * a - lr * g)),
    line(ops.ApplyKerasMomentum(False, True), reals(3), reals(3), positive(), reals(3), positive(), slack=_TERM,
         oracle=lambda w, a, lr, g, m: (w + m * (m * a - lr * g) - lr * g, m * a - lr * g)),
    line(ops.ApplyAddSign(), reals(3), reals(3), positive(), positive(), positive(), number(0.75), nonzero(3),
         slack=_TERM, oracle=lambda *xs: _by_sign(lambda base, agree: base + agree, *xs)),
    line(ops.ApplyPowerSign(), reals(3), reals(3), positive(), number(0.5), positive(), number(0.75), nonzero(3),
         slack=_TERM, oracle=lambda *xs: _by_sign(lambda base, agree: np.exp(base * agree), *xs)),
    line(ops.ApplyAdamWithAmsgrad(0.75, 0.5, 0.25), reals(3), reals(3), positive(3), positive(3), number(0.5),
         number(0.75), positive(), reals(3), slack=_TERM, oracle=_amsgrad),
    line(ops.ApplyAdagrad(), reals(3), positive(3), positive(), reals(3), slack=_TERM,
         oracle=lambda w, a, lr, g: (w - lr * g / np.sqrt(a + g * g), a + g * g)),
    line(ops.ApplyAdagrad(False), reals(3), positive(3), positive(), reals(3), slack=_TERM,
         oracle=lambda w, a, lr, g: (w - lr * g / np.sqrt(a), a)),
    line(ops.ApplyRMSProp(), reals(3), positive(3), reals(3), positive(), reals(3), *map(number, (0.9, 0.5, 1e-3)),
         oracle=_rms_prop, slack=_TERM),
    line(ops.ApplyCenteredRMSProp(), reals(3), reals(3, high=0.2, low=0.1), positive(3), reals(3), reals(3), positive(),
         *map(number, (0.9, 0.5, 1.0)), slack=_TERM,
         oracle=lambda w, a, s, m, g, lr, *rest: _rms_prop(w, s, m, lr, g, *rest, a=0.9 * a + 0.1 * g)),
    line(ops.ApplyAdadelta(), reals(3), positive(3), positive(3), positive(), *map(number, (0.9, 1e-3)), reals(3),
         oracle=_adadelta, slack=_TERM),
    line(ops.Lamb(), reals(3), reals(3), positive(3), *map(number, (0.1, 0.9, 0.99, 1e-3, 0.1, 2.0)), reals(3),
         oracle=_lamb, slack=8 * _TERM),
    line(ops.Depend(), reals(2), reals(3), oracle=lambda x, expr: x),
    *LINES_OF_COLLECTIVES,
    line(ops.Identity(), reals(2), oracle=lambda x: x),
    line(ops.StopGradient(), reals(2), oracle=lambda x: x),
    line(ops.HookBackward(lambda gradients: None), reals(2), oracle=lambda x: x),
    line(ops.HookBackward(lambda gradients: None), reals(2), reals(), oracle=lambda x, y: (x, y)),
    line(ops.InsertGradientOf(lambda dx: dx), reals(2), oracle=lambda x: x),
    line(ops.BitwiseAnd(), below(8, 2, 3), below(8, 3), oracle=np.bitwise_and),
    line(ops.BitwiseOr(), below(8, 2, 3), below(8, 3), oracle=np.bitwise_or),
    line(ops.BitwiseXor(), below(8, 2, 3), below(8, 3), oracle=np.bitwise_xor),
    line(ops.FloatStatus(), reals(3), oracle=lambda x: [0.0]),
    line(ops.AllFinite(), reals(3), reals(2, 0), oracle=lambda *xs: True),
    line(ops.AllFinite(), reals(3), lambda rng: np.array([1, np.inf], np.float32), oracle=lambda *xs: False),
]
# fmt: on
TABLE += LINES_OF_ACTIVATIONS
TABLE += LINES_OF_ARRAYS
TABLE += LINES_OF_RECURRENT_STEPS
TABLE += LINES_OF_SEQUENCES
TABLE += LINES_OF_ATTENTION
TABLE += LINES_OF_RESIZING
TABLE += LINES_OF_NORMALIZATION
TABLE += LINES_OF_MATHEMATICS
TABLE += LINES_OF_MATRICES
TABLE += LINES_OF_RANDOM

_ON_ASCEND = "it reads and clears the register of the emulated Ascend: tests/devices/test_overflow_register.py"
_OF_PARTS = "it is other operations put together: tests/ops/operations/nn/test_composed.py and its neighbours"
_ELSEWHERE = dict.fromkeys(
    ("DynamicRNN", "EmbeddingLookup", "LRN", "MaxPoolWithArgmax", "ResizeBilinearV2"), _OF_PARTS
) | {
    "AvgPool3D": "it is pooling over planes and columns: tests/ops/operations/nn/test_volumes.py",
    "MaxPool3D": "it is pooling over planes and columns: tests/ops/operations/nn/test_volumes.py",
    "CropAndResize": "it is sampling between pixels, put together: tests/ops/operations/nn/test_sampling.py",
    "ROIAlign": "it is sampling between pixels, put together: tests/ops/operations/nn/test_sampling.py",
    "Custom": "its rules are the user's: tests/ops/operations/test_custom.py",
    "NMSWithMask": "its outputs are of three kinds: tests/ops/operations/nn/test_boxes.py",
}
_SUMMARIES = ("HistogramSummary", "ImageSummary", "ScalarSummary", "TensorSummary")
_OF_A_FILE = "it computes nothing, and notes a value: tests/training/train/summary/test_summary_record.py"
HELD_ELSEWHERE = (
    dict.fromkeys(("NPUAllocFloatStatus", "NPUClearFloatStatus", "NPUGetFloatStatus"), _ON_ASCEND)
    | dict.fromkeys(_SUMMARIES, _OF_A_FILE)
    | HELD_OF_ARRAYS
    | {"NeighborExchange": "test_collective.py, since it takes the one dtype that it was made with"}
)
HELD_ELSEWHERE |= _ELSEWHERE
HELD_ELSEWHERE |= dict.fromkeys(
    ("Angle", "Complex", "ComplexAbs", "Conj", "Imag", "Polar", "Real"),
    "it makes complex numbers or takes them apart: tests/ops/operations/math/test_complex_numbers.py",
)
HELD_ELSEWHERE |= {
    "Einsum": "it is other operations put together: tests/ops/functional/test_linalg_svd.py",
    "FFTWithSize": "it makes complex numbers: tests/ops/operations/linalg/test_fourier.py",
    "DynamicGRUV2": _OF_PARTS,
    "SparseTensorDenseMatmul": _OF_PARTS,
    "LSTM": _OF_PARTS,
    "DeformableOffsets": _OF_PARTS,
}
HELD_ELSEWHERE |= dict.fromkeys(of_functions.__all__, "its function is held: conformance/test_rarer_operations.py")
HELD_ELSEWHERE |= dict.fromkeys(
    ("Eig", "Geqrf"), "what it gives is not unique: tests/ops/functional/test_linalg_factors.py"
)
HELD_ELSEWHERE |= dict.fromkeys(
    ("ListDiff", "RaggedRange", "UniqueConsecutive"), "how much it gives depends on the data: test_runs.py"
)
HELD_ELSEWHERE["NextAfter"] = "test_binary.py, since it takes float32 and float64 alone"
HELD_ELSEWHERE |= dict.fromkeys(
    ("CTCGreedyDecoder", "CTCLoss", "CTCLossV2"), "test_ctc.py, since their lengths and labels hang together"
)
