"""Bessel functions: values of the tables, the laws that join the kinds, and the seams between their formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import bessel

# The kind, the order and x -> the value, to all digits (Abramowitz and Stegun, tables 9.1 and 9.8, and their formulas)
KNOWN = [
    (bessel.j, 0, 1.0, 0.765197686557966551),
    (bessel.j, 1, 1.0, 0.440050585744933516),
    (bessel.j, 0, 10.0, -0.245935764451348335),
    (bessel.j, 0, 2.404825557695773, 0.0),
    (bessel.j, 1, -3.0, -0.339058958525936458),
    (bessel.y, 0, 1.0, 0.088256964215676957),
    (bessel.y, 1, 1.0, -0.781212821300288716),
    (bessel.y, 0, 10.0, 0.055671167283599391),
    (bessel.ie, 0, 1.0, 1.266065877752008335 / math.e),
    (bessel.ie, 1, -1.0, -0.565159103992485027 / math.e),
    (bessel.ke, 0, 1.0, 0.421024438240708333 * math.e),
    (bessel.ke, 1, 1.0, 0.601907230197234574 * math.e),
    (bessel.ke, 0, 1e300, math.sqrt(math.pi / 2e300)),
]
BOUNDS = st.floats(1e-8, 1e4)


@pytest.mark.parametrize(("function", "order", "x", "expected"), KNOWN)
def test_a_value_of_the_tables(function, order, x, expected):
    np.testing.assert_allclose(function(np, order, np.array([x])), expected, rtol=1e-14, atol=1e-15)


@given(BOUNDS)
def test_the_two_kinds_of_waves_have_wronskis_determinant(x):
    j0, j1, y0, y1 = (f(np, n, np.array(x)) for f in (bessel.j, bessel.y) for n in (0, 1))
    terms = abs(j1 * y0) + abs(j0 * y1)
    np.testing.assert_allclose(j1 * y0 - j0 * y1, 2 / (math.pi * x), rtol=0, atol=8e-15 * terms)


@given(BOUNDS)
def test_the_two_modified_kinds_have_wronskis_determinant(x):
    i0, i1, k0, k1 = (f(np, n, np.array(x)) for f in (bessel.ie, bessel.ke) for n in (0, 1))
    np.testing.assert_allclose(i0 * k1 + i1 * k0, 1 / x, rtol=4e-15)


@pytest.mark.parametrize("function", [bessel.j, bessel.y, bessel.ie, bessel.ke])
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("seam", [2.0, 20.0])
def test_no_step_at_a_seam(function, order, seam):
    below, above = function(np, order, np.array([np.nextafter(seam, 0), seam]))
    np.testing.assert_allclose(below, above, rtol=4e-15, atol=1e-15)


@pytest.mark.parametrize("order", [0, 1])
def test_the_second_kinds_are_infinite_from_zero_down(order):
    with np.errstate(all="ignore"):
        x = np.array([0.0, -0.0, -1.5, -np.inf])
        assert (bessel.y(np, order, x) == -np.inf).all()
        assert (bessel.ke(np, order, x) == np.inf).all()


def test_nan_stays_nan():
    with np.errstate(all="ignore"):
        for function in (bessel.j, bessel.y, bessel.ie, bessel.ke):
            assert np.isnan(function(np, 1, np.array([np.nan]))).all()
