"""The types in which numbers are kept and none computed: float8_e4m3fn, float8_e5m2, hifloat8."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.amp.lowbit.formats import decode, encode, values_of

STORED = [ms.float8_e4m3fn, ms.float8_e5m2, ms.hifloat8]
pytestmark = pytest.mark.usefixtures("device")
NAMES = {"float8_e4m3fn": "Float8E4M3FN", "float8_e5m2": "Float8E5M2", "hifloat8": "HiFloat8"}
X = np.float32([1, 500, -3.3, 0, 1e-5, np.inf, -np.inf, np.nan])


def named(kind):
    return kind.np.names[0]


def codes(tensor):
    return tensor.asnumpy().view(np.uint8)


@pytest.mark.parametrize("kind", STORED, ids=named)
def test_a_type_has_mindspores_names(kind):
    assert str(kind) == NAMES[named(kind)] and repr(kind) == f"minispore.{named(kind)}"
    assert pickle.loads(pickle.dumps(kind)) == kind == copy.deepcopy(kind)
    assert len({*STORED, ms.uint8, ms.float16}) == 5


@pytest.mark.parametrize("wide", [ms.float16, ms.bfloat16, ms.float32, ms.float64])
@pytest.mark.parametrize("kind", STORED, ids=named)
def test_a_cast_is_the_formats_in_the_mode_ieee_and_back_it_is_exact(kind, wide):
    x = ms.Tensor(X).astype(wide)
    low = x.astype(kind)
    expected = encode(x.astype(ms.float64).asnumpy(), named(kind), "ieee")
    assert low.dtype == kind and np.array_equal(codes(low), expected)
    assert np.array_equal(codes(ops.cast(x, named(kind))), expected)
    back = low.astype(ms.float32).asnumpy()
    assert back.dtype == np.float32 and np.array_equal(back, decode(expected, named(kind)), equal_nan=True)
    assert np.array_equal(codes(ms.Tensor(x, kind)), expected)


@pytest.mark.parametrize("kind", STORED, ids=named)
def test_whole_numbers_bools_and_lists_are_cast(kind):
    assert ms.Tensor([3, 0], kind).tolist() == ms.Tensor([3, 0]).astype(kind).tolist() == [3.0, 0.0]
    assert ms.Tensor([True, False]).astype(kind).tolist() == [1.0, 0.0]
    assert ms.Tensor([1.5, -2.0], kind).astype(ms.int32).tolist() == [1, -2]
    assert float(ms.Tensor(0.1, kind)) == values_of(named(kind))[encode(np.array([0.1]), named(kind))[0]]
    with pytest.raises(TypeError, match="must be an array of real numbers"):
        ms.Tensor([1j]).astype(kind)


def test_one_stored_type_is_cast_to_another():
    x = ms.Tensor([1.0, 448.0], ms.float8_e4m3fn)
    assert x.astype(ms.float8_e5m2).tolist() == [1.0, 448.0] == x.astype(ms.float8_e4m3fn).tolist()
    assert x.astype(ms.hifloat8).tolist() == [1.0, 512.0]  # a tie, away from zero


@pytest.mark.parametrize("kind", STORED[:2], ids=named)
def test_arrays_of_ml_dtypes_are_taken(kind):
    array = np.array([1, -2], getattr(ml_dtypes, named(kind)))
    for tensor in (ms.Tensor(array), ms.Tensor.from_numpy(array), ms.Tensor(array, kind)):
        assert tensor.dtype == kind and tensor.tolist() == [1.0, -2.0]
    assert ms.Tensor(array, ms.float32).tolist() == [1.0, -2.0]


@pytest.mark.parametrize("kind", STORED, ids=named)
def test_a_tensor_is_shown_moved_and_copied(kind):
    x = ms.Tensor([[1.0, 0.5], [-2.0, 3.0]], kind)
    assert f"dtype={kind}" in repr(x) and "0.5" in repr(x) and "0.5" in str(x)
    assert repr(ms.Tensor(0.5, kind)) == f"Tensor(shape=[], dtype={kind}, value= 0.5)"
    for moved in (x.reshape(4), x.T, x[0], ops.concat((x, x)), ops.stack((x, x)), x.copy(), copy.deepcopy(x)):
        assert moved.dtype == kind
    assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist() == [[1.0, 0.5], [-2.0, 3.0]]
    x[0, 0] = 2.0
    assert x[0].tolist() == [2.0, 0.5] and x.itemsize == 1 and bool(x[0, 0])


COMPUTING = {
    "a sum of two": lambda x: x + x,
    "a sum with a number": lambda x: x + 1,
    "a product with a number": lambda x: x * 2.0,
    "a product with float32": lambda x: x * ops.ones((2,)),
    "a negation": lambda x: -x,
    "a matrix product": lambda x: ops.matmul(x.reshape(1, 2), x.reshape(2, 1)),
    "a sum": lambda x: x.sum(),
    "a maximum": lambda x: x.max(),
    "an activation": lambda x: ops.relu(x),
    "an equality": lambda x: x == x,
    "an order": lambda x: x < x,
    "a magnitude": lambda x: x.abs(),
    "a sign": lambda x: ops.sign(x),
    "a square of a difference": lambda x: ops.SquaredDifference()(x, x),
    "ones": lambda x: ops.ones((2,), x.dtype),
    "ones like it": lambda x: ops.ones_like(x),
    "a number everywhere": lambda x: ops.full_like(x, 2),
    "a layer": lambda x: ms.nn.Dense(2, 2)(x.reshape(1, 2)),
    "an assignment": lambda x: ops.assign(ms.Parameter(x, name="p"), ops.ones((2,))),
    "new data": lambda x: ms.Parameter(x, name="p").set_data(ops.ones((2,))),
}


@pytest.mark.parametrize("what", COMPUTING)
@pytest.mark.parametrize("kind", STORED, ids=named)
def test_computing_is_refused_with_a_sentence(kind, what):
    with pytest.raises(TypeError, match=f"For '.*', .* but got .*({kind}|{kind!r}|Float32)"):
        COMPUTING[what](ms.Tensor([1.0, 2.0], kind))


@pytest.mark.parametrize("kind", STORED, ids=named)
def test_a_gradient_passes_a_cast_unrounded(kind):
    gradient = ops.grad(lambda x: (x.astype(kind).astype(ms.float32) * ms.Tensor([1000.3, 1e6])).sum())(ops.ones((2,)))
    assert np.array_equal(gradient.asnumpy(), np.float32([1000.3, 1e6]))
