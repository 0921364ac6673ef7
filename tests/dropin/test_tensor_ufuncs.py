"""NumPy's functions of Tensors."""

import operator

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor

ARRAY = np.array([0.5, 2.0], np.float32)
OF_ONE = "exp sin cos log sqrt absolute negative square tanh arctan reciprocal log1p log2 sinh floor ceil sign isnan"
OPERATORS = "add sub mul truediv floordiv mod pow lt le gt ge eq ne"
OF_TWO = "add subtract multiply divide floor_divide remainder power maximum minimum less equal greater_equal arctan2"


@pytest.mark.parametrize("name", OF_ONE.split())
def test_a_function_of_numpy_is_the_tensors_own(name):
    out = getattr(np, name)(Tensor(ARRAY))
    assert isinstance(out, Tensor)
    np.testing.assert_allclose(out.asnumpy(), getattr(np, name)(ARRAY), rtol=1e-6)


@pytest.mark.parametrize("name", OF_TWO.split())
def test_a_function_of_two_takes_a_tensor_first(name):
    out = getattr(np, name)(Tensor(ARRAY), Tensor(ARRAY[::-1].copy()))
    assert isinstance(out, Tensor)
    np.testing.assert_allclose(out.asnumpy(), getattr(np, name)(ARRAY, ARRAY[::-1]), rtol=1e-6)


@pytest.mark.parametrize("name", OPERATORS.split())
@pytest.mark.parametrize("left", [np.array([3.0, 1.5], np.float32), np.float32(3.0), np.float64(3.0)])
def test_an_array_or_a_number_of_numpy_beside_a_tensor_is_a_tensor(name, left):
    function = getattr(operator, name)
    out = function(left, Tensor(ARRAY))
    assert isinstance(out, Tensor)
    assert out.dtype in (ms.float32, ms.bool_)
    np.testing.assert_allclose(out.asnumpy(), function(left, ARRAY), rtol=1e-6)


def test_an_array_that_a_tensor_is_added_to_stays_as_it_is():
    name = array = np.ones(2, np.float32)
    name += Tensor(ARRAY)
    assert isinstance(name, Tensor)
    assert (name.tolist(), array.tolist()) == ([1.5, 3.0], [1.0, 1.0])


def test_a_gradient_goes_through_a_function_of_numpy():
    out = ms.grad(lambda x: (np.sin(np.pi * x) * np.exp(-x)).sum())(Tensor(ARRAY))
    expected = np.exp(-ARRAY) * (np.pi * np.cos(np.pi * ARRAY) - np.sin(np.pi * ARRAY))
    np.testing.assert_allclose(out.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.exp(x, out=np.zeros(2)),
        lambda x: np.exp(x, dtype=np.float64),
        lambda x: np.add(np.ones(2), x, where=np.array([True, False])),
        lambda x: np.rint(x),
        lambda x: np.arctan2(np.ones(2), x),
        np.add.reduce,
    ],
)
def test_what_a_tensor_has_no_method_for_is_refused(call):
    with pytest.raises(TypeError, match="__array_ufunc__"):
        call(Tensor(ARRAY))
