"""The tensor checker: it sees every output, or those it is asked for, and changes no number."""

import inspect

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import TensorChecker

X = ms.Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(4, 4), nn.Tanh())

    def construct(self, x):
        x = self.layers(x)
        return ops.exp(x * 0 + 20) * x  # the line of Exp


def line():
    first = inspect.getsourcelines(Net)[1]
    return first + next(i for i, text in enumerate(inspect.getsource(Net).splitlines()) if "# the line" in text)


def checked(net=None, steps=1, **options):
    net = net or Net()
    with TensorChecker(**options) as checker:
        for _ in range(steps):
            net(X)
    return checker


def test_every_floating_output_is_recorded():
    found = [(r.operation, r.cell, r.dtype) for r in checked().records]
    assert found[0] == ("MatMul", "Net.layers.0", "float32")
    assert found[2:] == [("Tanh", "Net.layers.1", "float32")] + [(name, "Net", "float32") for name in NAMES]


NAMES = ["Mul", "Add", "Exp", "Mul"]


def test_float16_would_overflow_where_float32_does_not():
    (exp,) = checked(operations=["Exp"]).records
    assert (exp.numerics.float16_overflows, exp.numerics.inf) == (8, 0)
    assert exp.lines == (f"{__file__}:{line()}",)
    assert str(exp).startswith(f"Exp in the cell Net ({exp.lines[0]}), forward: float32 of shape (2, 4), 4.85165e+08")


def test_the_outputs_of_gradients_are_recorded_by_the_cell_of_what_is_differentiated():
    net = Net()
    with TensorChecker() as checker:
        ms.grad(net, None, net.trainable_params())(X)
    assert {(r.operation, r.cell) for r in checker.records if r.phase == "backward"} >= {
        ("Mul", "Net.layers.1"),
        ("MatMul", "Net.layers.0"),
    }
    assert {r.lines for r in checker.records if r.phase == "backward" and r.cell == "Net"} == {
        (f"{__file__}:{line()}",)
    }


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"operations": ["Tanh", "Exp"]}, ["Tanh", "Exp"]),
        ({"skipped_operations": ["Mul", "Add"], "cells": ["Net"]}, ["MatMul", "BiasAdd", "Tanh", "Exp"]),
        ({"cells": ["Net.layers"]}, ["MatMul", "BiasAdd", "Tanh"]),
        ({"cells": ["Net.layers"], "skipped_cells": ["Net.layers.0"]}, ["Tanh"]),
        ({"cells": ["Net.lay"]}, []),
    ],
)
def test_operations_and_cells_are_chosen(options, names):
    assert [r.operation for r in checked(**options).records] == names


def test_steps_are_chosen():
    assert [r.step for r in checked(steps=5, operations=["Exp"], start_step=1, stop_step=4).records] == [1, 2, 3]


def test_an_output_that_is_not_finite_is_recorded_or_an_error():
    net = Net().to_float(ms.float16)
    assert [r.operation for r in checked(net).not_finite] == ["Exp", "Mul"]
    with pytest.raises(FloatingPointError, match="the outputs must be finite, but got: Exp in the cell Net"):
        checked(net, abort=True)


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_checking_changes_no_number(mode):
    ms.set_context(mode=mode)
    net = Net()
    expected = [net(X).asnumpy() for _ in range(4)][-1]
    with TensorChecker():
        assert np.array_equal(net(X).asnumpy(), expected)


@pytest.mark.parametrize(
    ("options", "error"),
    [({"operations": 3}, TypeError), ({"abort": 1}, TypeError), ({"start_step": -1}, ValueError)],
)
def test_wrong_options_are_refused(options, error):
    with pytest.raises(error, match=f"^For 'TensorChecker', the '{next(iter(options))}'"):
        TensorChecker(**options)
