"""Custom computes what a user's function of NumPy arrays returns, with the user's gradient."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, ops

X = Tensor([1.0, 2.0])


def same(*x):
    return x[0]


def test_a_function_of_arrays_is_an_operation():
    double = ops.Custom(lambda x: x * 2, same, same, "pyfunc", bprop=lambda x, out, dout: (dout * 2,))
    assert double(X).tolist() == [2, 4] and ms.grad(double)(X).tolist() == [2, 2]


def test_without_a_rule_no_gradient_passes():
    assert ms.grad(ops.Custom(np.exp, same, same, "pyfunc"))(X).tolist() == [0, 0]


def test_several_outputs_have_a_shape_and_a_dtype_each():
    both = ops.Custom(lambda x, y: (x + y, x - y), ((2,), (2,)), (ms.float32, ms.int32), "pyfunc")
    total, difference = both(X, X * 3)
    assert total.tolist() == [4, 8] and difference.tolist() == [-2, -4] and difference.dtype == ms.int32


@pytest.mark.parametrize(
    ("error", "part", "call"),
    [
        (ValueError, "no kernels are compiled", lambda: ops.Custom(same)),
        (ValueError, "func_type", lambda: ops.Custom(same, func_type="other")),
        (TypeError, "func", lambda: ops.Custom(1, same, same, "pyfunc")),
        (TypeError, "out_shape", lambda: ops.Custom(same, func_type="pyfunc")),
        (ValueError, "shape", lambda: ops.Custom(same, (3,), ms.float32, "pyfunc")(X)),
    ],
)
def test_what_is_no_function_of_arrays_is_refused_by_name(error, part, call):
    with pytest.raises(error, match=f"^For 'Custom', .*{part}"):
        call()
