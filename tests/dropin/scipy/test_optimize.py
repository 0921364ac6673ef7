"""Minimization reaches what MindSpore's reaches, from the same start, and tells it in the same tuple."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor
from minispore.scipy.optimize import minimize

START = Tensor(np.float32([-1.2, 1]))


def bowl(x):
    return ((x - Tensor(np.float32([0, 1]))) ** 2).sum()


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


@pytest.mark.parametrize("method", ["BFGS", "LBFGS", "bfgs"])
def test_the_bottom_of_a_bowl_is_found_in_three_calls(method):
    found = minimize(bowl, Tensor(np.zeros(2, np.float32)), method=method, options={"gtol": 1e-6})
    assert found[1:4] + found[6:8] == (True, 0, 0.0, 3, 3)  # MindSpore 2.0.0 gives the same
    assert found.x.asnumpy().tolist() == [0, 1] and found.jac.asnumpy().tolist() == [0, 0]
    inverse = found.hess_inv if method == "LBFGS" else found.hess_inv.asnumpy().tolist()
    assert inverse == (None if method == "LBFGS" else [[1, 0], [0, 0.5]])


@pytest.mark.parametrize("method", ["BFGS", "LBFGS"])
@pytest.mark.parametrize(("dtype", "gtol", "near"), [(np.float32, 1e-3, 1e-3), (np.float64, 1e-6, 1e-6)])
def test_a_curved_valley_is_followed_to_its_end(method, dtype, gtol, near):
    found = minimize(rosenbrock, START.astype(ms.dtype.as_dtype(dtype)), method=method, options={"gtol": gtol})
    assert found.success and found.nit < 60 and found.x.dtype.np == dtype
    np.testing.assert_allclose(found.x.asnumpy(), 1, atol=near)


def test_a_minimization_tells_why_it_ended():
    few = minimize(rosenbrock, START, method="BFGS", options={"maxiter": 3})
    assert (few.success, few.status, few.nit) == (False, 1, 3) and few.fun < rosenbrock(START).item()
    endless = minimize(lambda x: x.sum(), START, method="BFGS")
    assert (endless.success, endless.status, endless.x.asnumpy().tolist()) == (False, 5, START.asnumpy().tolist())
    undefined = minimize(lambda x: x.sum() * float("nan"), START, method="BFGS")
    assert (undefined.success, undefined.status) == (False, 5) and np.isnan(undefined.fun)


def test_further_arguments_and_a_gradient_of_ones_own_are_used():
    centre, calls = Tensor(np.float32([3, 4])), []

    def gradient(x, centre):
        calls.append(x)
        return 2 * (x - centre)

    found = minimize(lambda x, centre: ((x - centre) ** 2).sum(), START, (centre,), "BFGS", gradient, tol=1e-6)
    np.testing.assert_allclose(found.x.asnumpy(), [3, 4], atol=1e-5)
    assert len(calls) == found.njev


WRONG = [
    ({"method": None}, ValueError),
    ({"method": "LAGRANGE"}, ValueError),
    ({"x0": np.zeros(2)}, TypeError),
    ({"x0": Tensor([1, 2])}, TypeError),
    ({"x0": Tensor([[1.0]])}, ValueError),
    ({"func": 3}, TypeError),
    ({"args": [1]}, TypeError),
    ({"jac": True}, TypeError),
    ({"options": {"foo": 3}}, TypeError),
    ({"options": {"maxcor": 3}}, TypeError),
    ({"options": {"maxiter": -1}}, ValueError),
    ({"tol": "a"}, TypeError),
]


@pytest.mark.parametrize(("changes", "kind"), WRONG)
def test_wrong_arguments_are_refused_before_the_function_is_called(changes, kind):
    with pytest.raises(kind, match=r"^For 'minimize', the '"):
        minimize(**{"func": pytest.fail, "x0": START, "method": "BFGS", **changes})
