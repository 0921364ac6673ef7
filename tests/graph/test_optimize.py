"""Drawn programs with equal operations in them: random ones, writes, casts. Which of them are one, no bit may tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Parameter, Tensor, nn, ops
from minispore.core import nest, seeds

pytestmark = pytest.mark.usefixtures("restored")
ROWS, SIDE = 6, 20  # values large enough that casts of them are kept
DROPOUT, NORMAL, CAST, ASSIGN, ADD = ops.Dropout(0.5), ops.StandardNormal(), ops.Cast(), ops.Assign(), ops.AssignAdd()

RANDOM = {
    "dropout": lambda c, a: ops.dropout(a, p=0.5),
    "a Dropout": lambda c, a: DROPOUT(a)[0],
    "a Dropout made anew": lambda c, a: ops.Dropout(0.5)(a)[0],
    "a layer": lambda c, a: c.drop(a),
    "normal": lambda c, a: a + NORMAL((SIDE, SIDE)),
    "uniform": lambda c, a: a * ops.uniform((SIDE, SIDE), Tensor(0.0), Tensor(1.0)),
    "bernoulli": lambda c, a: ops.bernoulli(ops.sigmoid(a.astype(ms.float32))),
    "shuffled": lambda c, a: ops.shuffle(a) if hasattr(ops, "shuffle") else ops.dropout(a, p=0.25),
}
WRITES = {
    "assign": lambda c, a: ASSIGN(c.p, a.astype(ms.float32) * 0.5),
    "assign to the other": lambda c, a: ops.assign(c.q, a.astype(ms.float32)),
    "assign_add": lambda c, a: ADD(c.p, a.astype(ms.float32)),
    "assign_sub": lambda c, a: ops.assign_sub(c.p, a.astype(ms.float32)),
    "a counter": lambda c, a: a * 0 + ops.assign_add(c.count, c.one).astype(ms.float32),
    "a momentum": lambda c, a: c.momentum(c.p, c.q, 0.5, a.astype(ms.float32), 0.25),
    "rows": lambda c, a: ops.scatter_add(c.q, c.rows, ops.stop_gradient(a[:2].astype(ms.float32))),
}
CASTS = {
    "half": lambda c, a: a.astype(ms.float16),
    "a Cast": lambda c, a: CAST(a, ms.float16),
    "bfloat16": lambda c, a: a.astype(ms.bfloat16),
    "single": lambda c, a: a.astype(ms.float32),
    "whole": lambda c, a: a.astype(ms.int32).astype(ms.float32),
    "a product of halves": lambda c, a: ops.matmul(a.astype(ms.float16), a.astype(ms.float16)),
    "a sum of halves": lambda c, a: a.astype(ms.float16) + a.astype(ms.float16) * a.astype(ms.float16),
}
PLAIN = {
    "double": lambda c, a: a * 2,
    "p": lambda c, a: c.p * 1,
    "q": lambda c, a: c.q + a.astype(ms.float32),
    "tanh": lambda c, a: ops.tanh(a),
    "reshape": lambda c, a: a.reshape(-1).reshape(SIDE, SIDE),
}
NUMBERS = [0.0, -0.0, 0, 1, 1.0, True, -1.0, 2, 2.0]  # of which some are equal keys
CONSTANTS = {}
for _n in NUMBERS:
    CONSTANTS |= {
        f"full of {_n!r}": lambda c, a, n=_n: a / ops.full((SIDE, SIDE), n, dtype=ms.float32),
        f"filled with {_n!r}": lambda c, a, n=_n: 1 / ops.masked_fill(a.astype(ms.float32), a > 0, float(n)),
        f"by {_n!r}": lambda c, a, n=_n: 1 / (a * n),
        f"to the {_n!r}": lambda c, a, n=_n: ops.pow(a, n),
        f"padded with {_n!r}": lambda c, a, n=_n: 1 / ops.pad(a, (1, 1), value=n)[:, 1:-1],
        f"sorted by {_n!r}": lambda c, a, n=_n: ops.cumsum(a.astype(ms.float32), int(n) % 2),
    }
STEPS = {**RANDOM, **WRITES, **CASTS, **PLAIN, **CONSTANTS}


class Program(nn.Cell):
    """Drawn steps, each of an earlier value; all values are returned."""

    def __init__(self, plan):
        super().__init__()
        rng = np.random.default_rng(5)
        self.plan, self.drop, self.momentum = plan, nn.Dropout(p=0.5).set_train(), ops.ApplyMomentum()
        self.p, self.q = (
            Parameter(rng.standard_normal((SIDE, SIDE)).astype(np.float32), name=name, requires_grad=name == "p")
            for name in "pq"
        )
        self.count, self.one = Parameter(Tensor(0, ms.int32), name="count", requires_grad=False), Tensor(1, ms.int32)
        self.rows = Tensor([1, 1], ms.int32)

    def construct(self, x):
        values = [x]
        for name, back in self.plan:
            values.append(STEPS[name](self, values[-1 - back % len(values)]))
        return tuple(v * 1 for v in values[1:])


def bits_of(out):
    """The types, shapes and bits of all Tensors in a nest; nan is nan."""
    arrays = [leaf.astype(ms.float32).asnumpy() for leaf in nest.leaves(out)]
    return [str(leaf.dtype) for leaf in nest.leaves(out)], [np.where(np.isnan(a), np.nan, a).tobytes() for a in arrays]


def history(plan, kind, graph):
    """What each of six calls gives, and what the Parameters and the random streams are after it."""
    seeds.seed.draws = 3
    cell = Program(plan)
    function = cell
    if kind == "gradient":
        function = ms.value_and_grad(lambda x: sum(y.astype(ms.float32).sum() for y in cell(x)), 0, [cell.p])
    elif kind == "inner":
        inner = ms.jit(cell) if graph else cell
        function = lambda x: inner(x) + inner(x)  # noqa: E731
    replayed = ms.jit(lambda x: function(x)) if graph else function
    rng, found = np.random.default_rng(6), []
    for _ in range(6):
        out = replayed(Tensor(rng.standard_normal((SIDE, SIDE)).astype(np.float32)))
        found.append((bits_of(out), bits_of([cell.p, cell.q, cell.count]), seeds.seed.draws))
    return found, replayed.recorded.reason if graph else None


def plans(steps):
    """Programs in which each step comes twice or more, of the same value or of others."""
    one = st.tuples(st.sampled_from(sorted(steps)), st.integers(0, 2))
    return st.lists(one, min_size=1, max_size=3).flatmap(
        lambda few: st.lists(st.sampled_from(few), min_size=2, max_size=6).map(lambda more: [*few, *more])
    )


def check(plan, kind):
    with np.errstate(all="ignore"):
        expected, _ = history(plan, kind, False)
        found, reason = history(plan, kind, True)
    assert found == expected, reason


KINDS = st.sampled_from(["cell", "gradient", "inner"])


@given(plans(STEPS), KINDS)
def test_equal_operations_of_all_kinds(plan, kind):
    check(plan, kind)


ROOMS = {"random": RANDOM, "writes": WRITES, "casts": CASTS, "constants": CONSTANTS}


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
@given(data=st.data())
def test_equal_operations_of_one_kind(room, data):
    check(data.draw(plans(room)), data.draw(KINDS))


def test_numbers_that_are_equal_keys_but_other_bits():
    for which in ("full of", "filled with", "by", "to the", "padded with"):
        check([(f"{which} {n!r}", i) for i, n in enumerate(NUMBERS)], "cell")


@pytest.mark.parametrize("name", [name for name in STEPS if name not in CONSTANTS])
@pytest.mark.parametrize("places", [(0, 0), (0, 1), (0, 0, 1, 1)], ids=["one value", "one after another", "by turns"])
def test_one_operation_twice_or_more(name, places):
    plan = [(name, sum(places[:i]) and back) for i, back in enumerate(places)]
    check(plan, "cell")


@pytest.mark.parametrize("name", [*RANDOM, *CASTS, *PLAIN])
def test_such_programs_are_replayed(name):
    """Otherwise the comparison would say nothing."""
    _, reason = history([(name, 0), (name, 1)], "cell", True)
    assert reason is None


def test_two_dropouts_of_one_value_differ():
    function = ms.jit(lambda x: ops.dropout(x, p=0.5) - ops.dropout(x, p=0.5))
    for _ in range(4):
        assert function(ops.ones((SIDE, SIDE))).asnumpy().any()
    assert function.recorded.sources


@pytest.mark.parametrize("gives", ["a new array", "an array that it keeps"])
def test_a_users_function_runs_as_often_as_it_is_called(gives):
    calls, kept = [], np.zeros(3, np.float32)

    def numbered(x):
        calls.append(x[0])
        return np.add(x, np.float32(len(calls)), out=kept if gives != "a new array" else None)

    numbered = ops.Custom(numbered, lambda shape: shape, lambda dtype: dtype, func_type="pyfunc")
    twice = ms.jit(lambda x: (ops.exp(numbered(x) - x), ops.exp(numbered(x) - x)))
    x = ms.Tensor(np.ones(3, np.float32))
    for run in range(6):
        pair = [float(y.asnumpy()[0]) for y in twice(x)]
        np.testing.assert_allclose(pair, np.exp([2.0 * run + 1, 2.0 * run + 2]), rtol=1e-6)
    assert len(calls) == 12
    assert kept[0] == (0 if gives == "a new array" else 13)
