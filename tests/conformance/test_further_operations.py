"""Complex numbers, singular values and other operations give what the real MindSpore gives.

The vectors are those of ``record/further_operations.py``.
"""

import pathlib

import numpy as np
import pytest
from conformance.cases.further_operations import CALLS, observed, recorded

import minispore as ms

VECTORS = pathlib.Path(__file__).parent / "vectors" / "further_operations.npz"


@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_what_mindspore_gives(call):
    expected = recorded(VECTORS)[call]
    found = observed(ms, call, CALLS[call])
    assert found.keys() == expected.keys()
    for key, array in found.items():
        assert (array.dtype, array.shape) == (expected[key].dtype, expected[key].shape)
        np.testing.assert_allclose(array, expected[key], rtol=2e-4, atol=2e-5, err_msg=key)
