"""The incomplete gamma functions' shares in closed form, their step in ``a``, and the seam between their formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels.incomplete_gamma import incomplete_gamma
from minispore.ops.kernels.special import zeta


def of(a, x):
    with np.errstate(all="ignore"):
        return incomplete_gamma(np, np.asarray(a, np.float64), np.asarray(x, np.float64))


@given(st.floats(0, 50))
def test_whole_and_half_exponents_are_closed_forms(x):
    np.testing.assert_allclose(of(1, x), (-math.expm1(-x), math.exp(-x)), rtol=2e-14, atol=1e-16)
    np.testing.assert_allclose(of(0.5, x), (math.erf(math.sqrt(x)), math.erfc(math.sqrt(x))), rtol=1e-13, atol=1e-16)


@given(st.floats(0.05, 150), st.floats(0.3, 3))
def test_the_share_above_takes_its_step(a, ratio):
    """``Q(a + 1, x) - Q(a, x)`` is ``x ** a * exp(-x) / gamma(a + 1)``."""
    x = a * ratio
    step = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    np.testing.assert_allclose(of(a + 1, x)[1] - of(a, x)[1], step, rtol=1e-10, atol=1e-14)


@given(st.floats(0.5, 2))
def test_no_step_where_the_formulas_meet(ratio):
    a = np.array([np.nextafter(20.0, 0), 20.0])
    p, q = of(a, a[:1] * ratio * np.ones(2))
    np.testing.assert_allclose(p[0], p[1], rtol=2e-13)
    np.testing.assert_allclose(q[0], q[1], rtol=2e-13)


def test_tails_are_exact():
    """Q(5, 40) is ``exp(-40)`` times a polynomial; P(200, 20) is far below what 1 - Q could say."""
    polynomial = sum(40.0**k / math.factorial(k) for k in range(5))
    np.testing.assert_allclose(of(5, 40)[1], math.exp(-40) * polynomial, rtol=1e-13)
    np.testing.assert_allclose(of(200, 20)[0], 4.663501789078654e-124, rtol=1e-12)


@pytest.mark.parametrize("a, x", [(0, 1), (-1, 1), (math.nan, 1), (1, math.nan), (1, -1), (math.inf, 3)])
def test_what_has_no_share_is_nan(a, x):
    assert np.isnan(of(a, x)).all()


@pytest.mark.parametrize("a, x, p", [(1, 0, 0), (1, math.inf, 1), (30, 0, 0), (30, math.inf, 1)])
def test_ends(a, x, p):
    assert [float(y) for y in of(a, x)] == [p, 1 - p]


@given(st.floats(1.1, 20), st.floats(0.1, 30))
def test_zeta_takes_its_step(x, q):
    lower, upper = zeta(np, np.array([x, x]), np.array([q, q + 1]))
    np.testing.assert_allclose(lower - upper, q**-x, rtol=1e-12, atol=1e-15 * lower)


def test_zeta_in_closed_form_and_at_its_poles():
    found = zeta(np, np.array([2.0, 4, 2, 1, 0.5, 2, 2]), np.array([1.0, 1, 0.5, 1, 1, -1, -1.5]))
    expected = [math.pi**2 / 6, math.pi**4 / 90, math.pi**2 / 2, math.inf, math.nan, math.inf, math.nan]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
