"""The reducer of gradients, and the training steps that use it, in processes that are threads."""

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore import nn


@pytest.fixture(autouse=True)
def data_parallel():
    ms.set_context(cpu_loss_scale=True)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    yield
    ms.reset_auto_parallel_context()
    ms.set_context(cpu_loss_scale=False)


def step_of(rank, **keywords):
    """A training step of a network of one weight, which is another one in each process."""
    net = nn.Dense(1, 1, weight_init=ms.Tensor([[1.0 + rank]]), has_bias=False)
    return ms.build_train_network(net, nn.SGD(net.trainable_params(), 1.0), nn.MSELoss(), **keywords)


def gradients(rank):
    return ms.Tensor([1.0 + rank, 2.0]), [ms.Tensor([[3.0 * rank]], ms.float16), ms.Tensor(4.0 + rank)]


def weights_of(step):
    return [float(p.asnumpy().item()) for p in step.optimizer.parameters]


@pytest.mark.parametrize(("mean", "expected"), [(False, [[3, 4], [[3]], 9]), (True, [[1.5, 2], [[1.5]], 4.5])])
@pytest.mark.parametrize("ends", [[], [0], [0, 1]])
def test_gradients_are_summed_or_averaged_whatever_travels_together(device, mean, expected, ends):
    ms.set_auto_parallel_context(all_reduce_fusion_config=ends)
    parameters = [ms.Parameter(ms.Tensor(0.0), name=name) for name in "abc"]
    for found in every(2, lambda rank: nn.DistributedGradReducer(parameters, mean)(gradients(rank))):
        x, (y, z) = found
        assert [x.asnumpy().tolist(), y.asnumpy().tolist(), z.asnumpy().tolist()] == expected
        assert y.dtype == ms.float16


def test_a_gradient_of_a_layerwise_parallel_parameter_stays():
    parameters = [ms.Parameter(ms.Tensor(0.0), name=n, layerwise_parallel=n == "b") for n in "ab"]

    def call(rank):
        return [float(g.asnumpy()) for g in nn.DistributedGradReducer(parameters)([ms.Tensor(1.0 + rank)] * 2)]

    assert every(2, call) == [[1.5, 1], [1.5, 2]]


def test_processes_whose_networks_differ_are_told_where():
    def call(rank):
        reducer = nn.DistributedGradReducer([ms.Parameter(ms.Tensor(0.0), name="a")])
        with pytest.raises(RuntimeError, match=r"^For 'DistributedGradReducer', all 2 .* rank 1: .* Float32 \(2,\)"):
            reducer([ms.Tensor(np.ones(1 + rank, np.float32))])

    every(2, call)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("scaled", [False, True])
def test_a_step_begins_with_the_parameters_of_process_0_and_applies_the_mean(device, mode, scaled):
    ms.set_context(mode=mode)
    manager = ms.amp.DynamicLossScaleManager(8.0) if scaled else None

    def call(rank):
        step = step_of(rank, loss_scale_manager=manager)
        x, found = ms.Tensor([[1.0 + rank]]), []
        for _ in range(3):
            step(x, x * 0)
            found.append(weights_of(step))
        return found

    # the weight is 1 in process 0; the gradients 2 w and 8 w; their mean is 5 w, which the rate 1 subtracts
    assert every(2, call) == [[[-4.0], [16.0], [-64.0]]] * 2
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("rank_that_overflows", [0, 1, None])
@pytest.mark.parametrize("micro", [1, 2])
def test_an_overflow_in_one_process_skips_the_step_in_all(rank_that_overflows, micro):
    def call(rank):
        net = nn.Dense(1, 1, weight_init=ms.Tensor([[1.0]]), has_bias=False)
        loss = nn.WithLossCell(net, nn.MSELoss())
        loss = nn.GradAccumulationCell(loss, micro) if micro > 1 else loss
        optimizer = nn.SGD(net.trainable_params(), 1.0)
        step = ms.build_train_network(loss, optimizer, loss_scale_manager=ms.amp.DynamicLossScaleManager(8.0))
        x = ms.Tensor([[1.0], [np.inf if rank == rank_that_overflows else 1.0]])
        _, overflow, _ = step(x, ms.Tensor([[0.0], [0.0]]))
        return bool(overflow.asnumpy()), float(step.scale_sense.asnumpy()), weights_of(step)

    skipped = rank_that_overflows is not None
    assert every(2, call) == [(True, 4.0, [1.0]) if skipped else (False, 8.0, [1.0 - 2.0 * micro])] * 2


def test_gradients_whose_sum_overflows_skip_the_step():
    ms.set_auto_parallel_context(gradients_mean=False)

    def call(rank):
        net = nn.Dense(1, 1, weight_init=ms.Tensor([[1.0]]), has_bias=False)
        step = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params(), 1.0), ms.Tensor(1.0))
        return bool(step(ms.Tensor([[3e38]]))[1].asnumpy())

    assert every(2, call) == [True, True]


def test_a_step_that_fails_leaves_parameters_equal_and_unchanged():
    def call(rank):
        step = step_of(rank)
        with pytest.raises(ValueError, match="the last axis of 'x'"):
            step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))
        return weights_of(step)

    assert every(2, call) == [[1.0], [1.0]]


def test_the_log_warns_once_of_gradients_by_other_values_of_a_parameter(capsys):
    def call(rank):
        reducer = nn.DistributedGradReducer([ms.Parameter(1.0, name="a"), ms.Parameter(2.0 + rank, name="b")])
        for _ in range(2):
            assert [float(g.asnumpy()) for g in reducer([ms.Tensor(1.0 + rank), ms.Tensor(2.0)])] == [1.5, 2.0]

    every(2, call)
    assert capsys.readouterr().err.count("gradients by Parameters of which they have other values: ['b']") == 1


def test_settings_that_do_not_fit_the_processes_are_refused():
    def call(rank):
        ms.set_auto_parallel_context(device_num=3)
        with pytest.raises(ValueError, match="the 'device_num' must be the number of processes, 2, but got 3"):
            step_of(rank)

    every(2, call)
    ms.set_auto_parallel_context(device_num=2, global_rank=7)

    def another(rank):
        expected = f"the 'global_rank' must be the number of this process, {rank}, but got 7"
        with pytest.raises(ValueError, match=expected):
            step_of(rank)

    every(2, another)
    ms.set_auto_parallel_context(device_num=1, global_rank=0, parallel_mode="auto_parallel")

    def divided(rank):
        with pytest.raises(NotImplementedError, match="'auto_parallel' is not supported in a job of several processes"):
            step_of(rank)

    every(2, divided)


def test_processes_that_stand_alone_share_nothing():
    ms.set_auto_parallel_context(parallel_mode="stand_alone")

    def call(rank):
        step = step_of(rank)
        step(ms.Tensor([[1.0]]), ms.Tensor([[0.0]]))
        return weights_of(step)

    assert every(2, call) == [[-1.0], [-2.0]]
