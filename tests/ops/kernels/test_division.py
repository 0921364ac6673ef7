"""The quotient rounded down and its remainder are NumPy's on every device."""

import ml_dtypes
import numpy as np
import pytest

from minispore.ops.kernels.division import floor_quotient, floor_remainder

NUMBERS = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.5, 2.0, -3.0, 0.1, 6.0, 1e4, -65504.0]


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64, np.int16], ids=str)
@pytest.mark.parametrize(
    ("kernel", "function"), [(floor_quotient, np.floor_divide), (floor_remainder, np.remainder)], ids=["//", "%"]
)
def test_of_infinities_zeros_and_signs_they_are_what_numpy_makes_of_them(kernel, function, kind, device):
    numbers = NUMBERS if np.dtype(kind).kind != "i" else range(-4, 5)
    x, y = (part.ravel() for part in np.meshgrid(np.array(list(numbers), kind), np.array(list(numbers), kind)))
    with np.errstate(all="ignore"):
        expected, found = function(x, y), kernel(device, device.asarray(x), device.asarray(y))
    found = found if device is np else found.get()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.astype(float), expected.astype(float))
    numeric = ~np.isnan(expected.astype(float))
    np.testing.assert_array_equal(np.signbit(found)[numeric], np.signbit(expected)[numeric])
