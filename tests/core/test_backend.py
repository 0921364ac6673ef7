"""The way of arrays between host and device."""

import ml_dtypes
import numpy as np
import pytest

from minispore import Tensor, ops
from minispore.core import backend

KINDS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_number_of_no_dimension_keeps_its_sign_on_the_way_to_the_device(kind, device):
    for number in (-0.0, 0.0, -1.5, np.nan):
        host = np.array(number, kind)
        array = backend.from_host(host)
        assert isinstance(array, backend.array_type) and array.dtype == kind and array.shape == ()
        assert backend.to_host(array).tobytes() == host.tobytes()


def test_one_over_minus_zero_is_minus_infinity_on_every_device(device):
    assert (1 / (Tensor(3.0) * Tensor(-0.0))).item() == (1 / ops.full((), -0.0)).item() == -np.inf
    assert (1 / ops.full((2,), -0.0)).asnumpy().tolist() == [-np.inf, -np.inf]
