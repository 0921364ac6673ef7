"""Operator statistics: they are an independent count, and do not change a number."""

from collections import Counter

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.core.layers import Layer
from minispore.core.primitive import Primitive
from minispore.core.running import running
from minispore.tools.cli.networks import LeNet5
from minispore.tools.insight import collect_operator_stats

X = np.linspace(-1, 1, 2 * 28 * 28, dtype=np.float32).reshape(2, 1, 28, 28)


def run(step):
    """What a step returns for two images."""
    return step(ms.Tensor(X), ms.Tensor([1, 3], ms.int32))


def lenet_step(level):
    ms.set_seed(1)
    ms.set_context(cpu_loss_scale=True)
    net, loss = LeNet5(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return ms.build_train_network(net, nn.Momentum(net.trainable_params(), 0.01, 0.9), loss, level=level)


def counted(monkeypatch, step):
    """The calls of a step by operation, phase and type, counted through Primitive.__call__."""
    found, call = Counter(), Primitive.__call__

    def count(self, *args, **below):
        out = call(self, *args, **below)
        first = out[0] if isinstance(out, tuple) else out
        phase = "backward" if running.pulling_back else "forward"
        name = str(first.dtype).lower()
        found[self.name, phase, name if name in ("float16", "bfloat16", "float32") else "other"] += 1
        return out

    with monkeypatch.context() as patch, _Nobody():
        patch.setattr(Primitive, "__call__", count)
        run(step)
    return found


class _Nobody(Layer):
    """Has every operation take the way through Primitive.__call__."""

    def around_compute(self, call, primitive, args, arrays):
        return call(primitive, args, arrays)


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
@pytest.mark.usefixtures("restored")
def test_the_statistics_of_lenet5_are_an_independent_count(level, monkeypatch):
    step = lenet_step(level)
    with collect_operator_stats() as stats:
        run(step)
    names = ("float16", "bfloat16", "float32", "other")
    found = {(r.operation, r.phase, name): getattr(r, name) for r in stats.by_operation for name in names}
    assert {key: calls for key, calls in found.items() if calls} == counted(monkeypatch, lenet_step(level))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.usefixtures("restored")
def test_counting_changes_no_number(device, mode):
    ms.set_context(mode=mode)
    plain, watched = lenet_step("O2"), lenet_step("O2")
    for _ in range(4):
        loss = run(plain)[0]
        with collect_operator_stats():
            assert run(watched)[0].asnumpy() == loss.asnumpy()
    for a, b in zip(plain.get_parameters(), watched.get_parameters(), strict=True):
        assert np.array_equal(a.asnumpy(), b.asnumpy())


class Tower(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return ops.exp(x)


def test_an_operation_of_a_gradient_counts_for_the_cell_of_what_is_differentiated():
    net = Tower()
    with collect_operator_stats() as stats:
        ms.grad(net, None, net.trainable_params())(ops.ones((1, 2)))
    of = {(r.operation, r.phase, r.cell): r.calls for r in stats}
    assert of["MatMul", "forward", "Tower.layers.1"] == 1
    assert of["MatMul", "backward", "Tower.layers.1"] == 2
    assert of["Mul", "backward", "Tower"] == 1
    assert (stats[0].operation, len(stats)) == ("Ones", len(list(stats)))


def test_a_second_observer_is_refused():
    with collect_operator_stats(), pytest.raises(RuntimeError, match="one observer can run at a time"):
        collect_operator_stats().__enter__()


def test_the_table_has_a_line_for_each_operation():
    with collect_operator_stats() as stats:
        ops.exp(ms.Tensor([1.0], ms.float16))
    assert [line.split() for line in str(stats).splitlines()] == [
        ["operation", "phase", "float16", "bfloat16", "float32", "other"],
        ["Exp", "forward", "1", "0", "0", "0"],
    ]
