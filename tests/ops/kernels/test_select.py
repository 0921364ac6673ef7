"""Elementwise choice: in the dtype of what is chosen from, on every device."""

import ml_dtypes
import numpy as np
import pytest

from minispore.ops.kernels.select import select

from .test_kernels import FILES

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


@pytest.mark.parametrize("kind", [np.float16, BFLOAT16, np.float32, np.int8, bool], ids=str)
def test_a_choice_between_two_of_a_kind_is_of_that_kind(kind, device):
    x, y = device.asarray(np.array([[1, 0], [1, 1]], kind)), device.asarray(np.array([0, 1], kind))
    mask = device.asarray(np.array([True, False]))
    for first, expected in ((x, [[1, 1], [1, 1]]), (x.T, [[1, 1], [0, 1]])):
        chosen = select(device, mask, first, y)
        assert chosen.dtype == kind and chosen.astype(np.float32).tolist() == expected


def test_a_choice_from_a_number_of_bfloat16_keeps_signs_and_nan(device):
    x = device.asarray(np.array([np.nan, -0.0, 3], BFLOAT16))
    chosen = select(device, device.asarray(np.array([True, True, False])), x, BFLOAT16.type(-2))
    assert chosen.dtype == BFLOAT16 and repr(chosen.astype(np.float32).tolist()) == "[nan, -0.0, -2.0]"


def test_no_operation_chooses_by_the_array_modules_own_where():
    """CuPy's ``where`` has no bfloat16."""
    assert [path.name for path in FILES if "xp.where(" in path.read_text()] == ["select.py"]
