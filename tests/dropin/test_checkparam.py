"""MindSpore's checks of arguments, as its users call them."""

import pytest

import minispore as ms
from minispore.dropin import _checkparam as check


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (lambda: check.check_positive_int(3, "a", "Op"), 3),
        (lambda: check.check_non_negative_int(0), 0),
        (lambda: check.check_positive_float(0.5, "a"), 0.5),
        (lambda: check.check_bool(True, "a"), True),
        (lambda: check.check_string("b", ["a", "b"], "a", "Op"), "b"),
        (lambda: check.check_int(3, 2, check.GE, "a", "Op"), 3),
        (lambda: check.check_int_range(3, 3, 4, check.INC_LEFT, "a", "Op"), 3),
        (lambda: check.check_float_range(0.0, 0.0, 1.0, check.INC_BOTH, "a", "Op"), 0.0),
        (lambda: check.check_value_type("a", 1, [int, str], "Op"), 1),
        (lambda: check.check_value_type("a", True, [int, bool]), True),
        (lambda: check.check("a", 1, "b", [1, 2], check.IN, "Op"), 1),
        (lambda: check.check_positive_int_sequence((1, 2), "a"), (1, 2)),
        (lambda: check.check_type_name("a", ms.float32, [ms.float16, ms.float32], "Op"), ms.float32),
        (lambda: check.check_subclass("a", ms.float32, (ms.number,), "Op"), None),
        (lambda: check.check_types_same_and_valid({"x": ms.int8, "y": ms.int8}, [ms.int8], "Op"), None),
        (lambda: check.twice(3), (3, 3)),
        (lambda: check.triple((1,)), (1, 1, 1)),
        (lambda: (check.EQ, check.GE, check.INC_BOTH, check.NOT_IN), (1, 6, 10, 12)),
    ],
)
def test_a_legal_value_comes_back(call, value):
    assert call() == value


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: check.check_positive_int(0, "a", "Op"), ValueError),
        (lambda: check.check_positive_int(True, "a", "Op"), TypeError),
        (lambda: check.check_positive_int(1.0, "a", "Op"), TypeError),
        (lambda: check.check_positive_float(3, "a", "Op"), TypeError),
        (lambda: check.check_bool(1, "a", "Op"), TypeError),
        (lambda: check.check_string(1, ["a"], "a", "Op"), ValueError),
        (lambda: check.check_int_range(4, 3, 4, check.INC_LEFT, "a", "Op"), ValueError),
        (lambda: check.check_float_range(1, 0.0, 3.0, check.INC_BOTH, "a", "Op"), TypeError),
        (lambda: check.check_value_type("a", True, [int], "Op"), TypeError),
        (lambda: check.check("a", 1, "b", 2, prim_name="Op"), ValueError),
        (lambda: check.check("a", 3, "b", [1], check.IN, "Op", TypeError), TypeError),
        (lambda: check.check_non_negative_int_sequence([0, -1], "a", "Op"), ValueError),
        (lambda: check.check_type_name("a", ms.float32, [ms.float16], "Op"), TypeError),
        (lambda: check.check_subclass("a", ms.float32, ms.int32, "Op"), TypeError),
        (lambda: check.check_types_same_and_valid({"x": ms.int8, "y": ms.int16}, [ms.int8, ms.int16], "Op"), TypeError),
    ],
)
def test_another_value_is_refused_in_the_operations_name(call, kind):
    with pytest.raises(kind, match=r"^For 'Op', the"):
        call()


def test_a_pair_of_other_length_is_refused():
    with pytest.raises(TypeError, match="must be an int or a tuple of 2 ints"):
        check.twice((1, 2, 3))


@check.args_type_check(a=int, b=(str, bytes))
def decorated(a, b=None, c=3):
    return a, b, c


def test_the_decorator_checks_arguments_by_name_and_lets_none_pass():
    assert decorated(1) == (1, None, 3) and decorated(None, b="x", c=()) == (None, "x", ())
    with pytest.raises(TypeError, match="the 'b' must be"):
        decorated(1, 2)
    with pytest.raises(TypeError):
        check.args_type_check(z=int)(lambda a: a)
