"""What ``mpiexec -n N`` runs for the tests of boost: AdaSum and gradient freeze on the real library of MPI."""

import sys

import numpy as np

import minispore as ms
from minispore import boost, communication, nn

STEPS, RATE = 5, 0.1


def by_paper(a, b):
    product = (a * b).sum()
    return (1 - product / (2 * (a * a).sum())) * a + (1 - product / (2 * (b * b).sum())) * b


def in_pairs(steps):
    while len(steps) > 1:
        steps = [by_paper(a, b) for a, b in zip(steps[::2], steps[1::2], strict=True)]
    return steps[0]


def rows_of(rank):
    x = np.random.default_rng(rank).standard_normal((4, 3)).astype(np.float32)
    return x, x @ np.float32([[1], [-2], [0.5]])


def oracle(size, devices):
    """The weight in float64: the mean gradient within a group, AdaSum between groups."""
    w = np.ones(3)
    for _ in range(STEPS):
        each = [2 * x.T.astype(np.float64) @ (x @ w - y.ravel()) / len(y) for x, y in map(rows_of, range(size))]
        means = [np.mean(each[first : first + devices], axis=0) for first in range(0, size, devices)]
        w = w - in_pairs([RATE * mean for mean in means])
    return w


def by_adasum(rank, size, devices):
    config = {"mode": "manual", "less_bn": False, "grad_freeze": False, "adasum": True}
    boost.AutoBoost("O2", {"boost": config, "common": {"device_number": devices}})
    net = nn.Dense(3, 1, "ones", has_bias=False)
    step = ms.build_train_network(net, nn.SGD(net.trainable_params(), RATE), nn.MSELoss(), boost_level="O2")
    assert step.enable_adasum == (size > devices)
    for _ in range(STEPS):
        step(*map(ms.Tensor, rows_of(rank)))
    return net.weight.asnumpy().ravel()


def by_freezing(rank):
    """The Parameters after steps whose order each process would draw differently, and those before."""
    np.random.seed(rank)
    config = {"boost": {"mode": "manual", "less_bn": False}, "grad_freeze": {"param_groups": 2, "total_steps": 20}}
    net = nn.SequentialCell(*[nn.Dense(3, 3) for _ in range(4)], nn.Dense(3, 1))
    made = boost.AutoBoost("O1", config)
    net, opt = made.network_auto_process_train(net, nn.SGD(net.trainable_params(), 0.05))
    step = ms.build_train_network(net, opt, nn.MSELoss(), boost_level="O1")
    step(*map(ms.Tensor, rows_of(rank)))
    before = values(net)
    for _ in range(STEPS):
        step(*map(ms.Tensor, rows_of(rank)))
    return values(net), before


def values(net):
    return np.concatenate([p.asnumpy().ravel() for p in net.trainable_params()])


def main():
    communication.init("mpi")
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    rank, size = communication.get_rank(), communication.get_group_size()
    gather = ms.ops.AllGather()
    for devices in (1, 2, 8):
        found = by_adasum(rank, size, devices)
        np.testing.assert_allclose(found, oracle(size, min(devices, size)), rtol=1e-5)
        everyones = gather(ms.Tensor(found[None])).asnumpy()
        assert (everyones == everyones[0]).all()
    weights, before = by_freezing(rank)
    everyones = gather(ms.Tensor(weights[None])).asnumpy()
    assert (everyones == everyones[0]).all() and not np.array_equal(weights, before)
    sys.stdout.write("boosted\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
