"""One Parameter is set to the values of another, or stays as it is."""

import numpy as np
import pytest

import minispore as ms
from minispore.train import serialization


def parameter(values, dtype=np.float32):
    return ms.Parameter(ms.Tensor(np.asarray(values, dtype)), name="p")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_parameter_takes_the_values_of_another_in_its_own_dtype(dtype):
    p = parameter([0, 0])
    serialization._update_param(p, parameter([1, 2], dtype), False)
    assert p.asnumpy().tolist() == [1, 2] and p.dtype == ms.float32


@pytest.mark.parametrize(
    ("new", "strict", "kind"),
    [
        (parameter([1, 2, 3]), False, RuntimeError),
        (parameter([1, 2], np.int32), False, RuntimeError),
        (parameter([1, 2], np.float16), True, RuntimeError),
        (np.ones(2), False, TypeError),
        (parameter([1, 2]), 1, TypeError),
    ],
)
def test_what_does_not_fit_is_refused(new, strict, kind):
    p = parameter([0, 0])
    with pytest.raises(kind, match=r"^For '_update_param', the '"):
        serialization._update_param(p, new, strict)
    assert p.asnumpy().tolist() == [0, 0]


def test_the_settings_are_at_their_address_too():
    assert serialization.context is ms.context and serialization.context.GRAPH_MODE == ms.GRAPH_MODE
