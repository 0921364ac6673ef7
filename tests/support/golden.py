"""The golden vectors of low bits, and the comparisons that their tests share."""

import functools
from pathlib import Path

import ml_dtypes
import numpy as np

from minispore.tools.testing import vectors

HERE = Path(__file__).parent.parent / "amp/lowbit/vectors"
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


READ = {}  # file -> the keys that tests have read


class _File(dict):
    """The arrays of a file; it notes which ones are read."""

    def __getitem__(self, key):
        self.read.add(key)
        return super().__getitem__(key)


@functools.cache
def cases_of(name):
    """The arrays of a golden file, each with its name and its source."""
    return vectors.recorded(HERE / f"{name}.npz")


@functools.cache
def golden(name):
    """A golden file: a dict of read-only arrays."""
    found = {case["name"]: case["array"] for case in cases_of(name)}
    for array in found.values():
        array.flags.writeable = False
    found = _File(found)
    found.read = READ[name] = set()
    return found


def same(a, b):
    """True if two arrays hold the same numbers; nan equals nan, and -0 equals 0."""
    a, b = np.asarray(a), np.asarray(b)
    with np.errstate(invalid="ignore"):  # of signalling nans
        return a.shape == b.shape and np.array_equal(a.astype(np.float64), b.astype(np.float64), equal_nan=True)


def unpacked(codes):
    """Codes of four bits, one a number, from two a byte."""
    return np.stack([codes & 15, codes >> 4], -1).reshape(*codes.shape[:-1], -1)


def layer(recipe, x, w, dy, dtype=None, bias=None):
    """y, dx and dw of a Dense layer at a recipe, by the package's own conversion; and the converted layer."""
    import minispore as ms

    net = ms.nn.Dense(w.shape[1], w.shape[0], has_bias=bias is not None, weight_init=ms.Tensor(w))
    if bias is not None:
        net.bias.set_data(ms.Tensor(bias))
    if dtype is not None:
        net = ms.amp.auto_mixed_precision(ms.nn.SequentialCell(net), "O3", dtype=dtype, recipe=recipe)
    else:
        net = ms.amp.auto_mixed_precision(net, "O0", recipe=recipe)
    net.set_train()
    return (*gradients(net, x, dy), net)


def gradients(net, x, dy):
    """y, dx and dw of a network for one input and one gradient of its output."""
    import minispore as ms

    weights = net.trainable_params()[:1]
    given = ms.Tensor(x)
    y = net(given)
    grad = ms.ops.GradOperation(get_all=True, get_by_list=True, sens_param=True)(net, ms.ParameterTuple(weights))
    (dx,), (dw,) = grad(given, ms.Tensor(dy).astype(y.dtype))
    return y.asnumpy(), dx.asnumpy(), dw.asnumpy()
