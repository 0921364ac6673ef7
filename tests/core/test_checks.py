"""Checks of arguments: what is refused, by which error, and in which sentence."""

import numpy as np
import pytest

from minispore.core import checks
from minispore.core.errors import shown
from minispore.nn.layer.rnn_checks import check_layers
from minispore.ops.list_checks import check_axes


class Broken:
    def __repr__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("value", [1, np.int8(1), np.uint64(1)])
def test_ints_of_numpy_are_ints(value):
    assert type(checks.check_int("Op", "n", value)) is int


@pytest.mark.parametrize("value", [True, 1.0, "1", None, np.bool_(True), [1]])
def test_a_bool_a_float_and_a_text_are_no_ints(value):
    with pytest.raises(TypeError, match=r"For 'Op', the 'n' must be an int, but got .*\."):
        checks.check_int("Op", "n", value)


@pytest.mark.parametrize(
    ("bounds", "sentence"), [((1, None), "above 0"), ((2, 5), r"in \[2, 5\)"), ((2, None), "at least 2")]
)
def test_an_int_out_of_its_range_is_told_the_range(bounds, sentence):
    with pytest.raises(ValueError, match=sentence):
        checks.check_int("Op", "n", 0, *bounds)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**400])
@pytest.mark.parametrize("check", [checks.check_int, check_axes])
def test_an_int_has_at_most_64_bits(check, value):
    bound = "below 2 \\*\\* 63" if value > 0 else "at least -2 \\*\\* 63"
    with pytest.raises(ValueError, match=rf"^For 'Op', the 'n' must be {bound}, but got "):
        check("Op", "n", value)


def test_a_stack_has_fewer_than_65536_layers():
    assert check_layers("Op", "n", 2**16 - 1) == 2**16 - 1
    with pytest.raises(ValueError, match="must be below 65536"):
        check_layers("Op", "n", 2**16)


def test_a_choice_is_told_the_choices():
    assert checks.check_choice("Op", "mode", "a", ("a", "b")) == "a"
    for value in ("c", [], {}, np.array(["a"]), np.array(["a", "b"])):
        with pytest.raises(ValueError, match=r"must be one of \['a', 'b'\]"):
            checks.check_choice("Op", "mode", value, ("a", "b"))


def test_what_an_error_shows_is_short_and_cannot_fail():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert len(shown(list(range(10**5)))) <= 80
    assert shown(deep).startswith("an object of type 'list'")
    assert shown(Broken()) == "an object of type 'Broken'"


def test_a_switch_is_taken_by_its_truth_and_what_is_neither_number_nor_none_is_told():
    assert [checks.check_switch("Op", "flag", value) for value in (True, 0, 2, 0.5, None)] == [
        True,
        False,
        True,
        True,
        False,
    ]
    with pytest.warns(UserWarning, match=r"For 'Op', the 'flag' is no bool: 'x' counts as one\."):
        assert checks.check_switch("Op", "flag", "x") is True
