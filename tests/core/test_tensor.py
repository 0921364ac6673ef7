"""Tensor: construction, memory, printing, indexing, methods, and what it refuses."""

import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minispore as ms
from minispore import Parameter, Tensor, ops
from minispore.core import backend
from minispore.nn.initial_values.matrices import One

# Construction and memory


@pytest.mark.parametrize(
    "data, kind, shape",
    [
        (3, ms.int64, ()),
        (2.5, ms.float32, ()),
        (True, ms.bool_, ()),
        ([1, 2], ms.int64, (2,)),
        ([1.0, 2], ms.float32, (2,)),
        ((1, 2.0), ms.float32, (2,)),
        ([True], ms.bool_, (1,)),
        ([[1], [2]], ms.int64, (2, 1)),
        ([], ms.float32, (0,)),
        (np.float64(1), ms.float64, ()),
        (np.zeros((2, 0), np.uint8), ms.uint8, (2, 0)),
        ([Tensor(1.0), Tensor(2.0)], ms.float32, (2,)),
    ],
)
def test_the_constructor_reads_numbers_nests_and_arrays(data, kind, shape):
    x = Tensor(data)
    assert (x.dtype, x.shape, x.ndim, x.size) == (kind, shape, len(shape), int(np.prod(shape)))
    assert (x.itemsize, x.nbytes) == (kind.np.itemsize, x.size * kind.np.itemsize)


def test_the_constructor_converts_and_fills():
    assert Tensor([1.7, -1.7], ms.int32).tolist() == [1, -1]
    x = Tensor(shape=(2, 2), dtype=ms.float16, init=One())
    assert (x.dtype, x.tolist()) == (ms.float16, [[1, 1], [1, 1]])


def test_the_constructor_copies_and_asnumpy_shares():
    array = np.zeros(2, np.float32)
    x, shared = Tensor(array), Tensor.from_numpy(array)
    array[0] = 1
    assert (x.tolist(), shared.tolist()) == ([0, 0], [1, 0])
    x.asnumpy()[1] = 5
    assert x.tolist() == [0, 5]
    y = Tensor(x)
    y.asnumpy()[0] = 9
    assert x.tolist() == [0, 5]


@pytest.mark.parametrize("wrong", [None, "abc", object(), {}, ["a"], np.array(["a"]), np.clongdouble(1j), b"a"])
def test_the_constructor_refuses_what_holds_no_numbers(wrong):
    with pytest.raises(TypeError, match=r"^For 'Tensor', the "):
        Tensor(wrong)


def test_the_constructor_refuses_nests_of_unequal_lengths():
    with pytest.raises(ValueError, match=r"^For 'Tensor', the 'input_data' must .* of one shape"):
        Tensor([[1, 2], [3]])


def test_the_constructor_refuses_half_an_initialization():
    for arguments in ({"shape": (2,)}, {"init": One(), "shape": (2,)}):
        with pytest.raises((TypeError, ValueError), match=r"^For 'Tensor'"):
            Tensor(**arguments)
    with pytest.raises(TypeError, match=r"^For 'from_numpy', the 'array' must be a NumPy array, but got list"):
        Tensor.from_numpy([1])


@given(
    hnp.arrays(st.sampled_from([np.float32, np.float16, np.int32, np.bool_]), hnp.array_shapes(min_dims=0, min_side=0))
)
def test_values_survive_tensor_copy_and_pickle(array):
    for x in (
        Tensor(array),
        copy.copy(Tensor(array)),
        copy.deepcopy(Tensor(array)),
        pickle.loads(pickle.dumps(Tensor(array))),
    ):
        np.testing.assert_array_equal(x.asnumpy(), array)
        assert x.asnumpy().dtype == array.dtype


# Printing

PRINTED = [
    (Tensor(3.0), "3.0", "Tensor(shape=[], dtype=Float32, value= 3)"),
    (Tensor([1.0, 2.5]), "[1.  2.5]", "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])"),
    (
        Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),
        "[[0. 1. 2.]\n [3. 4. 5.]]",
        "Tensor(shape=[2, 3], dtype=Float32, value=\n"
        "[[ 0.00000000e+00,  1.00000000e+00,  2.00000000e+00],\n [ 3.00000000e+00,  4.00000000e+00,  5.00000000e+00]])",
    ),
    (Tensor(3), "3", "Tensor(shape=[], dtype=Int64, value= 3)"),
    (Tensor([1, 2, 3], ms.int32), "[1 2 3]", "Tensor(shape=[3], dtype=Int32, value= [1, 2, 3])"),
    (Tensor([True, False]), "[ True False]", "Tensor(shape=[2], dtype=Bool, value= [ True, False])"),
    (Tensor(True), "True", "Tensor(shape=[], dtype=Bool, value= True)"),
    (Tensor([1, 2.5], ms.float16), "[1.  2.5]", "Tensor(shape=[2], dtype=Float16, value= [ 1.0000e+00,  2.5000e+00])"),
    (
        Tensor(np.array([1 / 3, 2.5])),
        "[0.33333333 2.5       ]",
        "Tensor(shape=[2], dtype=Float64, value= [ 3.33333333e-01,  2.50000000e+00])",
    ),
    (Tensor(np.zeros(0, np.int32)), "[]", "Tensor(shape=[0], dtype=Int32, value= )"),
    (Tensor(np.array([[1, 200]], np.uint8)), "[[  1 200]]", "Tensor(shape=[1, 2], dtype=UInt8, value=\n[[  1, 200]])"),
    (
        Tensor([float("nan"), float("inf"), -1.0]),
        "[nan inf -1.]",
        "Tensor(shape=[3], dtype=Float32, value= [            nan,             inf, -1.00000000e+00])",
    ),
    (
        Tensor(np.arange(2000, dtype=np.float32)),
        "[0.000e+00 1.000e+00 2.000e+00 ... 1.997e+03 1.998e+03 1.999e+03]",
        "Tensor(shape=[2000], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00,  2.00000000e+00 ...  "
        "1.99700000e+03,  1.99800000e+03,  1.99900000e+03])",
    ),
    (
        Tensor(np.arange(3000).reshape(3, 1000)),
        "[[   0    1    2 ...  997  998  999]\n [1000 1001 1002 ... 1997 1998 1999]\n"
        " [2000 2001 2002 ... 2997 2998 2999]]",
        "Tensor(shape=[3, 1000], dtype=Int64, value=\n[[   0,    1,    2 ...  997,  998,  999],\n"
        " [1000, 1001, 1002 ... 1997, 1998, 1999],\n [2000, 2001, 2002 ... 2997, 2998, 2999]])",
    ),
    (
        Tensor(np.ones((2, 2, 2), np.float32)),
        "[[[1. 1.]\n  [1. 1.]]\n\n [[1. 1.]\n  [1. 1.]]]",
        "Tensor(shape=[2, 2, 2], dtype=Float32, value=\n[[[ 1.00000000e+00,  1.00000000e+00],\n"
        "  [ 1.00000000e+00,  1.00000000e+00]],\n [[ 1.00000000e+00,  1.00000000e+00],\n"
        "  [ 1.00000000e+00,  1.00000000e+00]]])",
    ),
]


@pytest.mark.parametrize("x, text, form", PRINTED, ids=range(len(PRINTED)))
def test_str_and_repr_read_as_mindspores(x, text, form):
    assert (str(x), repr(x)) == (text, form)


# Conversions to Python


def test_one_element_converts_to_a_number():
    assert (float(Tensor([2.5])), int(Tensor(3.7)), bool(Tensor([1])), [10, 20, 30][Tensor(2)]) == (2.5, 3, True, 30)
    assert (Tensor([[1.5]]).item(), Tensor([1.0, 2.0]).item(1), Tensor([[1, 2]]).tolist()) == (1.5, 2.0, [[1, 2]])


@pytest.mark.parametrize(
    "convert, kind",
    [
        (lambda: int(Tensor([1, 2])), ValueError),
        (lambda: bool(Tensor([1, 2])), ValueError),
        (lambda: bool(Tensor([])), ValueError),
        (lambda: Tensor([1, 2]).item(), ValueError),
        (lambda: [1, 2][Tensor(1.0)], TypeError),
        (lambda: len(Tensor(1)), TypeError),
        (lambda: list(Tensor(1)), TypeError),
    ],
)
def test_what_does_not_convert_is_refused(convert, kind):
    with pytest.raises(kind, match=r"^For '"):
        convert()


def test_iteration_and_membership_go_along_the_first_axis():
    assert [x.item() for x in Tensor([1.0, 2.0])] == [1, 2]
    assert len(Tensor(np.zeros((3, 2)))) == 3
    x = Tensor([1.0])
    assert x in [Tensor([2.0]), x]
    assert (x == None, x != None, x == "a", x != "a") == (False, True, False, True)  # noqa: E711 - the operator's answer


# Indexing, against NumPy

KEYS = [
    1,
    -1,
    slice(None, None, 2),
    slice(None, None, -1),
    Ellipsis,
    None,
    (0, 1),
    (slice(1, 3), None, -1),
    (Ellipsis, 0),
    [0, 2],
    ([0, 2], [1, 0]),
    np.array([[True, False, True], [False, True, True], [False, False, False], [True, True, True]]),
    (slice(None), np.array([2, 0])),
]


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_indexing_and_assignment_are_numpys(key, device):
    array = np.arange(12, dtype=np.float32).reshape(4, 3)
    x = Tensor(array)
    found = x[tuple(Tensor(k) if isinstance(k, np.ndarray) else k for k in key) if isinstance(key, tuple) else key]
    np.testing.assert_array_equal(found.asnumpy(), array[key])
    x[key] = -1
    array[key] = -1
    np.testing.assert_array_equal(x.asnumpy(), array)


def test_assignment_casts_to_the_tensors_dtype_and_reaches_no_view():
    x = Tensor([1, 2])
    view, whole = x[0:1], x.reshape(2, 1)
    x[0] = 9.7
    assert (x.dtype, x.tolist(), view.tolist(), whole.tolist()) == (ms.int64, [9, 2], [1], [[1], [2]])


@pytest.mark.parametrize(
    "action, kind",
    [
        (lambda x: x[5], IndexError),
        (lambda x: x[0, 0, 0], IndexError),
        (lambda x: operator.setitem(x, 7, 0), IndexError),
        (lambda x: x["a"], IndexError),
        (lambda x: x[1.0], IndexError),
        (lambda x: x[Tensor([0.5])], IndexError),
        (lambda x: operator.setitem(x, 0, ops.ones(5)), ValueError),
        (lambda x: operator.setitem(x, 0, "a"), TypeError),
    ],
)
def test_a_wrong_index_or_value_is_refused(action, kind):
    with pytest.raises(kind):
        action(Tensor(np.zeros((2, 3), np.float32)))


# Operators and methods, against NumPy


@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge", "eq", "ne"]
)
def test_operators_take_tensors_and_numbers_on_either_side(name, device):
    operate = getattr(operator, name)
    a, b = np.array([[1.5], [2.5]], np.float32), np.array([0.5, 3.0], np.float32)
    np.testing.assert_allclose(operate(Tensor(a), Tensor(b)).asnumpy(), operate(a, b), rtol=1e-6)
    np.testing.assert_allclose(operate(Tensor(a), 2.0).asnumpy(), operate(a, np.float32(2)), rtol=1e-6)
    np.testing.assert_allclose(operate(2.0, Tensor(a)).asnumpy(), operate(np.float32(2), a), rtol=1e-6)


@given(st.data())
def test_matmul_follows_numpys_rules_for_axes(data):
    shapes = data.draw(hnp.mutually_broadcastable_shapes(signature="(m?,n),(n,p?)->(m?,p?)", max_side=3))
    a, b = (np.random.default_rng(0).standard_normal(s).astype(np.float32) for s in shapes.input_shapes)
    np.testing.assert_allclose((Tensor(a) @ Tensor(b)).asnumpy(), a @ b, rtol=1e-5, atol=1e-5)


METHODS = [
    (lambda x: x.sum(), lambda a: a.sum()),
    (lambda x: x.sum(0, keepdims=True), lambda a: a.sum(0, keepdims=True)),
    (lambda x: x.mean(1), lambda a: a.mean(1)),
    (lambda x: x.max(axis=1), lambda a: a.max(1)),
    (lambda x: x.min(), lambda a: a.min()),
    (lambda x: x.argmax(), lambda a: a.argmax()),
    (lambda x: x.argmin(1), lambda a: a.argmin(1).astype(np.int32)),
    (lambda x: x.prod(0), lambda a: a.prod(0)),
    (lambda x: x.var(0, ddof=1), lambda a: a.var(0, ddof=1)),
    (lambda x: x.std(), lambda a: a.std()),
    (lambda x: x.T, lambda a: a.T),
    (lambda x: x.view(3, -1), lambda a: a.reshape(3, -1)),
    (lambda x: x.reshape((6,)), lambda a: a.reshape(6)),
    (lambda x: x.transpose(1, 0), lambda a: a.T),
    (lambda x: x.swapaxes(0, 1), lambda a: a.T),
    (lambda x: x.flatten(), lambda a: a.ravel()),
    (lambda x: x.flatten("F"), lambda a: a.ravel("F")),
    (lambda x: x.expand_dims(0).squeeze(0), lambda a: a),
    (lambda x: x.clip(-0.5, 0.5), lambda a: a.clip(-0.5, 0.5)),
    (lambda x: x.abs(), abs),
    (lambda x: -x, lambda a: -a),
    (lambda x: +x, lambda a: a),
    (lambda x: abs(x).sqrt(), lambda a: np.sqrt(abs(a))),
    (lambda x: (x > 0).all(), lambda a: (a > 0).all()),
    (lambda x: (x > 0).any(1), lambda a: (a > 0).any(1)),
    (lambda x: ~(x > 0), lambda a: ~(a > 0)),
    (lambda x: (x > 0).sum(), lambda a: (a > 0).sum(dtype=np.int32)),
    (lambda x: x.copy(), lambda a: a),
    (lambda x: x.masked_fill(x > 0, 7.0), lambda a: np.where(a > 0, np.float32(7), a)),
    (lambda x: x.astype("float16"), lambda a: a.astype(np.float16)),
    (lambda x: x.to(ms.int32), lambda a: a.astype(np.int32)),
    (lambda x: ops.concat(x.split(1, axis=1), 1), lambda a: a),
]


@pytest.mark.parametrize("method, reference", METHODS, ids=range(len(METHODS)))
def test_methods_are_numpys(method, reference, device):
    array = np.random.default_rng(1).standard_normal((2, 3)).astype(np.float32)
    found, expected = method(Tensor(array)).asnumpy(), np.asarray(reference(array))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_reductions_of_integers_keep_their_dtype():
    assert [Tensor([1, 2], k).sum().dtype for k in (ms.int8, ms.int32)] == [ms.int8, ms.int32]
    assert Tensor([200, 100], ms.uint8).sum().item() == 44
    assert Tensor([-1, -2], ms.int32).mean().item() == -1


WRONG = [
    (lambda: Tensor([1, 2]).reshape(3), ValueError, "the 'shape' must hold the 2 elements"),
    (lambda: Tensor([1, 2]).reshape(-1, -1), ValueError, "at most one -1"),
    (lambda: Tensor([[1, 2]]).squeeze(1), ValueError, "must name axes of length 1"),
    (lambda: Tensor([1, 2]).sum(1), ValueError, r"must be in \[-1, 1\)"),
    (lambda: Tensor([1, 2]).transpose(0, 0), ValueError, "must name each of the 1 axes once"),
    (lambda: Tensor([1.0, 2.0]) + Tensor([1.0, 2.0, 3.0]), ValueError, r"must broadcast, but got \(2,\) and \(3,\)"),
    (lambda: Tensor([1.0]) + "a", TypeError, "must be Tensors or numbers"),
    (lambda: Tensor([1.0]) + None, TypeError, "must be Tensors or numbers"),
    (lambda: Tensor([1.0]).astype("foo"), TypeError, "must be a minispore dtype"),
    (lambda: Tensor([1]).sqrt(), TypeError, r"floating Tensor, but got Tensor\[Int64\]"),
    (lambda: Tensor(np.ones((2, 3))) @ Tensor(np.ones((2, 3))), ValueError, "the columns of 'x1' must be the rows"),
    (lambda: Tensor(1.0) @ Tensor([1.0]), ValueError, "at least one axis"),
    (lambda: ops.concat((Tensor([1]), Tensor([[1]]))), ValueError, "the shapes must be equal"),
    (lambda: ops.concat(()), ValueError, "at least one Tensor"),
    (lambda: ops.stack((Tensor([1]), 3)), TypeError, "must be a Tensor"),
    (lambda: ops.add(1, 2), TypeError, "one of the inputs must be a Tensor"),
    (lambda: ops.Softmax()(3), TypeError, "must be a floating Tensor|must be a Tensor"),
]


@pytest.mark.parametrize("call, kind, message", WRONG, ids=range(len(WRONG)))
def test_wrong_inputs_get_the_house_error(call, kind, message):
    with pytest.raises(kind, match=rf"^For '\w+', .*({message})"):
        call()


def test_numpy_arrays_beside_tensors_become_tensors():
    x, array = Tensor([1.0, 2.0]), np.ones(2, np.float32)
    for total in (x + array, array + x):
        assert isinstance(total, Tensor)
        assert total.tolist() == [2, 3]
    np.testing.assert_array_equal(np.asarray(x), [1, 2])


def test_tensors_of_different_devices_are_not_mixed(device):
    x = Tensor([1.0, 2.0])
    backend.use(np)
    y = Tensor([1.0, 2.0])
    if device is np:
        assert (x + y).tolist() == [2, 4]
    else:
        with pytest.raises(TypeError):
            x + y
    backend.use(device)


@pytest.mark.parametrize(
    ("value", "numpy_type", "expected"), [(-1, ms.uint8, 255), (300, ms.int8, 44), (2**63, ms.int64, -(2**63))]
)
def test_full_wraps_an_int_as_a_conversion_does(value, numpy_type, expected):
    out = ms.ops.full((2,), value, dtype=numpy_type)
    assert (out.dtype, out.asnumpy().tolist()) == (numpy_type, [expected] * 2)


def test_full_without_a_dtype_has_that_of_its_value():
    """MindSpore's is int64 for floats too, which it cuts."""
    values = [1, True, 1.5, -0.5, Tensor(2.5, ms.float16)]
    found = [ms.ops.full((1,), value) for value in values]
    assert [str(x.dtype) for x in found] == ["Int64", "Int64", "Float32", "Float32", "Float16"]
    assert [x.tolist() for x in found] == [[1], [1], [1.5], [-0.5], [2.5]]


@pytest.mark.parametrize("make", [Tensor, Tensor.from_numpy])
def test_an_array_with_masked_elements_is_refused(make):
    """MindSpore takes the values behind the mask, which mean nothing."""
    values = np.arange(4, dtype=np.float32)
    for mask in ([0, 1, 0, 0], [1, 1, 1, 1]):
        with pytest.raises(ValueError, match=f"must have no masked elements .*, but got {sum(mask)} that are"):
            make(np.ma.array(values, mask=mask))
    for whole in (np.ma.array(values), np.ma.array(values, mask=[0] * 4)):
        assert make(whole).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1])
def test_full_of_an_int_beyond_64_bits_is_a_value_error(value):
    with pytest.raises(ValueError, match=f"^For 'Fill', the 'value' must be .*, but got {value}"):
        ms.ops.full((2,), value, dtype=ms.int64)


def param(*values, name="p"):
    return Parameter(Tensor(list(values)), name=name)


def test_copies_and_assignments_have_memory_of_their_own():
    y = Tensor([1.0, 2.0])
    y.copy().asnumpy()[0] = 7
    source = np.ones(2, np.float32)
    p = param(0.0, 0.0)
    ops.assign(p, Tensor.from_numpy(source))
    source[:] = 5
    flat = ops.flatten(y)
    flat[0] = 9.0
    assert (y.asnumpy().tolist(), p.asnumpy().tolist()) == ([1, 2], [1, 1])


def test_large_ints_and_deviations_of_ints():
    assert Tensor(2**63).item() == 2**63
    assert Tensor([1, 3]).std().dtype == ms.float32


def test_integers_have_bitwise_operators_and_bools_logical_ones():
    assert (Tensor([6, 3]) & Tensor([2, 4])).asnumpy().tolist() == [2, 0]
    assert (Tensor([6, 3]) | 1).asnumpy().tolist() == [7, 3]
    assert (Tensor([True, False]) ^ Tensor([True, True])).dtype == ms.bool_


def test_a_list_beside_a_tensor_follows_its_dtype():
    assert ops.add(Tensor([1], ms.int32), [2]).dtype == ms.int32
    assert ops.add(Tensor([1.0], ms.float16), [2.5]).dtype == ms.float16
    assert ops.add(Tensor([1]), [2.5]).dtype == ms.float32


def test_an_axis_may_be_a_numpy_int():
    assert float(Tensor([1.0, 2.0]).sum(np.int64(0))) == 3


@pytest.mark.parametrize("value", [0.1, 1e300, 16777217.0, 2**0.5])
@pytest.mark.parametrize(
    "give",
    [
        lambda v: Tensor(v, ms.float64),
        lambda v: Tensor([v], ms.float64),
        lambda v: Tensor(np.zeros(2), ms.float64).masked_fill(Tensor([True, True]), v),
        lambda v: assigned(Tensor(np.zeros(2), ms.float64), v),
        lambda v: assigned(Tensor(np.zeros(2), ms.float64), [v, v]),
    ],
)
def test_a_float_on_its_way_to_float64_keeps_its_precision(give, value):
    assert give(value).dtype == ms.float64 and (give(value).asnumpy() == value).all()


def assigned(x, value):
    x[:] = value
    return x


@pytest.mark.parametrize("kind", [ms.int32, ms.int64, ms.uint32])
def test_a_float_on_its_way_to_ints_keeps_its_precision(kind):
    for x in (Tensor(16777217.0, kind), Tensor([16777217.0], kind), assigned(Tensor([0], kind), 16777217.0)):
        assert x.dtype == kind and (x.asnumpy() == 16777217).all()


@given(st.lists(st.integers(0, 3), max_size=3), st.sampled_from([list, tuple]))
def test_a_shape_without_an_open_length_makes_no_placeholder(lengths, kind):
    with pytest.raises(ValueError, match=r"^For 'Tensor', the 'shape' must be None beside the 'input_data'"):
        Tensor(shape=kind(lengths), dtype=ms.float32)


@given(st.lists(st.complex_numbers(max_magnitude=1e6, allow_subnormal=False), min_size=1, max_size=5))
def test_complex_values_are_shown_as_single_ones_are(values):
    array = np.array(values, np.complex64)
    each = [repr(Tensor(y)).split("value=")[1].strip(" )") for y in array]
    shown = repr(Tensor(array)).split("value= ")[1].removesuffix(")")
    assert shown.strip("[]").split(", ") == each


def test_a_deep_copy_takes_its_memory_by_mindspores_name():
    x, weight = Tensor([1.0, 2.0]), ms.Parameter(np.ones(2, np.float32), name="weight")
    assert [each.__deepcopy__(memodict={}).tolist() for each in (x, weight)] == [[1.0, 2.0], [1.0, 1.0]]
