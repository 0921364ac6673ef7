"""Calls whose outputs' dtypes are compared at the level "auto": CASES has for each its function and its inputs' shapes.

Runs under MindSpore and minispore. ``outcome(name, kinds)`` is what a network of that call alone gives for inputs of
these kinds, at "auto" with float16: the kinds of the outputs, such as "f" or "h h", or the kind of error.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, nn, ops

KINDS = {"h": ms.float16, "b": ms.bfloat16, "f": ms.float32, "d": ms.float64}
_LETTERS = {str(dtype): letter for letter, dtype in KINDS.items()}
LABELS, ROWS = np.array([0, 1, 0], np.int32), np.array([[0], [1]], np.int32)
A, V = (3, 4), (4,)

OF_ONE = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh erf erfc erfinv exp expm1 floor gelu log log1p log2 log10 neg "
    "reciprocal relu relu6 rint rsqrt sigmoid sign sin sinh sqrt square softplus softsign tan tanh trunc silu mish elu "
    "hardswish lgamma mean prod sum var std amax flatten"
)
OF_TWO = (
    "add sub mul div pow maximum minimum floor_div atan2 xlogy xdivy floor_mod mse_loss l1_loss smooth_l1_loss "
    "huber_loss kl_div equal less cdist outer_ dist logaddexp"
)
PRIMITIVES = (
    "ReduceSum ReduceMean ReduceMax ReduceProd Exp Log Softmax LogSoftmax Tan Softplus Rsqrt Reciprocal Sinh Cosh "
    "Expm1 Log1p Erfinv ACos Asin L2Loss"
)
LAYERS = "ReLU Sigmoid Tanh GELU Softmax LogSoftmax ELU LeakyReLU SiLU PReLU HSwish LogSigmoid ReLU6 Flatten"


def _of(name, *arguments):
    return lambda *xs: getattr(ops, name)(*xs, *arguments)


def _layer(make):
    return lambda *xs: make()(*xs)


CASES = {name: (_of(name), (A,)) for name in OF_ONE.split()}
CASES |= {name: (_of(name), (A, A)) for name in OF_TWO.split() if not name.endswith("_")}
CASES |= {name: (_layer(getattr(ops, name)), (A,)) for name in PRIMITIVES.split()}
CASES |= {f"nn.{name}": (_layer(getattr(nn, name)), (A,)) for name in LAYERS.split()}
CASES |= {
    "x + y": (lambda x, y: x + y, (A, A)),
    "x - y": (lambda x, y: x - y, (A, A)),
    "x * y": (lambda x, y: x * y, (A, A)),
    "x / y": (lambda x, y: x / y, (A, A)),
    "x ** y": (lambda x, y: x**y, (A, A)),
    "x ** 2": (lambda x: x**2, (A,)),
    "2 ** x": (lambda x: 2**x, (A,)),
    "x + 1.5": (lambda x: x + 1.5, (A,)),
    "x @ y": (lambda x, y: x @ y, (A, (4, 2))),
    "x[0]": (lambda x: x[0], (A,)),
    "x.exp": (lambda x: x.exp(), (A,)),
    "x.sum": (lambda x: x.sum(), (A,)),
    "x.mean": (lambda x: x.mean(), (A,)),
    "x.matmul": (lambda x, y: x.matmul(y), (A, (4, 2))),
    "x.pow": (lambda x: x.pow(2), (A,)),
    "x.cumsum": (lambda x: x.cumsum(0), (A,)),
    "cumsum": (_of("cumsum", 0), (A,)),
    "cumprod": (_of("cumprod", 0), (A,)),
    "softmax": (_of("softmax", 1), (A,)),
    "log_softmax": (_of("log_softmax", 1), (A,)),
    "logsumexp": (_of("logsumexp", 1), (A,)),
    "matmul": (_of("matmul"), (A, (4, 2))),
    "matmul of batches": (_of("matmul"), ((2, 3, 4), (2, 4, 2))),
    "bmm": (_of("bmm"), ((2, 3, 4), (2, 4, 2))),
    "mm": (_of("mm"), (A, (4, 2))),
    "mv": (_of("mv"), (A, V)),
    "inner": (_of("inner"), (A, A)),
    "ger": (_of("ger"), (V, V)),
    "dense": (_of("dense"), (A, (2, 4), (2,))),
    "addmm": (_of("addmm"), ((3, 2), A, (4, 2))),
    "addmv": (_of("addmv"), ((3,), A, V)),
    "conv1d": (_of("conv1d"), ((1, 2, 5), (3, 2, 3))),
    "conv2d": (_of("conv2d"), ((1, 2, 5, 5), (3, 2, 3, 3))),
    "conv2d with a bias": (_of("conv2d"), ((1, 2, 5, 5), (3, 2, 3, 3), (3,))),
    "conv3d": (_of("conv3d"), ((1, 2, 4, 4, 4), (3, 2, 3, 3, 3))),
    "prelu": (_of("prelu"), (A, V)),
    "bias_add": (_of("bias_add"), (A, V)),
    "concat": (lambda x, y: ops.concat((x, y)), (A, A)),
    "stack": (lambda x, y: ops.stack((x, y)), (A, A)),
    "addn": (lambda x, y: ops.addn([x, y]), (A, A)),
    "where": (lambda x, y: ops.where(x > 0.5, x, y), (A, A)),
    "cross": (_of("cross"), ((2, 3), (2, 3))),
    "addcmul": (_of("addcmul", 1.0), (A, A, A)),
    "addcdiv": (_of("addcdiv", 1.0), (A, A, A)),
    "grid_sample": (_of("grid_sample"), ((1, 2, 4, 4), (1, 3, 3, 2))),
    "tensor_scatter_add": (lambda x, y: ops.tensor_scatter_add(x, Tensor(ROWS), y), (A, (2, 4))),
    "masked_fill": (lambda x: ops.masked_fill(x, x > 0.5, 0.0), (A,)),
    "gather": (lambda x: ops.gather(x, Tensor(LABELS), 0), (A,)),
    "group_norm": (lambda x, g, b: ops.group_norm(x, 2, g, b), ((2, 4, 3, 3), V, V)),
    "batch_norm": (_of("batch_norm"), (A, V, V, V, V)),
    "max_pool2d": (_of("max_pool2d", 2), ((1, 2, 4, 4),)),
    "avg_pool2d": (_of("avg_pool2d", 2, 2), ((1, 2, 4, 4),)),
    "binary_cross_entropy": (_of("binary_cross_entropy"), (A, A)),
    "cross_entropy": (lambda x: ops.cross_entropy(x, Tensor(LABELS)), (A,)),
    "nll_loss": (lambda x: ops.nll_loss(x, Tensor(LABELS)), (A,)),
    "renorm": (_of("renorm", 2, 0, 1.0), (A,)),
    "cast": (_of("cast", ms.float16), (A,)),
    "LayerNorm": (lambda x, g, b: ops.LayerNorm()(x, g, b)[0], (A, V, V)),
    "SoftmaxCrossEntropyWithLogits": (lambda x, y: ops.SoftmaxCrossEntropyWithLogits()(x, y)[0], (A, A)),
    "nn.Dense": (_layer(lambda: nn.Dense(4, 2)), (A,)),
    "nn.Dense without a bias": (_layer(lambda: nn.Dense(4, 2, has_bias=False)), (A,)),
    "nn.Conv2d": (_layer(lambda: nn.Conv2d(2, 3, 3)), ((1, 2, 5, 5),)),
    "nn.Conv2d with a bias": (_layer(lambda: nn.Conv2d(2, 3, 3, has_bias=True)), ((1, 2, 5, 5),)),
    "nn.Conv2dTranspose": (_layer(lambda: nn.Conv2dTranspose(2, 3, 3)), ((1, 2, 5, 5),)),
    "nn.Conv3d": (_layer(lambda: nn.Conv3d(2, 3, 3)), ((1, 2, 4, 4, 4),)),
    "nn.BatchNorm2d": (_layer(lambda: nn.BatchNorm2d(2)), ((2, 2, 3, 3),)),
    "nn.BatchNorm2d in training": (_layer(lambda: nn.BatchNorm2d(2).set_train()), ((2, 2, 3, 3),)),
    "nn.LayerNorm": (_layer(lambda: nn.LayerNorm(V)), (A,)),
    "nn.GroupNorm": (_layer(lambda: nn.GroupNorm(2, 2)), ((2, 2, 3, 3),)),
    "nn.LSTMCell": (lambda x: nn.LSTMCell(4, 3)(x, (_zeros(), _zeros())), (A,)),
    "nn.GRUCell": (lambda x: nn.GRUCell(4, 3)(x, _zeros()), (A,)),
    "nn.RNNCell": (lambda x: nn.RNNCell(4, 3)(x, _zeros()), (A,)),
    "nn.LSTMCell without a bias": (lambda x: nn.LSTMCell(4, 3, has_bias=False)(x, (_zeros(), _zeros())), (A,)),
    "nn.GRUCell without a bias": (lambda x: nn.GRUCell(4, 3, has_bias=False)(x, _zeros()), (A,)),
    "nn.RNNCell without a bias": (lambda x: nn.RNNCell(4, 3, has_bias=False)(x, _zeros()), (A,)),
    "nn.LSTM": (lambda x: nn.LSTM(4, 3)(x)[0], ((2, 5, 4),)),
    "nn.GRU": (lambda x: nn.GRU(4, 3)(x)[0], ((2, 5, 4),)),
    "nn.RNN": (lambda x: nn.RNN(4, 3)(x)[0], ((2, 5, 4),)),
    "nn.LSTM without a bias": (lambda x: nn.LSTM(4, 3, has_bias=False)(x)[0], ((2, 5, 4),)),
    "nn.Embedding": (lambda x: nn.Embedding(5, 3)(x.astype(ms.int32)), (A,)),
    "nn.MultiheadAttention": (lambda x: nn.MultiheadAttention(4, 2)(x, x, x)[0], ((2, 3, 4),)),
    "nn.MSELoss": (_layer(nn.MSELoss), (A, A)),
    "nn.CrossEntropyLoss": (lambda x: nn.CrossEntropyLoss()(x, Tensor(LABELS)), (A,)),
    "nn.BCEWithLogitsLoss": (_layer(nn.BCEWithLogitsLoss), (A, A)),
}


def _zeros():
    return ops.zeros((3, 3), ms.float32)


def kinds_of(name):
    """The kinds of inputs that a case is run with: all of one kind, and the first of another than the others."""
    count = len(CASES[name][1])
    mixed = [first + rest * (count - 1) for first, rest in ("hf", "fh", "hb", "bf", "hd")] if count > 1 else []
    return [kind * count for kind in KINDS] + mixed


class _Call(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *inputs):
        return self.function(*inputs)


def outcome(name, kinds):
    """The kinds of a call's outputs, or the kind of its error."""
    function, shapes = CASES[name]
    rng = np.random.RandomState(1)
    network = amp.auto_mixed_precision(_Call(function), "auto")
    inputs = [
        Tensor((rng.rand(*s) * 0.5 + 0.3).astype(np.float32)).astype(KINDS[k])
        for s, k in zip(shapes, kinds, strict=True)
    ]
    try:
        out = network(*inputs)
    except Exception as error:  # that it dies is the outcome
        return f"raises {type(error).__name__}"
    return " ".join(_LETTERS.get(str(y.dtype), str(y.dtype)) for y in (out if isinstance(out, tuple) else (out,)))
