"""Planted faults: the verdict names operation, line, cell and kind, and its remedy or its advice is carried out.

The faults with a verdict are in ``support.planted_faults``; those that another part of insight finds are below.
"""

import numpy as np
import pytest
from support.overflow_faults import line_of, state_of
from support.planted_faults import NAN_AT, PLANTED, SCALER, Between, X, Y, plain, scaled, with_rate
from support.thread_group import every

import minispore as ms
from minispore import nn, ops
from minispore.tools import insight
from minispore.tools.insight import explain_overflow, watch

INPUTS = ms.Tensor(X), ms.Tensor(Y)


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_seed(3)


def cell_of(step):
    """The cell of a step; None of a function."""
    step = getattr(step, "train_network", step)
    return step if isinstance(step, nn.Cell) else None


@pytest.mark.parametrize("name", PLANTED)
def test_the_verdict_names_the_planted_fault_and_what_helps(name):
    fault = PLANTED[name]
    step, inputs = fault.make(), [ms.Tensor(x) for x in fault.inputs]
    cell = cell_of(step)
    before = None if cell is None else state_of(cell)
    verdict = explain_overflow(step, *inputs, **fault.options)
    assert before == (None if cell is None else state_of(cell))
    expected = {"kind": fault.kind, "operation": fault.operation, "cell": fault.cell, "where": fault.where}
    expected = {name: value for name, value in expected.items() if value is not None}
    expected |= {"phase": fault.phase, **fault.more}
    assert {name: getattr(verdict, name) for name in expected} == expected
    assert [words for words in fault.says if words not in str(verdict)] == []
    assert (verdict.remedy is not None) == fault.cured
    if fault.cured:
        names = {"step": cell, "inputs": inputs, "ms": ms, "scaler": SCALER}
        exec(verdict.remedy, {**names, "network": network_of(step)})
        assert explain_overflow(step, *inputs, **fault.options) is None
    if fault.mended is not None:
        assert explain_overflow(fault.mended(), *inputs, **fault.options) is None


def network_of(step):
    """The network of a function, which is in its closure."""
    cells = [c.cell_contents for c in getattr(step, "__closure__", None) or ()]
    inner = [c.cell_contents for f in cells if hasattr(f, "__closure__") for c in f.__closure__ or ()]
    return next((x for x in (*cells, *inner) if isinstance(x, nn.Cell) and not isinstance(x, nn.MSELoss)), None)


# Those that something else than a verdict finds


def test_the_process_whose_data_is_bad_is_named():
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)

    def call(rank):
        step = scaled(Between(ops.tanh), scale=8.0)
        step(*INPUTS)
        return explain_overflow(step, ms.Tensor(NAN_AT if rank else X), INPUTS[1])

    first, second = every(2, call)
    ms.reset_auto_parallel_context()
    assert first == second and (first.kind, first.given, first.ranks) == ("data", "inputs[0]", (1,))


class Leftover(nn.Cell):
    """A product that O1 cannot see, which stays in float32."""

    def __init__(self):
        super().__init__()
        self.fc, self.product = nn.Dense(6, 6), ops.matmul

    def construct(self, x):
        return self.product(self.fc(x), x.T) @ x


def test_what_o1_leaves_in_float32_is_counted():
    step = scaled(Leftover(), "O1")
    with insight.collect_operator_stats() as stats:
        step(*INPUTS)
    rows = {(row.operation, row.cell.rpartition(".")[2]): row for row in stats if row.phase == "forward"}
    assert rows["MatMul", "fc"].float16 == 1 and rows["MatMul", "_backbone"].float32 >= 1


def test_the_scale_that_keeps_small_gradients_is_advised():
    net = nn.SequentialCell(nn.Dense(6, 6), nn.Tanh(), nn.Dense(6, 6, weight_init="zeros", bias_init="zeros"))
    report = insight.precision_report(net, nn.MSELoss(), (INPUTS[0], ms.Tensor(X * 1e-4)), "O3")
    assert report.advised_scale == 2.0**24 and report.sentence.endswith("begin with 2**24 (16777216).")


def test_a_bad_batch_of_many_is_named_by_its_number():
    step = scaled(Between(ops.tanh), scale=8.0)
    with watch(step) as seen:
        for number in range(1, 61):
            step(ms.Tensor(NAN_AT if number == 42 else X), INPUTS[1])
    assert [(s.number, s.verdict.given, s.skipped) for s in seen.not_finite] == [(42, "inputs[0]", True)]


class Annealed(nn.Cell):
    """A temperature of a counter in Python, which is 0 in the third step."""

    def __init__(self):
        super().__init__()
        self.fc, self.count, self.last = nn.Dense(6, 6), 0, None

    def construct(self, x):
        self.count += 1
        self.last = self.fc(x)
        return self.last / (3 - self.count)  # FAULT


@pytest.mark.parametrize("make", [plain, scaled])
def test_a_watch_finds_counters_as_they_were_and_leaves_them_so(make):
    net = Annealed()
    step = make(net)
    with watch(step) as seen:
        for _ in range(4):
            step(*INPUTS)
            last = net.last
    found = seen.not_finite[0]
    assert (found.number, found.verdict.operation, found.verdict.where) == (3, "Div", line_of(Annealed.construct))
    assert net.count == 4 and net.last is last


def test_an_explanation_leaves_counters_as_they_were():
    net = Annealed()
    step = scaled(net)
    net.count, net.last = 2, ms.Tensor(1.0)
    last = net.last
    assert explain_overflow(step, *INPUTS).kind == "invalid"
    assert net.count == 2 and net.last is last


class Exponential(nn.Cell):
    def construct(self, x):
        return ops.exp(x * 0 + 12) * x * 1e-5


def test_a_plan_tells_that_bfloat16_has_the_range():
    net = nn.SequentialCell(nn.Dense(6, 6), Exponential(), nn.Dense(6, 6))
    found = insight.plan(net, nn.MSELoss(), INPUTS)
    errors = {form.name: form.error for form in found.forms}
    assert errors["O3"] == np.inf and errors["bfloat16"] < 0.1


@pytest.mark.parametrize("rate", [30.0, 1e6])
def test_a_watch_names_the_learning_rate_where_parameters_have_grown(rate):
    step = with_rate(0.0, "relu" if rate < 100 else "tanh")()
    step.optimizer.learning_rate.set_data(ms.Tensor(rate, ms.float32))
    with watch(step) as seen:
        while not seen.skipped and seen.steps < 60:
            step(INPUTS[0], INPUTS[1] + 1)
    verdict = seen.skipped[0].verdict
    assert (verdict.kind, verdict.steps) == ("large", seen.steps - 1) and verdict.sizes[0][1] is not None
    assert f" times in {seen.steps - 1} step" in str(verdict) and "The learning rate is too high: " in str(verdict)
    assert "fp32" not in (verdict.remedy or "")


def test_a_rate_that_diverges_is_named_before_the_loss_scale_that_is_too_high_by_then():
    net = nn.SequentialCell(nn.Dense(6, 6, weight_init="normal"), nn.ReLU(), nn.Dense(6, 6, weight_init="normal"))
    step = scaled(net, "O2", scale=16.0, rate=20.0)
    with watch(step, patience=1) as seen:
        while not seen.skipped and seen.steps < 60:
            step(INPUTS[0], INPUTS[1] + 1)
    verdict = seen.skipped[0].verdict
    assert (verdict.kind, verdict.scale) == ("large", 8.0)
    told = str(verdict)
    cause, way_out = "The learning rate is too high: ", "Until then it is finite at the loss scale 2**3 (8)"
    assert told.index(cause) < told.index(way_out)
    assert not seen.stuck  # the loss scale falls on


def test_a_skip_after_one_of_a_rate_that_diverges_is_judged_anew():
    net = nn.SequentialCell(nn.Dense(6, 6, weight_init="normal"), nn.ReLU(), nn.Dense(6, 6, weight_init="normal"))
    step = scaled(net, "O2", scale=1024.0, rate=20.0)
    with watch(step) as seen:
        while not seen.skipped and seen.steps < 60:
            step(INPUTS[0], INPUTS[1] + 1)
        step(INPUTS[0], (INPUTS[1] + 1) * 1000)
    one, other = (skipped.verdict for skipped in seen.skipped)  # the second: with small Parameters it would be one too
    assert (one.kind, other.kind) == ("large", "scale") and other.scale < one.scale


def test_parameters_of_a_usual_size_are_not_blamed_where_the_loss_scale_is_too_high():
    net = nn.SequentialCell(*[nn.Dense(6, 6, weight_init=ms.common.initializer.Normal(1e-3)) for _ in range(2)])
    step = scaled(net, scale=4.0)
    with watch(step) as seen:
        step(*INPUTS)
        for p in net.trainable_params():  # as after a long training
            p.set_data(ms.Tensor(np.random.default_rng(1).standard_normal(p.shape) * 1.5, ms.float32))
        step.scale_sense.set_data(ms.Tensor(2.0**24, ms.float32))
        step(*INPUTS)
    verdict = seen.skipped[0].verdict
    assert verdict.kind == "scale" and verdict.sizes
    assert " times in 1 step: " in str(verdict) and "Lower the learning rate" in str(verdict)


def test_a_watch_tells_that_parameters_had_grown_before_a_step_that_spoils_them():
    net = nn.SequentialCell(nn.Dense(6, 6), nn.ReLU(), nn.Dense(6, 6))
    step = plain(net, nn.SGD(net.trainable_params(), 100.0))
    with watch(step) as seen:
        while not seen.not_finite and seen.steps < 60:
            step(INPUTS[0], INPUTS[1] + 1)
    assert not all(np.isfinite(p.asnumpy()).all() for p in net.trainable_params())
    verdict = seen.not_finite[0].verdict
    assert verdict.kind == "large" and [name for name, *_ in verdict.sizes] == [p.name for p in net.trainable_params()]
    assert verdict.remedy is None and "The learning rate is too high: " in str(verdict)
