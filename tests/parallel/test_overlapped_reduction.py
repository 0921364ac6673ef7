"""The reduction of gradients while the backward pass goes on, in processes that are threads."""

import functools

import numpy as np
import pytest
from support.few import few
from support.planned_faults import STEPS, check_told, course, drawn_faults
from support.thread_group import every

import minispore as ms
from minispore import nn
from minispore.graph.mode import recordings_of
from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Alone


@pytest.fixture(autouse=True)
def data_parallel():
    ms.set_context(cpu_loss_scale=True)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    yield
    ms.reset_auto_parallel_context()
    ms.set_context(cpu_loss_scale=False, mode=ms.PYNATIVE_MODE)


class Noted(Alone):
    """A group of two of which this is the only process: it notes when a sum begins and when it is awaited."""

    ranks, hosts = (0, 1), ("here", "here")

    def __init__(self):
        self.notes = []

    def start_sum(self, operation, array):
        self.notes.append(f"{array.size} begin")
        return lambda: (self.notes.append(f"{array.size} end"), array)[1]


class Note(ms.ops.Primitive):
    """The input; the group notes what it is told as that is computed, in a replay too."""

    def __init__(self, text):
        super().__init__("Note")
        self.text = text

    def infer(self, x):
        return x

    def compute(self, xp, x):
        if self.text:
            world.world().notes.append(self.text)
        return x.copy()


class NoteBackward(Note):
    """The input, whose backward pass is noted."""

    def __init__(self, text):
        super().__init__("")
        self.backward = Note(text)

    def bprop(self, x, out, dout):
        return (self.backward(dout),)


class Layer(nn.Cell):
    """A product by a weight, whose backward pass is noted."""

    def __init__(self, size):
        super().__init__()
        self.w, self.noted = ms.Parameter(np.ones(size, np.float32), name="w"), NoteBackward(f"{size} backward")

    def construct(self, x):
        return self.noted(x) * self.w.sum()


def step_of(network, rate=0.5, **keywords):
    return ms.build_train_network(network, nn.SGD(network.trainable_params(), rate), **keywords)


@pytest.mark.parametrize(
    ("settings", "course"),
    [
        (
            {"all_reduce_fusion_config": [0, 1]},
            "3 begin, 3 backward, 2 begin, 2 backward, 2 begin, 3 end, 2 end, 2 end",
        ),
        (
            {"comm_fusion": {"allreduce": {"mode": "index", "config": [1]}}},
            "3 begin, 3 backward, 2 backward, 4 begin, 3 end, 4 end",
        ),
        (
            {"comm_fusion": {"allreduce": {"mode": "size", "config": 1}}},
            "3 backward, 2 backward, 7 begin, 7 end",
        ),
        ({}, "3 backward, 2 backward, 7 begin, 7 end"),
    ],
)
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_bucket_begins_as_soon_as_its_gradients_are_complete(settings, course, scaled, mode):
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(**settings)
    group = Noted()
    world.enter(group)
    try:
        net = nn.SequentialCell(Layer(1), Layer(2), Layer(3))
        step = step_of(net, loss_scale_manager=ms.amp.DynamicLossScaleManager(8.0) if scaled else None)
        for _ in range(4):
            group.notes.clear()
            step(ms.Tensor(1.0))
            assert ", ".join(group.notes) == course  # the last bucket has one number more: the count of failures
    finally:
        world.leave()
    assert replays_of(step) == (mode == ms.GRAPH_MODE)


def replays_of(step):
    """How many replays there are of the half of a step that makes the gradients."""
    recorded = recordings_of(step).get("_differentiate") or recordings_of(step).get("loss_and_gradients")
    return len(recorded.sources) if recorded else 0


class AfterThePass(nn.DistributedGradReducer):
    """A reducer of a user's own, who gets the gradients once all are complete."""


def gradients_of_steps(rank, overlapped, level, micro):
    """The weights after four steps of a network whose weights are used several times and in float16 too."""
    draw, shared = np.random.default_rng(rank), nn.Dense(4, 4, weight_init="ones")
    net = nn.SequentialCell(nn.Dense(3, 4, weight_init="ones"), shared, nn.LayerNorm((4,)), shared, nn.Dense(4, 1))
    for p in net.trainable_params():  # threads that draw from one stream would share its numbers by chance
        p.set_data(ms.Tensor(draw.normal(size=p.shape).astype(np.float32) * 0.3))
    loss = nn.WithLossCell(net, nn.MSELoss())
    step = step_of(nn.GradAccumulationCell(loss, micro) if micro > 1 else loss, 0.05, level=level)
    if not overlapped:
        step.grad_reducer = AfterThePass(step.weights)
    for _ in range(4):
        x = ms.Tensor(draw.normal(size=(4, 3)).astype(np.float32))
        step(x, x[:, :1])
    return [p.asnumpy() for p in step.get_parameters()], replays_of(step)


@pytest.mark.parametrize(("level", "micro"), [("O0", 1), ("O2", 1), ("O3", 2)])
@pytest.mark.parametrize("ends", [[], [0, 1, 4]])
def test_the_numbers_are_those_of_a_reduction_after_the_pass_bit_for_bit(level, micro, ends):
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)
    after, _ = every(2, lambda rank: gradients_of_steps(rank, False, level, micro))[0]
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        for found, replays in every(2, lambda rank: gradients_of_steps(rank, True, level, micro)):
            assert replays == (mode == ms.GRAPH_MODE)
            assert all(a.tobytes() == b.tobytes() and np.isfinite(a).all() for a, b in zip(found, after, strict=True))


class Reads(ms.ops.Primitive):
    """The input, whose backward pass reads a number back to the host."""

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x.copy()

    def bprop(self, x, out, dout):
        return (dout * 2 if float(dout) > 0 else dout,)


class Reading(nn.Cell):
    """A network whose backward pass reads a number between its two Parameters."""

    def __init__(self):
        super().__init__()
        self.first, self.second = ms.Parameter(1.0, name="first"), ms.Parameter(1.0, name="second")
        self.reads = Reads()

    def construct(self, x):
        return self.reads(x * self.first) * self.second


def test_a_pass_that_reads_a_number_after_gradients_have_been_sent_runs_operation_by_operation():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(all_reduce_fusion_config=[0])

    def call(rank):
        step = step_of(Reading())
        step(ms.Tensor(1.0 + rank))
        assert [float(p.asnumpy()) for p in step.network.get_parameters()] == [1.0 - 0.5 * 3, 1.0 - 0.5 * 1.5]
        return recordings_of(step)["loss_and_gradients"].reason

    assert every(2, call) == ["a Tensor is read back to the host after gradients have been sent"] * 2


class Branch(nn.Cell):
    """A network of which a process uses the Parameter ``extra`` or not."""

    def __init__(self, uses, later=False):
        super().__init__()
        self.w, self.extra = ms.Parameter(1.0, name="w"), ms.Parameter(1.0, name="extra")
        self.uses, self.later = uses, later

    def construct(self, x):
        uses, self.uses = self.uses, self.uses and not self.later
        return x * self.w * self.extra if uses else x * self.w


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.filterwarnings("ignore:.*does not depend on these Parameters")
def test_a_parameter_that_one_process_does_not_use_is_named_in_all(mode):
    ms.set_context(mode=mode)

    def call(rank):
        step = step_of(Branch(uses=rank == 0))
        with pytest.raises(RuntimeError, match=r"'extra' Float32 \(\); rank 1: .* 'extra' .* the network does not use"):
            step(ms.Tensor(1.0))
        return [float(p.asnumpy()) for p in step.network.get_parameters()]

    assert every(2, call) == [[1.0, 1.0]] * 2


def test_a_parameter_that_one_process_uses_no_more_is_named_in_a_later_step():
    def call(rank):
        step = step_of(Branch(uses=True, later=rank == 1))
        step(ms.Tensor(1.0))
        with pytest.raises(RuntimeError, match=r"rank 1: .* 'extra' Float32 \(\), which the network does not use"):
            step(ms.Tensor(1.0))

    every(2, call)


class Failing(nn.Cell):
    """A network whose backward pass fails between its two Parameters that travel, or after both are complete."""

    def __init__(self, fails, late):
        super().__init__()
        self.stays = ms.Parameter(1.0, name="stays", layerwise_parallel=True)
        self.first, self.second = ms.Parameter(1.0, name="first"), ms.Parameter(1.0, name="second")
        self.fails, self.late = fails, late

    def construct(self, x):
        def check(dx):
            if self.fails:
                raise ValueError("no gradient here")
            return dx

        insert = ms.ops.InsertGradientOf(check)
        if self.late:
            return insert(x * self.stays) * self.first * self.second
        return insert(x * self.stays * self.first) * self.second


@pytest.mark.parametrize("failing", [{0}, {1, 2}, {0, 1, 2}])
@pytest.mark.parametrize("ends", [[], [0]])
@pytest.mark.parametrize("late", [False, True])
def test_a_backward_pass_that_fails_in_one_process_is_an_error_in_all_which_names_it(failing, ends, late):
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)

    def call(rank):
        net = Failing(rank in failing, late)
        step = step_of(net)
        with pytest.raises(ValueError if rank in failing else RuntimeError) as told:
            step(ms.Tensor(1.0))
        assert [float(p.asnumpy()) for p in net.get_parameters()] == [1.0] * 3
        net.fails = False
        step(ms.Tensor(1.0))  # the processes still understand one another
        return str(told.value), [float(p.asnumpy()) for p in net.get_parameters()]

    for rank, (text, values) in enumerate(every(3, call)):
        assert values == [0.5] * 3
        if rank not in failing:
            expected = f"the backward pass of all 3 ranks must end well, but got on rank {rank} that it has not"
            assert text.startswith(f"For 'DistributedGradReducer', {expected}")
            assert all(f"rank {r}: the error ValueError: no gradient here" in text for r in failing)


class FailingAt(ms.ops.Primitive):
    """The input; the call of a number in process 1 fails."""

    def __init__(self, rank, number):
        super().__init__("FailingAt")
        self.rank, self.number = rank, number

    def infer(self, x):
        return x

    def compute(self, xp, x):
        calls[self.rank] += 1
        if self.rank == 1 and calls[1] == self.number:
            raise ValueError("no loss here")
        return x.copy()

    def bprop(self, x, out, dout):
        return (dout,)


calls = [0, 0]


class Early(nn.Cell):
    """A network whose forward pass fails in one call."""

    def __init__(self, rank, number):
        super().__init__()
        self.w, self.fails = ms.Parameter(1.0, name="w"), FailingAt(rank, number)

    def construct(self, x):
        return self.fails(x) * self.w


@pytest.mark.parametrize(("mode", "number"), [(ms.PYNATIVE_MODE, 1), (ms.GRAPH_MODE, 1), (ms.GRAPH_MODE, 4)])
@pytest.mark.parametrize("overlapped", [True, False])
def test_a_forward_pass_that_fails_in_one_process_is_an_error_in_all_which_names_it(overlapped, mode, number):
    ms.set_context(mode=mode)
    calls[:] = 0, 0

    def call(rank):
        step = step_of(Early(rank, number))
        if not overlapped:
            step.grad_reducer = AfterThePass(step.weights)
        for _ in range(1, number):
            step(ms.Tensor(1.0))
        before = step.network.w.asnumpy()
        with pytest.raises(ValueError if rank else RuntimeError, match="no loss here") as told:
            step(ms.Tensor(1.0))
        assert step.network.w.asnumpy() == before
        step(ms.Tensor(1.0))  # the processes still understand one another
        assert replays_of(step) == (number == 4)
        return str(told.value), float(step.network.w.asnumpy())

    (text, w), (_, same) = every(2, call)
    assert w == same == 1.0 - 0.5 * number
    assert "got on rank 0 that they differ: " in text and text.endswith("rank 1: the error ValueError: no loss here.")


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("reducer", [None, AfterThePass])
@few(seed=2**32)
def test_drawn_faults_beside_a_synchronised_layer_are_told_by_all_and_training_goes_on(seed, mode, reducer):
    ms.set_context(mode=mode)
    draw = np.random.default_rng(seed)
    size, ends = int(draw.integers(2, 4)), [[], [0], [0, 1, 2]][draw.integers(3)]
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)
    faults = drawn_faults(draw, size)
    courses = every(size, lambda rank: course(rank, size, faults, reducer))
    expected = after_steps(size, STEPS - len({at for at, *_ in faults}))
    for told, found in courses:
        check_told(faults, told)
        assert all((a == b).all() for a, b in zip(found, courses[0][1], strict=True))
        assert all(np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in zip(found, expected, strict=True))


@functools.lru_cache
def after_steps(size, count):
    """The Parameters after so many steps without a fault: all later ones fail."""
    later = [(at, rank, 0, "forward") for at in range(count, STEPS) for rank in range(size)]
    return every(size, lambda rank: course(rank, size, later))[0][1]


def test_the_error_of_a_pass_is_raised_though_another_process_does_not_come():
    before = ms.get_context("op_timeout")
    ms.set_context(op_timeout=1)

    def call(rank):
        net = Failing(fails=False, late=False)
        step = step_of(net)
        step(ms.Tensor(1.0))
        net.fails = True
        if rank == 0:
            with pytest.raises(ValueError, match="no gradient here"):
                step(ms.Tensor(1.0))
        return rank

    try:
        assert every(2, call) == [0, 1]
    finally:
        ms.set_context(op_timeout=before)


class Weighted(nn.Cell):
    """The sum of Parameters of given shapes, each times a number, so that each gradient is constant."""

    def __init__(self, shapes, numbers):
        super().__init__()
        made = [ms.Parameter(np.zeros(shape, np.float32), name=f"w{i}") for i, shape in enumerate(shapes)]
        self.weights, self.numbers = ms.ParameterTuple(made), numbers

    def construct(self, x):
        return sum((w * (x + n)).sum() for w, n in zip(self.weights, self.numbers, strict=True))


@few(seed=2**32)
def test_parameters_of_any_sizes_get_their_own_gradients_from_any_buckets(seed):
    draw = np.random.default_rng(seed)
    shapes = [tuple(draw.integers(1, 5, draw.integers(0, 3)).tolist()) for _ in range(draw.integers(1, 6))]
    numbers = draw.integers(-8, 8, len(shapes)).tolist()
    size = int(draw.integers(1, 4))
    ends = np.flatnonzero(draw.integers(0, 2, len(shapes))).tolist()
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)

    def call(rank):
        net = Weighted(shapes, numbers)
        step = step_of(net, 1.0)
        step(ms.Tensor(float(rank)))
        return [w.asnumpy() for w in net.weights]

    for found in every(size, call):
        for shape, number, values in zip(shapes, numbers, found, strict=True):
            expected = np.float32(-sum(number + rank for rank in range(size)) * np.float32(1 / size))
            np.testing.assert_array_equal(values, np.full(shape, expected))


def test_fusions_that_say_nothing_are_refused():
    ms.set_auto_parallel_context(comm_fusion={"allreduce": {"mode": "size", "config": None}})
    with pytest.raises(ValueError, match="must have the mode 'auto', 'size' with MiB, or 'index' with a list of ints"):
        every(2, lambda rank: step_of(nn.Dense(1, 1)))
