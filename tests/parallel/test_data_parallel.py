"""Several processes answer what one process answers."""

import numpy as np
import pytest
from nn.test_gradient_hooks import CLIPS, MODES, RATE, B, W, X, Y, by_global_norm, gradients_of, run, scaled, step_of
from support.thread_group import every

import minispore as ms
from minispore import nn, ops
from minispore.core import process
from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Alone
from minispore.parallel.data_parallel import SeveralProcesses


def test_the_room_of_several_processes_has_put_its_own_there():
    assert type(process.job) is SeveralProcesses


@pytest.mark.parametrize("question", ["rank", "parts_before", "shares_gradients"])
def test_one_process_and_several_answer_the_same_questions(question):
    assert question in vars(process.OneProcess) and question in vars(SeveralProcesses)


@pytest.mark.parametrize("shape", [(6, 3), (6, 3, 2, 2)])
def test_batches_of_several_processes_are_normalized_as_one(shape):
    draw = np.random.default_rng(3)
    data, weights = (draw.normal(1, 2, shape).astype(np.float32) for _ in range(2))

    def run(layer, part):
        x, w = ms.Tensor(data[part]), ms.Tensor(weights[part])
        gradients = ms.grad(lambda x: (layer(x) * w).sum(), 0, layer.trainable_params())(x)
        return [g.asnumpy() for g in (gradients[0], *gradients[1], layer.moving_mean, layer.moving_variance)]

    expected = run((nn.BatchNorm2d if len(shape) == 4 else nn.BatchNorm1d)(3).set_train(), slice(None))
    parts = [slice(0, 2), slice(2, 6)]
    both = every(2, lambda rank: run(nn.SyncBatchNorm(3).set_train(), parts[rank]))
    dx, dgamma, dbeta = (np.concatenate([found[0] for found in both]), *(sum(f[i] for f in both) for i in (1, 2)))
    for found, value in zip((dx, dgamma, dbeta, *both[0][3:], *both[1][3:]), [*expected, *expected[3:]], strict=True):
        np.testing.assert_allclose(found, value, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mean", [False, True])
def test_the_gradients_of_all_processes_are_clipped_together(mode, mean, restored):
    ms.set_context(mode=mode, cpu_loss_scale=True)
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=mean)
    exact = CLIPS["global norm"][1]

    def call(rank):
        step = step_of(scaled)
        step.register_gradient_hook(by_global_norm)
        mine = slice(2 * rank, 2 * rank + 2)
        return run(step, 1, X[mine], Y[mine])[1]

    try:
        found = every(2, call)
    finally:
        ms.reset_auto_parallel_context()
    halves = [gradients_of(W, B, X[part], Y[part]) for part in (slice(2), slice(2, 4))]
    summed = [(a + b) / (2 if mean else 1) for a, b in zip(*halves, strict=True)]
    expected = [p - RATE * g for p, g in zip((W, B), exact(summed), strict=True)]
    for parameters in found:
        for p, e in zip(parameters, expected, strict=True):
            np.testing.assert_allclose(p, e, rtol=2e-6)


class Part(Alone):
    """A group of three processes of which this is the one with a number, and the only one."""

    ranks, hosts = (0, 1, 2), ("here",) * 3

    def __init__(self, rank):
        self.rank = rank


@pytest.mark.parametrize(
    "call",
    [
        ops.Dropout(0.4),
        ops.Dropout(0.4, 7, 8),
        ops.Dropout2D(0.4),
        lambda x: ops.Dropout3D(0.4)(x.reshape(*x.shape, 1)),
        lambda x: ops.rrelu(-x),
    ],
)
def test_masks_of_data_parallel_processes_are_parts_of_the_one_that_a_single_process_draws(call, restored):
    def drawn(x):
        ms.set_seed(2)
        out = call(x)
        return (out[0] if isinstance(out, tuple) else out).asnumpy()

    x, parts, apart = ops.ones((6, 3, 1, 5)), [], []
    for rank in range(3):
        world.enter(Part(rank))
        try:
            apart.append(drawn(x[2 * rank : 2 * rank + 2]))
            ms.set_auto_parallel_context(parallel_mode="data_parallel")
            parts.append(drawn(x[2 * rank : 2 * rank + 2]))
        finally:
            ms.reset_auto_parallel_context()
            world.leave()
    assert (np.concatenate(parts) == drawn(x)).all()
    assert (apart[0] == apart[1]).all() and (apart[0] == parts[0]).all()  # without the mode each has batches of its own
