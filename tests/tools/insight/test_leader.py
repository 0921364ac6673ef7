"""Overflow verdicts of data-parallel steps, in processes that are threads: all get one, and it names the process."""

import numpy as np
import pytest
from support.overflow_faults import RULES, Body, X, Y, explained, exponential, line_of, matmul, step_of
from support.overflow_faults import log_of_a_negative_number as logarithm
from support.thread_group import every, in_threads, processes

import minispore as ms
from minispore import nn, ops
from minispore.tools.insight import explain_overflow, watch


@pytest.fixture(autouse=True)
def settings(restored):
    ms.set_context(cpu_loss_scale=True)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    yield
    ms.reset_auto_parallel_context()


X32, Y32 = ms.Tensor(X), ms.Tensor(Y)


def same(x):
    return x


def shared(step, *inputs):
    """The step, after one that gives all processes the same Parameters."""
    step(*map(ms.Tensor, inputs))
    return step


def verdicts(faulty, rule, count=2, level="O3"):
    """The verdict of each process, of which some have a fault in their network."""

    def call(rank):
        return explained(shared(step_of(Body(rule if rank in faulty else same), level), X, Y), X, Y)

    return every(count, call)


@pytest.mark.parametrize(
    ("rule", "faulty"),
    [(exponential, {1}), (exponential, {0, 1}), (matmul, {0}), (logarithm, {1}), (logarithm, {0, 1})],
)
def test_the_verdict_names_the_fault_and_the_processes_that_have_it(rule, faulty):
    first, second = verdicts(faulty, rule)
    operation, phase, kind = RULES[rule]
    assert first == second and first.ranks == tuple(sorted(faulty))
    assert (first.operation, first.phase, first.kind) == (operation, phase, kind)
    assert (first.cell, first.where) == ("network._backbone.fault", line_of(rule))
    assert (first.remedy is None) == (kind == "invalid") and first.input_range


def test_the_sentence_begins_with_the_processes():
    one, both = verdicts({2}, exponential, 3)[0], verdicts({0, 2}, exponential, 3)[0]
    assert str(one).startswith("On rank 2: Exp in the cell network._backbone.fault (Fault, ")
    assert str(both).startswith("On ranks 0, 2: Exp in the cell network._backbone.fault (Fault, ")


def test_a_scale_that_is_too_high_for_one_process_is_named_with_the_greatest_for_all():
    def call(rank):
        step = shared(step_of(nn.Dense(4, 4), scale=1.0), X, Y)
        ops.assign(step.scale_sense, ms.Tensor(2.0**24, ms.float32))
        return explained(step, X * (1.0, 8.0)[rank], Y)

    first, second = every(2, call)
    assert first == second and (first.kind, first.phase) == ("scale", "backward") and 1 in first.ranks


@pytest.mark.parametrize("bad", [{1}, {0, 1}])
@pytest.mark.parametrize("synchronized", [False, True])
def test_data_that_is_not_finite_is_found_in_the_process_that_has_it(bad, synchronized):
    def call(rank):
        norm = nn.SyncBatchNorm(4) if synchronized else nn.ReLU()
        x = X.copy()
        x[1, 2] = np.nan if rank in bad else 1
        return explained(shared(step_of(nn.SequentialCell(nn.Dense(4, 4), norm, nn.Dense(4, 4)), "O2"), X, Y), x, Y)

    first, second = every(2, call)
    assert first == second and (first.kind, first.given, first.ranks) == ("data", "inputs[0]", tuple(sorted(bad)))
    assert first.remedy == "inputs[0] = ms.ops.nan_to_num(inputs[0], 0.0, 0.0, 0.0)"


def test_a_parameter_that_is_not_finite_is_so_in_all_processes():
    def call(rank):
        step = shared(step_of(nn.Dense(4, 4)), X, Y)
        step.network._backbone.bias.set_data(ms.Tensor([np.nan, 0, 0, 0], ms.float32))
        return explained(step, X, Y)

    first, second = every(2, call)
    assert first == second and (first.kind, first.given, first.ranks) == ("parameter", "bias", (0, 1))


class Steep(nn.Cell):
    """A product by one weight."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(np.ones(1, np.float32), name="w")

    def construct(self, x):
        return (self.w * x).sum()


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_sum_of_finite_gradients_that_overflows_is_the_fault_of_no_process(mode):
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(gradients_mean=False)

    def call(rank):
        net = Steep()
        step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(1.0))
        return explained(step, np.float32([3e38]))

    first, second = every(2, call)
    assert first == second and (first.operation, first.phase) == ("DistributedGradReducer", "reduction")
    assert (first.kind, first.ranks) == ("forward", ())
    assert "gives the first result that is not finite, in the reduction of the gradients" in str(first)


class Casting(nn.Cell):
    """Its code casts to float16 what overflows, in another line in the second process."""

    def __init__(self, second):
        super().__init__()
        self.fc, self.second = nn.Dense(4, 4), second

    def construct(self, x):
        large = self.fc(x) * 0 + 1e5
        narrow = self.other(large) if self.second else large.astype(ms.float16)
        return narrow.astype(ms.float32) * 1e-5 + self.fc(x)

    def other(self, large):
        return large.astype(ms.float16)


def test_the_casts_of_all_processes_are_named():
    first, second = every(2, lambda rank: explain_overflow(shared(step_of(Casting(rank), "O0"), X, Y), X32, Y32))
    assert first == second and len(first.casts) == 2
    assert {place.rpartition(":")[0] for place in first.casts} == {__file__}


def test_a_finite_step_has_no_verdict():
    assert every(2, lambda rank: explain_overflow(step_of(nn.Dense(4, 4)), ms.Tensor(X), ms.Tensor(Y))) == [None] * 2


def test_a_process_that_asks_alone_is_told_what_the_others_do():
    def call(rank):
        step = step_of(nn.Dense(4, 4))
        with pytest.raises(RuntimeError, match=r"rank 0: explain_overflow of the step .*; rank 1: watch of the step "):
            watch(step) if rank else explain_overflow(step, ms.Tensor(X), ms.Tensor(Y))

    every(2, call)


def test_a_process_that_asks_alone_waits_no_longer_than_the_timeout():
    before = ms.get_context("op_timeout")
    ms.set_context(op_timeout=1)
    with processes(2) as group:
        error, _ = in_threads(group, lambda rank: rank or explain_overflow(step_of(nn.Dense(4, 4)), X, Y))
    ms.set_context(op_timeout=before)
    assert str(error).startswith("For 'explain_overflow', all 2 ranks must come within the op_timeout of 1 seconds")


def test_a_watch_explains_the_same_in_all_processes_and_the_first_one_tells_of_it(capsys):
    def call(rank):
        step = step_of(nn.Dense(4, 4))
        bad = np.where(rank == 1, np.nan, X).astype(np.float32)
        with watch(step) as seen:
            for x in (X, bad, X):
                step(ms.Tensor(x), ms.Tensor(Y))
        return [(s.number, s.verdict) for s in seen.skipped], seen.scales, step.scale_sense.asnumpy()

    (first, scales, scale), second = every(2, call)
    assert second == (first, scales, scale) and scales == [8.0, 8.0, 4.0]
    assert [(number, verdict.given, verdict.ranks) for number, verdict in first] == [(2, "inputs[0]", (1,))]
    assert capsys.readouterr().err.count(f"Step 2 was skipped: {first[0][1]}") == 1


class Refusing(nn.Cell):
    """It overflows, and in one process runs only so often."""

    def __init__(self, allowed):
        super().__init__()
        self.fc, self.runs, self.allowed = nn.Dense(4, 4), [0], allowed

    def construct(self, x):
        self.runs[0] += 1
        if self.runs[0] > self.allowed:
            raise OSError("not again")
        return exponential(self.fc(x))


@pytest.mark.parametrize("allowed", [2, 4, 6])
def test_a_rerun_that_raises_in_one_process_helps_in_none_and_the_training_goes_on(allowed):
    def call(rank):
        net = Refusing(allowed if rank else 10**6)
        step = shared(step_of(net), X, Y)
        with watch(step) as seen:
            step(X32, Y32)
        net.allowed = 10**6
        after = [float(step(X32, Y32)[2]) for _ in range(3)]
        return seen.skipped[0].verdict, seen.skipped[0].error, after

    (first, error, after), (second, own_error, same_after) = every(2, call)
    assert first == second and after == same_after
    assert (error is None) == (own_error is None) == (allowed > 2)


class HalfMasked(nn.Cell):
    """A loss that is -inf in the second process, with finite gradients."""

    def __init__(self, rank):
        super().__init__()
        self.fc, self.rank = nn.Dense(4, 1), rank

    def construct(self, x):
        return ops.log(ops.relu(self.fc(x) - 100 * self.rank) + 1 - self.rank).mean()


def test_a_loss_that_is_not_finite_in_one_process_alone_is_noted_there_and_keeps_nobody_waiting():
    def call(rank):
        net = HalfMasked(rank)
        net.fc.weight.set_data(ops.ones_like(net.fc.weight))
        step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 0.1), ms.Tensor(8.0, ms.float32))
        with watch(step) as seen:
            for _ in range(4):
                step(X32)
        return (
            [(s.number, s.found, s.verdict, s.error) for s in seen.not_finite],
            seen.stuck,
            explain_overflow(step, X32),
        )

    (first, stuck, verdict), (second, other, same_verdict) = every(2, call)
    assert first == [] and [found[:3] for found in second] == [(n, "loss", None) for n in (1, 2, 3, 4)]
    assert "call explain_overflow in each" in second[0][3] and not stuck and not other
    assert verdict == same_verdict and (verdict.operation, verdict.found, verdict.ranks) == ("Log", "loss", (1,))
