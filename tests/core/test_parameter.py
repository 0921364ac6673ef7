"""Parameter: names, what ``set_data`` and ``assign`` take, clones, and ParameterTuple."""

import copy
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, ParameterTuple, Tensor, ops


def test_a_parameter_prints_as_mindspores():
    assert repr(Parameter([[1.0]], name="w")) == "Parameter (name=w, shape=(1, 1), dtype=Float32, requires_grad=True)"
    still = Parameter(Tensor(1, ms.int32), requires_grad=False)
    assert str(still) == "Parameter (name=Parameter, shape=(), dtype=Int32, requires_grad=False)"


@pytest.mark.parametrize("given, kept", [(None, "Parameter"), ("", "Parameter"), (" a ", "a"), ("b.c", "b.c")])
def test_names_are_stripped_and_never_empty(given, kept):
    assert Parameter(1.0, name=given).name == kept


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((None,), "the 'default_input' must hold data, but got None"),
        ((1.0, 3), "the 'name' must be a str, but got 3"),
        ((1.0, "a", 1), "the 'requires_grad' must be a bool, but got 1"),
        (("text",), "the 'input_data' must be"),
    ],
)
def test_what_is_no_parameter_is_refused(arguments, message):
    with pytest.raises(TypeError, match=rf"^For '\w+', {message}"):
        Parameter(*arguments)


def test_it_computes_as_a_tensor_and_shares_nothing_with_its_source():
    source = Tensor([1.0])
    p = Parameter(source, name="w")
    source[0] = 5.0
    assert (p + 1).tolist() == [2]
    assert type(p + 1) is Tensor
    assert (type(p.value()), p.value().tolist(), p.data is p) == (Tensor, [1], True)


# What set_data takes: observed on MindSpore 2.0.0

TAKES = [(p, q) for p, qs in {
    "float32": "float32 float16 int32 int64 bool uint8",
    "float64": "float32 float16 int64",
    "float16": "float16 int32 bool",
    "int64": "int32 int64 uint8 bool",
    "int32": "uint8 bool int8",
}.items() for q in qs.split()]  # fmt: skip
REFUSES = [(p, q) for p, qs in {
    "float32": "float64",
    "float16": "float32 float64",
    "int32": "float32 float16 int64",
    "int8": "int32 uint8",
    "uint8": "int32 int8",
    "bool": "float32 int32",
}.items() for q in qs.split()]  # fmt: skip


def data_of(kind, shape=(2,)):
    return Tensor(np.ones(shape, kind))


def lossy(own, incoming):
    """Values of a type that another one cannot hold; integers that fit are taken."""
    if np.dtype(own).kind not in "iu" or np.dtype(incoming).kind not in "iu":
        return data_of(incoming)
    bounds = np.iinfo(incoming)
    return Tensor(np.full(2, bounds.min if own.startswith("u") else bounds.max, incoming))


@pytest.mark.parametrize("own, incoming", TAKES)
def test_set_data_casts_to_the_parameters_dtype(own, incoming):
    p = Parameter(np.zeros(2, own), name="w")
    assert p.set_data(data_of(incoming)) is p
    assert (p.asnumpy().dtype, p.asnumpy().tolist()) == (np.dtype(own), [1, 1])


@pytest.mark.parametrize("own, incoming", REFUSES)
def test_set_data_refuses_what_would_lose(own, incoming):
    p = Parameter(np.zeros(2, own), name="w")
    with pytest.raises(TypeError, match=r"^For 'set_data', .* Parameter 'w' .* without loss, but got \w+\."):
        p.set_data(lossy(own, incoming))
    assert not p.asnumpy().any()


def test_set_data_keeps_the_shape_unless_told_otherwise():
    p = Parameter([0.0, 0.0], name="w")
    with pytest.raises(ValueError, match=r"must have the shape of Parameter 'w', \(2,\), but got \(3,\)"):
        p.set_data(data_of("float32", 3))
    assert p.set_data(data_of("float32", 3), slice_shape=True).shape == (3,)
    with pytest.raises(TypeError, match="'data' must be a Tensor, an int or a float, but got ndarray"):
        p.set_data(np.ones(3))


def test_set_data_of_a_number_fills_and_of_a_tensor_copies():
    p = Parameter(0.0, name="w")
    assert p.set_data(3).asnumpy() == 3
    assert p.set_data(2.5).dtype == ms.float32
    p, data = Parameter([0.0, 0.0], name="w"), Tensor([5.0, 6.0])
    p.set_data(data)
    data[0] = 9.0
    p.asnumpy()[1] = 7.0
    assert (p.tolist(), data.tolist()) == ([5, 7], [9, 6])


def test_the_assignments_write_in_the_parameters_dtype():
    p = Parameter([1.0, 2.0], name="w")
    for operate, expected in ((ops.assign, [3, 4]), (ops.assign_add, [6, 8]), (ops.assign_sub, [3, 4])):
        out = operate(p, Tensor([3.0, 4.0], ms.float16))
        assert (p.dtype, p.tolist(), type(out), out.tolist()) == (ms.float32, expected, Tensor, expected)
    with pytest.raises(ValueError, match=r"^For 'Assign', the 'value' must have the shape"):
        ops.assign(p, Tensor([1.0]))
    with pytest.raises(TypeError, match=r"^For 'Assign', the 'variable' must be a Parameter or a Tensor, but got list"):
        ops.assign([1.0], Tensor([1.0]))
    p[0] = 9.0
    assert p.tolist() == [9, 4]


def test_the_assignments_write_a_tensor_too_and_return_the_values():
    for operate, expected in ((ops.assign, 5), (ops.assign_add, 8), (ops.assign_sub, -2)):
        t = Tensor([3.0])
        out = operate(t, Tensor([5.0]))
        t[0] = 0.0
        assert (out.tolist(), t.tolist()) == ([expected], [0])
    with pytest.raises(TypeError, match=r"a type that 'variable' \(Int8\) can take without loss, but got Int32"):
        ops.assign_add(Tensor([3], ms.int8), Tensor([5], ms.int32))


def test_a_number_is_added_to_a_parameter_of_one_element_whose_shape_stays():
    for shape in ((), (1,)):
        for value in (2, Tensor(2.0), Tensor([2.0])):
            p = Parameter(Tensor(np.full(shape, 3.0, np.float32)), name="w")
            assert (ops.assign_add(p, value).shape, p.asnumpy().sum()) == (shape, 5)
            assert (ops.AssignSub()(p, value).shape, p.asnumpy().sum()) == (shape, 3)
    for shape in ((2,), (1, 1)):
        with pytest.raises(ValueError, match=r"For 'AssignAdd', the 'value' must have the shape"):
            ops.assign_add(Parameter(ops.ones(shape), name="w"), 2)


def test_a_bare_int_is_an_int32_parameter_and_a_bare_bool_none():
    assert (Parameter(3, name="w").dtype, Parameter(Tensor(3), name="w").dtype) == (ms.int32, ms.int64)
    assert Parameter(Tensor([True]), name="w").dtype == ms.bool_
    with pytest.raises(ValueError, match="For 'Parameter', the 'default_input' must not be a bool"):
        Parameter(True, name="w")
    for number in (2**31, -(2**31) - 1, 10**400):
        with pytest.raises(ValueError, match="an int as the 'default_input' must fit into int32"):
            Parameter(number, name="w")


def test_set_dtype_converts_in_place():
    p = Parameter([1.5], name="w")
    p.set_dtype(ms.float16)
    assert (p.dtype, p.tolist()) == (ms.float16, [1.5])


def test_clones_have_the_same_attributes_and_other_memory():
    p = Parameter([1.0, 2.0], name="w", requires_grad=False)
    for other in (p.clone(), copy.copy(p), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert (other.name, other.requires_grad, other.tolist()) == ("w", False, [1, 2])
        other[0] = 7.0
    assert (p.tolist(), p.clone("zeros").tolist(), p.clone(3.0).tolist()) == ([1, 2], [0, 0], [3, 3])


def test_a_parameter_tuple_holds_parameters_and_clones_with_a_prefix():
    w = Parameter([1.0], name="w")
    pair = ParameterTuple([w, Parameter([2.0], name="v", requires_grad=False)])
    clones = pair.clone("moments", init="zeros")
    assert [(c.name, c.tolist(), c.requires_grad) for c in clones] == [
        ("moments.w", [0], True),
        ("moments.v", [0], False),
    ]
    assert pair[0] is w
    with pytest.raises(TypeError, match=r"^For 'ParameterTuple', every element must be a Parameter, but got Tensor"):
        ParameterTuple([Tensor([1.0])])
    with pytest.raises(TypeError, match="'prefix' must be a str"):
        pair.clone(3)


@pytest.mark.parametrize(("own", "value"), [(Tensor([1, 2]), [3.7, 1.0]), (Tensor([1.0], ms.float16), [1e6])])
def test_assign_refuses_what_set_data_refuses(own, value):
    with pytest.raises(TypeError, match="can take without loss"):
        ops.assign(Parameter(own, name="p"), Tensor(value))
