"""Checks of numbers: what is in no range, and bounds that are open."""

import pytest

from minispore.ops.number_checks import check_real


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**400])
def test_a_number_that_is_not_finite_is_in_no_range(value):
    with pytest.raises(ValueError, match="must be finite"):
        check_real("Op", "x", value)


def test_bounds_of_a_real_may_be_open():
    assert check_real("Op", "x", 0.5, 0, 1, above=True, below=True) == 0.5
    for value in (0.0, 1.0):
        with pytest.raises(ValueError, match=r"in \(0, 1\)"):
            check_real("Op", "x", value, 0, 1, above=True, below=True)


def test_an_int_is_refused_where_only_floats_are_taken():
    with pytest.raises(TypeError, match="must be a float, but got 1"):
        check_real("Op", "x", 1, kinds=(float,))
