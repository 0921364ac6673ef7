"""check_numerics: counts and ranges equal NumPy's, and what float16 would do is what it does."""

import numpy as np
import pytest

import minispore as ms
from minispore.tools.insight import check_numerics
from minispore.tools.insight.numerics import power_range

NUMBERS = [0.0, -0.0, 1.5, -65519.9, 65520.0, -1e6, 3e-8, 2.0**-25, 1e-12, np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("kind", [ms.float32, ms.float64, ms.float16, ms.bfloat16])
def test_the_numbers_are_those_that_float16_makes_of_them(kind):
    x = ms.Tensor(NUMBERS, kind)
    wide = x.astype(ms.float32).asnumpy().astype(np.float64)
    with np.errstate(over="ignore"):
        half = wide.astype(np.float16)
    found, finite = check_numerics(x), np.isfinite(wide)
    assert (found.nan, found.inf, found.zero) == (1, np.isinf(wide).sum(), (wide == 0).sum())
    assert found.float16_overflows == (np.isinf(half) & finite).sum()
    assert found.float16_underflows == ((half == 0) & (wide != 0)).sum()
    assert (found.least, found.greatest) == (wide[finite].min(), wide[finite].max())
    assert found.mean == pytest.approx(wide[finite].mean())
    assert not found.is_finite


def test_every_device_has_the_same_numerics(device):
    found = check_numerics(ms.Tensor(NUMBERS, ms.float32))
    assert (found.nan, found.inf, found.zero) == (1, 2, 2)


def test_integers_and_what_is_empty_are_finite():
    assert check_numerics(ms.Tensor([0, 3])).is_finite
    assert check_numerics(ms.Tensor(np.zeros((0, 2), np.float32))).least is None


@pytest.mark.parametrize("x", [1.0, np.ones(2), None])
def test_anything_but_a_tensor_is_refused(x):
    with pytest.raises(TypeError, match="the 'x' must be a Tensor"):
        check_numerics(x)


@pytest.mark.parametrize(("numbers", "powers"), [([0, 1, -8.5], (0, 3)), ([0, 0], None), ([0.9, np.inf], (-1, -1))])
def test_a_range_is_of_powers_of_two(numbers, powers):
    assert power_range(np.array(numbers, np.float32)) == powers
