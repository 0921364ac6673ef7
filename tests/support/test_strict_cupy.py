"""The stand-in for CuPy is as strict as CuPy: what it refuses, what it counts, and what it computes."""

import copy
import inspect
import math
import operator
import pickle

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support import strict_rules
from support.strict_cupy import StrictArray, strict_cupy

from minispore.core import backend

xp = strict_cupy
ARRAYS = hnp.arrays(
    np.float32,
    hnp.array_shapes(min_dims=0, max_dims=3, max_side=3),
    elements=st.floats(-9, 9, width=32, allow_subnormal=False),
)


@pytest.fixture
def a():
    return xp.asarray(np.arange(6, dtype=np.float32).reshape(2, 3))


def synchronisations(action):
    before = xp.synchronisations
    action()
    return xp.synchronisations - before


# No implicit conversion, no mixing


@pytest.mark.parametrize(
    "convert", [np.asarray, np.array, lambda a: np.add(a, 1), np.exp, np.sum, lambda a: np.concatenate([a, a])]
)
def test_numpy_gets_no_array_of_the_device(a, convert):
    with pytest.raises(TypeError):
        convert(a)


@pytest.mark.parametrize("apply", [operator.add, operator.matmul, operator.eq, operator.lt, operator.iadd])
def test_operators_refuse_numpy_arrays_on_either_side(a, apply):
    for left, right in ((a, np.ones((2, 3), np.float32)), (np.ones((2, 3), np.float32), a)):
        with pytest.raises(TypeError):
            apply(left, right)


@pytest.mark.parametrize(
    "call",
    [
        lambda a, n: xp.add(a, n),
        lambda a, n: xp.concatenate([a, n]),
        lambda a, n: xp.add(a, 1, out=n),
        lambda a, n: xp.sum(n),
        lambda a, n: a.__setitem__(0, n),
        lambda a, n: a[np.array([0, 1])],
        lambda a, n: a.dot(n),
    ],
)
def test_functions_and_indices_refuse_numpy_arrays(a, call):
    with pytest.raises(TypeError):
        call(a, np.ones((2, 3), np.float32))


@pytest.mark.parametrize("scalar", [2, 2.0, True, np.float32(2), np.int64(2)])
def test_scalars_mix_freely(a, scalar):
    host = a.get()
    for apply in (operator.add, operator.mul, operator.truediv, operator.gt):
        np.testing.assert_array_equal(apply(a, scalar).get(), apply(host, scalar))
        assert isinstance(apply(scalar, a), StrictArray)
    a[0, 0] = scalar
    assert a[0, 0].item() == scalar


# 0-d arrays, never scalars


@pytest.mark.parametrize(
    "make",
    [
        lambda a: a.sum(),
        lambda a: a.argmax(),
        lambda a: xp.max(a),
        lambda a: xp.mean(a),
        lambda a: xp.array_equal(a, a),
        lambda a: xp.allclose(a, a),
        lambda a: xp.count_nonzero(a),
        lambda a: a[0, 0],
        lambda a: xp.exp(1.0),
        lambda a: xp.sum(a) * 2,
        lambda a: xp.linalg.norm(a),
    ],
)
def test_reductions_and_single_elements_are_arrays_of_no_dimension(a, make):
    result = make(a)
    assert isinstance(result, StrictArray) and result.shape == ()


# Only what CuPy has


@pytest.mark.parametrize("name", ["vecdot", "errstate", "seterr", "nditer", "float128", "object_", "str_"])
def test_names_that_cupy_lacks_are_attribute_errors(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(xp, name)
    assert not hasattr(xp.linalg, "cond") and not hasattr(xp.exp, "nin") and not hasattr(xp, "__wrapped__")


@pytest.mark.parametrize(
    "call",
    [
        lambda a: xp.exp(a, where=a > 0),
        lambda a: xp.sum(a, where=a > 0),
        lambda a: xp.max(a, initial=0),
        lambda a: a.sum(initial=0),
        lambda a: xp.take(a, xp.asarray([0]), mode="clip"),
    ],
)
def test_keywords_that_cupy_lacks_are_type_errors(a, call):
    with pytest.raises(TypeError, match="unexpected keyword"):
        call(a)


def test_objects_and_strings_are_no_device_data():
    for value in (np.array(["a"]), np.array([object()])):
        with pytest.raises(ValueError, match="Unsupported dtype"):
            xp.asarray(value)


def test_division_by_zero_does_not_warn(a):
    assert np.isnan((a / 0 * 0).get()).all() and np.isinf(xp.log(a).get()[0, 0])


# Waiting for the device is counted


@pytest.mark.parametrize(
    "wait",
    [
        lambda a: a.get(),
        lambda a: a.tolist(),
        lambda a: a.tobytes(),
        lambda a: a[0, 0].item(),
        lambda a: bool(a[0, 0]),
        lambda a: float(a[0, 0]),
        lambda a: int(a[0, 0]),
        lambda a: range(3)[xp.asarray(1)],
        lambda a: xp.asnumpy(a),
        lambda a: repr(a),
        lambda a: f"{a[0, 0]:.2f}",
        lambda a: a[a > 1],
        lambda a: xp.nonzero(a),
        lambda a: xp.where(a),
        lambda a: xp.unique(a, return_inverse=True),
        lambda a: a[a[:, 0] > 1, :],
        lambda a: a.__setitem__(a > 1, 0),
        lambda a: xp.compress(a[0] > 1, a, axis=1),
        lambda a: xp.place(a, a > 1, a),
        lambda a: xp.cuda.Device(0).synchronize(),
        lambda a: xp.cuda.get_current_stream().synchronize(),
    ],
)
def test_what_waits_for_the_device_is_counted_once(a, wait):
    assert synchronisations(lambda: wait(a)) == 1


@pytest.mark.parametrize(
    "wait",
    [
        lambda a: xp.bincount(xp.asarray([0, 1])),
        lambda a: xp.bincount(xp.asarray([0, 1]), xp.asarray([0.5, 1]), 3),
        lambda a: xp.unique(a, return_counts=True),
        lambda a: a[a[:, 0] > 1, a[0] > 1],
        lambda a: xp.argpartition(a, 1),
        lambda a: xp.trim_zeros(a[0]),
        lambda a: xp.putmask(a, a > 1, a),
    ],
)
def test_what_waits_twice_is_counted_twice(a, wait):
    assert synchronisations(lambda: wait(a)) == 2


@pytest.mark.parametrize(
    "work",
    [
        lambda a: a + a * 2 - a[0],
        lambda a: xp.where(a > 1, a, 0),
        lambda a: list(a),
        lambda a: xp.einsum("ij,kj->ik", a, a).sum(),
        lambda a: (a.shape, a.dtype, a.size, len(a), a.nbytes),
        lambda a: xp.asarray(np.ones(3)),
    ],
)
def test_work_on_the_device_does_not_wait(a, work):
    assert synchronisations(lambda: work(a)) == 0


def test_the_count_can_be_set_back(a):
    a.get()
    xp.synchronisations = 0
    a.get()
    assert xp.synchronisations == 1


# What it computes


@given(
    ARRAYS, st.sampled_from(["exp", "negative", "isfinite", "sum", "argmax", "cumsum", "ravel", "zeros_like", "triu"])
)
def test_functions_compute_what_numpy_computes(host, name):
    if name == "triu" and host.ndim == 0:
        return
    result, expected = getattr(xp, name)(xp.asarray(host)), getattr(np, name)(host)
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(result.get(), expected)


@given(ARRAYS, st.sampled_from(["add", "sub", "mul", "truediv", "pow"]))
def test_operators_and_in_place_operators_compute_what_numpy_computes(host, name):
    with np.errstate(all="ignore"):
        expected = np.asarray(getattr(operator, name)(host, np.abs(host)))
    device, alias = xp.asarray(host), xp.asarray(host)
    other = abs(device)
    np.testing.assert_array_equal(getattr(operator, name)(device, other).get(), expected)
    view = alias[...]
    alias = getattr(operator, f"i{name}")(alias, other)
    np.testing.assert_array_equal(view.get(), expected)


def test_out_is_written_and_returned(a):
    out = xp.empty_like(a)
    assert xp.add(a, 1, out=out) is out and a.sum(0, out=xp.empty(3, np.float32)).tolist() == [3, 5, 7]
    assert out.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_functions_of_lists_of_arrays_and_several_results(a):
    assert xp.concatenate([a, a]).shape == (4, 3) and xp.stack((a, a), axis=-1).shape == (2, 3, 2)
    assert [part.shape for part in xp.split(a, 3, axis=1)] == [(2, 1)] * 3
    fraction, exponent = xp.frexp(a)
    assert isinstance(fraction, StrictArray) and isinstance(exponent, StrictArray)


def test_indices_take_arrays_of_the_device_and_views_share_memory(a):
    assert a[xp.asarray([1, 0]), :].tolist() == [[3, 4, 5], [0, 1, 2]]
    a[xp.asarray([0])] += 10
    a.T[0] = 7
    a[a > 10] = 0
    assert a.tolist() == [[7, 0, 0], [7, 4, 5]]
    windows = xp.lib.stride_tricks.as_strided(a, (2, 2), (a.strides[1], a.strides[1]))
    assert windows.tolist() == [[7, 0], [0, 0]]


def test_transfers_are_copies(a):
    host = np.zeros(3)
    device = xp.asarray(host)
    host[:] = 1
    device.get()[:] = 1
    assert device.tolist() == [0, 0, 0] and xp.asarray(a) is a and xp.array(a) is not a


def test_copies_and_pickles_stay_on_the_device(a):
    for twin in (copy.copy(a), copy.deepcopy(a), a.copy(), pickle.loads(pickle.dumps(a))):
        assert isinstance(twin, StrictArray)
        twin[:] = 0
    assert a.sum().item() == 15


def test_the_module_shows_itself_as_cupy_with_one_device(a):
    assert xp.cuda.runtime.getDeviceCount() == 1 and xp.get_array_module(a) is xp and xp.get_array_module(1) is np
    with pytest.raises(xp.cuda.runtime.CUDARuntimeError):
        xp.cuda.Device(1)


def test_the_backend_computes_with_it():
    before = backend.use(xp)
    try:
        array = backend.from_host(np.ones(2))
        assert isinstance(array, backend.array_type) and isinstance(backend.to_host(array), np.ndarray)
    finally:
        backend.use(before)


# Where CuPy does otherwise than NumPy


BF = np.dtype(ml_dtypes.bfloat16)
NARROW, INF, NAN = np.array([1.5, -2, 0.25], BF), np.inf, np.nan
SUBNORMAL = np.array([1e-40, -1e-40, 2e-38], np.float32)
X, Y = [INF, 5, 5, -7, 7, 0.0, 6], [2, -INF, INF, 2, -2, -3, 0.5]


def signs(xp, value, key=Ellipsis):
    """Which elements are negative after ``value`` was set at key in two rows of ones."""
    x = xp.ones((2, 3), np.float32)
    x[key] = value
    return xp.signbit(x)


def at(x, function, indices, values):
    """``x`` after ``function.at``."""
    function.at(x, indices, values)
    return x


def numbers(xp, *shape):
    """A new array of the numbers from 0."""
    return xp.arange(math.prod(shape), dtype=np.float32).reshape(shape)


# By name: what to compute of the module, and what CuPy gives for it: values, or the kind of an error
FACTS = {
    "where of bfloat16": (
        lambda xp: xp.where(xp.asarray([True, False, True]), *[xp.asarray(NARROW)] * 2).dtype,
        "float32",
    ),
    "clip of bfloat16": (lambda xp: xp.clip(xp.asarray(NARROW), 0, 1).dtype, "float32"),
    "round of bfloat16": (lambda xp: xp.asarray(NARROW).round().dtype, "float32"),
    "tril of bfloat16": (lambda xp: xp.tril(xp.asarray(NARROW)[None]).dtype, "float32"),
    "var of bfloat16": (lambda xp: xp.var(xp.asarray(NARROW).astype(BF), axis=0).dtype, "float64"),
    "cumsum of bfloat16": (lambda xp: xp.cumsum(xp.asarray(NARROW)), Exception),
    "sort of bfloat16": (lambda xp: xp.sort(xp.asarray(NARROW)), NotImplementedError),
    "argsort of bfloat16": (lambda xp: xp.asarray(NARROW).argsort(), NotImplementedError),
    "einsum of bfloat16": (lambda xp: xp.einsum("ij,kj->ik", *[xp.asarray(NARROW)[None]] * 2), TypeError),
    "matmul of bfloat16 over three axes": (lambda xp: xp.matmul(*[xp.asarray(NARROW)[None, :, None]] * 2), Exception),
    "add.at of bfloat16": (lambda xp: at(xp.asarray(NARROW), xp.add, xp.asarray([0]), 1), TypeError),
    "finfo of bfloat16": (lambda xp: xp.finfo(BF), ValueError),
    "arithmetic of bfloat16": (lambda xp: (xp.exp(xp.asarray(NARROW) * xp.asarray(NARROW)) + 1).dtype, "bfloat16"),
    "an index that wraps": (lambda xp: numbers(xp, 3)[xp.asarray([3, 7, -7, -1])], [0, 1, 2, 2]),
    "a list of indices that wraps": (lambda xp: numbers(xp, 3)[[4]], [1]),
    "two indices that wrap": (lambda xp: numbers(xp, 2, 3)[xp.asarray([2, 3]), xp.asarray([3, -4])], [0, 5]),
    "an index behind a slice that wraps": (lambda xp: numbers(xp, 2, 3)[:, xp.asarray([4])], [[1], [4]]),
    "a write that wraps": (lambda xp: signs(xp, -1, xp.asarray([5])), [[False] * 3, [True] * 3]),
    "take that wraps": (lambda xp: xp.take(numbers(xp, 2, 3), xp.asarray([3, 7]), axis=1), [[0, 1], [3, 4]]),
    "take of all that wraps": (lambda xp: numbers(xp, 2, 3).take(xp.asarray([6, -7])), [0, 5]),
    "a number out of range": (lambda xp: numbers(xp, 3)[3], IndexError),
    "an index into nothing": (lambda xp: numbers(xp, 0)[xp.asarray([0])], IndexError),
    "-0 from the host": (lambda xp: xp.signbit(xp.asarray(np.float32(-0.0))), False),
    "-0 from Python": (lambda xp: xp.signbit(xp.asarray(-0.0)), False),
    "-0 in a list": (lambda xp: xp.signbit(xp.asarray([-0.0])), [True]),
    "-0 by full": (lambda xp: xp.signbit(xp.full((), np.float32(-0.0), np.float32)), True),
    "-0 by full of bfloat16": (lambda xp: xp.signbit(xp.full((), BF.type(-0.0), BF)), True),
    "-0 set everywhere": (lambda xp: signs(xp, -0.0), [[False] * 3] * 2),
    "-0 set at an index": (lambda xp: signs(xp, -0.0, xp.asarray([0])), [[False] * 3] * 2),
    "-0 set in a column": (lambda xp: signs(xp, -0.0, (slice(None), 0)), [[True, False, False]] * 2),
    "-0 set by an array": (lambda xp: signs(xp, xp.full((), -0.0, np.float32)), [[True] * 3] * 2),
    "-0 times an array": (lambda xp: xp.signbit(xp.ones(1) * -0.0), [True]),
    "floor_divide": (lambda xp: xp.floor_divide(xp.asarray(X), xp.asarray(Y)), [INF, -0.0, 0, -4, -4, -0.0, 12]),
    "//": (lambda xp: xp.asarray(X) // xp.asarray(Y), [INF, -0.0, 0, -4, -4, -0.0, 12]),
    "remainder": (lambda xp: xp.remainder(xp.asarray(X), xp.asarray(Y)), [NAN, NAN, NAN, 1, -1, 0, 0]),
    "%": (lambda xp: xp.asarray(X) % xp.asarray(Y), [NAN, NAN, NAN, 1, -1, 0, 0]),
    "remainder of integers by 0": (lambda xp: xp.asarray([7, -7]) % 0, [0, 0]),
    "sinc of nan": (lambda xp: xp.sinc(xp.asarray([NAN, 0.0])), [1, 1]),
    "a subnormal number times 1": (lambda xp: xp.asarray(SUBNORMAL) * 1, [0.0, -0.0, 2e-38]),
    "a subnormal number is not above 0": (lambda xp: xp.asarray(SUBNORMAL) > 0, [False, False, True]),
    "a subnormal number is 0": (lambda xp: xp.nonzero(xp.asarray(SUBNORMAL))[0], [2]),
    "a result becomes 0": (lambda xp: xp.asarray([2e-38], np.float32) * 0.5, [0]),
    "a subnormal bfloat16 times 1": (lambda xp: xp.asarray(np.array([1e-39], BF)) * BF.type(1), [0]),
    "a copy keeps a subnormal number": (lambda xp: xp.signbit(xp.asarray(SUBNORMAL).copy()), [False, True, False]),
    "a subnormal float16 stays": (lambda xp: xp.asarray([6e-8], np.float16) * 1, [5.9604645e-08]),
    # No error; the numbers are cuSOLVER's: part of the factor with CUDA 12, nan with CUDA 13
    "not positive definite": (lambda xp: xp.linalg.cholesky(xp.asarray([[1.0, 2], [2, 1]])).shape, (2, 2)),
    "a choice by no array": (lambda xp: xp.where(True, xp.ones(2), 0), AttributeError),
    "singular": (lambda xp: xp.isfinite(xp.linalg.inv(xp.ones((2, 2)))).all(), False),
    "no solution": (lambda xp: xp.isfinite(xp.linalg.solve(xp.ones((2, 2)), xp.ones(2))).all(), False),
    "C order": (lambda xp: (numbers(xp, 2, 3).T + 1).flags.c_contiguous, True),
    "C order of a function": (lambda xp: xp.exp(numbers(xp, 2, 3).T).flags.c_contiguous, True),
    "C order of a choice": (
        lambda xp: xp.where(numbers(xp, 2, 3).T > 1, *[numbers(xp, 2, 3).T] * 2).flags.c_contiguous,
        True,
    ),
    "C order of elements": (lambda xp: numbers(xp, 3, 3).T[xp.asarray([0, 1])].flags.c_contiguous, True),
    "astype keeps the order": (lambda xp: numbers(xp, 2, 3).T.astype(np.float64).flags.c_contiguous, False),
    "copy in C order": (lambda xp: numbers(xp, 2, 3).T.copy().flags.c_contiguous, True),
    "no flag writeable": (lambda xp: xp.ones(1).flags.writeable, AttributeError),
    "no flag aligned": (lambda xp: xp.ones(1).flags["ALIGNED"], KeyError),
    "a view owns nothing": (lambda xp: (xp.ones(2).flags.owndata, xp.ones(2)[1:].flags["OWNDATA"]), (True, False)),
    "add.at": (lambda xp: at(numbers(xp, 3), xp.add, xp.asarray([0, 0, 4]), 1), [2, 2, 2]),
    "maximum.at": (lambda xp: at(numbers(xp, 3), xp.maximum, xp.asarray([0, 0]), 5), [5, 1, 2]),
    "multiply.at": (lambda xp: at(numbers(xp, 3), xp.multiply, xp.asarray([0]), 5), NotImplementedError),
    "add.reduce": (lambda xp: xp.add.reduce(numbers(xp, 2, 3)), [3, 5, 7]),
    "maximum.reduce": (lambda xp: xp.maximum.reduce(numbers(xp, 2, 3)), NotImplementedError),
    "add.accumulate": (lambda xp: xp.add.accumulate(numbers(xp, 3)), [0, 1, 3]),
    "item takes no place": (lambda xp: numbers(xp, 3).item(0), TypeError),
}
# What a GPU gives, and a machine's CPU in its place may not, by NVIDIA's documents of its instruction cvt
CASTS = {
    np.int32: ([3e9, -3e9, INF, 300.7], [2**31 - 1, -(2**31), 2**31 - 1, 300]),
    np.int8: ([300, -1, 3e9], [44, -1, -1]),
    np.uint8: ([300, -1, 255], [44, 0, 255]),
    np.int64: ([1e30, -1e30, 5], [2**63 - 1, -(2**63), 5]),
}


def outcome(fact, xp):
    """What a fact gives: the kind of its error, or its value on the host."""
    try:
        result = fact(xp)
    except Exception as error:
        return type(error)
    return result.get() if hasattr(result, "get") else result


@pytest.mark.parametrize("name", FACTS)
def test_it_does_as_cupy_where_numpy_does_otherwise(name):
    fact, expected = FACTS[name]
    found = outcome(fact, xp)
    if isinstance(expected, type):
        assert issubclass(found, expected)
    elif isinstance(expected, list):
        assert repr(found.tolist()) == repr(np.array(expected).astype(found.dtype).tolist())
    else:
        assert found == expected


@pytest.mark.gpu
@pytest.mark.parametrize("name", FACTS)
def test_cupy_itself_gives_the_same(name):
    cupy = pytest.importorskip("cupy")
    fact, expected = FACTS[name]
    found, ours = outcome(fact, cupy), outcome(fact, xp)
    if isinstance(expected, type):
        assert issubclass(found, expected), found
    elif isinstance(ours, np.ndarray):
        assert found.dtype == ours.dtype
        np.testing.assert_allclose(found.astype(float), ours.astype(float), rtol=1e-6)
    else:
        assert found == ours


@pytest.mark.parametrize("kind", CASTS)
@pytest.mark.parametrize("wide", [np.float32, np.float64])
def test_floats_out_of_range_saturate_as_integers_of_32_bits_or_more(kind, wide):
    floats, expected = CASTS[kind]
    floats = xp.asarray(np.array(floats, wide))
    assert floats.astype(kind).tolist() == expected
    into = xp.zeros(len(expected), kind)
    into[...] = floats
    assert into.tolist() == expected


def test_a_view_knows_the_array_that_owns_its_memory(a):
    views = [a[0], a[0][1:], a.T, a.reshape(3, 2), a.ravel(), xp.broadcast_to(a, (2, 2, 3)), xp.split(a, 3, 1)[0]]
    views += [xp.expand_dims(a, 0), xp.diagonal(a), xp.flip(a), xp.moveaxis(a, 0, 1), a.view(np.int32), a[:1].squeeze()]
    assert [view.base is a for view in views] == [True] * len(views)
    own = [a, a.copy(), a.sum(0), xp.concatenate([a, a]), a[xp.asarray([0])], a + 1, a.flatten(), xp.stack([a, a])]
    own.append(xp.lib.stride_tricks.as_strided(a, (2, 2), (4, 4)))
    assert [array.base for array in own] == [None] * len(own)
    assert xp.asarray(a) is a and xp.ascontiguousarray(a) is a and xp.array(a, copy=False) is a


@pytest.mark.parametrize("kind", [np.float16, BF], ids=str)
def test_narrow_floats_are_summed_in_float32_or_not_at_all(kind):
    x = xp.ones((3, 3), kind)
    for wrong in (
        lambda: x.sum(),
        lambda: xp.mean(x, axis=0),
        lambda: xp.dot(x, x),
        lambda: xp.tensordot(x, x, 1),
        lambda: xp.matmul(x[:1], x[:, :1]),
        lambda: x[:1] @ x[:, :1],
    ):
        with pytest.raises(strict_rules.NarrowSumError):
            wrong()
    assert x.sum(dtype=np.float32).item() == 9 and (x @ x).dtype == kind and (x @ x)[0, 0].item() == 3


def test_a_product_of_narrow_floats_is_accumulated_in_float32():
    many = xp.ones((2, 4096), np.float16)
    assert (many @ many.T).get().tolist() == [[4096, 4096]] * 2
    assert (many * xp.full((), 0.1, np.float16) @ many.T).dtype == np.float16


@pytest.mark.parametrize("name", sorted(strict_rules.TAKES_NOT))
def test_keywords_that_cupy_s_function_lacks_are_refused(name):
    function = getattr(xp, name, None) or getattr(xp.linalg, name)
    for keyword in strict_rules.TAKES_NOT[name]:
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
            function(xp.ones((2, 2)), **{keyword: None})


@pytest.mark.gpu
@pytest.mark.parametrize("name", sorted(strict_rules.TAKES_NOT))
def test_cupy_s_function_lacks_these_keywords(name):
    cupy = pytest.importorskip("cupy")
    function = getattr(cupy, name, None) or getattr(cupy.linalg, name)
    assert not strict_rules.TAKES_NOT[name] & inspect.signature(function).parameters.keys()


@pytest.mark.gpu
def test_every_name_it_offers_is_in_cupy():
    cupy = pytest.importorskip("cupy")
    assert [name for name in sorted(xp.names()) if not hasattr(cupy, name)] == []
