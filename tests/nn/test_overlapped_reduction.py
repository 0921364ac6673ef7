"""The reduction of gradients while the backward pass goes on, in processes that are threads."""

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore import nn
from minispore.communication import world
from minispore.communication.protocol import Alone


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

    def __init__(self, notes):
        self.notes = notes

    def start_sum(self, operation, array):
        self.notes.append(f"{array.size} begin")
        return lambda: (self.notes.append(f"{array.size} end"), array)[1]


class Layer(nn.Cell):
    """A product by a weight, whose backward pass is noted."""

    def __init__(self, size, notes):
        super().__init__()
        self.w, self.notes = ms.Parameter(np.ones(size, np.float32), name="w"), notes

    def construct(self, x):
        noted = ms.ops.InsertGradientOf(lambda dx: (self.notes.append(f"{self.w.size} backward"), dx)[1])
        return noted(x) * self.w.sum()


def step_of(network, **keywords):
    return ms.build_train_network(network, nn.SGD(network.trainable_params(), 0.5), **keywords)


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
def test_a_bucket_begins_as_soon_as_its_gradients_are_complete(settings, course, scaled):
    ms.set_auto_parallel_context(**settings)
    notes = []
    world.enter(Noted(notes))
    try:
        net = nn.SequentialCell(Layer(1, notes), Layer(2, notes), Layer(3, notes))
        step_of(net, loss_scale_manager=ms.amp.DynamicLossScaleManager(8.0) if scaled else None)(ms.Tensor(1.0))
    finally:
        world.leave()
    assert ", ".join(notes) == course  # the last bucket has one number more: the count of failures


class AfterThePass(nn.DistributedGradReducer):
    """A reducer of a user's own, who gets the gradients once all are complete."""


def gradients_of_steps(rank, overlapped, level, micro):
    """The weights after three steps of a network whose weights are used several times and in float16 too."""
    draw, shared = np.random.default_rng(rank), nn.Dense(4, 4, weight_init="ones")
    net = nn.SequentialCell(nn.Dense(3, 4, weight_init="ones"), shared, nn.LayerNorm((4,)), shared, nn.Dense(4, 1))
    for p in net.trainable_params():  # threads that draw from one stream would share its numbers by chance
        p.set_data(ms.Tensor(draw.normal(size=p.shape).astype(np.float32) * 0.3))
    loss = nn.WithLossCell(net, nn.MSELoss())
    step = step_of(nn.GradAccumulationCell(loss, micro) if micro > 1 else loss, level=level)
    if not overlapped:
        step.grad_reducer = AfterThePass(step.weights)
    for _ in range(3):
        x = ms.Tensor(draw.normal(size=(4, 3)).astype(np.float32))
        step(x, x[:, :1])
    return [p.asnumpy() for p in step.get_parameters()]


@pytest.mark.parametrize(("level", "micro"), [("O0", 1), ("O2", 1), ("O3", 2)])
@pytest.mark.parametrize("ends", [[], [0, 1, 4]])
def test_the_numbers_are_those_of_a_reduction_after_the_pass_bit_for_bit(level, micro, ends):
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)
    every(1, lambda rank: gradients_of_steps(rank, True, level, micro))  # threads stand for processes: nothing is new
    during = every(2, lambda rank: gradients_of_steps(rank, True, level, micro))
    after = every(2, lambda rank: gradients_of_steps(rank, False, level, micro))
    for a, b, c in zip(during[0], during[1], after[0], strict=True):
        assert a.tobytes() == c.tobytes() == b.tobytes() and np.isfinite(a).all()


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
            assert all(f"rank {r}: ValueError: no gradient here" in text for r in failing)


def test_fusions_that_say_nothing_are_refused():
    ms.set_auto_parallel_context(comm_fusion={"allreduce": {"mode": "size", "config": None}})
    with pytest.raises(ValueError, match="must have the mode 'auto', 'size' with MiB, or 'index' with a list of ints"):
        every(2, lambda rank: step_of(nn.Dense(1, 1)))
