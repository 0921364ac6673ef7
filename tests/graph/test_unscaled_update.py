"""An update takes scaled gradients where nothing else reads what unscales them."""

import numpy as np
import pytest
from support.passes import replayed

import minispore as ms
from minispore import Parameter, Tensor
from minispore.graph.unscaled_update import with_updates_unscaled
from minispore.ops.operations.loss_scale import Unscale
from minispore.ops.operations.nn.apply_update import ApplyMomentum, UpdateAll

UNSCALE, UPDATE = Unscale(), UpdateAll(ApplyMomentum(), 2, 5)
GRADIENTS = Tensor(np.array([256.0, 1.0, 512.0], np.float32)), Tensor(np.array([64.0, 3.0], np.float16))


def parameters(value):
    return [Parameter(np.full(n, value, np.float32), name=f"p{n}_{value}") for n in (3, 2)]


def step(weights, moments, order, between):
    def run(scale, x, y):
        first, second, overflow = UNSCALE(scale, x, y)
        more = between(first)
        gradients = [first, second] if order else [first, first[:2]]
        UPDATE(weights, moments, 0.5, gradients, 0.9)
        return (overflow, *more)

    return run


CASES = {
    "one after the other": (True, lambda x: (), ["UnscaledUpdate"]),
    "a gradient is read": (True, lambda x: (x * 2,), ["Unscale", "Mul", "UpdateAll"]),
    "a gradient is no gradient": (False, lambda x: (), ["Unscale", "GetItem", "UpdateAll"]),
}


@pytest.mark.parametrize("case", CASES)
def test_gradients_are_unscaled_by_the_update_alone_where_they_are_read_there(case):
    order, between, left = CASES[case]
    found = []
    for passes in ([with_updates_unscaled], []):
        weights, moments = parameters(1.0), parameters(0.0)
        scale = Tensor(np.array(16, np.float32))
        names, made, right = replayed(step(weights, moments, order, between), passes, scale, *GRADIENTS)
        assert made == right
        found.append((made, [p.asnumpy().tobytes() for p in (*weights, *moments)]))
        if passes:
            assert names == left
    assert found[0] == found[1]
    assert ms.float32 == weights[0].dtype
