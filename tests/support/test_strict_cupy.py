"""The stand-in for CuPy is as strict as CuPy: what it refuses, what it counts, and what it computes."""

import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from support.strict_cupy import StrictArray, strict_cupy

from minispore import backend

xp = strict_cupy
ARRAYS = hnp.arrays(
    np.float32, hnp.array_shapes(min_dims=0, max_dims=3, max_side=3), elements=st.floats(-9, 9, width=32)
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
    assert not hasattr(xp.linalg, "cond") and not hasattr(xp.add, "at") and not hasattr(xp, "__wrapped__")


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
        lambda a: xp.unique(a),
        lambda a: xp.cuda.Device(0).synchronize(),
        lambda a: xp.cuda.get_current_stream().synchronize(),
    ],
)
def test_what_waits_for_the_device_is_counted_once(a, wait):
    assert synchronisations(lambda: wait(a)) == 1


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


@given(ARRAYS, st.sampled_from(["add", "sub", "mul", "truediv", "pow", "mod", "floordiv"]))
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


@pytest.mark.gpu
def test_every_name_it_offers_is_in_cupy():
    cupy = pytest.importorskip("cupy")
    assert [name for name in sorted(xp.names()) if not hasattr(cupy, name)] == []
