"""The judge of gradients: a wrong one is told, of real and of complex inputs, and what has none is not moved."""

import numpy as np
import pytest

from minispore.tools.testing.laws import Broken
from minispore.tools.testing.laws.operations import assert_gradient

X, Z = np.array([1.0, -2.0, 0.5]), np.array([1 + 2j, -1j])


def total(x, z):
    return float((x**2).sum() + (np.abs(z) ** 2).sum())


def test_right_gradients_pass_and_a_wrong_one_is_told():
    assert_gradient("it", total, [X, Z], [2 * X, 2 * Z])
    assert_gradient("it", total, [X, Z], [2 * X, None])
    for wrong in ([2 * X, 2 * Z.conj()], [2.001 * X, None], [X * np.nan, None]):
        with pytest.raises(Broken, match=r"it: the derivative is .*, the difference quotient"):
            assert_gradient("it", total, [X, Z], wrong)
