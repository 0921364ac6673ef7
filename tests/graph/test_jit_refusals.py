"""What cannot be replayed runs operation by operation, with the right results, and says why."""

import logging
import time
import types

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.core import seeds
from minispore.graph.mode import recordings_of

pytestmark = pytest.mark.usefixtures("restored")


def reason_of(function, calls):
    """Why ``function`` is not replayed, after it gave for each of ``calls`` (input, expected) what is expected."""
    for x, expected in calls:
        np.testing.assert_array_equal(function(x).asnumpy(), expected)
    return function.recorded.reason


def steps(*values):
    return [(Tensor(float(x)), y) for x, y in values]


def test_a_path_that_data_decides_is_left_when_it_turns():
    """As long as the data decides the same the replay holds; where it keeps turning, the function is left alone."""
    function = ms.jit(lambda x: x * 2 if x > 0 else x * 3)
    assert reason_of(function, steps((1, 2), (2, 4), (3, 6), (-1, -3), (-2, -6), (-3, -9), (1, 2))) is None
    assert "changes from call to call" in reason_of(function, steps(*[(1, 2), (-1, -3)] * 12))


def test_a_departure_leaves_no_trace():
    w = ms.Parameter([0.0], name="w")
    drop = nn.Dropout(p=0.5).set_train()

    @ms.jit
    def function(x):
        ops.assign_add(w, x)
        y = drop(ops.ones((8,)))
        return (w if x.sum() > 0 else -w) + y.sum() * 0

    ms.set_seed(3)
    for i in range(1, 5):
        assert function(Tensor([1.0])).asnumpy() == [i]
    draws = seeds.seed.draws
    assert function(Tensor([-1.0])).asnumpy() == [-3.0] and w.asnumpy() == [3.0]
    assert seeds.seed.draws == draws + 1


def test_what_is_read_anew_at_every_call_is_not_replayed():
    function = ms.jit(lambda x: x * float(x))
    assert "reads back to the host" in reason_of(function, steps(*[(i, i * i) for i in range(12)]))


def test_a_counter_in_python_is_found_out():
    count = []

    @ms.jit
    def function(x):
        count.append(1)
        return x + len(count)

    assert "changes from call to call" in reason_of(function, steps(*[(0, i) for i in range(1, 13)]))


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def construct(self, x):
        self.calls = self.calls + 1
        return x + self.calls


def test_a_cell_that_counts_is_found_out():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Counting()
    assert [float(net(Tensor(0.0))) for _ in range(4)] == [1, 2, 3, 4]
    assert "the attribute 'calls' of a cell changes" in recordings_of(net)["_run"].reason


def test_shapes_that_depend_on_data_are_not_replayed():
    function = ms.jit(lambda x: x[x > 0])
    for values in ([1.0, -1.0], [1.0, 2.0], [3.0, 4.0], [-1.0, -1.0]):
        assert function(Tensor(values)).asnumpy().tolist() == [v for v in values if v > 0]
    assert "shape" in function.recorded.reason


@pytest.mark.parametrize("made", [lambda x: x.asnumpy().copy(), lambda x: {x}, lambda x: (x for _ in range(1))])
def test_what_no_later_call_could_be_given_is_not_replayed(made):
    function = ms.jit(lambda x: (x * 2, made(x)))
    for i in range(4):
        out, other = function(Tensor([float(i)]))
        assert float(out) == 2 * i and float(next(iter(other))) == i
    assert "returns an object of type" in function.recorded.reason


def test_a_number_that_is_returned_and_changes_is_found_out():
    function = ms.jit(lambda x: (x * 2, time.perf_counter_ns()))
    found = [function(Tensor(1.0))[1] for _ in range(14)]
    assert sorted(set(found)) == found
    assert "perf_counter_ns" in function.recorded.reason


def test_an_input_that_is_assigned_to_is_the_callers():
    @ms.jit
    def function(x):
        x[0] = 7.0
        return x * 1

    for _ in range(4):
        x = Tensor([1.0, 2.0])
        assert function(x).asnumpy().tolist() == x.asnumpy().tolist() == [7.0, 2.0]
    assert function.recorded.reason == "an input is assigned to"


def test_a_large_tensor_that_is_read_back_is_not_compared_at_every_call():
    function = ms.jit(lambda x: x * Tensor(x.asnumpy()))
    x = ops.ones((100,)) * 2
    assert reason_of(function, [(x, np.full(100, 4.0))] * 3) == "a Tensor of shape (100,) is read back to the host"


def test_an_object_made_anew_for_every_call_is_another_argument():
    function = ms.jit(lambda x, option: x * option.by)
    for i in range(40):
        assert float(function(Tensor(2.0), types.SimpleNamespace(by=i))) == 2 * i
    assert function.recorded.reason == "it is called with ever new kinds of input"


def test_the_reason_is_logged(caplog):
    with caplog.at_level(logging.INFO, "minispore"):
        test_a_counter_in_python_is_found_out()
    assert "'function' runs operation by operation: " in caplog.text


def test_the_emulated_ascend_watches_every_operation():
    ms.set_context(device_target="Ascend")
    function = ms.jit(lambda x: x / 0)
    for _ in range(4):
        function(Tensor(1.0))
    assert function.recorded.sources == []


def test_an_exception_is_the_functions_own_and_nothing_is_kept():
    function = ms.jit(lambda x: x.no_such_method())
    for _ in range(3):
        with pytest.raises(AttributeError, match="no_such_method"):
            function(Tensor(1.0))
    assert function.recorded.reason is None
