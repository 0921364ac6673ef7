"""Two runs are taken for the same only if they did the same: whatever else lets a difference through."""

import dataclasses
import itertools

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, ops
from minispore.core.journal import Journal
from minispore.graph.outputs import RefusedError
from minispore.graph.recorder import Recorder, Value
from minispore.graph.same_run import check_equal

pytestmark = pytest.mark.usefixtures("restored")
X, Y = Tensor(np.arange(4.0, dtype=np.float32).reshape(2, 2)), Tensor(np.ones((2, 2), np.float32))
P, Q = Parameter(np.ones((2, 2), np.float32), name="p"), Parameter(np.ones((2, 2), np.float32), name="q")
SUM, ABS, NEG, GATHER = ops.ReduceSum(), ops.Abs(), ops.Neg(), ops.Gather()


def assigning(p, value):
    ops.assign(p, value)
    return value * 1


def reading(x, which):
    """Both values are equal; one of them is read back."""
    both = [SUM(x), NEG(NEG(SUM(x)))]
    return both if float(both[which]) else x


RUNS = {
    "the first read": lambda x, y: reading(x, 0),
    "the second read": lambda x, y: reading(x, 1),
    "the sum of rows": lambda x, y: SUM(x, 0),
    "the sum of columns": lambda x, y: SUM(x, 1),
    "the sum of the other": lambda x, y: SUM(y, 0),
    "the sum that keeps the axis": lambda x, y: ops.ReduceSum(keep_dims=True)(x, 0),
    "abs": lambda x, y: ABS(x),
    "neg": lambda x, y: NEG(x),
    "neg twice": lambda x, y: NEG(NEG(x)),
    "a sum": lambda x, y: x + y,
    "a sum the other way": lambda x, y: y + x,
    "a sum of one": lambda x, y: x + x,
    "by 2": lambda x, y: x * 2.0,
    "by 3": lambda x, y: x * 3.0,
    "by 0": lambda x, y: x * 0.0,
    "by -0": lambda x, y: x * -0.0,
    "by a Tensor": lambda x, y: x * Tensor([2.0, 2.0]),
    "by another Tensor": lambda x, y: x * Tensor([2.0, 3.0]),
    "by a Parameter": lambda x, y: x * P,
    "by another Parameter": lambda x, y: x * Q,
    "a shape": lambda x, y: ops.reshape(x, (4,)),
    "another shape": lambda x, y: ops.reshape(x, (4, 1)),
    "transposed": lambda x, y: ops.transpose(x, (1, 0)),
    "not transposed": lambda x, y: ops.transpose(x, (0, 1)),
    "half": lambda x, y: x.astype(ms.float16),
    "double": lambda x, y: x.astype(ms.float64),
    "a part": lambda x, y: x[0],
    "another part": lambda x, y: x[1],
    "two parts": lambda x, y: (x[0], x[1]),
    "two parts by turns": lambda x, y: (x[0], x[1])[::-1],
    "a list of two parts": lambda x, y: [x[0], x[1]],
    "two names": lambda x, y: {"a": x * 1, "b": y * 1},
    "two other names": lambda x, y: {"a": x * 1, "c": y * 1},
    "a number beside": lambda x, y: (ABS(x), 1),
    "a truth beside": lambda x, y: (ABS(x), True),
    "a float beside": lambda x, y: (ABS(x), 1.0),
    "a zero beside": lambda x, y: (ABS(x), 0.0),
    "a zero below beside": lambda x, y: (ABS(x), -0.0),
    "a Parameter": lambda x, y: (ABS(x), P),
    "the other Parameter": lambda x, y: (ABS(x), Q),
    "written": lambda x, y: assigning(P, x * 1),
    "the other written": lambda x, y: assigning(Q, x * 1),
    "written, with the other": lambda x, y: assigning(P, y * 1),
    "read back": lambda x, y: x * 1 if float(x.sum()) > 0 else x,
    "another read back": lambda x, y: x * 1 if float(y.sum()) > 0 else x,
}


def recorded(name, but=None):
    """The record of a run that begins with equal Parameters; it undoes its writes, but ``but``, if that is a list."""
    for p in (P, Q):
        p.set_data(Y)
    recorder = Recorder([X, Y])
    with recorder:
        with Journal() as step:
            out = RUNS[name](X, Y)
        if but is not None:
            recorder.skips(out[1], step, but)
    return recorder.finished(out)


def test_runs_that_undo_their_writes_are_the_same_if_they_leave_the_same_ones(monkeypatch):
    monkeypatch.setattr("minispore.graph.recorder.device_skips", lambda: True)
    RUNS["undone"] = lambda x, y: (assigning(P, assigning(Q, x * 1)), ops.greater(x[0, 0], y[0, 0]))
    kinds = [None, [], [P], [Q]]
    try:
        for i, j in itertools.product(range(4), range(4)):
            first, second = recorded("undone", kinds[i]), recorded("undone", kinds[j])
            if i == j:
                check_equal(first, second)
            else:
                with pytest.raises(RefusedError, match="skip the same writes"):
                    check_equal(first, second)
    finally:
        del RUNS["undone"]


def test_runs_that_differ_in_their_writes_alone_are_told_apart():
    first = recorded("written")
    ((parameter, value),) = first.writes
    for writes in ([], [(Q, value)], [(parameter, Value(value.number - 1))], first.writes * 2):
        with pytest.raises(RefusedError, match="write the same Tensors"):
            check_equal(first, dataclasses.replace(first, writes=writes))


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_the_same_as_itself_and_as_no_other(name):
    first = recorded(name)
    check_equal(first, recorded(name))
    alike = []
    for other in RUNS:
        try:
            check_equal(first, recorded(other))
            alike.append(other)
        except RefusedError:
            continue
    assert alike == [name]
