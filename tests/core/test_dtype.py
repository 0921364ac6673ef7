"""Data types: their names, how they are read, and which type two operands meet in."""

import pickle

import ml_dtypes
import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops
from minispore.core import dtype

NAMES = {
    ms.bool_: "Bool",
    ms.int8: "Int8",
    ms.int64: "Int64",
    ms.uint16: "UInt16",
    ms.float16: "Float16",
    ms.bfloat16: "BFloat16",
    ms.float32: "Float32",
    ms.float64: "Float64",
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_dtype_prints_as_mindspore_prints_it(kind):
    assert str(kind) == NAMES[kind]
    assert repr(kind) == f"minispore.{kind.np.name if kind != ms.bool_ else 'bool_'}"


@pytest.mark.parametrize("kind", dtype.ALL, ids=str)
def test_a_dtype_is_known_by_its_names_and_survives_a_pickle(kind):
    for same in (kind, kind.np, kind.np.type, kind.np.name):
        assert dtype.as_dtype(same) == kind
    assert pickle.loads(pickle.dumps(kind)) == kind
    assert hash(pickle.loads(pickle.dumps(kind))) == hash(kind)
    assert ms.dtype_to_nptype(kind) is kind.np.type


def test_pythons_types_are_int64_float64_complex128_bool_and_kinds():
    found = [ms.pytype_to_dtype(t) for t in (int, float, complex, bool)]
    assert found == [ms.int64, ms.float64, ms.complex128, ms.bool_]
    kinds = [str(ms.pytype_to_dtype(t)) for t in (str, list, tuple, type(None))]
    assert kinds == ["String", "List", "Tuple", "None"]
    assert ms.Tensor(1.5).dtype == ms.ops.full((1,), 1.5).dtype == ms.float32
    for wrong in (dict, set, slice):
        with pytest.raises(TypeError, match=r"^For 'pytype_to_dtype'"):
            ms.pytype_to_dtype(wrong)


@pytest.mark.parametrize("wrong", ["foo", 3, None, object, np.clongdouble])
def test_what_is_no_dtype_is_refused(wrong):
    with pytest.raises(TypeError, match=r"^For 'Tensor', the"):
        Tensor([1], wrong) if wrong is not None else dtype.as_dtype(wrong)


# Rows and columns as MindSpore 2.0.0 was observed to promote; it refuses uint16 to uint64 beside other types.
ORDER = ["bool", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64"]
TABLE = """
bool     -       int8    int16   int32   int64   uint8   float16 float32 float64
int8     int8    int8    int16   int32   int64   int16   float16 float32 float64
int16    int16   int16   int16   int32   int64   int16   float16 float32 float64
int32    int32   int32   int32   int32   int64   int32   float16 float32 float64
int64    int64   int64   int64   int64   int64   int64   float16 float32 float64
uint8    uint8   int16   int16   int32   int64   uint8   float16 float32 float64
float16  float16 float16 float16 float16 float16 float16 float16 float32 float64
float32  float32 float32 float32 float32 float32 float32 float32 float32 float64
float64  float64 float64 float64 float64 float64 float64 float64 float64 float64
"""
CELLS = [
    (row.split()[0], b, c) for row in TABLE.strip().split("\n") for b, c in zip(ORDER, row.split()[1:], strict=True)
]


@pytest.mark.parametrize("a, b, expected", [cell for cell in CELLS if cell[2] != "-"])
def test_two_tensors_meet_in_the_type_that_mindspore_takes(a, b, expected):
    total = Tensor(np.ones(2, a)) + Tensor(np.ones(2, b))
    assert total.asnumpy().dtype == expected
    np.testing.assert_array_equal(total.asnumpy(), [2, 2])


def test_bools_are_not_added():
    for operate in (ops.add, ops.sub, ops.mul, ops.div):
        with pytest.raises(TypeError, match=r"must be a Tensor of numbers, but got Tensor\[Bool\]"):
            operate(Tensor([True]), Tensor([True]))
    with pytest.raises(TypeError, match=r"^For 'Neg'"):
        -Tensor([True])


def test_bfloat16_meets_float16_in_float32():
    total = Tensor([1.0], ms.bfloat16) + Tensor([1.0], ms.float16)
    assert total.dtype == ms.float32
    assert (Tensor([1.0], ms.bfloat16) + 1).asnumpy().dtype == ml_dtypes.bfloat16


@pytest.mark.parametrize(
    "kind, number, expected",
    [
        ("float16", 1.5, "float16"),
        ("float16", 70000, "float16"),
        ("float32", 1, "float32"),
        ("int8", 1, "int8"),
        ("int32", True, "int32"),
        ("uint8", 1, "uint8"),
        ("int32", 1.5, "float32"),
        ("int64", 0.5, "float32"),
        ("bool", 2, "int64"),
        ("bool", 2.0, "float32"),
    ],
)
def test_a_number_follows_the_tensor_beside_it(kind, number, expected):
    x = Tensor(np.ones(2, kind))
    assert (x * number).asnumpy().dtype == expected
    assert (number * x).asnumpy().dtype == expected


def test_a_number_that_its_tensor_cannot_hold_wraps_or_overflows_silently():
    assert (Tensor([1], ms.int8) + 300).tolist() == [45]
    assert (Tensor([0], ms.uint8) - 1).tolist() == [255]
    assert (Tensor([1.0], ms.float16) * 70000).tolist() == [float("inf")]


def test_comparisons_promote_and_answer_in_bools():
    assert (Tensor([1, 2]) > 1.5).tolist() == [False, True]
    assert (Tensor([True]) == 1).tolist() == [True]
    assert (Tensor([1, 2]) == Tensor([1.0, 3.0])).dtype == ms.bool_


@pytest.mark.parametrize("kind", [ms.int8, ms.int32, ms.int64])
def test_integer_division_truncates_and_floor_division_rounds_down(kind):
    x, y = Tensor([-7, 7, -7, 7, 6], kind), Tensor([2, 2, -2, -2, 3], kind)
    for found, expected in ((x / y, [-3, 3, 3, -3, 2]), (x // y, [-4, 3, 3, -4, 2]), (x % y, [1, 1, -1, -1, 0])):
        assert (found.dtype, found.tolist()) == (kind, expected)
    assert (1 / Tensor([2], kind)).tolist() == [0]


def test_integers_to_a_negative_power_truncate():
    assert (Tensor([2, 3, -1, 1, -1]) ** Tensor([-1, -2, -1, -3, -2])).tolist() == [0, 0, -1, 1, 1]


@pytest.mark.parametrize("primitive", [ops.MatMul(), ops.BatchMatMul(), ops.Ger(), ops.BiasAdd(), ops.Conv2D(1, 1)])
def test_contractions_take_equal_dtypes_only(primitive):
    shapes = {"Ger": ((2,), (2,)), "BiasAdd": ((2, 2), (2,)), "Conv2D": ((1, 1, 2, 2), (1, 1, 1, 1))}
    a, b = shapes.get(primitive.name, ((2, 2), (2, 2)))
    with pytest.raises(
        TypeError, match=rf"^For '{primitive.name}', the type of '\w+' should be same as '\w+', but got"
    ):
        primitive(ops.ones(a, ms.float32), ops.ones(b, ms.float16))


def test_float16_sums_are_accumulated_in_float32():
    ones = ops.ones(5000, ms.float16)
    assert (ones.sum().item(), ones.sum().dtype, ones.mean().item()) == (5000.0, ms.float16, 1.0)
    assert ops.matmul(ones.reshape(1, -1), ones.reshape(-1, 1)).item() == 5000.0


def test_further_names_are_the_same_types():
    assert (ms.half, ms.single, ms.double) == (ms.float16, ms.float32, ms.float64)
    assert (ms.byte, ms.short, ms.intc, ms.intp) == dtype.int_type
    assert (ms.ubyte, ms.ushort, ms.uintc) == dtype.uint_type[:3]
    assert dtype.number_type == dtype.int_type + dtype.uint_type + dtype.float_type
    assert (ms.QuantDtype.INT8.value, ms.QuantDtype.UINT8.value) == (7, 107)


def test_the_type_of_pairs_of_4_bits_is_a_name_that_no_tensor_has():
    assert (str(ms.qint4x2), Tensor([1]).dtype == ms.qint4x2) == ("Int4", False)
    with pytest.raises(TypeError, match=r"^For 'Tensor', the 'dtype' must be a minispore dtype"):
        Tensor([1], ms.qint4x2)


@pytest.mark.parametrize("kind", [ms.int_, ms.uint, ms.float_], ids=str)
def test_a_kind_of_any_width_makes_no_tensor(kind):
    with pytest.raises(TypeError, match=r"^For 'Tensor', the"):
        Tensor([1], kind)


def test_the_type_of_python_that_stands_for_a_dtype_or_a_kind():
    asked = (
        "bool_",
        "int8",
        "uint64",
        "float16",
        "bfloat16",
        "float64",
        "string",
        "type_none",
        "list_",
        "tuple_",
        "int_",
    )
    found = [ms.dtype_to_pytype(getattr(ms, name)) for name in asked]
    assert found == [bool, int, int, float, float, float, str, type(None), list, tuple, int]
    with pytest.raises(TypeError, match="dtype_to_pytype"):
        ms.dtype_to_pytype(ms.number)
