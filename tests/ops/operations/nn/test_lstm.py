"""LSTM: its values are held by tests/conformance/test_further_operations.py; here are dropout and errors."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops


def run(operation, x=(4, 2, 3), h=(2, 2, 5), w=(400, 1, 1)):
    return operation(ops.ones(x), ops.zeros(h), ops.zeros(h), ops.ones(w) * 0.1)


def test_dropout_stands_between_layers_and_not_after_the_last(restored):
    ms.set_seed(3)
    whole, dropped = (run(ops.LSTM(3, 5, 2, True, False, p))[0].asnumpy() for p in (0.0, 0.5))
    assert not np.allclose(whole, dropped) and (dropped != 0).all()
    without = run(ops.LSTM(3, 5, 2, True, False, 1.0))[0].asnumpy()
    assert (without != whole).all()  # the second layer sees zeros


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda: ops.LSTM(0, 5, 2, True, False, 0.0), ValueError, "'input_size'"),
        (lambda: ops.LSTM(3, 5, 2, 1, False, 0.0), TypeError, "'has_bias'"),
        (lambda: ops.LSTM(3, 5, 2, True, False, 1.5), ValueError, "'dropout'"),
        (lambda: ops.LSTM(3, 5, 2, True, False, 0), TypeError, "'dropout'"),
        (lambda: run(ops.LSTM(4, 5, 2, True, False, 0.0)), ValueError, "'x' must have the shape"),
        (lambda: run(ops.LSTM(3, 5, 2, True, True, 0.0)), ValueError, "'h' must have the shape"),
        (lambda: run(ops.LSTM(3, 5, 2, False, False, 0.0)), ValueError, "'w' must have the shape"),
    ],
)
def test_what_does_not_fit_is_refused(call, kind, part):
    with pytest.raises(kind, match=f"^For 'LSTM', .*{part}"):
        call()
