"""Elementwise operations become groups that compute what they did, and nothing reads a result before it is there."""

from functools import partial

import numpy as np
import pytest
from support.passes import replayed

import minispore as ms
from minispore import Tensor, ops
from minispore.graph.elementwise_groups import with_elementwise_groups
from minispore.ops.casting import Cast
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul
from minispore.ops.operations.math.arithmetic import Add, Mul, Sub
from minispore.ops.operations.nn.activation import GeLU, ReLU, ReluGrad

KINDS = Add, BiasAdd, Cast, GeLU, Mul, ReLU, ReluGrad, Sub
PASS = partial(with_elementwise_groups, is_elementwise=lambda step, memories: type(step.primitive) in KINDS)
add_bias, multiply, relu, gelu = BiasAdd(), MatMul(), ReLU(), GeLU()


def drawn(*shape, dtype=np.float32):
    return Tensor(np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype))


def layer(x, b):
    return multiply(relu(add_bias(x, b)), x)


def reshaped(x, b, y):
    return y + add_bias(x, b).reshape(y.shape)


def used_outside(x, b):
    y = add_bias(x, b)
    return gelu(y), multiply(y, x)


def side_by_side(x, b):
    first, second = add_bias(multiply(x, x), b), add_bias(multiply(x, b.reshape(1, 4).broadcast_to((4, 4))), b)
    return multiply(first.reshape(2, 2, 4).transpose(1, 0, 2).reshape(4, 4), second)


def read_between(x, b):
    first = add_bias(x, b)
    second = multiply(first, x)
    return add_bias(second, b) + first


def nothing_reads_it(x, b):
    relu(add_bias(x, b))
    return multiply(x, x)


def narrow(x, b):
    return (relu(x).astype(ms.float16) * b.astype(ms.float16)).astype(ms.float32)


LEFT = {
    layer: ["ElementwiseGroup", "MatMul"],
    used_outside: ["ElementwiseGroup", "MatMul"],
    read_between: ["BiasAdd", "MatMul", "ElementwiseGroup"],
    nothing_reads_it: ["MatMul"],
    narrow: ["Cast", "ElementwiseGroup"],
}


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("function", LEFT, ids=lambda f: f.__name__)
def test_a_group_computes_what_its_operations_do(function, dtype):
    names, made, right = replayed(function, [PASS], drawn(4, 4, dtype=dtype), drawn(4, dtype=dtype))
    assert made == right
    if dtype == np.float32:
        assert names == LEFT[function]


def test_a_reshape_within_a_group_belongs_to_it():
    names, made, right = replayed(reshaped, [PASS], drawn(6, 4), drawn(4), drawn(2, 3, 4))
    assert (names, made) == (["ElementwiseGroup"], right)


def test_views_of_what_is_put_off_are_put_off_too():
    names, made, right = replayed(side_by_side, [PASS], drawn(4, 4), drawn(4))
    assert made == right
    assert [names.count("ElementwiseGroup"), names.count("BiasAdd")] == [1, 0]
    assert names.index("Transpose") > names.index("ElementwiseGroup")


def test_a_bias_along_another_axis_does_not_follow_a_reshape():
    def function(x, b, y):
        return y * ops.relu(add_bias(x, b)).reshape(6, 3)

    _, made, right = replayed(function, [PASS], drawn(2, 3, 3), drawn(3), drawn(6, 3))
    assert made == right
