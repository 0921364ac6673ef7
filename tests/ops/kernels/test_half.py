"""Signs of float16 by bits: proven on all 65,536 patterns."""

import numpy as np
from strict_cupy import strict_cupy

from minispore.ops.kernels.half import is_positive, rectified

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def test_all_patterns_are_rectified_as_maximum_does():
    found, expected = rectified(np, ALL), np.maximum(ALL, np.float16(0))
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(ALL)
    assert not np.signbit(found[numbers]).any()


def test_all_patterns_are_compared_as_greater_does():
    np.testing.assert_array_equal(is_positive(np, ALL), ALL > 0)


def test_other_dtypes_and_other_devices_agree():
    x = np.array([-np.inf, -1, -0.0, 0, 1, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(rectified(np, x), np.maximum(x, 0))
    for kind in (np.float16, np.float32):
        there = strict_cupy.asarray(x.astype(kind))
        np.testing.assert_array_equal(rectified(strict_cupy, there).get(), np.maximum(x, 0))
        np.testing.assert_array_equal(is_positive(strict_cupy, there).get(), x > 0)
