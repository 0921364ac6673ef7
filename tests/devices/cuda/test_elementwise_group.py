"""A group of elementwise operations is one launch on a GPU, and has the bits of the operations one by one."""

from functools import partial

import numpy as np
import pytest
from cpucuda import device as cpucuda
from support.passes import replayed

import minispore as ms
from minispore import Tensor
from minispore.core import backend
from minispore.devices.cuda import elementwise_group
from minispore.devices.cuda.elementwise_group import is_elementwise
from minispore.graph.elementwise_groups import with_elementwise_groups
from minispore.ops.operations.linalg.matmul import BiasAdd
from minispore.ops.operations.nn.activation import GeLU, GeLUGrad, ReLU, ReluGrad

pytestmark = pytest.mark.usefixtures("on_cupy", "restored")
PASS = partial(with_elementwise_groups, is_elementwise=is_elementwise)
add_bias, relu, relu_grad, gelu, gelu_grad = BiasAdd(), ReLU(), ReluGrad(), GeLU(), GeLUGrad()
EDGES = [65504, -65504, np.inf, -np.inf, np.nan, 0.0, -0.0, 2.0**-24, -(2.0**-14), 1.5]


def arrays(dtype, shape=(6, 10)):
    """Numbers with those at float16's edges among them, a bias, and others."""
    x = np.random.default_rng(2).standard_normal(shape).astype(dtype) * 8
    x.reshape(-1)[: len(EDGES)] = EDGES
    others = [np.random.default_rng(seed).standard_normal(s).astype(dtype) for seed, s in ((3, shape[1]), (4, shape))]
    return [Tensor(z) for z in (x, *others)]


def bias_and_relu(x, b, y):
    return relu(add_bias(x, b))


def bias_and_gelu(x, b, y):
    z = add_bias(x, b)
    return z, gelu(z)


def gradients(x, b, y):
    return relu_grad(y, x) + gelu_grad(y, x)


def arithmetic(x, b, y):
    return (x * y - y) * x + b


def casts(x, b, y):
    return (x.astype(ms.float32) * y.astype(ms.float32)).astype(ms.float16) + x.astype(ms.float16)


def reshaped(x, b, y):
    return y.reshape(2, 3, 10) - add_bias(x, b).reshape(2, 3, 10)


CHAINS = bias_and_relu, bias_and_gelu, gradients, arithmetic, casts, reshaped


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ms.bfloat16.np], ids=str)
@pytest.mark.parametrize("chain", CHAINS, ids=lambda f: f.__name__)
def test_a_group_has_the_bits_of_its_operations(chain, dtype):
    names, made, right = replayed(chain, [PASS], *arrays(dtype))
    assert made == right
    assert names.count("ElementwiseGroup") == 1 and not {"BiasAdd", "Add", "Mul"} & set(names)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_bias_along_the_channels_of_images(dtype):
    x = np.random.default_rng(1).standard_normal((2, 3, 4, 4)).astype(dtype)
    names, made, right = replayed(lambda x, b: relu(add_bias(x, b)), [PASS], Tensor(x), Tensor(x[0, :, 0, 0].copy()))
    assert (names, made) == (["ElementwiseGroup"], right)


def test_a_group_is_one_launch():
    if not cpucuda.is_built():
        pytest.skip("a GPU does not count")
    x, b, y = arrays(np.float16)
    steps = []
    replayed(bias_and_gelu, [PASS, lambda found, *_: steps.extend(found) or found], x, b, y)
    (group,) = steps
    with cpucuda.counted() as did:
        group.primitive._computed(backend.xp, *[z.array for z in (x, b)])
    assert did["operations"] == 1


FAULTS = {
    "the sum is not rounded": ("bias_and_gelu", "BiasAdd", "{y} = {T}(float({a}) + float({b}));", "{y} = {a};"),
    "the slope's other side": ("gradients", "ReluGrad", "{b} > {T}(0.f) ? {a}", "{a} > {T}(0.f) ? {a}"),
    "the operands are exchanged": ("arithmetic", "Sub", "float({a}) - float({b})", "float({b}) - float({a})"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(fault, monkeypatch):
    name, kind, right, wrong = FAULTS[fault]
    (key,) = [k for k in elementwise_group._TEXTS if k.__name__ == kind]
    text = elementwise_group._TEXTS[key]
    assert right in text
    monkeypatch.setitem(elementwise_group._TEXTS, key, text.replace(right, wrong))
    chain = next(f for f in CHAINS if f.__name__ == name)
    _, made, plain = replayed(chain, [PASS], *arrays(np.float16))
    assert made != plain
