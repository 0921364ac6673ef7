"""Functions of Python values: what they return, and what they refuse."""

import pytest

import minispore as ms
from minispore import Tensor, ops

X = Tensor([1.0, 2.0])
VALUES = [
    (ops.make_range(3), (0, 1, 2)),
    (ops.make_range(5, 1, -2), (5, 3)),
    (ops.tuple_len((1, 2)), 2),
    (ops.tuple_getitem((1, 2), -1), 2),
    (ops.tuple_setitem((1, 2), 1, 5), (1, 5)),
    (ops.tuple_reversed((1, 2)), (2, 1)),
    (ops.tuple_equal((1, 2), (1, 2)), True),
    (ops.tuple_div((4, 6), (2, 3)), (2, 2)),
    (ops.list_len([1]), 1),
    (ops.list_getitem([1, 2], 0), 1),
    (ops.list_setitem([1, 2], 0, 4), [4, 2]),
    (ops.list_equal([1], [2]), False),
    (ops.make_tuple(1, 2), (1, 2)),
    (ops.make_list(1, 2), [1, 2]),
    (ops.make_slice(1, None, 2), slice(1, None, 2)),
    (ops.dict_getitem({"a": 1}, "a"), 1),
    (ops.dict_setitem({"a": 1}, "b", 2), {"a": 1, "b": 2}),
    (ops.in_dict("a", {"a": 1}), True),
    (ops.not_in_dict("a", {"a": 1}), False),
    (ops.shape_mul((2, 3)), 6),
    (ops.reduced_shape((2, 3), (0,)), (1, 3)),
    (ops.scalar_add(1, 2), 3),
    (ops.scalar_sub(1, 2), -1),
    (ops.scalar_mul(3, 2), 6),
    (ops.scalar_div(7, 2), 3.5),
    (ops.scalar_floordiv(7, 2), 3),
    (ops.scalar_mod(7, 2), 1),
    (ops.scalar_pow(7, 2), 49),
    (ops.scalar_eq(1, 2), False),
    (ops.scalar_lt(1, 2), True),
    (ops.scalar_le(1, 2), True),
    (ops.scalar_gt(1, 2), False),
    (ops.scalar_ge(1, 2), False),
    (ops.scalar_uadd(2.0), 2.0),
    (ops.scalar_usub(2.0), -2.0),
    (ops.scalar_log(1.0), 0.0),
    (ops.scalar_cast(2.7, ms.int32), 2),
    (ops.scalar_cast(2, ms.float16), 2.0),
    (ops.scalar_cast(2, ms.bool_), True),
    (ops.is_tensor(X), True),
    (ops.is_tensor(1), False),
    (ops.is_floating_point(X), True),
    (ops.numel(X), 2),
    (ops.typeof(X), ms.float32),
    (ops.identity(3), 3),
    (ops.deepcopy([1, [2]]), [1, [2]]),
]


@pytest.mark.parametrize(("found", "expected"), VALUES)
def test_a_function_of_python_values_gives_one(found, expected):
    assert found == expected and type(found) is type(expected)


WRONG = [
    (ValueError, "step", lambda: ops.make_range(0, 5, 0)),
    (TypeError, "limits", lambda: ops.make_range(1.5)),
    (ValueError, "index", lambda: ops.tuple_getitem((1,), 1)),
    (ValueError, "must divide", lambda: ops.tuple_div((3,), (2,))),
    (ValueError, "must divide", lambda: ops.tuple_div((3,), (0,))),
    (ValueError, "key", lambda: ops.dict_getitem({}, "a")),
    (ValueError, "have a result", lambda: ops.scalar_div(1, 0)),
    (ValueError, "above 0", lambda: ops.scalar_log(0)),
    (ValueError, "finite", lambda: ops.scalar_cast(float("nan"), ms.int32)),
    (TypeError, "int or a float", lambda: ops.scalar_to_array(True)),
]


@pytest.mark.parametrize(("error", "part", "call"), WRONG)
def test_what_has_no_value_is_refused_by_name(error, part, call):
    with pytest.raises(error, match=f"^For '.*{part}"):
        call()


def test_a_number_becomes_an_array_of_its_kind():
    assert [ops.scalar_to_array(x).dtype for x in (2, 2.0)] == [ms.int32, ms.float32]


def test_a_copy_of_a_tensor_has_memory_of_its_own():
    copied = ops.deepcopy(X)
    assert copied is not X and copied.tolist() == X.tolist()


SHAPES = [(Tensor(3), (3,)), (Tensor([2, 3]), (2, 3)), ((Tensor(2),), (2,)), ([2, 1], (2, 1)), ((), ())]


@pytest.mark.parametrize("shape, expected", SHAPES, ids=repr)
def test_fill_takes_a_shape_of_tensors_as_mindspore_does(shape, expected):
    out = ops.fill(ms.int32, shape, 7)
    assert (out.shape, out.dtype) == (expected, ms.int32) and (out.asnumpy() == 7).all()


@pytest.mark.parametrize("shape", [3, Tensor(3.0), Tensor([[2]])], ids=repr)
def test_fill_refuses_what_is_no_shape(shape):
    with pytest.raises(TypeError, match=r"^For '(Fill|full)', "):
        ops.fill(ms.int32, shape, 7)
