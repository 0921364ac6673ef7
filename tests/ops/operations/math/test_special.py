"""Special functions at values known in closed form, and where their formulas meet."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import Tensor, ops
from minispore.ops.kernels import special

EULER = 0.57721566490153286
ZETA_3 = 1.2020569031595943
PI = math.pi
KNOWN = [
    (ops.digamma, 1.0, -EULER),
    (ops.digamma, 0.5, -EULER - 2 * math.log(2)),
    (ops.digamma, 2.0, 1 - EULER),
    (ops.digamma, -0.5, 2 - EULER - 2 * math.log(2)),
    (ops.digamma, 0.0, -math.inf),
    (ops.digamma, -1.0, math.nan),
    (ops.digamma, math.inf, math.inf),
    (lambda x: ops.polygamma(1, x), 1.0, PI**2 / 6),
    (lambda x: ops.polygamma(1, x), 0.5, PI**2 / 2),
    (lambda x: ops.polygamma(1, x), -0.5, PI**2 / 2 + 4),
    (lambda x: ops.polygamma(2, x), 1.0, -2 * ZETA_3),
    (lambda x: ops.polygamma(2, x), 0.5, -14 * ZETA_3),
    (lambda x: ops.polygamma(3, x), 1.0, PI**4 / 15),
    (lambda x: ops.polygamma(Tensor(3), x), 0.5, PI**4),
    (ops.erfinv, 1.0, math.inf),
    (ops.erfinv, -1.0, -math.inf),
    (ops.erfinv, 1.5, math.nan),
    (ops.erfinv, 0.5, 0.47693627620446987),
    (ops.lgamma, -math.inf, math.inf),
    (ops.lgamma, 0.5, math.log(PI) / 2),
    (ops.lgamma, -1.0, math.inf),
]


@pytest.mark.parametrize("function, x, expected", KNOWN)
def test_a_value_in_closed_form(function, x, expected):
    found = function(Tensor(np.array(x)))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-14, atol=1e-14)


@given(st.floats(-0.999999, 0.999999))
def test_erfinv_inverts_erf(y):
    x = special.erfinv(np, np.array(y))
    np.testing.assert_allclose([math.erf(x)], [y], rtol=4e-15, atol=1e-300)


@given(st.floats(-40, 200), st.integers(0, 4))
def test_polygamma_takes_its_step(x, n):
    """``psi_n(x + 1) - psi_n(x)`` is ``(-1) ** n n! / x ** (n + 1)``, on both sides of 0."""
    if abs(x - round(x)) < 1e-3:
        return
    x = np.array(x)
    step = (-1) ** n * math.factorial(n) / x ** (n + 1)
    a, b = special.polygamma(np, n, x + 1), special.polygamma(np, n, x)
    size = max(abs(a), abs(b), abs(step))
    slope = abs(special.polygamma(np, n + 1, x)) * 2**-50 * max(abs(x), 1)  # x + 1 is rounded
    assert abs(a - b - step) <= 1e-11 * size + slope


@given(st.floats(-30, 170))
def test_lgamma_is_the_logarithm_of_gammas_size(x):
    with np.errstate(all="ignore"):
        found = special.lgamma(np, np.array(x))
    expected = math.inf if x <= 0 and x == int(x) else math.lgamma(x)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
